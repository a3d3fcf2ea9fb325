package org.lemmata.kernel.arithmetic;

import org.lemmata.kernel.elementary.Extents;

/**
 * Elementary operations: y += x (a residual stream), y = a x, and b_j += sum_i x_ij (the gradient of a bias).
 *
 * <p>All implementations are bit-identical. Adding and scaling are elementwise. The sum of rows is computed in blocks
 * of {@link #blockRows} rows, at most {@link #MAX_BLOCKS} blocks. The sum of a block starts at 0; every four rows are
 * added as (x_0 + x_1) + (x_2 + x_3), and up to three remaining rows one at a time. The sums of blocks are then added
 * to b in ascending order.
 */
public sealed interface Arithmetic permits ScalarArithmetic, VectorArithmetic {

    /** Enough for the threads of a machine. Each block needs a row of scratch space. */
    int MAX_BLOCKS = 32;

    /**
     * Adds {@code length} elements of x to elements of y, which must not overlap x.
     *
     * @throws IllegalArgumentException if the elements do not lie within their arrays
     */
    void addInto(float[] y, int yOffset, float[] x, int xOffset, int length);

    /**
     * Sets {@code length} elements of y to the elements of x, times {@code factor}; y must be x at the same offset or
     * not overlap x.
     *
     * @throws IllegalArgumentException if the elements do not lie within their arrays
     */
    void scaleInto(float[] y, int yOffset, float[] x, int xOffset, int length, float factor);

    /**
     * Adds the sum of the rows of x to {@code columns} elements of {@code sums}, which must not overlap x.
     *
     * @throws IllegalArgumentException if the elements do not lie within their arrays
     */
    void addRowsInto(float[] sums, int sumOffset, float[] x, int xOffset, int xStride, int rows, int columns);

    /** The number of rows of a block: a multiple of four that gives about 2^16 elements or more. */
    static int blockRows(int rows, int columns) {
        int few = (1 << 16) / Math.max(1, columns) / 4 * 4;
        int ofMany = Math.ceilDiv(Math.ceilDiv(rows, MAX_BLOCKS), 4) * 4;
        return Math.max(4, Math.max(few, ofMany));
    }

    static void check(float[] y, int yOffset, float[] x, int xOffset, int length) {
        Extents.checkVector("y", y, yOffset, length);
        Extents.checkVector("x", x, xOffset, length);
    }

    static void checkRows(float[] sums, int sumOffset, float[] x, int xOffset, int xStride, int rows, int columns) {
        Extents.checkVector("sums", sums, sumOffset, columns);
        Extents.checkMatrix("x", x, xOffset, xStride, rows, columns);
    }
}
