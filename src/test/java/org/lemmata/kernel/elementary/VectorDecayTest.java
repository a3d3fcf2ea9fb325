package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class VectorDecayTest {

    private static final int LANES = Species.FLOAT.length();
    private static final float[] ROW = new float[LANES];
    private static final float[] SUMS = new float[LANES];

    /** Prime, so that the sampled code words fall on all residues of the lanes and of the low bits. */
    private static final int STEP = 9973;

    /** All sign bits set: -0 to -infinity, and NaN behind them; then +0 and NaN of either sign. */
    @Test
    void hasTheBitsOfExp() {
        for (long code = 1L << 31; code < 1L << Integer.SIZE; code += STEP) {
            check(Float.intBitsToFloat((int) code));
        }
        for (int code : new int[] {0, 0x7f800001, 0x7fc00001, 0x7fffffff, 0xff800000, 0xff800001, 0xffffffff}) {
            check(Float.intBitsToFloat(code));
        }
        for (int ulps = -500; ulps < 500; ulps++) {
            check(Float.intBitsToFloat(Float.floatToRawIntBits(-87.33654f) + ulps));
        }
    }

    private static void check(float x) {
        Arrays.fill(ROW, x);
        VectorDecay.exponentiate(ROW, 0, ROW, 0, LANES, 0, SUMS, LANES);
        float y = ROW[LANES - 1];
        // Asserting only what differs keeps the sweep fast.
        if (Float.floatToIntBits(y) != Float.floatToIntBits(ScalarExp.exp(x))) {
            assertThat(y).as("e^%s", x).isEqualTo(Float.valueOf(ScalarExp.exp(x)));
        }
    }
}
