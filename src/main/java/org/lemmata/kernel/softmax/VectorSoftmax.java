package org.lemmata.kernel.softmax;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.LaneSum;
import org.lemmata.kernel.elementary.LastLanes;
import org.lemmata.kernel.elementary.RowExponentials;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes and several threads. Weights below 2^-126 of the largest weight are 0.
 *
 * <p>The number of lanes fixes the order of each sum: lane by lane along the row, then over the lanes as in
 * {@link org.lemmata.kernel.elementary.LaneSum}; in a row shorter than a vector, in ascending order. Rows are
 * multiplied by the reciprocal of their sum, which adds a rounding error. Rows are independent, so the bits are the
 * same for every number of threads.
 *
 * <p>After its first call, a thread allocates nothing.
 */
public final class VectorSoftmax implements Softmax {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private static final Matrix NONE = Matrix.empty();

    /** Each thread's scratch space for two vectors. */
    private static final ThreadLocal<float[]> SPACE = ThreadLocal.withInitial(() -> new float[2 * LANES]);

    /** The minimum number of elements in a chunk: about 5 microseconds of work. */
    private static final int MIN_CHUNK_ELEMENTS = 1 << 14;

    private static final ThreadLocal<ForwardRows> FORWARD = ThreadLocal.withInitial(ForwardRows::new);

    private static final ThreadLocal<BackwardRows> BACKWARD = ThreadLocal.withInitial(BackwardRows::new);

    private final Workers workers;

    private final int minChunkElements;

    public VectorSoftmax(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests. With small chunks, even small matrices have several chunks. */
    VectorSoftmax(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    private static final class ForwardRows implements Workers.Chunks {

        Matrix y = NONE;
        Matrix x = NONE;
        int chunkRows;

        @Override
        public void run(int chunk) {
            float[] lanes = SPACE.get();
            int columns = x.columns();
            int first = chunk * chunkRows;
            int end = first + Math.min(chunkRows, x.rows() - first);
            for (int i = first; i < end; i++) {
                int to = y.start(i);
                int from = x.start(i);
                float max = RowExponentials.maximum(x.array(), from, columns);
                float sum = RowExponentials.exponentiate(y.array(), to, x.array(), from, columns, max, lanes);
                RowExponentials.scale(y.array(), to, columns, 1 / sum);
            }
        }
    }

    private static final class BackwardRows implements Workers.Chunks {

        Matrix dx = NONE;
        Matrix dy = NONE;
        Matrix y = NONE;
        int chunkRows;

        @Override
        public void run(int chunk) {
            float[] lanes = SPACE.get();
            int columns = y.columns();
            int first = chunk * chunkRows;
            int end = first + Math.min(chunkRows, y.rows() - first);
            for (int i = first; i < end; i++) {
                int to = dx.start(i);
                int at = dy.start(i);
                int weights = y.start(i);
                if (columns < LANES) {
                    differentiateNarrow(dx.array(), to, dy.array(), at, y.array(), weights, columns);
                } else {
                    float inner = inner(dy.array(), at, y.array(), weights, columns, lanes);
                    apply(dx.array(), to, dy.array(), at, y.array(), weights, columns, inner);
                }
            }
        }

        /** Processes a row shorter than a vector, in ascending order. */
        private static void differentiateNarrow(
                float[] dx, int to, float[] dy, int at, float[] y, int weights, int columns) {
            float inner = 0;
            for (int j = 0; j < columns; j++) {
                inner = Math.fma(dy[at + j], y[weights + j], inner);
            }
            for (int j = 0; j < columns; j++) {
                dx[to + j] = y[weights + j] * (dy[at + j] - inner);
            }
        }

        /** sum_j dy_j y_j: even and odd vectors are summed separately, then the remaining elements, then the lanes. */
        private static float inner(float[] dy, int at, float[] y, int weights, int columns, float[] lanes) {
            FloatVector even = FloatVector.zero(SPECIES);
            FloatVector odd = FloatVector.zero(SPECIES);
            int j = 0;
            for (; j <= columns - 2 * LANES; j += 2 * LANES) {
                even = FloatVector.fromArray(SPECIES, dy, at + j)
                        .fma(FloatVector.fromArray(SPECIES, y, weights + j), even);
                odd = FloatVector.fromArray(SPECIES, dy, at + j + LANES)
                        .fma(FloatVector.fromArray(SPECIES, y, weights + j + LANES), odd);
            }
            for (; j <= columns - LANES; j += LANES) {
                even = FloatVector.fromArray(SPECIES, dy, at + j)
                        .fma(FloatVector.fromArray(SPECIES, y, weights + j), even);
            }
            even.add(odd).intoArray(lanes, 0);
            if (j < columns) {
                int last = columns - LANES;
                FloatVector.fromArray(SPECIES, dy, at + last)
                        .mul(FloatVector.fromArray(SPECIES, y, weights + last))
                        .intoArray(lanes, LANES);
                LastLanes.add(lanes, 0, lanes, LANES, columns - j);
            }
            return LaneSum.sum(lanes, 0);
        }

        private static void apply(
                float[] dx, int to, float[] dy, int at, float[] y, int weights, int columns, float inner) {
            FloatVector sum = FloatVector.broadcast(SPECIES, inner);
            // The last vector overlaps the one before it. It is read first, because dx may be dy or y.
            int last = columns - LANES;
            FloatVector lastDx = FloatVector.fromArray(SPECIES, dy, at + last)
                    .sub(sum)
                    .mul(FloatVector.fromArray(SPECIES, y, weights + last));
            for (int j = 0; j < last; j += LANES) {
                FloatVector.fromArray(SPECIES, dy, at + j)
                        .sub(sum)
                        .mul(FloatVector.fromArray(SPECIES, y, weights + j))
                        .intoArray(dx, to + j);
            }
            lastDx.intoArray(dx, to + last);
        }
    }

    @Override
    public void forwardInto(Matrix y, Matrix x) {
        Softmax.check(y, x);
        if (x.columns() == 0) {
            return;
        }
        ForwardRows call = FORWARD.get();
        call.y = y;
        call.x = x;
        call.chunkRows = Math.ceilDiv(minChunkElements, x.columns());
        workers.run(Math.ceilDiv(x.rows(), call.chunkRows), call);
        // Lets the garbage collector free the caller's arrays.
        call.y = NONE;
        call.x = NONE;
    }

    @Override
    public void backwardInto(Matrix dx, Matrix dy, Matrix y) {
        Softmax.checkBackward(dx, dy, y);
        if (y.columns() == 0) {
            return;
        }
        BackwardRows call = BACKWARD.get();
        call.dx = dx;
        call.dy = dy;
        call.y = y;
        call.chunkRows = Math.ceilDiv(minChunkElements, y.columns());
        workers.run(Math.ceilDiv(y.rows(), call.chunkRows), call);
        call.dx = NONE;
        call.dy = NONE;
        call.y = NONE;
    }
}
