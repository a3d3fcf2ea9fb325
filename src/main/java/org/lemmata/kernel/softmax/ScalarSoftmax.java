package org.lemmata.kernel.softmax;

/** The reference: exponentials by {@link Math#exp} rounded to binary32; sums in ascending order. */
public final class ScalarSoftmax implements Softmax {

    @Override
    public void forwardInto(float[] values, int offset, int stride, int rows, int columns) {
        Softmax.check(values, offset, stride, rows, columns);
        for (int i = 0; i < rows; i++) {
            int start = offset + i * stride;
            int end = start + columns;
            float max = Float.NEGATIVE_INFINITY;
            for (int j = start; j < end; j++) {
                max = Math.max(max, values[j]);
            }
            float sum = 0;
            for (int j = start; j < end; j++) {
                values[j] = (float) Math.exp(values[j] - max);
                sum += values[j];
            }
            for (int j = start; j < end; j++) {
                values[j] /= sum;
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
