package org.lemmata.kernel.softmax;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * On SIMD lanes and several threads: what would weigh less than 2^-126 of the largest element weighs 0.
 *
 * <p>The order of each sum is fixed by the lane count: each lane down the row, then the lanes as in
 * {@link org.lemmata.kernel.elementary.LaneSum}; a row shorter than a vector in ascending order. A row is divided by
 * its sum by multiplying with the reciprocal, which rounds once more. Rows do not depend on one another, so that the
 * bits are the same for every number of threads.
 *
 * <p>A call allocates nothing after a thread's first.
 */
public final class VectorSoftmax implements Softmax {

    /** About 5 microseconds, so that 20 keep two threads busy. */
    private static final int MIN_CHUNK_ELEMENTS = 1 << 14;

    private static final ThreadLocal<SoftmaxForwardRows> FORWARD = ThreadLocal.withInitial(SoftmaxForwardRows::new);

    private static final ThreadLocal<SoftmaxBackwardRows> BACKWARD = ThreadLocal.withInitial(SoftmaxBackwardRows::new);

    private final Workers workers;

    private final int minChunkElements;

    public VectorSoftmax(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests: small chunks give small matrices several. */
    VectorSoftmax(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    @Override
    public void forwardInto(Matrix y, Matrix x) {
        Softmax.check(y, x);
        if (x.columns() == 0) {
            return;
        }
        SoftmaxForwardRows call = FORWARD.get();
        call.y = y;
        call.x = x;
        call.chunkRows = Math.ceilDiv(minChunkElements, x.columns());
        workers.run(Math.ceilDiv(x.rows(), call.chunkRows), call);
        call.clear();
    }

    @Override
    public void backwardInto(Matrix dx, Matrix dy, Matrix y) {
        Softmax.checkBackward(dx, dy, y);
        if (y.columns() == 0) {
            return;
        }
        SoftmaxBackwardRows call = BACKWARD.get();
        call.dx = dx;
        call.dy = dy;
        call.y = y;
        call.chunkRows = Math.ceilDiv(minChunkElements, y.columns());
        workers.run(Math.ceilDiv(y.rows(), call.chunkRows), call);
        call.clear();
    }
}
