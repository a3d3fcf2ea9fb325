package org.lemmata.oracle;

import java.util.function.DoubleSupplier;

/**
 * Derivatives of a function of an array of binary64 numbers: (4 d(h) - d(2h)) / 3 with d(h) = (f(h) - f(-h)) / 2h.
 *
 * <p>If f is smooth, d(h) and d(2h) differ by h^2 f''' / 2, and their combination has an error of h^4 f''''' / 30. With
 * h = 2^-15, f of order 1 and rounding errors of 10^-16, it is accurate to about 10^-11. A kink or a jump within 2h
 * makes d(h) and d(2h) differ by a part of it; then h is reduced, at most twice. Only a kink at the number itself
 * remains undetected.
 *
 * @param values arguments of f; each is changed and restored
 * @param f the function
 */
@SuppressWarnings("ArrayRecordComponent") // The array itself is what is moved.
public record CentralDifferences(double[] values, DoubleSupplier f) {

    /**
     * The derivative with respect to number i, or NaN if there is none.
     *
     * @param tolerance the largest allowed difference of d(h) and d(2h)
     */
    public double derivative(int i, double tolerance) {
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
