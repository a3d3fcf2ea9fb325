package org.lemmata.kernel.loss;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.LaneSum;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes and several threads. Squared differences are summed in binary32, lane by lane over blocks of
 * {@value #BLOCK} elements, and then over the lanes as in {@link LaneSum}. The sums of blocks, and the squares after
 * the last whole vector, are added in binary64 in ascending order within a chunk, then chunks in ascending order.
 * Chunks have {@value #CHUNK} elements, so the bits are the same for every number of threads.
 *
 * <p>A call allocates nothing once its thread's scratch space is large enough.
 */
public final class VectorSquaredError implements SquaredError {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /** Adding it does not change a number: x + -0 = x. */
    private static final FloatVector NEGATIVE_ZERO = FloatVector.broadcast(SPECIES, -0f);

    /** The distance in {@code lanes} between two chunks, so that threads write to separate cache lines. */
    private static final int APART = 128 / Float.BYTES;

    private static final int BLOCK = 1024;

    /** The number of elements in a chunk: about ten microseconds of work. */
    private static final int CHUNK = 1 << 16;

    private static final Matrix NONE = Matrix.empty();

    private static final ThreadLocal<Call> CALL = ThreadLocal.withInitial(Call::new);

    private final Workers workers;

    public VectorSquaredError(Workers workers) {
        this.workers = workers;
    }

    private static final class Call implements Workers.Chunks {

        /** Null in a forward pass. */
        private @Nullable Matrix dy;

        private Matrix y = NONE;
        private Matrix targets = NONE;
        private float slope;
        private int count;
        private double[] sums = {};

        /** A vector of sums per chunk. Stored in an array, because vectors are boxed if a call is not inlined. */
        private float[] lanes = {};

        @Override
        public void run(int chunk) {
            int first = chunk * CHUNK;
            int length = Math.min(CHUNK, count - first);
            int yAt = y.offset() + first;
            int targetsAt = targets.offset() + first;
            sums[chunk] = sumOfSquares(y.array(), yAt, targets.array(), targetsAt, length, lanes, chunk * APART);
            if (dy != null) {
                int to = dy.offset() + first;
                differentiate(dy.array(), to, y.array(), yAt, targets.array(), targetsAt, slope, length);
            }
        }
    }

    @Override
    public double forward(Matrix y, Matrix targets, double factor) {
        SquaredError.check(y, y, targets);
        return run(null, y, targets, factor);
    }

    @Override
    public double backward(Matrix dy, Matrix y, Matrix targets, double factor) {
        SquaredError.check(dy, y, targets);
        return run(dy, y, targets, factor);
    }

    private double run(@Nullable Matrix dy, Matrix y, Matrix targets, double factor) {
        Call call = CALL.get();
        call.dy = dy;
        call.y = y;
        call.targets = targets;
        call.slope = (float) (2 * factor);
        call.count = y.rows() * y.columns();
        int chunks = Math.ceilDiv(call.count, CHUNK);
        if (call.sums.length < chunks) {
            call.sums = new double[chunks];
            call.lanes = new float[chunks * APART];
        }
        workers.run(chunks, call);
        double sum = 0;
        for (int chunk = 0; chunk < chunks; chunk++) {
            sum += call.sums[chunk];
        }
        // Lets the garbage collector free the caller's arrays.
        call.dy = null;
        call.y = NONE;
        call.targets = NONE;
        return factor * sum;
    }

    private static double sumOfSquares(
            float[] y, int yFrom, float[] targets, int from, int count, float[] lanes, int lanesFrom) {
        int whole = SPECIES.loopBound(count);
        double sum = 0;
        for (int i = 0; i < whole; i += BLOCK) {
            sumLanes(lanes, lanesFrom, y, yFrom + i, targets, from + i, Math.min(BLOCK, whole - i));
            sum += LaneSum.sum(lanes, lanesFrom);
        }
        for (int i = whole; i < count; i++) {
            float difference = y[yFrom + i] - targets[from + i];
            sum += difference * difference;
        }
        return sum;
    }

    private static void sumLanes(
            float[] lanes, int lanesFrom, float[] y, int yFrom, float[] targets, int from, int count) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int i = 0; i < count; i += LANES) {
            FloatVector difference =
                    FloatVector.fromArray(SPECIES, y, yFrom + i).sub(FloatVector.fromArray(SPECIES, targets, from + i));
            sum = difference.fma(difference, sum);
        }
        // C2 cannot infer the class of a sum that a loop carries. If vectors of another width were stored before, as in
        // packing, C2 would box the sum. A call on a constant vector makes the class known.
        NEGATIVE_ZERO.add(sum).intoArray(lanes, lanesFrom);
    }

    private static void differentiate(
            float[] dy, int to, float[] y, int yFrom, float[] targets, int from, float slope, int count) {
        int whole = SPECIES.loopBound(count);
        for (int i = 0; i < whole; i += LANES) {
            FloatVector.fromArray(SPECIES, y, yFrom + i)
                    .sub(FloatVector.fromArray(SPECIES, targets, from + i))
                    .mul(slope)
                    .intoArray(dy, to + i);
        }
        for (int i = whole; i < count; i++) {
            dy[to + i] = slope * (y[yFrom + i] - targets[from + i]);
        }
    }
}
