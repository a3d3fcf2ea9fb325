package org.lemmata.kernel.softmax;

/** The reference: exponentials by {@link Math#exp} rounded to binary32, summed in ascending order. */
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
}
