package org.lemmata.claim.length.figure;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Judgement;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;

/**
 * What was fitted to all seeds of a figure.
 *
 * @param value the fitted one; NaN if there is none
 * @param interval Student's over the seeds by the jackknife, nominally at 95%: the pseudo-values n v - (n - 1) v_i, v_i
 *     fitted without seed i, about v; NaN if one of these is
 * @param seeds n
 */
record Jackknife(double value, Interval interval, int seeds) {

    /**
     * That of a fit.
     *
     * @param seeds at least 2
     * @param fit to the seeds of these indices; NaN if it cannot be made
     */
    static Jackknife of(int seeds, Function<int[], Double> fit) {
        double value = fit.apply(all(seeds));
        double[] pseudo = IntStream.range(0, seeds)
                .mapToDouble(left -> seeds * value
                        - (seeds - 1)
                                * fit.apply(IntStream.range(0, seeds)
                                        .filter(seed -> seed != left)
                                        .toArray()))
                .toArray();
        double mean = Arrays.stream(pseudo).average().orElseThrow();
        if (Double.isNaN(mean)) {
            return new Jackknife(value, new Interval(Double.NaN, Double.NaN), seeds);
        }
        Interval interval = Interval.mean(pseudo);
        return new Jackknife(value, new Interval(interval.low() + value - mean, interval.high() + value - mean), seeds);
    }

    /** The indices of so many seeds. */
    static int[] all(int seeds) {
        return IntStream.range(0, seeds).toArray();
    }

    /** Whether all of the seeds and all but any one of them have a value. */
    boolean isKnown() {
        return !Double.isNaN(interval.low());
    }

    /** exp of it. */
    Jackknife exp() {
        return new Jackknife(Math.exp(value), new Interval(Math.exp(interval.low()), Math.exp(interval.high())), seeds);
    }

    /** As a row of a claim. */
    Measurement measured(String name, String unit, @Nullable Reference reference) {
        return new Measurement(name, value, unit, interval, seeds, reference);
    }

    String text(String name) {
        return Judgement.text(name, "%.3f", value, interval);
    }
}
