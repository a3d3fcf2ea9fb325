package org.lemmata.kernel.softmax;

import org.lemmata.kernel.matrix.Matrix;

/**
 * Softmax of each row of a matrix: y_j = exp(x_j - max_l x_l) / sum_l exp(x_l - max_l x_l).
 *
 * <p>A matrix without columns is valid. -infinity has weight 0; a row with only -infinity, with +infinity or with NaN
 * gives NaN.
 */
public sealed interface Softmax permits ScalarSoftmax, VectorSoftmax {

    /**
     * Overwrites each row of y with the softmax of the same row of x.
     *
     * @param y may be {@code x} at the same offset, and must not overlap it otherwise
     * @throws IllegalArgumentException if the matrices differ in size
     */
    void forwardInto(Matrix y, Matrix x);

    /**
     * dx_j = y_j (dy_j - sum_l dy_l y_l), for each row.
     *
     * @param dx overwritten; may be {@code dy} or {@code y} at the same offset, and must not overlap them otherwise
     * @param y the result of the forward pass
     * @throws IllegalArgumentException if the matrices differ in size
     */
    void backwardInto(Matrix dx, Matrix dy, Matrix y);

    static void check(Matrix y, Matrix x) {
        y.require("y", x.rows(), x.columns());
    }

    static void checkBackward(Matrix dx, Matrix dy, Matrix y) {
        dx.require("dx", y.rows(), y.columns());
        dy.require("dy", y.rows(), y.columns());
    }
}
