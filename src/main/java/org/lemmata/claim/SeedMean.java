package org.lemmata.claim;

import java.util.Arrays;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Welch;

/**
 * The geometric mean of a positive quantity over seeds, because losses in one figure span orders of magnitude.
 *
 * @param value the mean: exp of the mean of the logs
 * @param interval exp of Student's interval for the mean of the logs, nominally at 95%
 * @param n seeds
 */
public record SeedMean(double value, Interval interval, int n) {

    /** Replaces smaller values; it is far below the rounding errors of squared errors in single precision. */
    private static final double FLOOR = 1e-15;

    /**
     * The mean over seeds.
     *
     * @param values one per seed, at least one
     */
    public static SeedMean of(double... values) {
        double[] logs = Arrays.stream(values)
                .map(value -> Math.log(Math.max(FLOOR, value)))
                .toArray();
        // One seed gives no interval for other seeds.
        Interval interval = logs.length > 1
                ? Interval.mean(logs)
                : new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        return new SeedMean(
                Math.exp(Arrays.stream(logs).average().orElseThrow()),
                new Interval(Math.exp(interval.low()), Math.exp(interval.high())),
                values.length);
    }

    /** The geometric mean over the seeds of the ratio of two quantities. */
    public static SeedMean ratio(double[] numerators, double[] denominators) {
        double[] ratios = new double[numerators.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = Math.exp(logRatio(numerators[i], denominators[i]));
        }
        return of(ratios);
    }

    /** log(a / b) of two losses. */
    public static double logRatio(double a, double b) {
        return Math.log(Math.max(FLOOR, a) / Math.max(FLOOR, b));
    }

    /** Whether this mean is significantly below another by {@linkplain Welch Welch's test} of the logs. */
    public boolean isSignificantlyBelow(SeedMean other) {
        return Welch.isBelow(Math.log(value), logs(), n, Math.log(other.value), other.logs(), other.n);
    }

    private Interval logs() {
        return new Interval(Math.log(interval.low()), Math.log(interval.high()));
    }

    /** This mean as a measurement. */
    public Measurement measured(String name, String unit) {
        return new Measurement(name, value, unit, interval, n, null);
    }

    /** The mean and interval after a name. */
    public String text(String name) {
        return Judgement.text(name, "%.3g", value, interval);
    }
}
