package org.lemmata.kernel.softmax;

import org.lemmata.kernel.matrix.Matrix;

/** The scalar reference: exponentials by {@link Math#exp}, rounded to binary32; sums in ascending order. */
public final class ScalarSoftmax implements Softmax {

    @Override
    public void forwardInto(Matrix y, Matrix x) {
        Softmax.check(y, x);
        for (int i = 0; i < x.rows(); i++) {
            int to = y.start(i);
            float max = Float.NEGATIVE_INFINITY;
            for (int j = 0; j < x.columns(); j++) {
                max = Math.max(max, x.get(i, j));
            }
            float sum = 0;
            for (int j = 0; j < x.columns(); j++) {
                y.array()[to + j] = (float) Math.exp(x.get(i, j) - max);
                sum += y.array()[to + j];
            }
            for (int j = 0; j < x.columns(); j++) {
                y.array()[to + j] /= sum;
            }
        }
    }

    @Override
    public void backwardInto(Matrix dx, Matrix dy, Matrix y) {
        Softmax.checkBackward(dx, dy, y);
        for (int i = 0; i < y.rows(); i++) {
            float inner = 0;
            for (int j = 0; j < y.columns(); j++) {
                inner += dy.get(i, j) * y.get(i, j);
            }
            for (int j = 0; j < y.columns(); j++) {
                dx.array()[dx.start(i) + j] = y.get(i, j) * (dy.get(i, j) - inner);
            }
        }
    }
}
