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

    float[] values = NONE;
    int offset;
    int stride;
    int rows;
    int columns;
    int chunkRows;

    /** Lets go of the caller's array. */
    void clear() {
        values = NONE;
    }

    @Override
    public void run(int chunk) {
        float[] lanes = LANES.get();
        int end = Math.min(rows, (chunk + 1) * chunkRows);
        for (int i = chunk * chunkRows; i < end; i++) {
            int from = offset + i * stride;
            float max = RowExponentials.greatest(values, from, columns);
            float sum = RowExponentials.exponentiate(values, from, values, from, columns, max, lanes);
            RowExponentials.scale(values, from, columns, 1 / sum);
        }
    }
}
