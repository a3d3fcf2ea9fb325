package org.lemmata.kernel.loss;

import java.util.Arrays;
import org.lemmata.kernel.elementary.RowExponentials;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * On SIMD lanes and several threads, each row while the cache holds it.
 *
 * <p>Exponentials and their sums are those of {@link org.lemmata.kernel.elementary.RowExponentials}, in binary32: a
 * row's loss is off by at most (n / lanes + 16) 2^-24 of itself or of 1, whichever is less, not counting what the
 * rounding of z - max contributes. Logarithms and the total are in binary64: rows are added in ascending order within a
 * chunk, then chunks in ascending order. Chunks are cut by the numbers of scored rows and columns, so that the bits are
 * the same for every number of threads, in forward and in backward. A loss below 2^-126 is 0.
 *
 * <p>A call allocates nothing once its thread's working space has grown to the sizes it uses.
 */
public final class VectorSoftmaxCrossEntropy implements SoftmaxCrossEntropy {

    /** About 5 microseconds, so that 20 keep two threads busy. */
    private static final int MIN_CHUNK_ELEMENTS = 1 << 13;

    private static final ThreadLocal<ScoredRows> CALL = ThreadLocal.withInitial(ScoredRows::new);

    private final Workers workers;

    private final int minChunkElements;

    public VectorSoftmaxCrossEntropy(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests: small chunks give small batches several. */
    VectorSoftmaxCrossEntropy(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    /** One call, cut into chunks of scored rows; each chunk of a gradient also clears the rows before its own. */
    private static final class ScoredRows implements Workers.Chunks {

        private static final int LANES = Species.FLOAT.length();

        private static final Matrix NONE = Matrix.empty();
        private static final int[] NO_ROWS = {};

        /**
         * From this probability on, 1 - p and the others' sum lose bits if the target is taken off what includes it.
         */
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
                        out,
                        outAt + scored * outStride,
                        z,
                        zOffset + scored * zStride,
                        columns,
                        targets[k],
                        space.lanes);
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

    @Override
    public double forward(Matrix logits, int[] targets, int[] scoredRows, double factor) {
        SoftmaxCrossEntropy.check(logits, targets, scoredRows);
        ScoredRows call = CALL.get();
        call.gradient = false;
        return run(call, logits, targets, scoredRows, factor);
    }

    @Override
    public double backward(Matrix dlogits, Matrix logits, int[] targets, int[] scoredRows, double factor) {
        dlogits.require("dlogits", logits.rows(), logits.columns());
        SoftmaxCrossEntropy.check(logits, targets, scoredRows);
        ScoredRows call = CALL.get();
        call.gradient = true;
        call.dlogits = dlogits;
        return run(call, logits, targets, scoredRows, factor);
    }

    private double run(ScoredRows call, Matrix logits, int[] targets, int[] scoredRows, double factor) {
        call.logits = logits;
        call.targets = targets;
        call.scoredRows = scoredRows;
        call.factor = factor;
        call.chunkRows = Math.ceilDiv(minChunkElements, Math.max(1, logits.columns()));
        // Without a scored row, one chunk is left to clear the gradient.
        int chunks = Math.max(1, Math.ceilDiv(targets.length, call.chunkRows));
        call.reserve(chunks);
        workers.run(chunks, call);
        double loss = call.sum(chunks);
        call.clear();
        return factor * loss;
    }
}
