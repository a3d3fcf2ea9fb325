package org.lemmata.claim;

import java.util.Arrays;
import java.util.NoSuchElementException;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Welch;

/**
 * The geometric mean of a positive quantity over seeds, because losses in one figure span orders of magnitude.
 *
 * @param value the mean: exp of the mean of the logarithms
 * @param interval exp of Student's nominal 95% interval of the mean of the logarithms
 * @param n the number of seeds
 */
public record SeedMean(double value, Interval interval, int n) {

    /**
     * Smaller values are replaced by this minimum. It is below 2^-48 = 3.6e-15, the square of the relative rounding
     * error of single precision.
     */
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
        // A single seed gives no interval for other seeds.
        Interval interval = logs.length > 1
                ? Interval.mean(logs)
                : new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        return new SeedMean(
                Math.exp(Arrays.stream(logs).average().orElseThrow()),
                new Interval(Math.exp(interval.low()), Math.exp(interval.high())),
                values.length);
    }

    /**
     * The geometric mean over the seeds of the ratio of two quantities.
     *
     * @throws NoSuchElementException if one quantity has fewer seeds
     */
    public static SeedMean ratio(double[] numerators, double[] denominators) {
        if (numerators.length != denominators.length) {
            throw new NoSuchElementException(
                    "ratios of " + numerators.length + " and " + denominators.length + " seeds");
        }
        double[] ratios = new double[numerators.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = Math.exp(logRatio(numerators[i], denominators[i]));
        }
        return of(ratios);
    }

    public static double logRatio(double a, double b) {
        return Math.log(Math.max(FLOOR, a) / Math.max(FLOOR, b));
    }

    /** Whether this mean is significantly below another by {@linkplain Welch Welch's test} of the logarithms. */
    public boolean isSignificantlyBelow(SeedMean other) {
        return Welch.isBelow(Math.log(value), logs(), n, Math.log(other.value), other.logs(), other.n);
    }

    private Interval logs() {
        return new Interval(Math.log(interval.low()), Math.log(interval.high()));
    }

    public Measurement measured(String name, String unit) {
        return new Measurement(name, value, unit, interval, n, null);
    }

    public String text(String name) {
        return Judgement.text(name, "%.3g", value, interval);
    }
}
