package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.lemmata.claim.Inequalities;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * The exponent of a power law that was fitted to means over seeds.
 *
 * @param value the fitted one; NaN if there is none
 * @param interval Student's over the seeds by the jackknife, nominally at 95%: the pseudo-values n v - (n - 1) v_i, v_i
 *     fitted without seed i, about v
 * @param seeds n
 */
record Exponent(double value, Interval interval, int seeds) {

    /** "linearly" has no range in the paper; from half way to a square root to half way to a square is ours. */
    static final double LEAST_LINEAR = Math.sqrt(0.5);

    static final double MOST_LINEAR = Math.sqrt(2);

    /**
     * That of a fit.
     *
     * @param seeds at least 2
     * @param fit to the seeds of these indices; NaN if it cannot be made
     */
    static Exponent jackknife(int seeds, Function<int[], Double> fit) {
        double value = fit.apply(IntStream.range(0, seeds).toArray());
        double[] pseudo = IntStream.range(0, seeds)
                .mapToDouble(left -> seeds * value
                        - (seeds - 1)
                                * fit.apply(IntStream.range(0, seeds)
                                        .filter(seed -> seed != left)
                                        .toArray()))
                .toArray();
        double mean = Arrays.stream(pseudo).average().orElseThrow();
        if (Double.isNaN(mean)) {
            return new Exponent(value, new Interval(Double.NaN, Double.NaN), seeds);
        }
        Interval interval = Interval.mean(pseudo);
        return new Exponent(
                value, new Interval(interval.low() + value - mean, interval.high() + value - mean), seeds);
    }

    /** Slope of the least squares of y over x. */
    static double slope(double[] x, double[] y) {
        double meanX = Arrays.stream(x).average().orElseThrow();
        double meanY = Arrays.stream(y).average().orElseThrow();
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < x.length; i++) {
            covariance += (x[i] - meanX) * (y[i] - meanY);
            variance += (x[i] - meanX) * (x[i] - meanX);
        }
        return covariance / variance;
    }

    /** Adds that it is 1, nearer than to 1/2 or 2, and the figure. */
    void isLinear(String name, Inequalities inequalities) {
        inequalities.add(
                text(name) + String.format(Locale.ROOT, " within %.3f to %.3f", LEAST_LINEAR, MOST_LINEAR),
                interval.low() >= LEAST_LINEAR && interval.high() <= MOST_LINEAR,
                interval.high() < LEAST_LINEAR || interval.low() > MOST_LINEAR);
    }

    Measurement measured(String name) {
        return new Measurement(name, value, "", interval, seeds, new Reference(Relation.ABOUT, 1));
    }

    String text(String name) {
        return String.format(Locale.ROOT, "%s %.3f [%.3f, %.3f]", name, value, interval.low(), interval.high());
    }
}
