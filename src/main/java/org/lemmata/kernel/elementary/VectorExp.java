package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * e^x in binary32, lane by lane: 2^n e^r with n = round(x / ln 2) and r = x - n ln 2, where a polynomial of degree 6
 * approximates e^r.
 *
 * <p>The error is at most 1 ulp if e^x is a normal number; the maximum over all binary32 numbers is 0.892 ulps. If e^x
 * is below the smallest normal number 2^-126, the result is +0, because gradual underflow is slow on many machines.
 * e^-inf = 0, e^inf = inf, overflow gives inf, NaN gives NaN.
 *
 * <p>Only fused multiply-adds, additions, subtractions and integer operations are used, whose results IEEE 754 or Java
 * defines exactly. So every machine, every number of lanes and the scalar form give the same bits.
 *
 * <p>Source: argument reduction in two steps after Cody and Waite (1980), Software Manual for the Elementary Functions,
 * chapter 6; the coefficients are a weighted minimax fit of (e^r - 1 - r) / r^2, computed for this class.
 */
public final class VectorExp {

    /** The largest binary32 number whose exponential is finite: below ln((2 - 2^-24) 2^127) = 88.722839. */
    static final float MAX_FINITE = 0x1.62e42ep6f;

    /** The smallest binary32 number whose exponential is normal: above ln 2^-126 = -87.336545. */
    static final float MIN_NORMAL = -0x1.5d589ep6f;

    static final float LOG2_E = 0x1.715476p0f;

    /** 1.5 * 2^23. Adding it to x rounds x to an integer, which is then in the low bits of the sum. */
    static final float ROUNDER = 0x1.8p23f;

    /** ln 2 to 15 bits. Since n has at most 8 bits, n LN2_HIGH and x - n LN2_HIGH are exact. */
    static final float LN2_HIGH = 0x1.62e4p-1f;

    /** ln 2 - LN2_HIGH. */
    static final float LN2_LOW = 0x1.7f7d1cp-20f;

    // (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2; the relative error in e^r is below 2^-28.
    static final float C2 = 0x1.fffffcp-2f;
    static final float C3 = 0x1.555492p-3f;
    static final float C4 = 0x1.5558aap-5f;
    static final float C5 = 0x1.12396ep-7f;
    static final float C6 = 0x1.6a524ep-10f;

    static final int FRACTION_BITS = Float.PRECISION - 1;

    private VectorExp() {}

    public static FloatVector exp(FloatVector x) {
        return normal(x)
                .blend(0, x.lt(MIN_NORMAL))
                .blend(Float.POSITIVE_INFINITY, x.compare(VectorOperators.GT, MAX_FINITE))
                .blend(Float.NaN, x.test(VectorOperators.IS_NAN));
    }

    /**
     * e^(x + low) for each lane, for a double-word argument: |low| is at most an ulp of x.
     *
     * <p>The error is at most 1.25 ulps; special cases depend only on x.
     */
    public static FloatVector exp(FloatVector x, FloatVector low) {
        return normal(x, low)
                .blend(0, x.lt(MIN_NORMAL))
                .blend(Float.POSITIVE_INFINITY, x.compare(VectorOperators.GT, MAX_FINITE))
                .blend(Float.NaN, x.test(VectorOperators.IS_NAN));
    }

    /** e^(x + low) for x &lt;= 0, bit-identical to {@link #exp(FloatVector, FloatVector)}; undefined otherwise. */
    public static FloatVector expOfNonPositive(FloatVector x, FloatVector low) {
        return normal(x, low).blend(0, x.lt(MIN_NORMAL));
    }

    /** e^x for lanes between {@link #MIN_NORMAL} and {@link #MAX_FINITE}; other lanes are undefined. */
    static FloatVector normal(FloatVector x) {
        FloatVector shifted = x.broadcast(LOG2_E).fma(x, x.broadcast(ROUNDER));
        FloatVector n = shifted.sub(ROUNDER);
        return power(shifted, n.fma(x.broadcast(-LN2_LOW), n.fma(x.broadcast(-LN2_HIGH), x)));
    }

    /** e^(x + low) for lanes with x in the range of {@link #normal(FloatVector)}; other lanes are undefined. */
    static FloatVector normal(FloatVector x, FloatVector low) {
        FloatVector shifted = x.broadcast(LOG2_E).fma(x, x.broadcast(ROUNDER));
        FloatVector n = shifted.sub(ROUNDER);
        return power(
                shifted,
                n.fma(x.broadcast(-LN2_LOW), n.fma(x.broadcast(-LN2_HIGH), x)).add(low));
    }

    /** 2^n e^r, with n in the low bits of {@code shifted}. */
    private static FloatVector power(FloatVector shifted, FloatVector r) {
        FloatVector q = r.fma(r.broadcast(C6), r.broadcast(C5));
        q = q.fma(r, r.broadcast(C4));
        q = q.fma(r, r.broadcast(C3));
        q = q.fma(r, r.broadcast(C2));
        FloatVector one = r.broadcast(1);
        FloatVector p = q.fma(r, one).fma(r, one);
        // The exponent of p is -1 or 0, so n can be added to it even if n = 128, for which 2^n would overflow.
        IntVector bits =
                p.reinterpretAsInts().add(shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, FRACTION_BITS));
        return bits.reinterpretAsFloats();
    }
}
