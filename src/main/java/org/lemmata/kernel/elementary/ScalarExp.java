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
import static org.lemmata.kernel.elementary.VectorExp.MAX_FINITE;
import static org.lemmata.kernel.elementary.VectorExp.MIN_NORMAL;
import static org.lemmata.kernel.elementary.VectorExp.ROUNDER;

/**
 * The scalar form of {@link VectorExp}, with the same bits; it uses only that class's constants, so it needs no Vector
 * API.
 */
public final class ScalarExp {

    private ScalarExp() {}

    public static float exp(float x) {
        return exp(x, 0);
    }

    /** e^(x + low), bit-identical to {@link VectorExp}. */
    public static float exp(float x, float low) {
        if (x >= MIN_NORMAL && x <= MAX_FINITE) {
            float shifted = Math.fma(LOG2_E, x, ROUNDER);
            float n = shifted - ROUNDER;
            return power(shifted, Math.fma(n, -LN2_LOW, Math.fma(n, -LN2_HIGH, x)) + low);
        }
        if (Float.isNaN(x)) {
            return Float.NaN;
        }
        return x < 0 ? 0 : Float.POSITIVE_INFINITY;
    }

    /** 2^n e^r, with n in the low bits of {@code shifted}. */
    static float power(float shifted, float r) {
        float q = Math.fma(r, C6, C5);
        q = Math.fma(q, r, C4);
        q = Math.fma(q, r, C3);
        q = Math.fma(q, r, C2);
        float p = Math.fma(Math.fma(q, r, 1), r, 1);
        return Float.intBitsToFloat(Float.floatToRawIntBits(p) + (Float.floatToRawIntBits(shifted) << FRACTION_BITS));
    }
}
