package org.lemmata.kernel.loss;

import org.lemmata.kernel.matrix.Matrix;

/** factor sum_i (y_i - t_i)^2; a factor of 1 over the count gives the mean. Infinities and NaN as IEEE 754 has it. */
public sealed interface SquaredError permits ScalarSquaredError, VectorSquaredError {

    /**
     * The loss; 0 for no elements.
     *
     * @throws IllegalArgumentException if the sizes differ, or a matrix has gaps between its rows
     */
    double forward(Matrix y, Matrix targets, double factor);

    /**
     * Overwrites dy_i with 2 factor (y_i - t_i); returns the loss, with the bits that {@link #forward} gives it.
     *
     * @param dy may be {@code y} or {@code targets}, and must not overlap them otherwise
     * @throws IllegalArgumentException as {@link #forward}
     */
    double backward(Matrix dy, Matrix y, Matrix targets, double factor);

    /** The argument check that every pass makes first; forward gives {@code y} twice. */
    static void check(Matrix dy, Matrix y, Matrix targets) {
        y.requireDense("y", y.rows(), y.columns());
        targets.requireDense("targets", y.rows(), y.columns());
        dy.requireDense("dy", y.rows(), y.columns());
    }
}
