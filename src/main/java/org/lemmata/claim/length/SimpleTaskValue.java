package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.SimpleTask;

/** Izzo, Nichani and Lee (2025), section 5 and appendix A.2: a limit transformer of one layer expresses SimpleTask. */
public final class SimpleTaskValue implements AdjustableClaim {

    static final long SEED = 5_201;

    /** A construction's settings; {@code bits} of 24 run on the kernels in binary32. */
    record Size(double omega, int knots, int p, int bits) {

        @Override
        public String toString() {
            return "omega = " + omega + ", " + knots + " knots, p = " + p + ", " + bits + " bits";
        }
    }

    /** What the claim is tested on: the model of a construction. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(SimpleTaskByPiecewiseLinearSine construction);
    }

    @Override
    public Statement statement() {
        return new Statement(
                "length.simple-task",
                SimpleTaskByPiecewiseLinearSine.SOURCE,
                Form.CORRECTED,
                "A limit transformer of one layer without positions, whose scores are p and 0 at p bits and whose"
                    + " network is piecewise linear with knots h apart, gives f*(x) = sin(omega (c0 - c1) / (c0 + c1))"
                    + " within (omega h)² / 8 at every length; hardmax comes at 2 tokens, and its L is at most 2"
                    + " omega² + omega + 1.5 (ours).");
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                new Setting("omega", "1", "frequency; without any setting those of the budget are tested"),
                new Setting("knots", "17", "points of [-1, 1] where the answer is exact, 2 to 65536"),
                new Setting("p", "10", "bits of the thresholded softmax, 1 to 126"),
                new Setting(
                        "bits", "53", "significand bits of weights and answer, 2 to 53: with 24 it runs in binary32"));
    }

    private static List<Size> sizes(Budget budget, Settings settings) {
        return settings.isEmpty()
                ? sizes(budget)
                : List.of(new Size(
                        settings.requiredReal("omega"),
                        settings.requiredInteger("knots", 2, 1 << 16),
                        settings.requiredInteger("p", 1, 126),
                        settings.requiredInteger("bits", 2, 53)));
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return sizes(budget, settings).stream().map(Size::toString).collect(Collectors.joining("; "))
                + "; every input of up to "
                + exhaustiveLength(budget) + " tokens, and " + draws(budget) + " drawn by the task of each length of "
                + LENGTHS + "; with the bound of rounding added; L and the"
                + " hardmax length for omega = 1, 2, 4 and 8 at p = 10";
    }

    static final List<Integer> LENGTHS = List.of(10, 100, 1_000, 10_000, 100_000);

    static List<Size> sizes(Budget budget) {
        List<Size> sizes =
                new ArrayList<>(List.of(new Size(1, 17, 10, 53), new Size(8, 129, 1, 53), new Size(4, 65, 10, 24)));
        if (budget != Budget.QUICK) {
            sizes.addAll(List.of(new Size(-2, 33, 126, 53), new Size(64, 2049, 10, 53), new Size(8, 1025, 3, 24)));
        }
        return sizes;
    }

    static int exhaustiveLength(Budget budget) {
        return budget == Budget.QUICK ? 6 : 9;
    }

    static int draws(Budget budget) {
        return switch (budget) {
            case QUICK -> 4;
            case STANDARD -> 32;
            case FULL -> 256;
        };
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return ClosedFormConstants.added(
                check(
                        sizes(budget, settings),
                        inputs(exhaustiveLength(budget), LENGTHS, draws(budget)),
                        SimpleTaskValue::target,
                        computation::model),
                forms());
    }

    /** L is at most 1, for the residual, above the product of norms of {@link SimpleTaskNorms}. */
    private static List<ClosedFormConstants.Case> forms() {
        return Stream.of(1, 2, 4, 8)
                .map(omega -> new ClosedFormConstants.Case(
                        "omega = " + omega,
                        LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(omega, 16 * omega + 1, 10, 53, 2).build()),
                        2.0 * omega * omega + omega + 1.5))
                .toList();
    }

    /** sin(omega (c0 - c1) / (c0 + c1)). */
    static ToDoubleFunction<int[]> target(double omega) {
        return task(omega, 1)::value;
    }

    private static SimpleTask task(double omega, int length) {
        return new SimpleTask(new LinkFunction.Sine(omega), new LengthRange(length, length));
    }

    static List<TaskInputs> inputs(int exhaustive, List<Integer> lengths, int draws) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        List<TaskInputs> inputs = new ArrayList<>(IntStream.rangeClosed(1, exhaustive)
                .mapToObj(length -> TaskInputs.all(3, length))
                .toList());
        for (int length : lengths) {
            inputs.add(TaskInputs.drawn(task(1, length), length, draws, random));
        }
        return inputs;
    }

    static Finding check(
            List<Size> sizes, List<TaskInputs> inputs, DoubleFunction<ToDoubleFunction<int[]>> targets, Models models) {
        int maxLength = inputs.stream().mapToInt(TaskInputs::length).max().orElseThrow();
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (Size size : sizes) {
            var construction =
                    new SimpleTaskByPiecewiseLinearSine(size.omega(), size.knots(), size.p(), size.bits(), maxLength);
            LanguageModel model = models.of(construction);
            double bound = construction.errorBound();
            double maximum = 0;
            long count = 0;
            for (TaskInputs some : inputs) {
                var distance = some.distance(model, targets.apply(size.omega()), bound);
                distance.counterexamples().forEach(text -> counterexamples.add(size + ", " + text));
                maximum = Math.max(maximum, distance.maximum());
                count += some.inputs().size();
            }
            measured.add(Measurement.exactAtMost(
                    "maximum error to length " + maxLength + ", " + size, maximum, "", count, bound));
        }
        return new Finding(
                Verdict.of(counterexamples, "every answer is within (omega h)² / 8 and the bound of rounding"),
                measured,
                List.of(SEED));
    }
}
