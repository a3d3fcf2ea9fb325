package org.lemmata.kernel.attention.cached;

/**
 * The inner products of one row with several: y_j = sum_d x_d row_jd, in ascending order of d with fused multiply-adds,
 * which are the bits of {@link QueryScores}.
 *
 * <p>Each row is read once: to turn rows into panels for the lanes would take longer than the products. Eight at a
 * time, since each waits for the one before.
 */
final class RowProducts {

    /** Products that are written at a time. */
    static final int ROWS = 8;

    private RowProducts() {}

    /**
     * Writes {@code count} products, and numbers of no meaning behind them up to a multiple of {@value #ROWS}.
     *
     * @param rows the first of which begins at {@code at}
     */
    static void multiply(
            float[] products, float[] x, int xAt, float[] rows, int at, int stride, int count, int columns) {
        for (int j = 0; j < count; j += ROWS) {
            multiply(products, j, x, xAt, rows, at, stride, count - 1, columns);
        }
    }

    /** Where fewer are left, the last one is multiplied more than once. */
    private static void multiply(
            float[] products, int j, float[] x, int xAt, float[] rows, int at, int stride, int last, int columns) {
        int r0 = at + j * stride;
        int r1 = at + Math.min(j + 1, last) * stride;
        int r2 = at + Math.min(j + 2, last) * stride;
        int r3 = at + Math.min(j + 3, last) * stride;
        int r4 = at + Math.min(j + 4, last) * stride;
        int r5 = at + Math.min(j + 5, last) * stride;
        int r6 = at + Math.min(j + 6, last) * stride;
        int r7 = at + Math.min(j + 7, last) * stride;
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
