package org.lemmata.kernel.softmax;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorExp;

/**
 * On SIMD lanes, with {@link VectorExp}: what would weigh less than 2^-126 of the greatest element weighs 0.
 *
 * <p>The order of each sum is fixed by the lane count: each lane down the row, then the lanes in ascending order. The
 * rest of a row that does not fill a vector is computed aside, filled up with elements of weight 0.
 */
public final class VectorSoftmax implements Softmax {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    @Override
    public void forwardInto(float[] values, int offset, int stride, int rows, int columns) {
        Softmax.check(values, offset, stride, rows, columns);
        if (columns == 0) {
            return;
        }
        float[] rest = new float[LANES];
        float[] sums = new float[LANES];
        int whole = SPECIES.loopBound(columns);
        for (int i = 0; i < rows; i++) {
            int start = offset + i * stride;
            int end = start + whole;
            float max = max(values, start, columns);
            Arrays.fill(rest, Float.NEGATIVE_INFINITY);
            System.arraycopy(values, end, rest, 0, columns - whole);
            exponentiate(values, start, end, rest, sums, max);
            divide(values, start, end, rest, sum(sums));
            System.arraycopy(rest, 0, values, end, columns - whole);
        }
    }

    /** The greatest element that is not NaN: a NaN enters the result through its own exponential. */
    private static float max(float[] values, int start, int columns) {
        if (columns < LANES) {
            float max = Float.NEGATIVE_INFINITY;
            for (int j = start; j < start + columns; j++) {
                max = values[j] > max ? values[j] : max;
            }
            return max;
        }
        // The last vector overlaps the one before it. Compare and blend: max would also order zeros and carry NaN, and
        // costs more.
        int last = start + columns - LANES;
        FloatVector max = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        for (int j = start; j < last; j += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, values, j);
            max = max.blend(x, x.compare(VectorOperators.GT, max));
        }
        FloatVector x = FloatVector.fromArray(SPECIES, values, last);
        return max.blend(x, x.compare(VectorOperators.GT, max)).reduceLanes(VectorOperators.MAX);
    }

    /** Replaces each x by exp(x - max); leaves the sum of each lane in {@code sums}. */
    private static void exponentiate(float[] values, int start, int end, float[] rest, float[] sums, float max) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int j = start; j < end; j += LANES) {
            FloatVector y =
                    VectorExp.exp(FloatVector.fromArray(SPECIES, values, j).sub(max));
            y.intoArray(values, j);
            sum = sum.add(y);
        }
        FloatVector y = VectorExp.exp(FloatVector.fromArray(SPECIES, rest, 0).sub(max));
        y.intoArray(rest, 0);
        sum.add(y).intoArray(sums, 0);
    }

    /** In ascending order, which a lane reduction would leave open. */
    private static float sum(float[] sums) {
        float sum = 0;
        for (float lane : sums) {
            sum += lane;
        }
        return sum;
    }

    private static void divide(float[] values, int start, int end, float[] rest, float sum) {
        for (int j = start; j < end; j += LANES) {
            FloatVector.fromArray(SPECIES, values, j).div(sum).intoArray(values, j);
        }
        FloatVector.fromArray(SPECIES, rest, 0).div(sum).intoArray(rest, 0);
    }
}
