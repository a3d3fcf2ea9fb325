package org.lemmata.kernel.quantization;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/** What blocks that share a scale need beside the rounding of their elements. */
final class BlockLanes {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Integer> CODES = VectorSpecies.of(int.class, SPECIES.vectorShape());

    private static final int LANES = SPECIES.length();

    private static final int MIN_NORMAL = Float.floatToRawIntBits(Float.MIN_NORMAL);

    private BlockLanes() {}

    /** The largest magnitude; NaN if there is one. Codes of NaN are above that of infinity. */
    static float maximum(float[] x, int at, int length) {
        IntVector codes = IntVector.zero(CODES);
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            codes = codes.max(FloatVector.fromArray(SPECIES, x, at + i)
                    .reinterpretAsInts()
                    .and(Integer.MAX_VALUE));
        }
        int maximum = codes.reduceLanes(VectorOperators.MAX);
        for (int i = whole; i < length; i++) {
            maximum = Math.max(maximum, Float.floatToRawIntBits(x[at + i]) & Integer.MAX_VALUE);
        }
        return Float.intBitsToFloat(maximum);
    }

    /**
     * x_i / scale for a power of two; where that is below the smallest normal number of binary32, it is any number
     * below it, but 0 only for 0.
     */
    static void scaleDown(float[] quotients, int to, float[] x, int at, int length, float scale) {
        // In two steps, both exact, since 1 / scale is infinite below 2^-127: elements of mxint8 go down to 2^-133.
        float lift = scale < 0x1p-100f ? 0x1p64f : 1;
        float factor = 1 / (scale * lift);
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector value = FloatVector.fromArray(SPECIES, x, at + i);
            IntVector quotient = value.mul(lift).mul(factor).reinterpretAsInts();
            IntVector tiny = quotient.or(1);
            quotient.blend(
                            tiny,
                            quotient.and(Integer.MAX_VALUE)
                                    .compare(VectorOperators.LT, MIN_NORMAL)
                                    .and(value.reinterpretAsInts()
                                            .and(Integer.MAX_VALUE)
                                            .compare(VectorOperators.NE, 0)))
                    .reinterpretAsFloats()
                    .intoArray(quotients, to + i);
        }
        for (int i = whole; i < length; i++) {
            float quotient = x[at + i] * lift * factor;
            boolean tiny = Math.abs(quotient) < Float.MIN_NORMAL && x[at + i] != 0;
            quotients[to + i] = tiny ? Float.intBitsToFloat(Float.floatToRawIntBits(quotient) | 1) : quotient;
        }
    }

    /** x_i / scale, rounded to nearest even. */
    static void divide(float[] quotients, int to, float[] x, int at, int length, float scale) {
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector.fromArray(SPECIES, x, at + i).div(scale).intoArray(quotients, to + i);
        }
        for (int i = whole; i < length; i++) {
            quotients[to + i] = x[at + i] / scale;
        }
    }

    /** y_i = p_i scale + zero: a {@code zero} of -0 changes nothing, one of +0 makes -0 into +0. */
    static void multiply(float[] y, int to, float[] elements, int at, int length, float scale, float zero) {
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector.fromArray(SPECIES, elements, at + i)
                    .mul(scale)
                    .add(zero)
                    .intoArray(y, to + i);
        }
        for (int i = whole; i < length; i++) {
            y[to + i] = elements[at + i] * scale + zero;
        }
    }
}
