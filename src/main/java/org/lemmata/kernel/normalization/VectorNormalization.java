package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes and several threads. {@link ScalarNormalization} computes rows shorter than a vector, and backward
 * calls in which the r of some row is finite but below 2^-100 or above 2^100.
 *
 * <p>Sums over a row run lane by lane and end with {@link org.lemmata.kernel.elementary.LaneSum}, so their bits depend
 * only on the number of lanes. dgain and dshift are summed over the rows of a chunk in ascending order. The sums of
 * chunks are then added to the existing gradients in ascending order. Chunks depend only on the number of rows and
 * columns, so the bits are the same for every number of threads.
 *
 * <p>The mean is computed as a pivot (the row's first element) plus the mean difference from it; the variance is summed
 * in a second pass. So a mean far from 0 costs no accuracy: for n elements with normalized values h, the error of y is
 * at most (n / lanes + 16) 2^-24 (|h_j| + 2 max_l |h_l|) |gain| + 2^-23 |y|.
 *
 * <p>A call allocates nothing once its thread's scratch space is large enough.
 */
public final class VectorNormalization implements Normalization {

    /**
     * The minimum number of elements in a chunk: about 20 microseconds of work. For less, waking a thread takes longer
     * than it saves.
     */
    private static final int MIN_CHUNK_ELEMENTS = 1 << 16;

    /** Limits the scratch space for the chunks' shares of dgain and dshift. */
    private static final int MAX_CHUNKS = 32;

    private static final ScalarNormalization SCALAR = new ScalarNormalization();

    private static final ThreadLocal<ForwardRows> FORWARD = ThreadLocal.withInitial(ForwardRows::new);

    private static final ThreadLocal<BackwardRows> BACKWARD = ThreadLocal.withInitial(BackwardRows::new);

    private final Workers workers;

    private final int minChunkElements;

    public VectorNormalization(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests. With small chunks, even small matrices have several chunks. */
    VectorNormalization(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    @Override
    public void forward(
            Matrix y, @Nullable Matrix statistics, Matrix x, GainAndShift weights, Kind kind, float epsilon) {
        if (x.columns() < ForwardRows.LANES) {
            SCALAR.forward(y, statistics, x, weights, kind, epsilon);
            return;
        }
        Normalization.checkForward(y, statistics, x, weights, kind, epsilon);
        FORWARD.get().run(workers, chunkRows(x), y, statistics, x, weights, kind, epsilon);
    }

    @Override
    public void backward(
            Matrix dx, GainAndShift dweights, Matrix dy, Matrix statistics, Matrix x, GainAndShift weights, Kind kind) {
        Normalization.checkBackward(dx, dweights, dy, statistics, x, weights, kind);
        if (x.columns() < ForwardRows.LANES || exceedsBinary32(statistics)) {
            SCALAR.backward(dx, dweights, dy, statistics, x, weights, kind);
            return;
        }
        BACKWARD.get().run(workers, chunkRows(x), dx, dweights, dy, statistics, x, weights.gain(), kind);
    }

    /** Whether, in a row with a finite r, differences from the mean or products with r may exceed binary32. */
    private static boolean exceedsBinary32(Matrix statistics) {
        for (int i = 0; i < statistics.rows(); i++) {
            float r = statistics.get(i, 0);
            if (!(r >= 0x1p-100f && r <= 0x1p100f) && r > 0 && r <= Float.MAX_VALUE) {
                return true;
            }
        }
        return false;
    }

    private int chunkRows(Matrix x) {
        return Math.max(Math.ceilDiv(minChunkElements, x.columns()), Math.ceilDiv(x.rows(), MAX_CHUNKS));
    }
}
