package org.lemmata.kernel.softmax;

import org.lemmata.kernel.elementary.RowExponentials;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/** One forward call, cut into chunks of rows. */
final class SoftmaxForwardRows implements Workers.Chunks {

    private static final Matrix NONE = Matrix.empty();

    /** Of each thread: space that the exponentials of a row ask for. */
    private static final ThreadLocal<float[]> LANES =
            ThreadLocal.withInitial(() -> new float[2 * Species.FLOAT.length()]);

    Matrix y = NONE;
    Matrix x = NONE;
    int chunkRows;

    /** Lets go of the caller's arrays. */
    void clear() {
        y = NONE;
        x = NONE;
    }

    @Override
    public void run(int chunk) {
        float[] lanes = LANES.get();
        int columns = x.columns();
        int end = Math.min(x.rows(), (chunk + 1) * chunkRows);
        for (int i = chunk * chunkRows; i < end; i++) {
            int to = y.start(i);
            int from = x.start(i);
            float max = RowExponentials.maximum(x.array(), from, columns);
            float sum = RowExponentials.exponentiate(y.array(), to, x.array(), from, columns, max, lanes);
            RowExponentials.scale(y.array(), to, columns, 1 / sum);
        }
    }
}
