package org.lemmata.kernel.loss;

import java.util.Arrays;
import org.lemmata.kernel.elementary.RowExponentials;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/** One call, cut into chunks of scored rows; each chunk of a gradient also clears the rows before its own. */
final class ScoredRows implements Workers.Chunks {

    private static final int LANES = Species.FLOAT.length();

    private static final Matrix NONE = Matrix.empty();
    private static final int[] NO_ROWS = {};

    /** From this probability on, 1 - p and the others' sum lose bits if the target is taken off what includes it. */
    private static final float CERTAIN = 0.5f;

    /** Below this, the sum 1 + s would lose bits of s that binary32 has. */
    private static final double TINY = 0x1p-26;

    /** Of each thread: the space that exponentials ask for, then a row of them where no gradient is wanted. */
    private static final ThreadLocal<Space> SPACE = ThreadLocal.withInitial(Space::new);

    private static final class Space {
        final float[] lanes = new float[2 * LANES];
        float[] row = {};

        float[] row(int columns) {
            if (row.length < columns) {
                row = new float[columns];
            }
            return row;
        }
    }

    boolean gradient;
    Matrix dlogits = NONE;
    Matrix logits = NONE;
    int[] targets = NO_ROWS;
    int[] scoredRows = NO_ROWS;
    double factor;
    int chunkRows;

    /** The loss of each chunk. */
    private double[] losses = {};

    void reserve(int chunks) {
        if (losses.length < chunks) {
            losses = new double[chunks];
        }
    }

    double sum(int chunks) {
        double sum = 0;
        for (int chunk = 0; chunk < chunks; chunk++) {
            sum += losses[chunk];
        }
        return sum;
    }

    /** Lets go of the caller's arrays. */
    void clear() {
        dlogits = NONE;
        logits = NONE;
        targets = NO_ROWS;
        scoredRows = NO_ROWS;
    }

    @Override
    public void run(int chunk) {
        Space space = SPACE.get();
        int first = chunk * chunkRows;
        int end = Math.min(targets.length, first + chunkRows);
        int row = first == 0 ? 0 : scoredRows[first - 1] + 1;
        // Once a chunk: rows may be a few logits long.
        int columns = logits.columns();
        float[] z = logits.array();
        int zOffset = logits.offset();
        int zStride = logits.stride();
        float[] out = gradient ? dlogits.array() : space.row(columns);
        int outAt = gradient ? dlogits.offset() : 0;
        int outStride = gradient ? dlogits.stride() : 0;
        double loss = 0;
        for (int k = first; k < end; k++) {
            int scored = scoredRows[k];
            if (row < scored) {
                clearRows(row, scored);
            }
            row = scored + 1;
            loss += score(
                    out, outAt + scored * outStride, z, zOffset + scored * zStride, columns, targets[k], space.lanes);
        }
        if (end == targets.length) {
            clearRows(row, logits.rows());
        }
        losses[chunk] = loss;
    }

    private void clearRows(int from, int end) {
        if (gradient) {
            for (int i = from; i < end; i++) {
                int at = dlogits.start(i);
                Arrays.fill(dlogits.array(), at, at + dlogits.columns(), 0);
            }
        }
    }

    /** The loss of the row of logits at {@code from}; leaves its gradient, or else exponentials, at {@code at}. */
    private double score(float[] out, int at, float[] z, int from, int columns, int target, float[] lanes) {
        float max = RowExponentials.maximum(z, from, columns);
        float logit = z[from + target];
        float sum = RowExponentials.exponentiate(out, at, z, from, columns, max, lanes);
        float own = out[at + target];
        float others = sum - own;
        if (own > CERTAIN * sum) {
            // Summed again without it.
            out[at + target] = 0;
            others = RowExponentials.sum(out, at, columns, lanes);
        }
        double total = (double) others + own;
        if (gradient) {
            RowExponentials.scale(out, at, columns, (float) (factor / total));
            out[at + target] = (float) (-factor * (others / total));
        }
        // A target without weight is infinitely far below: -infinity, or beyond the smallest exponential.
        double distance = (double) max - logit;
        return others < TINY ? Math.log1p(others) + distance : Math.log(total) + distance;
    }
}
