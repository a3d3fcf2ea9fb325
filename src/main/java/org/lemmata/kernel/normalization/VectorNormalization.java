package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.thread.Workers;

/**
 * On SIMD lanes and several threads, rows narrower than a vector as in {@link ScalarNormalization}.
 *
 * <p>Sums over a row run lane by lane and end with {@link org.lemmata.kernel.elementary.LaneSum}: their bits depend on
 * the lane count alone. dgain and dshift are summed over the rows of a chunk in ascending order, then over chunks in
 * ascending order, and added to what was there; chunks are cut by the number of rows and columns, so that the bits are
 * the same for every number of threads.
 *
 * <p>The mean is a pivot, the row's first element, and the mean difference from it; the variance is summed in a second
 * pass. So a mean far from 0 costs no accuracy: of n elements, y is within (n / lanes + 16) 2^-24 (|h_j| + 2 max_l
 * |h_l|) |gain| + 2^-23 |y| of the exact value, h being the normalized elements.
 *
 * <p>A call allocates nothing once its thread's working space has grown to the sizes it uses.
 */
public final class VectorNormalization implements Normalization {

    /** About 20 microseconds: less is not worth waking a thread. */
    private static final int MIN_CHUNK_ELEMENTS = 1 << 16;

    /** Bounds the space for each chunk's share of dgain and dshift. */
    private static final int MAX_CHUNKS = 32;

    private static final ScalarNormalization SCALAR = new ScalarNormalization();

    private static final ThreadLocal<ForwardRows> FORWARD = ThreadLocal.withInitial(ForwardRows::new);

    private static final ThreadLocal<BackwardRows> BACKWARD = ThreadLocal.withInitial(BackwardRows::new);

    private final Workers workers;

    private final int minChunkElements;

    /** On the calling thread alone. */
    public VectorNormalization() {
        this(Workers.caller());
    }

    public VectorNormalization(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests: small chunks give small matrices several. */
    VectorNormalization(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    @Override
    public void forward(
            float[] y,
            int yOffset,
            int yStride,
            float @Nullable [] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            float @Nullable [] shift,
            int shiftOffset,
            Kind kind,
            float epsilon,
            int rows,
            int columns) {
        if (columns < ForwardRows.LANES) {
            SCALAR.forward(
                    y,
                    yOffset,
                    yStride,
                    statistics,
                    statisticsOffset,
                    x,
                    xOffset,
                    xStride,
                    gain,
                    gainOffset,
                    shift,
                    shiftOffset,
                    kind,
                    epsilon,
                    rows,
                    columns);
            return;
        }
        Normalization.checkForward(
                y,
                yOffset,
                yStride,
                statistics,
                statisticsOffset,
                x,
                xOffset,
                xStride,
                gain,
                gainOffset,
                shift,
                shiftOffset,
                kind,
                epsilon,
                rows,
                columns);
        ForwardRows call = FORWARD.get();
        call.y = y;
        call.yOffset = yOffset;
        call.yStride = yStride;
        call.statistics = statistics;
        call.statisticsOffset = statisticsOffset;
        call.x = x;
        call.xOffset = xOffset;
        call.xStride = xStride;
        call.kind = kind;
        call.epsilon = epsilon;
        call.rows = rows;
        call.columns = columns;
        call.gain = gain == null ? call.ones() : gain;
        call.gainOffset = gain == null ? 0 : gainOffset;
        call.shift = shift == null ? call.zeros() : shift;
        call.shiftOffset = shift == null ? 0 : shiftOffset;
        call.chunkRows = chunkRows(rows, columns);
        workers.run(Math.ceilDiv(rows, call.chunkRows), call);
        call.clear();
    }

    @Override
    public void backward(
            float[] dx,
            int dxOffset,
            int dxStride,
            float @Nullable [] dgain,
            int dgainOffset,
            float @Nullable [] dshift,
            int dshiftOffset,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            Kind kind,
            int rows,
            int columns) {
        if (columns < ForwardRows.LANES) {
            SCALAR.backward(
                    dx,
                    dxOffset,
                    dxStride,
                    dgain,
                    dgainOffset,
                    dshift,
                    dshiftOffset,
                    dy,
                    dyOffset,
                    dyStride,
                    statistics,
                    statisticsOffset,
                    x,
                    xOffset,
                    xStride,
                    gain,
                    gainOffset,
                    kind,
                    rows,
                    columns);
            return;
        }
        Normalization.checkBackward(
                dx,
                dxOffset,
                dxStride,
                dgain,
                dgainOffset,
                dshift,
                dshiftOffset,
                dy,
                dyOffset,
                dyStride,
                statistics,
                statisticsOffset,
                x,
                xOffset,
                xStride,
                gain,
                gainOffset,
                kind,
                rows,
                columns);
        BackwardRows call = BACKWARD.get();
        call.dx = dx;
        call.dxOffset = dxOffset;
        call.dxStride = dxStride;
        call.dy = dy;
        call.dyOffset = dyOffset;
        call.dyStride = dyStride;
        call.statistics = statistics;
        call.statisticsOffset = statisticsOffset;
        call.x = x;
        call.xOffset = xOffset;
        call.xStride = xStride;
        call.layer = kind == Kind.LAYER;
        call.parameters = dgain != null || dshift != null;
        call.rows = rows;
        call.columns = columns;
        call.gain = gain == null ? call.ones() : gain;
        call.gainOffset = gain == null ? 0 : gainOffset;
        call.chunkRows = chunkRows(rows, columns);
        int chunks = Math.ceilDiv(rows, call.chunkRows);
        call.reserve(chunks);
        workers.run(chunks, call);
        if (dgain != null) {
            call.addShares(dgain, dgainOffset, chunks, false);
        }
        if (dshift != null) {
            call.addShares(dshift, dshiftOffset, chunks, true);
        }
        call.clear();
    }

    private int chunkRows(int rows, int columns) {
        return Math.max(Math.ceilDiv(minChunkElements, columns), Math.ceilDiv(rows, MAX_CHUNKS));
    }
}
