package org.lemmata.claim.length.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.setting.NumberSet;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.SimpleTask;

/**
 * N of theorem 4.1 for a loss, by the parameter of a task. f is the task's closed form, and g a trained model, taken
 * for one of the same norms and the same hardmax length: if it is right up to N (delta = 0), its error is at most
 * epsilon at every length, and its loss, a squared error, at most epsilon².
 *
 * @param parameter its name: omega, Delta
 * @param closedForm f, by the parameter
 * @param theta L by the parameter, where the paper gives it as Theta of that
 * @param thetaText the same for people
 * @param loss epsilon²
 */
record TheoremBound(
        String parameter,
        DoubleFunction<LimitFunction> closedForm,
        DoubleUnaryOperator theta,
        String thetaText,
        double loss) {

    /**
     * A line of a plot.
     *
     * @param lengths N, one for each value of the parameter
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Line(String name, double[] lengths) {}

    /** Of SimpleTask, "expressible by a one-layer limit transformer with ... L = Theta(omega)". */
    static TheoremBound simpleTask(double loss) {
        return new TheoremBound("omega", TheoremBound::ofSimpleTask, omega -> omega, "omega", loss);
    }

    /** Of ModPTask, "expressible by a limit transformer with Delta = p and L = Theta(1)". */
    static TheoremBound modPTask(double loss) {
        return new TheoremBound("Delta", TheoremBound::ofModPTask, period -> 1, "1", loss);
    }

    /** The constants of theorem 4.1, corrected. */
    GeneralizationBound of(double value) {
        LimitFunction f = closedForm.apply(value);
        return GeneralizationBound.of(f, f, Math.sqrt(loss));
    }

    /** As printed, O and Theta read as 1. */
    long printed(double value) {
        GeneralizationBound bound = of(value);
        double l = theta.applyAsDouble(value);
        return new GeneralizationBound(
                        bound.tokens(), bound.period(), bound.locality(), bound.hardmaxLength(), l, l, bound.epsilon())
                .printed();
    }

    /** As printed, O read as 1, L = |A|_F |B|_F max |V E| of the closed form. */
    private long ofItsNorms(double value) {
        LimitFunction f = closedForm.apply(value);
        return GeneralizationBound.printed(f, f, Math.sqrt(loss));
    }

    /** As printed and corrected; by the norms as printed where the closed form has a feed-forward part. */
    List<Line> lines(List<Double> values) {
        var lines = new ArrayList<Line>();
        lines.add(line("theorem 4.1 as printed, L = " + thetaText, values, this::printed));
        if (values.stream().allMatch(value -> closedForm.apply(value).printedNorm() > 0)) {
            lines.add(line("theorem 4.1 as printed, L of the closed form", values, this::ofItsNorms));
        }
        lines.add(line("theorem 4.1 corrected", values, value -> of(value).corrected()));
        return lines;
    }

    private static Line line(String name, List<Double> values, DoubleUnaryOperator length) {
        return new Line(name, values.stream().mapToDouble(length::applyAsDouble).toArray());
    }

    /** Every constant, by its name in the paper. */
    String caption(List<Double> values) {
        GeneralizationBound bound = of(values.getLast());
        LimitFunction f = closedForm.apply(values.getLast());
        String period =
                of(values.getFirst()).period() == bound.period() ? "Delta = " + bound.period() : "Delta as drawn";
        String norms = values.stream()
                                .mapToDouble(value -> of(value).normOfF())
                                .distinct()
                                .count()
                        == 1
                ? Double.toString(bound.normOfF())
                : values.stream()
                        .map(value -> String.format(
                                Locale.ROOT, "%.3g at %s = %s", of(value).normOfF(), parameter, NumberSet.shown(value)))
                        .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "Bounds of theorem 4.1: f the closed form, g the trained model, taken for a limit transformer of the"
                        + " same norms and right up to N (delta = 0); epsilon² = %.2g is the loss; p = %d bits of"
                        + " precision, gamma = %s, so that 2^(p / gamma) = %d; tau = %d; %d tokens; %s. As printed,"
                        + " max(2^(p / gamma), tau Delta L² / epsilon²), O and Theta read as 1, and tau = 0 as 1;"
                        + " corrected with every constant, L = |u| (1 + |A|_F |B|_F) max |v| = %s.",
                loss,
                f.attention().bits(),
                LogitMargin.corrected(f.attention()),
                bound.hardmaxLength(),
                bound.locality(),
                bound.tokens(),
                period,
                norms);
    }

    /** "the MLP width is 256". */
    static final int HIDDEN = 256;

    /** p, and the score of what is attended to; the significand bits of the trained models. */
    private static final int BITS = 24;

    private static final int EXACT = 53;

    /** The functions are asked for values at any length; the maximum of the construction is not looked at. */
    private static final int MAX_LENGTH = 1;

    private static final long SEED = 5_303;

    /** SimpleTask's with as many relu as the trained models have. */
    static LimitFunction ofSimpleTask(double omega) {
        return LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(omega, HIDDEN, BITS, EXACT, MAX_LENGTH).build());
    }

    /** ModPTask's, k = 0. */
    static LimitFunction ofModPTask(double period) {
        return LimitFunction.of(new ModPTaskByPeriodicPositions((int) period, 0, BITS, EXACT, MAX_LENGTH).build());
    }

    /** The mean squared error of SimpleTask's, in binary64, on fresh sequences of a length. */
    static double lossOfSimpleTask(double omega, int testLength, int sequences) {
        var task = new SimpleTask(new LinkFunction.Sine(omega), new LengthRange(testLength, testLength));
        LimitFunction function = ofSimpleTask(omega);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        return Stream.generate(() -> task.sample(random, testLength).inputs())
                .limit(sequences)
                .mapToDouble(x -> Math.pow(function.value(x) - task.value(x), 2))
                .average()
                .orElseThrow();
    }
}
