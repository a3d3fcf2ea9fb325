package org.lemmata.model;

import java.util.function.DoubleSupplier;

/**
 * Derivatives of a function of an array of binary64 numbers: (4 d(h) - d(2h)) / 3 with d(h) = (f(h) - f(-h)) / 2h.
 *
 * <p>Where f is smooth, d(h) and d(2h) differ by h^2 f''' / 2, and their combination is off by h^4 f''''' / 30; with h
 * = 2^-15, f of order 1 and 10^-16 of rounding it is good to about 10^-11. A kink or a jump within 2h makes the two
 * differ by a share of it: then h is made smaller, up to twice. What is left is a kink at the number itself.
 *
 * @param values what f reads; each is moved and put back
 * @param f the function
 */
@SuppressWarnings("ArrayRecordComponent") // The array itself is what is moved.
record CentralDifferences(double[] values, DoubleSupplier f) {

    /**
     * The derivative with respect to number i, or NaN if there is none.
     *
     * @param tolerance how far d(h) and d(2h) may differ
     */
    double derivative(int i, double tolerance) {
        for (double step = 0x1p-15; step > 0x1p-24; step /= 8) {
            double near = difference(i, step);
            double far = difference(i, 2 * step);
            if (Math.abs(near - far) <= tolerance) {
                return (4 * near - far) / 3;
            }
        }
        return Double.NaN;
    }

    private double difference(int i, double step) {
        double value = values[i];
        values[i] = value + step;
        double above = f.getAsDouble();
        values[i] = value - step;
        double below = f.getAsDouble();
        values[i] = value;
        return (above - below) / (2 * step);
    }
}
