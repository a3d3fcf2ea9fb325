package org.lemmata.kernel.softmax;

import org.lemmata.kernel.elementary.RowExponentials;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

/** One forward call, cut into chunks of rows. */
final class ForwardRows implements Workers.Chunks {

    private static final float[] NONE = {};

    /** Of each thread: space that the exponentials of a row ask for. */
    private static final ThreadLocal<float[]> LANES =
            ThreadLocal.withInitial(() -> new float[2 * Species.FLOAT.length()]);

    float[] y = NONE;
    int yOffset;
    int yStride;
    float[] x = NONE;
    int xOffset;
    int xStride;
    int rows;
    int columns;
    int chunkRows;

    /** Lets go of the caller's arrays. */
    void clear() {
        y = NONE;
        x = NONE;
    }

    @Override
    public void run(int chunk) {
        float[] lanes = LANES.get();
        int end = Math.min(rows, (chunk + 1) * chunkRows);
        for (int i = chunk * chunkRows; i < end; i++) {
            int to = yOffset + i * yStride;
            int from = xOffset + i * xStride;
            float max = RowExponentials.maximum(x, from, columns);
            float sum = RowExponentials.exponentiate(y, to, x, from, columns, max, lanes);
            RowExponentials.scale(y, to, columns, 1 / sum);
        }
    }
}
