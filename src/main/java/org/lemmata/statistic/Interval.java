package org.lemmata.statistic;

import java.util.NoSuchElementException;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.interval.BinomialConfidenceInterval;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/** A closed interval [low, high]. It is one point for an exact quantity. If the quantity is NaN, both ends are NaN. */
public record Interval(double low, double high) {

    public Interval {
        if (!(low <= high || (Double.isNaN(low) && Double.isNaN(high)))) {
            throw new IllegalArgumentException("interval: expected low <= high, got [" + low + ", " + high + "]");
        }
    }

    /** [value, value], for a quantity that is exact or computed over all cases. */
    public static Interval exact(double value) {
        return new Interval(value, value);
    }

    /**
     * The exact two-sided 95% interval of Clopper and Pearson (1934) for the probability of success.
     *
     * @param trials at least 1
     * @param successes between 0 and {@code trials}
     * @throws NoSuchElementException if there are no trials
     */
    public static Interval proportion(int trials, int successes) {
        if (trials == 0) {
            throw new NoSuchElementException("a proportion of no trials");
        }
        var interval = BinomialConfidenceInterval.CLOPPER_PEARSON.fromErrorRate(trials, successes, 0.05);
        return new Interval(interval.getLowerBound(), interval.getUpperBound());
    }

    /**
     * Student's two-sided 95% interval for the mean of a normal distribution, from independent values.
     *
     * @param values at least 2
     */
    public static Interval mean(double... values) {
        return student(0.05, values);
    }

    /**
     * Student's two-sided 95% interval for sum values / sum counts over independent cases i, by linearizing the
     * quotient R as the mean of R + (values_i - R counts_i) / mean(counts).
     *
     * @param values at least 2
     * @param counts one per value, with a positive sum
     */
    public static Interval ratio(double[] values, double[] counts) {
        double count = DoubleStream.of(counts).sum();
        double ratio = DoubleStream.of(values).sum() / count;
        double mean = count / counts.length;
        return mean(IntStream.range(0, counts.length)
                .mapToDouble(i -> ratio + (values[i] - ratio * counts[i]) / mean)
                .toArray());
    }

    /**
     * As {@link #ratio(double[], double[])}, for whole numbers whose quotient in each case is between {@code low} and
     * {@code high}. If all n quotients are equal, their variance is 0, although other cases may differ. With 97.5%
     * confidence, the share of cases that differ is at most 1 - 0.025^(1/n) (Clopper and Pearson). The interval allows
     * these cases any quotient.
     */
    public static Interval ratio(double low, double high, double[] values, double[] counts) {
        double sum = DoubleStream.of(values).sum();
        double count = DoubleStream.of(counts).sum();
        if (IntStream.range(0, counts.length).allMatch(i -> values[i] * count == counts[i] * sum)) {
            double others = proportion(counts.length, 0).high;
            double ratio = sum / count;
            return new Interval(ratio - others * (ratio - low), ratio + others * (high - ratio));
        }
        Interval inner = ratio(values, counts);
        return new Interval(Math.max(low, inner.low), Math.min(high, inner.high));
    }

    /**
     * Student's two-sided prediction interval for one more value of a normal distribution, from independent values.
     *
     * @param errorRate the probability that the value is outside the interval
     * @param values at least 2
     */
    public static Interval prediction(double errorRate, double... values) {
        Interval mean = student(errorRate, values);
        double middle = (mean.low + mean.high) / 2;
        double half = (mean.high - mean.low) / 2 * Math.sqrt(values.length + 1.0);
        return new Interval(middle - half, middle + half);
    }

    private static Interval student(double errorRate, double... values) {
        double mean = DoubleStream.of(values).average().orElse(Double.NaN);
        double variance = DoubleStream.of(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / (values.length - 1);
        if (variance == 0) {
            return exact(mean);
        }
        var interval = NormalConfidenceInterval.MEAN.fromErrorRate(mean, variance, values.length, errorRate);
        return new Interval(interval.getLowerBound(), interval.getUpperBound());
    }

    /** The midpoint. */
    public double middle() {
        return (low + high) / 2;
    }
}
