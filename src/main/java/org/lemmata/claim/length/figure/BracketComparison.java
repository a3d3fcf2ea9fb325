package org.lemmata.claim.length.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Form;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.Statement;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.construct.hierarchy.BracketInputs;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.measure.LawDistance;
import org.lemmata.model.LanguageModel;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.task.hierarchy.RecognitionTask;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * Dyck_2 read without positions after a start, beside the constructions of Hayakawa and Sato (2024) built for the
 * longest test length: whether strings are words, and which bracket closes. Binary32 holds these: they take 23 bits.
 */
public abstract class BracketComparison extends LengthComparison {

    private static final int TYPES = 2;

    /** Of words of the process. */
    private static final double OPEN = 0.5;

    private static final double OPEN_AT_ZERO = 0.9;

    private static final double TOLERANCE = 1e-3;

    private final String result;
    private final String what;

    private BracketComparison(String task, String title, String result, String what) {
        super(task, title);
        this.result = result;
        this.what = what;
    }

    /** Strings, as recognizers read them: theorem 1. */
    public static BracketComparison recognition() {
        return new Recognition();
    }

    /** Closing brackets, as next-token models give them: theorem 2. */
    public static BracketComparison generation() {
        return new Generation();
    }

    @Override
    public Statement statement() {
        return new Statement(
                grid().id(),
                new Source(Paper.LENGTH, "section 5, here of Dyck_2 (Hayakawa and Sato, 2024, " + result + ")"),
                Form.AS_STATED,
                "Beyond the papers: without positions, trained to N brackets, one layer and two have significantly"
                        + " fewer " + what + " right at the largest T than at N; the construction of " + result
                        + " for the largest T has all right at every T.");
    }

    @Override
    public Sizes sizes() {
        return new Sizes(
                what + " of Dyck_2; one layer and two without positions, trained to 8 and to 32 brackets after a start,"
                        + " 5 seeds, test lengths to 128; " + CASES + " strings for the construction",
                "width 30, 3,000 steps of 2 batches of 16",
                "width 30, 1,000 steps of 32");
    }

    @Override
    void judge(List<ShareCurve> trained, List<ShareCurve> closedForms, Judgement judgement) {
        for (ShareCurve curve : trained) {
            int last = curve.shares().lastKey();
            judgement.below(curve.nameAt(last), curve.at(last), curve.nameAt(curve.length()), curve.at(curve.length()));
        }
        closedForms.forEach(curve -> all(curve, judgement));
    }

    private static final class Recognition extends BracketComparison {

        Recognition() {
            super("dyck-recognition", "Strings of Dyck_2 or not, N = 8 and 32", "theorem 1", "strings");
        }

        @Override
        String right() {
            return "Half of the strings are words, half are near misses; the sign of the answer says which.";
        }

        @Override
        ShareCurve.CellShares shares() {
            return new ShareCurve.CellShares(
                    "right.",
                    "evaluation.lengths",
                    "evaluation.sequences",
                    record -> record.integer("task.settings.maxLength"));
        }

        @Override
        List<TrivialAnswer> trivial(int length) {
            return List.of(new TrivialAnswer("one answer to all, T = " + length, 0.5));
        }

        @Override
        List<ShareCurve> closedForms(List<Integer> lengths, Computation computation) {
            int longest = lengths.getLast();
            var tokens = new BracketTokens(TYPES);
            var recognizer = new DyckRecognizer(
                    tokens, DyckConstants.of(longest, longest / 2), DyckRecognizer.Variant.plain());
            LanguageModel model = computation.model(recognizer);
            return List.of(closedForm("closed form", lengths, length -> {
                var task = new RecognitionTask(tokens, length / 2, length / 2);
                var random = new SplittableRandom(SEED + length);
                List<Example> examples = Stream.generate(() -> task.sample(random, length))
                        .limit(CASES)
                        .toList();
                double[] scores = model.lastLogits(Batch.of(examples.stream()
                        .map(example -> BracketInputs.of(recognizer, example.inputs()))
                        .toList()));
                return (int) IntStream.range(0, CASES)
                        .filter(i -> scores[i] * examples.get(i).values()[0] > 0)
                        .count();
            }));
        }
    }

    private static final class Generation extends BracketComparison {

        Generation() {
            super("dyck-generation", "Closing brackets of Dyck_2, N = 8 and 32", "theorem 2", "closing brackets");
        }

        @Override
        String right() {
            return "In words of the process, where a bracket may close, T/2 < n <= T, the likeliest closing one may.";
        }

        @Override
        ShareCurve.CellShares shares() {
            return new ShareCurve.CellShares(
                    "law.right.",
                    "evaluation.law-lengths",
                    "evaluation.sequences",
                    record -> record.integer("task.settings.maxLength"));
        }

        @Override
        List<TrivialAnswer> trivial(int length) {
            return List.of(new TrivialAnswer("one closing bracket always", 1.0 / TYPES));
        }

        @Override
        List<ShareCurve> closedForms(List<Integer> lengths, Computation computation) {
            int longest = lengths.getLast();
            GenerationProcess process = GenerationProcess.dyck(TYPES, OPEN, OPEN_AT_ZERO);
            BracketTokens tokens = process.tokens();
            var generator = new DyckGenerator(process, DyckConstants.of(longest, longest / 2), TOLERANCE);
            LanguageModel model = computation.model(generator);
            var distance = new LawDistance(lengths, tokens.count(), tokens.close(0), tokens.close(1));
            var random = new SplittableRandom(SEED);
            for (int i = 0; i < CASES; i++) {
                int[] word = process.sample(random, longest);
                var inputs = new ArrayList<int[]>();
                inputs.add(BracketInputs.of(generator, IntStream.of(word)
                        .limit(word.length - 1)
                        .toArray()));
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
}
