package org.lemmata.kernel.elementary;

import static org.lemmata.kernel.elementary.VectorExp.C2;
import static org.lemmata.kernel.elementary.VectorExp.C3;
import static org.lemmata.kernel.elementary.VectorExp.C4;
import static org.lemmata.kernel.elementary.VectorExp.C5;
import static org.lemmata.kernel.elementary.VectorExp.C6;
import static org.lemmata.kernel.elementary.VectorExp.FRACTION_BITS;
import static org.lemmata.kernel.elementary.VectorExp.LN2_HIGH;
import static org.lemmata.kernel.elementary.VectorExp.LN2_LOW;
import static org.lemmata.kernel.elementary.VectorExp.LOG2_E;
import static org.lemmata.kernel.elementary.VectorExp.MIN_NORMAL;
import static org.lemmata.kernel.elementary.VectorExp.ROUNDER;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The steps of a softmax over one row, shared by several operations: the maximum, e^(x - max) with their sum, and a
 * common factor.
 *
 * <p>Each step is a small method that passes only arrays and numbers. After about 60 vector operations, the compiler
 * stops inlining, and would box vectors that are passed or returned.
 */
public final class RowExponentials {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private static final int GROUP = 4 * LANES;

    private static final int ONE_BITS = Float.floatToRawIntBits(1);

    private RowExponentials() {}

    /** The largest element that is not NaN; -infinity if there is none. */
    public static float maximum(float[] x, int from, int columns) {
        if (columns < LANES) {
            float max = Float.NEGATIVE_INFINITY;
            for (int j = from; j < from + columns; j++) {
                max = x[j] > max ? x[j] : max;
            }
            return max;
        }
        // Compares and blends, because max would also order zeros and propagate NaN, and takes twice as long. There are
        // four chains, because each comparison waits for the one before it. The last vector overlaps others.
        FloatVector max = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        int last = from + columns - LANES;
        int j = from;
        if (columns >= GROUP) {
            FloatVector max1 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
            FloatVector max2 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
            FloatVector max3 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
            for (; j <= from + columns - GROUP; j += GROUP) {
                FloatVector y = FloatVector.fromArray(SPECIES, x, j);
                max = max.blend(y, y.compare(VectorOperators.GT, max));
                y = FloatVector.fromArray(SPECIES, x, j + LANES);
                max1 = max1.blend(y, y.compare(VectorOperators.GT, max1));
                y = FloatVector.fromArray(SPECIES, x, j + 2 * LANES);
                max2 = max2.blend(y, y.compare(VectorOperators.GT, max2));
                y = FloatVector.fromArray(SPECIES, x, j + 3 * LANES);
                max3 = max3.blend(y, y.compare(VectorOperators.GT, max3));
            }
            max = max.blend(max1, max1.compare(VectorOperators.GT, max));
            max2 = max2.blend(max3, max3.compare(VectorOperators.GT, max2));
            max = max.blend(max2, max2.compare(VectorOperators.GT, max));
        }
        for (; j < last; j += LANES) {
            FloatVector y = FloatVector.fromArray(SPECIES, x, j);
            max = max.blend(y, y.compare(VectorOperators.GT, max));
        }
        FloatVector y = FloatVector.fromArray(SPECIES, x, last);
        return max.blend(y, y.compare(VectorOperators.GT, max)).reduceLanes(VectorOperators.MAX);
    }

