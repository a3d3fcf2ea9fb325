package org.lemmata.measure.precision;

import java.util.Set;
import org.apache.commons.numbers.gamma.Erf;
import org.apache.commons.numbers.gamma.Erfc;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * The law of the first change: r(n) = n (n - 1) int phi(x)^2 Phi(x)^(n-2) loss(x) dx is the rate of changed rows, and
 * the first one has come with probability 1/2 where the rates of rows 2, 3, ... add up to ln 2.
 *
 * <p>Scores of a row are standard normal, phi and Phi their density and distribution. n (n - 1) phi(x)^2 Phi(x)^(n-2)
 * is the density of the maximum being x and the next no gap behind it, and loss(x) the mean gap that rounding closes
 * there: E[max(0, T + D)], T the gap that two equal weights may hide and D the error of the difference of two scores.
 * For large n the maximum is about a = sqrt(2 ln n) and the gap exponential with mean 1 / a, so that r(n) is about a
 * loss(a): Leadbetter, Lindgren and Rootzen (1983), Extremes and related properties of random sequences and processes,
 * theorem 1.5.3.
 *
 * <p>Not in it: numbers that overflow or saturate, losses that are not small beside the gap, and that rows share keys.
 */
public final class ArgmaxLaw {

    /** E[ulp(x)^2] / (12 x^2), times 4^p, for x whose logarithm is uniform in a binade: (4 / 12) (3 / 8) / ln 2. */
    private static final double RELATIVE_VARIANCE = 0.125 / StrictMath.log(2);

    private static final double MINIMUM = -4;
    private static final double STEP = 1.0 / 64;
    private static final int POINTS = 768;

    /** The number of positions of a score in its cell over which the loss is averaged. */
    private static final int PLACES = 16;

    /** From this length on, the rate is computed in steps of 1 / LENGTHS of the length. */
    private static final int LENGTHS = 128;

    private static final long SEED = 64;
    private static final int SAMPLE = 1024;

    private final double[] loss = new double[POINTS];

    /**
     * The law of rounding some sites to nearest even.
     *
     * @param rounding the rounding, to a float format unless only inputs are rounded
     */
    public ArgmaxLaw(TensorRounding rounding, Set<Site> sites) {
        double inputError = sites.contains(Site.INPUTS) ? inputError(rounding) : 0;
        for (int i = 0; i < POINTS; i++) {
            // Two sums of 64 errors, of queries and of keys, divided by 8.
            double variance = 4 * inputError * inputError;
            if (sites.contains(Site.SUMS)) {
                variance += 2 * sumVariance(format(rounding), point(i));
            }
            loss[i] = loss(rounding, sites, point(i), Math.sqrt(variance));
        }
    }

    /** E[max(0, T + D)] for the maximum score {@code x} and a normal D with the given deviation. */
    private static double loss(TensorRounding rounding, Set<Site> sites, double x, double deviation) {
        if (sites.contains(Site.SCORES) || sites.contains(Site.SUMS)) {
            // Two scores fall into one cell if the gap is below the distance to its lower end. Exponentials cause no
            // further ties: the next cell is more than half an ulp below 1.
            double sum = 0;
            for (int place = 0; place < PLACES; place++) {
                sum += meanPositive(format(rounding).ulp(x) * (place + 0.5) / PLACES, deviation);
            }
            return sum / PLACES;
        }
        double hidden = sites.contains(Site.EXPONENTIALS)
                ? -StrictMath.log1p(-format(rounding).ulp(Math.nextDown(1.0)) / 2)
                : 0;
        return meanPositive(hidden, deviation);
    }

    /** E[max(0, t + D)] = t Phi(t / s) + s phi(t / s). */
    private static double meanPositive(double t, double deviation) {
        return deviation == 0 ? t : t * distribution(t / deviation) + deviation * density(t / deviation);
    }

    private static double point(int i) {
        return MINIMUM + i * STEP;
    }

    private static double density(double x) {
        return StrictMath.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }

    private static double distribution(double x) {
        return (1 + Erf.value(x / Math.sqrt(2))) / 2;
    }

    /**
     * The variance of a score x whose 64 products and additions are rounded: the sum of t products on the way to 8 x
     * has the mean square t (1 - t / 64) + (t x / 8)^2, and each product 1.
     */
    private static double sumVariance(FloatFormat format, double x) {
        double squares = 0;
        for (int t = 1; t <= NormalHead.WIDTH; t++) {
            double mean = t * x * NormalHead.SCALE;
            squares += t * (1 - t / (double) NormalHead.WIDTH) + mean * mean + 1;
        }
        return Math.scalb(
                NormalHead.SCALE * NormalHead.SCALE * RELATIVE_VARIANCE * squares, -2 * format.significandBits());
    }

    /** The root mean square error of a standard normal number, in rows of {@value NormalHead#WIDTH}. */
    private static double inputError(TensorRounding rounding) {
        NormalHead head = NormalHead.of(SEED, SAMPLE);
        float[] rounded = head.rounded(rounding).queries();
        double sum = 0;
        for (int i = 0; i < rounded.length; i++) {
            double error = rounded[i] - head.queries()[i];
            sum += error * error;
        }
        return Math.sqrt(sum / rounded.length);
    }

    private static FloatFormat format(TensorRounding rounding) {
        if (rounding instanceof Rounding each && each.format() instanceof FloatFormat format) {
            return format;
        }
        throw new IllegalArgumentException("rounding: expected a float format, got " + rounding.label());
    }

    /** The probability that a row which sees {@code seen} keys changes its argmax. */
    public double rate(int seen) {
        return -StrictMath.expm1(-hazard(seen));
    }

    private double hazard(int seen) {
        if (seen < 2) {
            return 0;
        }
        double integral = 0;
        for (int i = 0; i < POINTS; i++) {
            double x = point(i);
            double logDistribution = StrictMath.log1p(-Erfc.value(x / Math.sqrt(2)) / 2);
            integral += density(x) * density(x) * StrictMath.exp((seen - 2) * logDistribution) * loss[i];
        }
        return (double) seen * (seen - 1) * STEP * integral;
    }

    /** The median of the maximum length up to which every row keeps its argmax; at most 2^30. */
    public int medianLength() {
        double sum = 0;
        int step;
        for (int n = 2; n < 1 << 30; n += step) {
            step = 1 + n / LENGTHS;
            double each = hazard(n);
            if (sum + each * step >= StrictMath.log(2)) {
                return n - 1 + (int) ((StrictMath.log(2) - sum) / each);
            }
            sum += each * step;
        }
        return 1 << 30;
    }
}
