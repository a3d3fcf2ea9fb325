package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VectorExpTest {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** Prime, so that the sampled code words fall on all residues of the lanes and of the low bits. */
    private static final int STEP = 9973;

    @Test
    void isWithinOneUlpWhereTheResultIsNormal() {
        double maxUlps = 0;
        float worst = 0;
        float[] x = new float[SPECIES.length()];
        float[] y = new float[SPECIES.length()];
        for (long code = 0; code < 1L << Integer.SIZE; code += (long) STEP * x.length) {
            for (int lane = 0; lane < x.length; lane++) {
                x[lane] = Float.intBitsToFloat((int) (code + (long) STEP * lane));
            }
            VectorExp.exp(FloatVector.fromArray(SPECIES, x, 0)).intoArray(y, 0);
            for (int lane = 0; lane < x.length; lane++) {
                double ulps = ulps(y[lane], Math.exp(x[lane]));
                if (ulps > maxUlps) {
                    maxUlps = ulps;
                    worst = x[lane];
                }
            }
        }
        assertThat(maxUlps).as("greatest error in ulps, at x = %s", worst).isLessThanOrEqualTo(1);
    }

    /** The distance from the exact value in ulps of binary32; infinity where a special value is missed. */
    private static double ulps(float y, double exact) {
        // e^x between the greatest finite number and 2^128 may round to either: the rounded value decides.
        float rounded = (float) exact;
        if (Double.isFinite(rounded) && exact >= Float.MIN_NORMAL) {
            return Float.isFinite(y) ? Math.abs(y - exact) / Math.ulp(rounded) : Double.POSITIVE_INFINITY;
        }
        float expected = exact < Float.MIN_NORMAL ? 0 : rounded;
        return Float.compare(y, expected) == 0 ? 0 : Double.POSITIVE_INFINITY;
    }

    @Test
    void vectorAndScalarFormsGiveTheSameBits() {
        float[] y = new float[SPECIES.length()];
        for (long code = 0; code < 1L << Integer.SIZE; code += STEP) {
            float x = Float.intBitsToFloat((int) code);
            FloatVector.broadcast(SPECIES, x).intoArray(y, 0);
            VectorExp.exp(FloatVector.fromArray(SPECIES, y, 0)).intoArray(y, 0);
            int vectorBits = Float.floatToRawIntBits(y[0]);
            int scalarBits = Float.floatToRawIntBits(VectorExp.exp(x));
            // Asserting only what differs keeps the sweep fast.
            if (vectorBits != scalarBits) {
                assertThat(vectorBits).as("bits of exp(%s)", x).isEqualTo(scalarBits);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "-0.0, 1",
        "1.401298464324817E-45, 1",
        "1, 2.7182817",
        "NaN, NaN",
        "Infinity, Infinity",
        "-Infinity, 0",
        "3.4028235E38, Infinity",
        "-3.4028235E38, 0",
        "88.72284, Infinity",
        "-87.33655, 0",
        "-100, 0",
        "-1000, 0"
    })
    void givesTheExactValueAtSpecialPoints(float x, Float expected) {
        float vector = VectorExp.exp(FloatVector.broadcast(SPECIES, x)).lane(SPECIES.length() - 1);
        assertThat(vector).isEqualTo(expected);
        assertThat(VectorExp.exp(x)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7f800001, 0x7fc00001, 0x7fffffff, 0xff800001, 0xffc00000, 0xffffffff})
    void everyNanGivesNan(int code) {
        float x = Float.intBitsToFloat(code);
        assertThat(VectorExp.exp(FloatVector.broadcast(SPECIES, x)).lane(0)).isNaN();
        assertThat(VectorExp.exp(x)).isNaN();
    }

    /** The sweep steps over the very ends, where the exponent of the result is the least and the greatest. */
    @ParameterizedTest
    @ValueSource(floats = {-87.33654f, 88.72283f})
    void isWithinOneUlpAtTheEndsOfTheNormalRange(float end) {
        for (int i = -2000; i <= 2000; i++) {
            float x = Float.intBitsToFloat(Float.floatToRawIntBits(end) + i);
            assertThat(ulps(VectorExp.exp(x), Math.exp(x)))
                    .as("ulps of exp(%s)", x)
                    .isLessThanOrEqualTo(1);
        }
    }
}
