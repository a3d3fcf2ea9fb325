package org.lemmata.claim.hierarchy;

import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.construct.hierarchy.DyckGeneratorWithoutStart;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.construct.hierarchy.ShuffleDyckGenerator;
import org.lemmata.construct.hierarchy.ShuffleDyckRecognizer;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * What Hayakawa and Sato (2024) print and what does not work as it stands, where the theorems say that a network
 * exists: gaps in their proofs. docs/errata.md has each sentence.
 */
final class Printed {

    private static final long SEED = 2_407;

    static final ComputedClaim THEOREM_1 = RecognizerClaim.of(
                    ComputedClaim.printed(
                            "hierarchy.theorem-1.printed", new Source(Paper.HIERARCHY, "appendix D and Eq. 122"), """
                            The proof's codes of ceil(log2 k) bits and its gain 8 sqrt(ceil(log2 k) / d) make a
                            recognizer of Dyck_k for all k. For k = 1 both are 0.
                            """),
                    BracketLanguage.DYCK,
                    strings -> DyckRecognizer.printed(
                            strings.tokens(),
                            DyckConstants.shared(strings.length(), Math.max(1, strings.length() / 2))),
                    List.of(new BracketStrings(1, 4, 0)),
                    List.of(),
                    List.of())
            .ofProof("theorem 1 says that a network exists, and with one bit it does for k = 1 (hierarchy.theorem-1)");

    static final ComputedClaim ONE_NETWORK = ComputedClaim.printed(
                    "hierarchy.theorem-1.one-network.printed",
                    new Source(Paper.HIERARCHY, "theorem 1, definition 5 and appendix G.4"),
                    """
                    One network recognizes Dyck_k at every length: a constant C_1 has C_1 (1 - cos(theta(d) -
                    theta(d'))) > 1 for all depths d and d' that differ, as the proof wants it, theta(d) = atan(d /
                    e^a).
                    """)
            .settings("depth | 2..1000000 | 2,16,128,1024 | of the strings, ascending")
            .range("depths of {depth}; the least C_1 for any a")
            .test((scope, computation) -> oneConstant(scope.integers("depth")))
            .ofProof("theorem 1 says that a network exists, and whether another one has constants that do not grow is"
                    + " open");

    static final ComputedClaim THEOREM_2_HEAD = ComputedClaim.printed(
                    "hierarchy.theorem-2.printed",
                    new Source(Paper.HIERARCHY, "Eq. 166"),
                    "The head of Eq. 166, as the text at hand has it, realizes the process of Dyck_k.")
            .untested(NotTested.TEXT.because(
                    "the matrix of Eq. 166 lost its layout when the paper was converted; Eqs. 170 to 172"
                            + " give its entries, which hierarchy.theorem-2 tests"));

    static final ComputedClaim THEOREM_2_SCORES = GeneratorClaim.of(
                    ComputedClaim.printed(
                            "hierarchy.theorem-2.scores.printed", new Source(Paper.HIERARCHY, "appendix H.2"), """
                            The scores of appendix G.4, in which only the depth looked for is replaced, make total
                            variations below the tolerance.
                            """),
                    BracketLanguage.DYCK,
                    (process, words) -> new DyckGenerator(
                            process,
                            DyckConstants.of(words.length(), words.length()),
                            words.tolerance(),
                            DyckGenerator.Wording.PRINTED_SCORES),
                    false,
                    List.of(new GeneratorClaim.Words(2, 12, 8, 1e-3)),
                    List.of(),
                    List.of())
            .ofProof("theorem 2 says that a network exists, and without T_open it does (hierarchy.theorem-2)");

    static final ComputedClaim PROPOSITION_3 = RecognizerClaim.of(
                    ComputedClaim.printed(
                            "hierarchy.proposition-3.printed", new Source(Paper.HIERARCHY, "appendix I.2"), """
                            W_1 = W_2 = O in the last layer, whose norm divides 0 by 0, leaves a recognizer of
                            Shuffle-Dyck_k.
                            """),
                    BracketLanguage.SHUFFLE_DYCK,
                    strings -> ShuffleDyckRecognizer.printed(strings.tokens(), strings.length()),
                    List.of(new BracketStrings(2, 4, 0)),
                    List.of(),
                    List.of())
            .ofProof("proposition 3 says that a network exists, and with a constant row it does"
                    + " (hierarchy.proposition-3)");

