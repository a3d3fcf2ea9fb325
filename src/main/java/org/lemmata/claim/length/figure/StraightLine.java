package org.lemmata.claim.length.figure;

import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * N = a + b x.
 *
 * @param constant a
 * @param slope b
 */
record StraightLine(double constant, double slope) {

    /** The least squares of (a + b x - y) / y. */
    static StraightLine of(double[] x, double[] y) {
        double[] sums = new double[5];
        for (int i = 0; i < x.length; i++) {
            double weight = 1 / (y[i] * y[i]);
            sums[0] += weight;
            sums[1] += weight * x[i];
            sums[2] += weight * x[i] * x[i];
            sums[3] += weight * y[i];
            sums[4] += weight * x[i] * y[i];
        }
        double determinant = sums[0] * sums[2] - sums[1] * sums[1];
        return new StraightLine(
                (sums[3] * sums[2] - sums[1] * sums[4]) / determinant,
                (sums[0] * sums[4] - sums[1] * sums[3]) / determinant);
    }

    double at(double x) {
        return constant + slope * x;
    }

    /** The root mean square of f(x) / y - 1. */
    static double misfit(DoubleUnaryOperator f, double[] x, double[] y) {
        double squares = 0;
        for (int i = 0; i < x.length; i++) {
            squares += Math.pow(f.applyAsDouble(x[i]) / y[i] - 1, 2);
        }
        return Math.sqrt(squares / x.length);
    }

    /** N = a + b x, with figures. */
    String text(String x) {
        return String.format(Locale.ROOT, "N = %.2f + %.2f %s", constant, slope, x);
    }
}
