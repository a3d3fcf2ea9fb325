package org.lemmata.kernel.softmax;

/** The reference: exponentials by {@link Math#exp} rounded to binary32; sums in ascending order. */
public final class ScalarSoftmax implements Softmax {

    @Override
    public void forwardInto(
            float[] y, int yOffset, int yStride, float[] x, int xOffset, int xStride, int rows, int columns) {
        Softmax.check(y, yOffset, yStride, x, xOffset, xStride, rows, columns);
        for (int i = 0; i < rows; i++) {
            int to = yOffset + i * yStride;
            int from = xOffset + i * xStride;
            float max = Float.NEGATIVE_INFINITY;
            for (int j = 0; j < columns; j++) {
                max = Math.max(max, x[from + j]);
            }
            float sum = 0;
            for (int j = 0; j < columns; j++) {
                y[to + j] = (float) Math.exp(x[from + j] - max);
                sum += y[to + j];
            }
            for (int j = 0; j < columns; j++) {
                y[to + j] /= sum;
            }
        }
    }

    @Override
    public void backwardInto(
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
        Softmax.checkBackward(dx, dxOffset, dxStride, dy, dyOffset, dyStride, y, yOffset, yStride, rows, columns);
        for (int i = 0; i < rows; i++) {
            int at = dyOffset + i * dyStride;
            int weights = yOffset + i * yStride;
            float inner = 0;
            for (int j = 0; j < columns; j++) {
                inner += dy[at + j] * y[weights + j];
            }
            for (int j = 0; j < columns; j++) {
                dx[dxOffset + i * dxStride + j] = y[weights + j] * (dy[at + j] - inner);
            }
        }
    }
}
