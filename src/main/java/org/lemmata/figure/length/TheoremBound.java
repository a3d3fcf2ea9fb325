package org.lemmata.figure.length;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.setting.NumberSet;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.SimpleTask;

/**
 * The length N of theorem 4.1 for a given loss, by the parameter of a task. The function f is the task's closed form; g
 * is a trained model, assumed to have the same norms and hardmax length. If g is right up to N (delta = 0), its error
 * is at most epsilon at every length, so its loss, a squared error, is at most epsilon².
 *
 * @param parameter the name of the parameter: omega or Delta
 * @param closedForm f by the value of the parameter
 * @param theta the paper's L by the value of the parameter, with Theta read as 1
 * @param thetaText theta in words
 * @param loss epsilon²
 */
record TheoremBound(
        String parameter,
        DoubleFunction<LimitFunction> closedForm,
        DoubleUnaryOperator theta,
        String thetaText,
        double loss) {

    /** The bound for SimpleTask, "expressible by a one-layer limit transformer with ... L = Theta(omega)". */
    static TheoremBound simpleTask(double loss) {
        return new TheoremBound("omega", TheoremBound::ofSimpleTask, omega -> omega, "omega", loss);
    }

    /** The bound for ModPTask, "expressible by a limit transformer with Delta = p and L = Theta(1)". */
    static TheoremBound modPTask(double loss) {
        return new TheoremBound("Delta", TheoremBound::ofModPTask, period -> 1, "1", loss);
    }

    GeneralizationBound of(double value) {
        LimitFunction f = closedForm.apply(value);
        return GeneralizationBound.of(f, f, Math.sqrt(loss));
    }

    /** The printed bound, with O and Theta read as 1. */
    long printed(double value) {
        GeneralizationBound bound = of(value);
        double l = theta.applyAsDouble(value);
        return new GeneralizationBound(
                        bound.tokens(), bound.period(), bound.locality(), bound.hardmaxLength(), l, l, bound.epsilon())
                .printed();
    }

    /** The printed bound, with O read as 1 and L = |A|_F |B|_F max |V E| of the closed form. */
    private long ofItsNorms(double value) {
        LimitFunction f = closedForm.apply(value);
        return GeneralizationBound.printed(f, f, Math.sqrt(loss));
    }

    /**
     * The printed and corrected bounds by name, and the printed bound with the closed form's L if this L is above 0.
     */
    SequencedMap<String, ToDoubleFunction<Double>> lines(List<Double> values) {
        var lines = new LinkedHashMap<String, ToDoubleFunction<Double>>();
        lines.put("theorem 4.1 as printed, L = " + thetaText, this::printed);
        if (values.stream().allMatch(value -> closedForm.apply(value).factors().printed() > 0)) {
            lines.put("theorem 4.1 as printed, L of the closed form", this::ofItsNorms);
        }
        lines.put("theorem 4.1 corrected", value -> of(value).corrected());
        return lines;
    }

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

    /**
     * p, which is also the score of attended tokens. It equals the number of significand bits of the trained models.
     */
    private static final int BITS = 24;

    private static final int EXACT = 53;

    /** The construction's maximum length. It has no effect, because only the function is evaluated. */
    private static final int MAX_LENGTH = 1;

    private static final long SEED = 5_303;

    /** SimpleTask's closed form, with the same number of relu units as the trained models. */
    static LimitFunction ofSimpleTask(double omega) {
        return LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(omega, HIDDEN, BITS, EXACT, MAX_LENGTH).build());
    }

    /** ModPTask's closed form, with k = 0. */
    static LimitFunction ofModPTask(double period) {
        return LimitFunction.of(new ModPTaskByPeriodicPositions((int) period, 0, BITS, EXACT, MAX_LENGTH).build());
    }

    /** The mean squared error of SimpleTask's closed form, in binary64, on random sequences of a length. */
    static double lossOfSimpleTask(double omega, int testLength, int sequences) {
        var task = new SimpleTask(SimpleTask.sine(omega), new LengthRange(testLength, testLength));
        LimitFunction function = ofSimpleTask(omega);
        RandomGenerator random = Tally.random(SEED);
        return Stream.generate(() -> task.sample(random, testLength).inputs())
                .limit(sequences)
                .mapToDouble(x -> Math.pow(function.value(x) - task.value(x), 2))
                .average()
                .orElseThrow();
    }
}
