package org.lemmata.kernel.loss;

import org.lemmata.kernel.matrix.Matrix;

/** Squared error: factor sum_i (y_i - t_i)^2. Factor 1 / count gives the mean. Infinities and NaN propagate. */
public sealed interface SquaredError permits ScalarSquaredError, VectorSquaredError {

    /**
     * The loss; 0 for no elements.
     *
     * @throws IllegalArgumentException if the sizes differ, or a matrix has gaps between its rows
     */
    double forward(Matrix y, Matrix targets, double factor);

    /**
     * Overwrites dy_i with 2 factor (y_i - t_i); returns a loss bit-identical to {@link #forward}.
     *
     * @param dy may be {@code y} or {@code targets}, and must not overlap them otherwise
     * @throws IllegalArgumentException as in {@link #forward}
     */
    double backward(Matrix dy, Matrix y, Matrix targets, double factor);

    /** The forward pass passes {@code y} as {@code dy}. */
    static void check(Matrix dy, Matrix y, Matrix targets) {
        y.requireDense("y", y.rows(), y.columns());
        targets.requireDense("targets", y.rows(), y.columns());
        dy.requireDense("dy", y.rows(), y.columns());
    }
}
