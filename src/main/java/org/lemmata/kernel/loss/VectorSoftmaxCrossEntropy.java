package org.lemmata.kernel.loss;

import java.util.Arrays;
import org.lemmata.kernel.elementary.RowExponentials;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes and several threads, row by row, so that a row stays in the cache.
 *
 * <p>{@link org.lemmata.kernel.elementary.RowExponentials} computes exponentials and their sums in binary32. The error
 * of a row's loss for n columns is at most (n / lanes + 16) 2^-24 times the smaller of the loss and 1, plus the
 * contribution of rounding z - max. Logarithms and the total are in binary64: rows are added in ascending order within
 * a chunk, then chunks in ascending order. Chunks depend only on the numbers of scored rows and columns, so the bits of
 * both passes are the same for every number of threads. Losses below 2^-126 are 0.
 *
 * <p>A call allocates nothing once its thread's scratch space is large enough.
 */
public final class VectorSoftmaxCrossEntropy implements SoftmaxCrossEntropy {

    /** The minimum number of elements in a chunk: about 5 microseconds of work. */
    private static final int MIN_CHUNK_ELEMENTS = 1 << 13;

    private static final Matrix NONE = Matrix.empty();
    private static final int[] NO_ROWS = {};

    private static final ThreadLocal<ScoredRows> CALL = ThreadLocal.withInitial(ScoredRows::new);

    private final Workers workers;

    private final int minChunkElements;

    public VectorSoftmaxCrossEntropy(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests. With small chunks, even small batches have several chunks. */
    VectorSoftmaxCrossEntropy(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    /** A call in chunks of scored rows. In a backward pass, the chunks also clear the unscored rows. */
    private static final class ScoredRows implements Workers.Chunks {

        private static final int LANES = Species.FLOAT.length();

        /** Above this probability of the target, subtracting its exponential from the sum loses bits of the others. */
        private static final float CERTAIN = 0.5f;

        /** Below this sum s of the other exponentials, the binary64 sum 1 + s may lose bits of s. */
        private static final double TINY = 0x1p-26;

        /** Each thread's scratch space for exponentials. Without a gradient, it also stores a row of them. */
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

        private double[] losses = {};

        @Override
        public void run(int chunk) {
            Space space = SPACE.get();
            int first = chunk * chunkRows;
            int end = first + Math.min(chunkRows, targets.length - first);
            int row = first == 0 ? 0 : scoredRows[first - 1] + 1;
            // These fields are read once per chunk, because rows may be only a few logits long.
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
                int to = outAt + scored * outStride;
                loss += score(out, to, z, zOffset + scored * zStride, columns, targets[k], space.lanes);
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

        /** Returns the loss of the row at {@code from}. Writes its gradient, or else exponentials, at {@code at}. */
        private double score(float[] out, int at, float[] z, int from, int columns, int target, float[] lanes) {
            float max = RowExponentials.maximum(z, from, columns);
            float logit = z[from + target];
            float sum = RowExponentials.exponentiate(out, at, z, from, columns, max, lanes);
            float own = out[at + target];
            float others = sum - own;
            if (own > CERTAIN * sum) {
                // Sums only the other exponentials.
                out[at + target] = 0;
                others = RowExponentials.sum(out, at, columns, lanes);
            }
            double total = (double) others + own;
            if (gradient) {
                RowExponentials.scale(out, at, columns, (float) (factor / total));
                out[at + target] = (float) (-factor * (others / total));
            }
            // The target's exponential may underflow to 0, so its logarithm is computed as a difference of logits.
            double distance = (double) max - logit;
            return others < TINY ? Math.log1p(others) + distance : Math.log(total) + distance;
        }
    }

    @Override
    public double forward(Matrix logits, int[] targets, int[] scoredRows, double factor) {
        SoftmaxCrossEntropy.check(logits, targets, scoredRows);
        return run(false, NONE, logits, targets, scoredRows, factor);
    }

    @Override
    public double backward(Matrix dlogits, Matrix logits, int[] targets, int[] scoredRows, double factor) {
        dlogits.require("dlogits", logits.rows(), logits.columns());
        SoftmaxCrossEntropy.check(logits, targets, scoredRows);
        return run(true, dlogits, logits, targets, scoredRows, factor);
    }

    private double run(
            boolean gradient, Matrix dlogits, Matrix logits, int[] targets, int[] scoredRows, double factor) {
        ScoredRows call = CALL.get();
        call.gradient = gradient;
        call.dlogits = dlogits;
        call.logits = logits;
        call.targets = targets;
        call.scoredRows = scoredRows;
        call.factor = factor;
        call.chunkRows = Math.ceilDiv(minChunkElements, Math.max(1, logits.columns()));
        // Without scored rows, one chunk still clears the gradient.
        int chunks = Math.max(1, Math.ceilDiv(targets.length, call.chunkRows));
        if (call.losses.length < chunks) {
            call.losses = new double[chunks];
        }
        workers.run(chunks, call);
        double loss = 0;
        for (int chunk = 0; chunk < chunks; chunk++) {
            loss += call.losses[chunk];
        }
        // Lets the garbage collector free the caller's arrays.
        call.dlogits = NONE;
        call.logits = NONE;
        call.targets = NO_ROWS;
        call.scoredRows = NO_ROWS;
        return factor * loss;
    }
}
