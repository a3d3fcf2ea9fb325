package org.lemmata.kernel.quantization;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * a + b in binary32, rounded to odd: what rounding to at least two bits fewer, in any mode, takes for the exact sum.
 *
 * <p>A sum beyond the largest finite number becomes that one, whose last bit is 1.
 *
 * <p>Source: Boldo and Melquiond (2008), Emulation of FMA and correctly rounded sums: proved algorithms using rounding
 * to odd, IEEE Transactions on Computers 57(4), theorem 1; the error term is Knuth's TwoSum.
 */
final class OddSums {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private OddSums() {}

    static void sumInto(float[] y, int yAt, float[] a, int aAt, float[] b, int bAt, int length) {
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector left = FloatVector.fromArray(SPECIES, a, aAt + i);
            FloatVector right = FloatVector.fromArray(SPECIES, b, bAt + i);
            FloatVector sum = left.add(right);
            FloatVector partOfRight = sum.sub(left);
            IntVector error =
                    left.sub(sum.sub(partOfRight)).add(right.sub(partOfRight)).reinterpretAsInts();
            IntVector code = sum.reinterpretAsInts();
            // By one to where the error is.
            IntVector odd = code.or(1)
                    .blend(
                            code.sub(1).or(1),
                            error.lanewise(VectorOperators.XOR, code).compare(VectorOperators.LT, 0));
            IntVector greater = left.reinterpretAsInts()
                    .and(Integer.MAX_VALUE)
                    .max(right.reinterpretAsInts().and(Integer.MAX_VALUE));
            // Neither 0, where the sum is exact, nor NaN, where something is infinite.
            code.blend(odd, error.and(Integer.MAX_VALUE).sub(1).compare(VectorOperators.ULT, LaneRounding.INFINITY - 1))
                    .sub(
                            1,
                            code.and(Integer.MAX_VALUE)
                                    .compare(VectorOperators.EQ, LaneRounding.INFINITY)
                                    .and(greater.compare(VectorOperators.LT, LaneRounding.INFINITY)))
                    .reinterpretAsFloats()
                    .intoArray(y, yAt + i);
        }
        for (int i = whole; i < length; i++) {
            y[yAt + i] = sum(a[aAt + i], b[bAt + i]);
        }
    }

    private static float sum(float a, float b) {
        float sum = a + b;
        if (Float.isInfinite(sum) && Float.isFinite(a) && Float.isFinite(b)) {
            return Math.copySign(Float.MAX_VALUE, sum);
        }
        float partOfB = sum - a;
        float error = (a - (sum - partOfB)) + (b - partOfB);
        boolean odd = (Float.floatToRawIntBits(sum) & 1) == 1;
        if (odd || error == 0 || Float.isNaN(error)) {
            return sum;
        }
        return error > 0 ? Math.nextUp(sum) : Math.nextDown(sum);
    }
}
