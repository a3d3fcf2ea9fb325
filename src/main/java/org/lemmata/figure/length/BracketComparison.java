package org.lemmata.figure.length;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.figure.length.LengthComparison.ShareCurve;
import org.lemmata.measure.LawDistance;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.task.hierarchy.RecognitionTask;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * Models without positions on Dyck_2, with a start token: recognizing words, and choosing closing brackets. They are
 * compared with the constructions of Hayakawa and Sato (2024) for the longest test length. These constructions demand
 * sums of 26 bits, so they run in binary64.
 */
final class BracketComparison {

    private static final int TYPES = 2;

    /** The parameter q of the process. */
    private static final double OPEN = 0.5;

    /** The parameter r of the process. */
    private static final double OPEN_AT_ZERO = 0.9;

    private static final double TOLERANCE = 1e-3;

    /** Recognizing strings (theorem 1). */
    static final FigureClaim RECOGNITION = claim(
            "dyck-recognition",
            "Strings of Dyck_2 or not, N = 8 and 32",
            "Half of the strings are words, half are near misses; the sign of the answer says which.",
            "right.",
            "evaluation.lengths",
            length -> new TrivialAnswer("one answer to all, T = " + length, 0.5),
            BracketComparison::recognizers,
            "theorem 1",
            "strings");

    /** Choosing closing brackets as the next token (theorem 2). */
    static final FigureClaim GENERATION = claim(
            "dyck-generation",
            "Closing brackets of Dyck_2, N = 8 and 32",
            "In words of the process, where a bracket may close, T/2 < n <= T, the likeliest closing one may.",
            "law.right.",
            "evaluation.law-lengths",
            length -> new TrivialAnswer("one closing bracket always", 1.0 / TYPES),
            BracketComparison::generators,
            "theorem 2",
            "closing brackets");

    /**
     * Creates a claim.
     *
     * @param prefix the beginning of the measurement's name, before T
     * @param setting the setting that lists the test lengths
     * @param result the theorem of Hayakawa and Sato (2024) that has the construction
     * @param what the plural noun for the answers
     */
    private static FigureClaim claim(
            String task,
            String title,
            String right,
            String prefix,
            String setting,
            IntFunction<TrivialAnswer> trivial,
            BiFunction<List<Integer>, Computation, List<ShareCurve>> closedForms,
            String result,
            String what) {
        var shares = new ShareCurve.CellShares(
                prefix, setting, "evaluation.sequences", record -> record.integer("task.settings.maxLength"));
        return new LengthComparison(
                        title,
                        right,
                        shares,
                        length -> List.of(trivial.apply(length)),
                        closedForms,
                        (trained, built, to) -> {
                            trained.forEach(curve -> LengthComparison.falls(curve, to));
                            built.forEach(curve -> LengthComparison.all(curve, to));
                        })
                .claim(
                        task,
                        "section 5, here of Dyck_2 (Hayakawa and Sato, 2024, " + result + ")",
                        what + """
                             of Dyck_2; one layer and two without positions, trained to 8 and to 32 brackets after a
                            start, 5 seeds, test lengths to 128; 128 strings for the construction
                            | width 30, 3,000 steps of 2 batches of 16
                            | width 30, 1,000 steps of 32
                            """,
                        """
                        Beyond the papers: train models with one and with two layers, without positions, %s of Dyck_2
                        (balanced strings with two types of brackets). They are trained on strings of up to N brackets,
                        some for a smaller and some for a larger N. At the largest test length, they get significantly
                        fewer %s right than at length N. The construction of Hayakawa and Sato's %s, built for the
                        largest test length, gets all %s right at every test length of at least the larger N.
                        """.formatted(
                                        task.equals("dyck-recognition")
                                                ? "to recognize the strings"
                                                : "to predict the next bracket in strings",
                                        what,
                                        result,
                                        what));
    }

    private static List<ShareCurve> recognizers(List<Integer> lengths, Computation computation) {
        int longest = lengths.getLast();
        var tokens = new BracketTokens(TYPES);
        var recognizer =
                new DyckRecognizer(tokens, DyckConstants.of(longest, longest / 2), DyckRecognizer.Variant.plain());
        LanguageModel model = computation.model(recognizer);
        return List.of(LengthComparison.closedForm("closed form", lengths, length -> {
            var task = new RecognitionTask(tokens, length / 2, length / 2);
            var random = new SplittableRandom(LengthComparison.SEED + length);
            List<Example> examples = Stream.generate(() -> task.sample(random, length))
                    .limit(LengthComparison.CASES)
                    .toList();
            double[] scores = model.lastLogits(Batch.of(examples.stream()
                    .map(example -> recognizer.input(example.inputs()))
                    .toList()));
            return (int) IntStream.range(0, LengthComparison.CASES)
                    .filter(i -> scores[i] * examples.get(i).values()[0] > 0)
                    .count();
        }));
    }

    private static List<ShareCurve> generators(List<Integer> lengths, Computation computation) {
        int longest = lengths.getLast();
        GenerationProcess process = GenerationProcess.dyck(TYPES, OPEN, OPEN_AT_ZERO);
        BracketTokens tokens = process.tokens();
        var generator = new DyckGenerator(process, DyckConstants.of(longest, longest / 2), TOLERANCE);
        LanguageModel model = computation.model(generator);
        var distance = new LawDistance(lengths, tokens.count(), tokens.close(0), tokens.close(1));
        var random = new SplittableRandom(LengthComparison.SEED);
        for (int i = 0; i < LengthComparison.CASES; i++) {
            int[] word = process.sample(random, longest);
            var inputs = new ArrayList<int[]>();
            inputs.add(generator.input(IntStream.of(word).limit(word.length - 1).toArray()));
            double[] answers = model.logits(Batch.of(inputs));
            LawDistance.softmaxRows(answers, tokens.count());
            distance.add(1, process.along(0, word), answers, 0);
        }
        var shares = new TreeMap<Integer, SeedRate>();
        distance.measurements().stream()
                .filter(each -> each.name().startsWith("right."))
                .forEach(each -> shares.put(
                        Integer.valueOf(each.name().substring("right.".length())),
                        new SeedRate(each.value(), each.interval(), each.n())));
        return List.of(new ShareCurve("closed form", lengths.getFirst(), shares));
    }
}
