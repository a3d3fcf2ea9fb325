package org.lemmata.claim;

import java.util.Arrays;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Welch;

/**
 * The geometric mean of a positive quantity over seeds: losses of one figure span orders of magnitude.
 *
 * @param value the mean, exp of that of the logs
 * @param interval exp of Student's for the mean of the logs, nominally at 95%
 * @param n seeds
 */
public record SeedMean(double value, Interval interval, int n) {

    /** Below it nothing is told apart: far below what single precision leaves of a squared error. */
    private static final double MINIMUM = 1e-15;

    /**
     * That of some seeds.
     *
     * @param values one a seed, at least 1
     */
    public static SeedMean of(double... values) {
        double[] logs = Arrays.stream(values)
                .map(value -> Math.log(Math.max(MINIMUM, value)))
                .toArray();
        // One seed says nothing of others.
        Interval interval = logs.length > 1
                ? Interval.mean(logs)
                : new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        return new SeedMean(
                Math.exp(Arrays.stream(logs).average().orElseThrow()),
                new Interval(Math.exp(interval.low()), Math.exp(interval.high())),
                values.length);
    }

    /** The ratio of each seed's two values. */
    public static SeedMean ratio(double[] numerators, double[] denominators) {
        double[] ratios = new double[numerators.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = Math.exp(logRatio(numerators[i], denominators[i]));
        }
        return of(ratios);
    }

    /** log(a / b) of two losses. */
    public static double logRatio(double a, double b) {
        return Math.log(Math.max(MINIMUM, a) / Math.max(MINIMUM, b));
    }

    /** Whether it is significantly below another mean by {@linkplain Welch Welch's test} of the logs. */
    public boolean isSignificantlyBelow(SeedMean other) {
        return Welch.isBelow(Math.log(value), logs(), n, Math.log(other.value), other.logs(), other.n);
    }

    private Interval logs() {
        return new Interval(Math.log(interval.low()), Math.log(interval.high()));
    }

    /** As a row of a claim. */
    public Measurement measured(String name, String unit) {
        return new Measurement(name, value, unit, interval, n, null);
    }

    /** With a name before it. */
    public String text(String name) {
        return Judgement.text(name, "%.3g", value, interval);
    }
}
