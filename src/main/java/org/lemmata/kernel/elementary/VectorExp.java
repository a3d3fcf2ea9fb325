package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * e^x in binary32, lane by lane: 2^n e^r with n = round(x / ln 2) and r = x - n ln 2, e^r by a polynomial of degree 6.
 *
 * <p>At most 1 ulp from e^x wherever e^x is a normal number; over all of binary32 the worst is 0.892 ulps. Where e^x is
 * below the least normal number 2^-126, the result is +0: gradual underflow would cost a slow trap a lane on many
 * machines. e^-inf = 0, e^inf = inf, overflow gives inf, NaN gives NaN.
 *
 * <p>Only fused multiply-adds, subtractions and integer operations are used, each of which IEEE 754 or Java fixes to
 * the bit, so that every machine, every lane width and the scalar form give the same bits.
 *
 * <p>Source: argument reduction in two steps after Cody and Waite (1980), Software Manual for the Elementary Functions,
 * chapter 6; the coefficients are a weighted minimax fit of (e^r - 1 - r) / r^2 made for this class.
 */
public final class VectorExp {

    /** The greatest binary32 number whose exponential is finite: below ln((2 - 2^-24) 2^127) = 88.722839. */
    private static final float MAX_FINITE = 0x1.62e42ep6f;

    /** The least binary32 number whose exponential is normal: above ln 2^-126 = -87.336545. */
    private static final float MIN_NORMAL = -0x1.5d589ep6f;

    private static final float LOG2_E = 0x1.715476p0f;

    /** 1.5 * 2^23: adding it rounds to an integer, which then stands in the low bits of the sum. */
    private static final float ROUNDER = 0x1.8p23f;

    /** ln 2 to 15 bits: n times it, and x minus that, are exact, n having 8 bits. */
    private static final float LN2_HIGH = 0x1.62e4p-1f;

    /** ln 2 - LN2_HIGH. */
    private static final float LN2_LOW = 0x1.7f7d1cp-20f;

    // (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2; the relative error in e^r is below 2^-28.
    private static final float C2 = 0x1.fffffcp-2f;
    private static final float C3 = 0x1.555492p-3f;
    private static final float C4 = 0x1.5558aap-5f;
    private static final float C5 = 0x1.12396ep-7f;
    private static final float C6 = 0x1.6a524ep-10f;

    private static final int FRACTION_BITS = Float.PRECISION - 1;

    private VectorExp() {}

    /** e^x for each lane. */
    public static FloatVector exp(FloatVector x) {
        FloatVector shifted = x.broadcast(LOG2_E).fma(x, x.broadcast(ROUNDER));
        FloatVector n = shifted.sub(ROUNDER);
        FloatVector r = n.fma(x.broadcast(-LN2_LOW), n.fma(x.broadcast(-LN2_HIGH), x));
        FloatVector q = r.fma(x.broadcast(C6), x.broadcast(C5));
        q = q.fma(r, x.broadcast(C4));
        q = q.fma(r, x.broadcast(C3));
        q = q.fma(r, x.broadcast(C2));
        FloatVector one = x.broadcast(1);
        FloatVector p = q.fma(r, one).fma(r, one);
        // The exponent of p is -1 or 0, so n can be added to it even for n = 128, which 2^n alone could not hold.
        IntVector bits =
                p.reinterpretAsInts().add(shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, FRACTION_BITS));
        return bits.reinterpretAsFloats()
                .blend(0, x.lt(MIN_NORMAL))
                .blend(Float.POSITIVE_INFINITY, x.compare(VectorOperators.GT, MAX_FINITE))
                .blend(Float.NaN, x.test(VectorOperators.IS_NAN));
    }

    /** e^x, the very bits that {@link #exp(FloatVector)} gives a lane. */
    public static float exp(float x) {
        if (Float.isNaN(x)) {
            return Float.NaN;
        }
        if (x > MAX_FINITE) {
            return Float.POSITIVE_INFINITY;
        }
        if (x < MIN_NORMAL) {
            return 0;
        }
        float shifted = Math.fma(LOG2_E, x, ROUNDER);
        float n = shifted - ROUNDER;
        float r = Math.fma(n, -LN2_LOW, Math.fma(n, -LN2_HIGH, x));
        float q = Math.fma(r, C6, C5);
        q = Math.fma(q, r, C4);
        q = Math.fma(q, r, C3);
        q = Math.fma(q, r, C2);
        float p = Math.fma(Math.fma(q, r, 1), r, 1);
        return Float.intBitsToFloat(Float.floatToRawIntBits(p) + (Float.floatToRawIntBits(shifted) << FRACTION_BITS));
    }
}
