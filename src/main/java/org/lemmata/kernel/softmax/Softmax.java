package org.lemmata.kernel.softmax;

import org.lemmata.kernel.elementary.Extents;

/**
 * y_j = exp(x_j - max_l x_l) / sum_l exp(x_l - max_l x_l), for each row of a matrix.
 *
 * <p>Row i of a matrix lies at {@code offset + i * stride}. A row of no columns is left alone. -infinity has weight 0;
 * a row of -infinity alone, a row with +infinity and a row with NaN give NaN.
 */
public sealed interface Softmax permits ScalarSoftmax, VectorSoftmax {

    /**
     * Overwrites each row of y with the softmax of that row of x.
     *
     * @param y may be {@code x} at the same place, and must not overlap it otherwise
     * @throws IllegalArgumentException if the rows do not lie within their arrays
     */
    void forwardInto(float[] y, int yOffset, int yStride, float[] x, int xOffset, int xStride, int rows, int columns);

    /** Replaces each row of {@code values} by its softmax. */
    default void forwardInto(float[] values, int offset, int stride, int rows, int columns) {
        forwardInto(values, offset, stride, values, offset, stride, rows, columns);
    }

    /**
     * dx_j = y_j (dy_j - sum_l dy_l y_l), for each row.
     *
     * @param dx overwritten; may be {@code dy} or {@code y} at the same place, and must not overlap them otherwise
     * @param y what the forward pass wrote
     * @throws IllegalArgumentException if the rows do not lie within their arrays
     */
    void backwardInto(
            float[] dx,
            int dxOffset,
            int dxStride,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] y,
            int yOffset,
            int yStride,
            int rows,
            int columns);

    /** The argument check that every forward pass makes first. */
    static void check(float[] y, int yOffset, int yStride, float[] x, int xOffset, int xStride, int rows, int columns) {
        Extents.checkMatrix("y", y, yOffset, yStride, rows, columns);
        Extents.checkMatrix("x", x, xOffset, xStride, rows, columns);
    }

    /** The argument check that every backward pass makes first. */
    static void checkBackward(
            float[] dx,
            int dxOffset,
            int dxStride,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] y,
            int yOffset,
            int yStride,
            int rows,
            int columns) {
        Extents.checkMatrix("dx", dx, dxOffset, dxStride, rows, columns);
        Extents.checkMatrix("dy", dy, dyOffset, dyStride, rows, columns);
        Extents.checkMatrix("y", y, yOffset, yStride, rows, columns);
    }
}
