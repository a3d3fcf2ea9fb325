package org.lemmata.kernel.softmax;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.LaneSum;
import org.lemmata.kernel.elementary.LastLanes;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/** One backward call, cut into chunks of rows. */
final class SoftmaxBackwardRows implements Workers.Chunks {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private static final Matrix NONE = Matrix.empty();

    /** Of each thread: space for two vectors. */
    private static final ThreadLocal<float[]> SPACE = ThreadLocal.withInitial(() -> new float[2 * LANES]);

    Matrix dx = NONE;
    Matrix dy = NONE;
    Matrix y = NONE;
    int chunkRows;

    /** Lets go of the caller's arrays. */
    void clear() {
        dx = NONE;
        dy = NONE;
        y = NONE;
    }

    @Override
    public void run(int chunk) {
        float[] lanes = SPACE.get();
        int columns = y.columns();
        int end = Math.min(y.rows(), (chunk + 1) * chunkRows);
        for (int i = chunk * chunkRows; i < end; i++) {
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

    /** A row that fills no vector, in ascending order. */
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

    /** sum_j dy_j y_j: lane by lane, even vectors and odd ones apart, then the rest, then the lanes. */
    private static float inner(float[] dy, int at, float[] y, int weights, int columns, float[] lanes) {
        FloatVector even = FloatVector.zero(SPECIES);
        FloatVector odd = FloatVector.zero(SPECIES);
        int j = 0;
        for (; j <= columns - 2 * LANES; j += 2 * LANES) {
            even = FloatVector.fromArray(SPECIES, dy, at + j).fma(FloatVector.fromArray(SPECIES, y, weights + j), even);
            odd = FloatVector.fromArray(SPECIES, dy, at + j + LANES)
                    .fma(FloatVector.fromArray(SPECIES, y, weights + j + LANES), odd);
        }
        for (; j <= columns - LANES; j += LANES) {
            even = FloatVector.fromArray(SPECIES, dy, at + j).fma(FloatVector.fromArray(SPECIES, y, weights + j), even);
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
        // The last vector overlaps the one before it, and is read first, since dx may be dy or y.
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
