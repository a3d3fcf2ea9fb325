package org.lemmata.kernel.attention.cached;

/**
 * The inner products of one row with several other rows: y_j = sum_d x_d row_jd, in ascending order of d with fused
 * multiply-adds, as in {@link QueryScores}.
 *
 * <p>Each row is read only once, so copying rows to panels for SIMD would take longer than the products. Eight scalar
 * sums run at a time, because each step of a sum waits for the step before.
 */
final class RowProducts {

    /** The number of products computed at a time. */
    static final int ROWS = 8;

    private RowProducts() {}

    /**
     * Writes {@code count} products. Undefined numbers follow, up to a multiple of {@value #ROWS}.
     *
     * @param at the offset of the first row
     */
    static void multiply(
            float[] products, float[] x, int xAt, float[] rows, int at, int stride, int count, int columns) {
        int last = at + (count - 1) * stride;
        for (int j = 0; j < count; j += ROWS) {
            multiply(products, j, x, xAt, rows, at + j * stride, stride, last, columns);
        }
    }

    /**
     * Computes eight products, beginning with the row at {@code r0}. If fewer rows are left, the last row is multiplied
     * repeatedly. The method is short enough to be inlined, which matters if there are few rows.
     */
    private static void multiply(
            float[] products, int j, float[] x, int xAt, float[] rows, int r0, int stride, int last, int columns) {
        int r1 = Math.min(r0 + stride, last);
        int r2 = Math.min(r1 + stride, last);
        int r3 = Math.min(r2 + stride, last);
        int r4 = Math.min(r3 + stride, last);
        int r5 = Math.min(r4 + stride, last);
        int r6 = Math.min(r5 + stride, last);
        int r7 = Math.min(r6 + stride, last);
        float y0 = 0;
        float y1 = 0;
        float y2 = 0;
        float y3 = 0;
        float y4 = 0;
        float y5 = 0;
        float y6 = 0;
        float y7 = 0;
        for (int d = 0; d < columns; d++) {
            float factor = x[xAt + d];
            y0 = Math.fma(factor, rows[r0 + d], y0);
            y1 = Math.fma(factor, rows[r1 + d], y1);
            y2 = Math.fma(factor, rows[r2 + d], y2);
            y3 = Math.fma(factor, rows[r3 + d], y3);
            y4 = Math.fma(factor, rows[r4 + d], y4);
            y5 = Math.fma(factor, rows[r5 + d], y5);
            y6 = Math.fma(factor, rows[r6 + d], y6);
            y7 = Math.fma(factor, rows[r7 + d], y7);
        }
        products[j] = y0;
        products[j + 1] = y1;
        products[j + 2] = y2;
        products[j + 3] = y3;
        products[j + 4] = y4;
        products[j + 5] = y5;
        products[j + 6] = y6;
        products[j + 7] = y7;
    }
}