    static final ComputedClaim PROPOSITION_4 = GeneratorClaim.of(
                    ComputedClaim.printed(
                            "hierarchy.proposition-4.printed", new Source(Paper.HIERARCHY, "Eq. 199"), """
                            Embeddings of types only, for which the norm of <bos> divides 0 by 0, make total variations
                            below the tolerance.
                            """),
                    BracketLanguage.SHUFFLE_DYCK,
                    (process, words) -> ShuffleDyckGenerator.printed(process, words.length(), words.tolerance()),
                    false,
                    List.of(new GeneratorClaim.Words(2, 10, 4, 1e-3)),
                    List.of(),
                    List.of())
            .ofProof("proposition 4 says that a network exists, and with a column of ones it does"
                    + " (hierarchy.proposition-4)");

    static final ComputedClaim COROLLARY_2 = GeneratorClaim.of(
                    ComputedClaim.printed(
                            "hierarchy.corollary-2.printed", new Source(Paper.HIERARCHY, "appendix N"), """
                            The seven layers of the outline, whose last one looks only at the tokens before, make total
                            variations below the tolerance.
                            """),
                    BracketLanguage.DYCK,
                    (process, words) -> DyckGeneratorWithoutStart.printed(
                            process, DyckConstants.of(words.length(), words.length()), words.tolerance()),
                    true,
                    List.of(new GeneratorClaim.Words(2, 12, 8, 1e-3)),
                    List.of(),
                    List.of())
            .ofProof("corollary 2 says that a network exists, appendix N outlines one, and with the tokens themselves"
                    + " as keys it does (hierarchy.corollary-2)");

    static final ComputedClaim APPENDIX_P = ComputedClaim.printed(
                    "hierarchy.appendix-p.printed",
                    new Source(Paper.HIERARCHY, "Eq. 324"),
                    "Normalized keys (s), whose norm is 0 except for <bos>, make a recognizer of Dyck_k.")
            .settings("""
                k | 1..4 | 2 | bracket types
                maxLength | 1..8 | 3 | of the strings
                """)
            .range("every string to length {maxLength}, k = {k}; every prefix is a decision")
            .test((scope, computation) -> zeroKeys(scope.integer("k"), scope.integer("maxLength")))
            .ofProof("normalization of 0 is not defined, and with keys (s, 1 - s) it works (hierarchy.appendix-p)");

    private Printed() {}

    /** min over e^a of 1 / (1 - cos(theta(D) - theta(D - 1))), which is at e^a = sqrt(D (D - 1)). */
    static double leastConstant(int depth) {
        double half = Math.atan(1 / (2 * Math.sqrt(depth * (depth - 1.0)))) / 2;
        return 1 / (2 * Math.pow(Math.sin(half), 2));
    }

    private static Finding oneConstant(List<Integer> depths) {
        var tally = new Tally();
        double shallowest = leastConstant(depths.getFirst());
        for (int depth : depths) {
            double least = leastConstant(depth);
            tally.require(
                    least <= shallowest,
                    "depth %d: C_1 is at least %.4g, whatever a is; at depth %d it is %.4g",
                    depth,
                    least,
                    depths.getFirst(),
                    shallowest);
            tally.atLeast("C_1 beside 8 D (D - 1), depth D = " + depth, least, "", 1, 8.0 * depth * (depth - 1));
        }
        return tally.finding("one C_1 serves all depths tested");
    }

    private static Finding zeroKeys(int types, int length) {
        var recognizer = new DyckRecognizer(
                new BracketTokens(types),
                DyckConstants.shared(length + 1, Math.max(1, (length + 1) / 2)),
                DyckRecognizer.Variant.normalized());
        ExactParameters parameters = recognizer.build();
        ParameterView keys = parameters.architecture().view(ParameterRole.KEY, 0);
        IntStream.range(0, keys.rows()).forEach(column -> parameters.set(ParameterRole.KEY, 0, column, 1, 0));
        var tally = new Tally();
        var model = new ReferenceTransformer(parameters);
        var strings = new BracketStrings(types, length, 0);
        RecognizerClaim.decide(recognizer, BracketLanguage.DYCK, model, strings, SEED, tally);
        return tally.finding("every decision is right", SEED);
    }
}
