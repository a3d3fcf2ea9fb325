package org.lemmata.kernel.softmax;

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

    private static final ThreadLocal<ForwardRows> FORWARD = ThreadLocal.withInitial(ForwardRows::new);

    private static final ThreadLocal<BackwardRows> BACKWARD = ThreadLocal.withInitial(BackwardRows::new);

    private final Workers workers;

    private final int minChunkElements;

    /** On the calling thread alone. */
    public VectorSoftmax() {
        this(Workers.caller());
    }

    public VectorSoftmax(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests: small chunks give small matrices several. */
    VectorSoftmax(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    @Override
    public void forwardInto(
            float[] y, int yOffset, int yStride, float[] x, int xOffset, int xStride, int rows, int columns) {
        Softmax.check(y, yOffset, yStride, x, xOffset, xStride, rows, columns);
        if (columns == 0) {
            return;
        }
        ForwardRows call = FORWARD.get();
        call.y = y;
        call.yOffset = yOffset;
        call.yStride = yStride;
        call.x = x;
        call.xOffset = xOffset;
        call.xStride = xStride;
        call.rows = rows;
        call.columns = columns;
        call.chunkRows = Math.ceilDiv(minChunkElements, columns);
        workers.run(Math.ceilDiv(rows, call.chunkRows), call);
        call.clear();
    }

    @Override
    public void backwardInto(
            float[] dx,
            int dxOffset,
            int dxStride,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] y,
            int yOffset,
            int yStride,
            int rows,
            int columns) {
        Softmax.checkBackward(dx, dxOffset, dxStride, dy, dyOffset, dyStride, y, yOffset, yStride, rows, columns);
        if (columns == 0) {
            return;
        }
        BackwardRows call = BACKWARD.get();
        call.dx = dx;
        call.dxOffset = dxOffset;
        call.dxStride = dxStride;
        call.dy = dy;
        call.dyOffset = dyOffset;
        call.dyStride = dyStride;
        call.y = y;
        call.yOffset = yOffset;
        call.yStride = yStride;
        call.rows = rows;
        call.columns = columns;
        call.chunkRows = Math.ceilDiv(minChunkElements, columns);
        workers.run(Math.ceilDiv(rows, call.chunkRows), call);
        call.clear();
    }
}
