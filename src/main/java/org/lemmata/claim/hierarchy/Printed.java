package org.lemmata.claim.hierarchy;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.claim.Finding;
import org.lemmata.claim.FixedClaim;
import org.lemmata.claim.Form;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.construct.hierarchy.DyckGeneratorWithoutStart;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.construct.hierarchy.ShuffleDyckGenerator;
import org.lemmata.construct.hierarchy.ShuffleDyckRecognizer;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;

/** What Hayakawa and Sato (2024) print and what does not hold as it stands; docs/errata.md has the corrections. */
final class Printed {

    private static final long SEED = 2_407;

    static final RecognizerClaim THEOREM_1 = new RecognizerClaim(
            Processes.statement(
                    "theorem-1.printed",
                    "theorem 1 and Eq. 122",
                    Form.PRINTED,
                    "As printed, for all k: codes of ceil(log2 k) bits and the gain 8 sqrt(ceil(log2 k) / d), both 0"
                            + " for k = 1, make a recognizer of Dyck_k."),
            BracketLanguage.DYCK,
            strings -> DyckRecognizer.printed(
                    strings.tokens(), DyckConstants.shared(strings.length(), Math.max(1, strings.length() / 2))),
            List.of(new BracketStrings(1, 4, 0)),
            List.of(),
            List.of());

    static final FixedClaim ONE_NETWORK = new FixedClaim(
            Processes.statement(
                    "theorem-1.one-network.printed",
                    "theorem 1 and definition 5",
                    Form.PRINTED,
                    "As printed: one network recognizes Dyck_k at every length; here theorem 1's, with constants that"
                            + " serve 16 brackets."),
            """
            k | 1..64 | 2 | bracket types
            maxLength | 2..256 | 16 | brackets that the constants serve
            length | 4..1000 | 128 | of the strings
            """,
            "18 strings of length {length}, k = {k}, constants for {maxLength}; every prefix is a decision",
            (settings, computation) ->
                    oneNetwork(settings.integer("k"), settings.integer("maxLength"), settings.integer("length")));

    static final GeneratorClaim THEOREM_2_HEAD = generator(
            "theorem-2.printed",
            "Eq. 166",
            "As printed, with the head of Eq. 166: total variations are below the tolerance.",
            DyckGenerator.Wording.PRINTED_HEAD);

    static final GeneratorClaim THEOREM_2_SCORES = generator(
            "theorem-2.scores.printed",
            "appendix H.2",
            "As printed, with the scores of appendix G.4 but for the depth looked for: total variations are below the"
                    + " tolerance.",
            DyckGenerator.Wording.PRINTED_SCORES);

    static final RecognizerClaim PROPOSITION_3 = new RecognizerClaim(
            Processes.statement(
                    "proposition-3.printed",
                    "appendix I.2",
                    Form.PRINTED,
                    "As printed, with W_1 = W_2 = O in the last layer, whose norm divides 0 by 0: a recognizer of"
                            + " Shuffle-Dyck_k."),
            BracketLanguage.SHUFFLE_DYCK,
            strings -> ShuffleDyckRecognizer.printed(strings.tokens(), strings.length()),
            List.of(new BracketStrings(2, 4, 0)),
            List.of(),
            List.of());

    static final GeneratorClaim PROPOSITION_4 = new GeneratorClaim(
            Processes.statement(
                    "proposition-4.printed",
                    "Eq. 199",
                    Form.PRINTED,
                    "As printed, with embeddings of types alone, so that the norm of <bos> divides 0 by 0: total"
                            + " variations are below the tolerance."),
            BracketLanguage.SHUFFLE_DYCK,
            (process, words) -> ShuffleDyckGenerator.printed(process, words.length(), words.tolerance()),
            false,
            List.of(new GeneratorClaim.Words(2, 10, 4, 1e-3)),
            List.of(),
            List.of());

    static final GeneratorClaim COROLLARY_2 = new GeneratorClaim(
            Processes.statement(
                    "corollary-2.printed",
                    "appendix N",
                    Form.PRINTED,
                    "As printed, in seven layers whose last one looks at the tokens before alone, so that an opening"
                            + " bracket does not find itself: total variations are below the tolerance."),
            BracketLanguage.DYCK,
            (process, words) -> DyckGeneratorWithoutStart.printed(
                    process, DyckConstants.of(words.length(), words.length()), words.tolerance()),
            true,
            List.of(new GeneratorClaim.Words(2, 12, 8, 1e-3)),
            List.of(),
            List.of());

    static final FixedClaim APPENDIX_P = new FixedClaim(
            Processes.statement(
                    "appendix-p.printed",
                    "Eq. 324",
                    Form.PRINTED,
                    "As printed, with normalized keys (s), whose norm is 0 but for <bos>: a recognizer of Dyck_k."),
            """
            k | 1..4 | 2 | bracket types
            maxLength | 1..8 | 3 | of the strings
            """,
            "every string to length {maxLength}, k = {k}; every prefix is a decision",
            (settings, computation) -> zeroKeys(settings.integer("k"), settings.integer("maxLength")));

    private Printed() {}

    private static GeneratorClaim generator(String id, String place, String text, DyckGenerator.Wording wording) {
        return new GeneratorClaim(
                Processes.statement(id, place, Form.PRINTED, text),
                BracketLanguage.DYCK,
                (process, words) -> new DyckGenerator(
                        process, DyckConstants.of(words.length(), words.length()), words.tolerance(), wording),
                false,
                List.of(new GeneratorClaim.Words(2, 12, 8, 1e-3)),
                List.of(),
                List.of());
    }

    private static Finding oneNetwork(int types, int served, int length) {
        var recognizer = new DyckRecognizer(
                new BracketTokens(types), DyckConstants.of(served, served / 2), DyckRecognizer.Variant.plain());
        LanguageModel model = new ReferenceTransformer(lengthened(recognizer.build(), length));
        return decide(recognizer, model, new BracketStrings(types, length, 18));
    }

    private static Finding decide(BracketTransformer recognizer, LanguageModel model, BracketStrings strings) {
        var tally = new Tally();
        Decisions.Count count = new Decisions(recognizer, BracketLanguage.DYCK, model)
                .count(strings.strings(BracketLanguage.DYCK, Tally.random(SEED)), tally);
        tally.atMost("wrong decisions, " + strings, (double) count.wrong(), "decisions", count.decisions(), 0);
        return tally.finding("every decision is right", SEED);
    }

    /** The same weights for longer strings: none of them knows of a length. */
    private static ExactParameters lengthened(ExactParameters parameters, int length) {
        Architecture from = parameters.architecture();
        var size = new Architecture.Size(from.vocabularySize(), length + 2, from.width(), from.layers());
        return new ExactParameters(
                new Architecture(
                        size,
                        from.positions(),
                        from.attention(),
                        from.feedForward(),
                        from.normalization(),
                        from.residual(),
                        from.output(),
                        from.dropout()),
                parameters.values());
    }

    private static Finding zeroKeys(int types, int length) {
        var recognizer = new DyckRecognizer(
                new BracketTokens(types),
                DyckConstants.shared(length + 1, Math.max(1, (length + 1) / 2)),
                DyckRecognizer.Variant.normalized());
        ExactParameters parameters = recognizer.build();
        ParameterView keys = parameters.architecture().view(ParameterRole.KEY, 0);
        IntStream.range(0, keys.rows()).forEach(column -> parameters.set(ParameterRole.KEY, 0, column, 1, 0));
        return decide(recognizer, new ReferenceTransformer(parameters), new BracketStrings(types, length, 0));
    }
}