    /**
     * y_j = e^(x_j - max), where no x_j exceeds max. Returns the sum of the y_j: lane by lane and then over the lanes
     * as in {@link LaneSum}, or in ascending order if the row is shorter than a vector. {@code y} may be {@code x} at
     * the same offset.
     *
     * <p>Results below 2^-126 are 0.
     *
     * @param lanes scratch space for two vectors
     */
    public static float exponentiate(float[] y, int yFrom, float[] x, int from, int columns, float max, float[] lanes) {
        if (columns >= LANES) {
            int rest = columns % LANES;
            int last = columns - LANES;
            // The last vector overlaps the one before it, and is read before y overwrites x.
            FloatVector.fromArray(SPECIES, x, from + last).intoArray(lanes, LANES);
            FloatVector.zero(SPECIES).intoArray(lanes, 0);
            decay(y, yFrom, x, from, columns - rest, max, lanes, LANES);
            if (rest > 0) {
                decay(y, yFrom + last, lanes, LANES, LANES, max, lanes, rest);
            }
            return LaneSum.sum(lanes, 0);
        }
        float sum = 0;
        for (int j = 0; j < columns; j++) {
            float e = ScalarExp.exp(x[from + j] - max);
            y[yFrom + j] = e;
            sum += e;
        }
        return sum;
    }

    /** sum_j x_j, added in the same order as in {@link #exponentiate}. */
    public static float sum(float[] x, int from, int columns, float[] lanes) {
        if (columns < LANES) {
            float sum = 0;
            for (int j = from; j < from + columns; j++) {
                sum += x[j];
            }
            return sum;
        }
        FloatVector sum = FloatVector.zero(SPECIES);
        int end = from + columns;
        int j = from;
        for (; j <= end - LANES; j += LANES) {
            sum = sum.add(FloatVector.fromArray(SPECIES, x, j));
        }
        if (j < end) {
            sum = FloatVector.fromArray(SPECIES, x, end - LANES)
                    .fma(FloatVector.fromArray(SPECIES, LastLanes.ONES, end - j), sum);
        }
        sum.intoArray(lanes, 0);
        return LaneSum.sum(lanes, 0);
    }

    public static void scale(float[] y, int from, int columns, float factor) {
        if (columns < LANES) {
            for (int j = from; j < from + columns; j++) {
                y[j] *= factor;
            }
            return;
        }
        int last = from + columns - LANES;
        FloatVector lastY = FloatVector.fromArray(SPECIES, y, last);
        for (int j = from; j < last; j += LANES) {
            FloatVector.fromArray(SPECIES, y, j).mul(factor).intoArray(y, j);
        }
        lastY.mul(factor).intoArray(y, last);
    }

    /**
     * y_j = e^(x_j - max) for whole vectors and x_j &lt;= max, bit-identical to {@link VectorExp} but a seventh faster.
     * Nothing overflows, so e^r is multiplied by 2^n directly, and NaN needs no check. Adds the last {@code kept} lanes
     * of each vector of y to the vector at the start of {@code sums}. {@code y} may be {@code x} at the same offset.
     *
     * @param count a multiple of the number of lanes
     */
    static void decay(float[] y, int yFrom, float[] x, int from, int count, float max, float[] sums, int kept) {
        FloatVector maximum = FloatVector.broadcast(SPECIES, max);
        FloatVector weights = FloatVector.fromArray(SPECIES, LastLanes.ONES, kept);
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        FloatVector sum = FloatVector.fromArray(SPECIES, sums, 0);
        for (int j = 0; j < count; j += LANES) {
            FloatVector z = FloatVector.fromArray(SPECIES, x, from + j).sub(maximum);
            FloatVector shifted = z.broadcast(LOG2_E).fma(z, z.broadcast(ROUNDER));
            FloatVector n = shifted.sub(ROUNDER);
            FloatVector r = n.fma(z.broadcast(-LN2_LOW), n.fma(z.broadcast(-LN2_HIGH), z));
            FloatVector q = r.fma(z.broadcast(C6), z.broadcast(C5));
            q = q.fma(r, z.broadcast(C4)).fma(r, z.broadcast(C3)).fma(r, z.broadcast(C2));
            FloatVector power = shifted.reinterpretAsInts()
                    .lanewise(VectorOperators.LSHL, FRACTION_BITS)
                    .add(ONE_BITS)
                    .reinterpretAsFloats();
            FloatVector e = q.fma(r, one).fma(r, one).mul(power).blend(0, z.lt(MIN_NORMAL));
            e.intoArray(y, yFrom + j);
            sum = e.fma(weights, sum);
        }
        sum.intoArray(sums, 0);
    }
}
