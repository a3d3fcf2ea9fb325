package org.lemmata.kernel.arithmetic;

/** The scalar reference: computes one element at a time. */
public final class ScalarArithmetic implements Arithmetic {

    @Override
    public void addInto(float[] y, int yOffset, float[] x, int xOffset, int length) {
        Arithmetic.check(y, yOffset, x, xOffset, length);
        for (int i = 0; i < length; i++) {
            y[yOffset + i] += x[xOffset + i];
        }
    }

    @Override
    public void scaleInto(float[] y, int yOffset, float[] x, int xOffset, int length, float factor) {
        Arithmetic.check(y, yOffset, x, xOffset, length);
        for (int i = 0; i < length; i++) {
            y[yOffset + i] = factor * x[xOffset + i];
        }
    }

    @Override
    public void addRowsInto(float[] sums, int sumOffset, float[] x, int xOffset, int xStride, int rows, int columns) {
        Arithmetic.checkRows(sums, sumOffset, x, xOffset, xStride, rows, columns);
        int blockRows = Arithmetic.blockRows(rows, columns);
        for (int j = 0; j < columns; j++) {
            for (int first = 0; first < rows; first += Math.min(blockRows, rows - first)) {
                int end = first + Math.min(blockRows, rows - first);
                float sum = 0;
                int i = first;
                for (; i <= end - 4; i += 4) {
                    int at = xOffset + i * xStride + j;
                    sum += (x[at] + x[at + xStride]) + (x[at + 2 * xStride] + x[at + 3 * xStride]);
                }
                for (; i < end; i++) {
                    sum += x[xOffset + i * xStride + j];
                }
                sums[sumOffset + j] += sum;
            }
        }
    }
}
