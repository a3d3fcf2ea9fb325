package org.lemmata.figure.length;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.construct.Construction;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.figure.length.LengthComparison.ShareCurve;
import org.lemmata.figure.length.LengthComparison.ShareCurve.CellShares;
import org.lemmata.measure.SequenceLoss;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.Task;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;
import org.lemmata.token.Example;

/**
 * Length generalization on tasks whose answer is a number that a one-layer limit transformer can compute.
 *
 * <p>Theorem 4.1 of Izzo, Nichani and Lee (2025) is about one layer: a model that agrees with the target up to some N
 * agrees with it approximately at all lengths. For more layers, the paper states that Huang et al. (2024) show the
 * existence of a finite N without a number, and that "one interesting direction of future work is to extend our results
 * to transformers with larger depth" (section 6). The claim is therefore the same for one layer and for two.
 */
final class NumberComparison {

    private static final int OMEGA = 2;
    private static final int PERIOD = 5;

    /** Bits p of the thresholded softmax. */
    private static final int ATTENTION_BITS = 10;

    /** Significand bits of the weights, so that they are exact in binary32. */
    private static final int WEIGHT_BITS = 24;

    /** The number of knots that gives as many chords as the trained models have relu units. */
    private static final int KNOTS = 257;

    /**
     * The square root of figure 1's "fixed test loss" 1e-2, as a tolerance for each answer. The grids have the same
     * value.
     */
    private static final double TOLERANCE = 0.1;

    /** SimpleTask, without positions. */
    static final FigureClaim SIMPLE_TASK = claim(
            "simple-task",
            "figure 1, here with two layers, too",
            "SimpleTask, omega = 2, N = 4 and 16",
            new SimpleTask(SimpleTask.sine(OMEGA), new LengthRange(1, 1)),
            maxLength -> new SimpleTaskByPiecewiseLinearSine(OMEGA, KNOTS, ATTENTION_BITS, WEIGHT_BITS, maxLength),
            length -> LossCurves.simpleTaskValues(OMEGA, length));

    /** ModPTask, with periodic positions. */
    static final FigureClaim MOD_P_TASK = claim(
            "mod-p-task",
            "figure 2, here with two layers, too",
            "ModPTask, p = 5, N = 5 and 20",
            new ModPTask(PERIOD, 0, new LengthRange(1, 1)),
            maxLength -> new ModPTaskByPeriodicPositions(PERIOD, 0, ATTENTION_BITS, WEIGHT_BITS, maxLength),
            length -> LossCurves.modPTaskValues(PERIOD, length));

    /**
     * Creates a claim.
     *
     * @param construction creates the construction for a maximum length
     * @param values the equally likely values of sequences of a length
     */
    private static FigureClaim claim(
            String id,
            String figure,
            String title,
            Task task,
            IntFunction<Construction> construction,
            IntFunction<double[]> values) {
        return new LengthComparison(
                        title,
                        "An answer is right within " + TOLERANCE + " of the value.",
                        new CellShares(
                                "right.",
                                "evaluation.lengths",
                                "evaluation.sequences",
                                record -> record.integer("task.settings.length")),
                        length -> List.of(new TrivialAnswer(
                                "one answer to all, T = " + length, LossCurves.right(TOLERANCE, values.apply(length)))),
                        (lengths, computation) -> {
                            LanguageModel model = computation.model(construction.apply(lengths.getLast()));
                            return List.of(LengthComparison.closedForm(
                                    "closed form", lengths, length -> right(model, task, length)));
                        },
                        NumberComparison::judge)
                .claim(id, "theorem 4.1 and " + figure, task.name() + """
                    , one layer and two of width 16, 8 seeds; two training lengths, test lengths to 64 times the longer;
                    128 drawn sequences of each length for the closed form
                    | batches of 1,024 to a training loss of 1e-5, 10,000 steps at most
                    | batches of 128, 1,500 steps at most at a falling rate
                    """, """
                        Beyond the paper: train models with one and with two layers on %s, some on sequences of up to N
                        tokens and some only up to a shorter length. An answer is right if it is within %s of the
                        target. At test length 64 N, models trained up to N get at least 0.9 of the answers right (our
                        threshold), and models trained up to the shorter length significantly fewer. The closed form of
                        length.%s gets all answers right at every test length of at least N.
                        """.formatted(
                                title.substring(0, title.indexOf(',')), TOLERANCE, id));
    }

    private static int right(LanguageModel model, Task task, int testLength) {
        Task ofLength = task.ofLength(testLength).orElseThrow();
        var random = new SplittableRandom(LengthComparison.SEED + testLength);
        List<Example> examples = Stream.generate(() -> ofLength.sample(random, testLength))
                .limit(LengthComparison.CASES)
                .toList();
        return (int) Arrays.stream(SequenceLoss.of(model, examples))
                .filter(loss -> Math.sqrt(loss) <= TOLERANCE)
                .count();
    }

    private static void judge(List<ShareCurve> trained, List<ShareCurve> closedForms, Judgement judgement) {
        // Curves are ordered by layers, then by N.
        trained.stream()
                .collect(Collectors.groupingBy(
                        curve -> curve.name().replaceFirst(",.*", ""), TreeMap::new, Collectors.toList()))
                .values()
                .forEach(ofLayers -> {
                    ShareCurve longer = ofLayers.getLast();
                    int last = longer.shares().lastKey();
                    LengthComparison.most(longer, last, judgement);
                    if (ofLayers.size() == 1) {
                        throw new NoSuchElementException("a shorter N");
                    }
                    ofLayers.subList(0, ofLayers.size() - 1)
                            .forEach(shorter -> judgement.below(
                                    shorter.nameAt(last), shorter.at(last), longer.nameAt(last), longer.at(last)));
                });
        closedForms.forEach(curve -> LengthComparison.all(curve, judgement));
    }
}
