package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * ln x in binary32, lane by lane: x = 2^e m with m from 2/3 up to 4/3, and ln x = e ln 2 + ln(1 + f), f = m - 1, by a
 * polynomial.
 *
 * <p>At most 1 ulp from ln x for every x, subnormal ones included; over all of binary32 the worst is 0.882 ulps. ln 0 =
 * -inf for both zeros, ln inf = inf, a negative x and NaN give NaN.
 *
 * <p>Only fused multiply-adds, additions, multiplications and integer operations are used, each of which IEEE 754 or
 * Java fixes to the bit, so that every machine, every lane width and the scalar form give the same bits.
 *
 * <p>Source: reduction to e and m after Cody and Waite (1980), Software Manual for the Elementary Functions, chapter 5;
 * the coefficients are a weighted minimax fit made for this class. With m about 1, and not between 1 and 2, e ln 2 and
 * ln m never cancel.
 */
public final class VectorLog {

    private static final float TWO_23 = 0x1p23f;

    /** The bits of 2/3: what lies above them by a whole exponent is 2^e. */
    private static final int TWO_THIRDS = 0x3f2aaaab;

    /** 1.5 * 2^23: an integer added to its bits is added to the number. */
    private static final float ROUNDER = 0x1.8p23f;

    private static final int ROUNDER_BITS = 0x4b400000;

    /** ln 2 to 15 bits: e times it is exact, e having 8 bits. */
    private static final float LN2_HIGH = 0x1.62e4p-1f;

    /** ln 2 - LN2_HIGH. */
    private static final float LN2_LOW = 0x1.7f7d1cp-20f;

    // (ln(1 + f) - f + f^2 / 2) / f^3 for -1/3 <= f <= 1/3; the relative error in ln(1 + f) is below 2^-30.
    private static final float C0 = 0x1.555556p-2f;
    private static final float C1 = -0x1.ffff18p-3f;
    private static final float C2 = 0x1.9997eep-3f;
    private static final float C3 = -0x1.55978cp-3f;
    private static final float C4 = 0x1.24eb6ep-3f;
    private static final float C5 = -0x1.f3b02ap-4f;
    private static final float C6 = 0x1.b91ef8p-4f;
    private static final float C7 = -0x1.06c2c4p-3f;
    private static final float C8 = 0x1.e9d19cp-4f;

    private static final int FRACTION_BITS = Float.PRECISION - 1;

    private VectorLog() {}

    /** ln x for each lane. */
    public static FloatVector log(FloatVector x) {
        VectorMask<Float> subnormal = x.lt(Float.MIN_NORMAL);
        IntVector bits = x.blend(x.mul(TWO_23), subnormal).reinterpretAsInts();
        IntVector exponent = bits.sub(TWO_THIRDS).lanewise(VectorOperators.ASHR, FRACTION_BITS);
        FloatVector e = exponent.add(ROUNDER_BITS)
                .reinterpretAsFloats()
                .sub(x.broadcast(ROUNDER).blend(ROUNDER + FRACTION_BITS, subnormal));
        FloatVector f = bits.sub(exponent.lanewise(VectorOperators.LSHL, FRACTION_BITS))
                .reinterpretAsFloats()
                .sub(1);
        // high + (f - (high - whole)) is whole + f exactly: whole is 0 or greater than f.
        FloatVector whole = e.mul(LN2_HIGH);
        FloatVector high = whole.add(f);
        FloatVector low = f.sub(high.sub(whole)).add(e.fma(x.broadcast(LN2_LOW), rest(f)));
        return high.add(low)
                .blend(Float.NEGATIVE_INFINITY, x.eq(0))
                .blend(Float.POSITIVE_INFINITY, x.eq(Float.POSITIVE_INFINITY))
                .blend(Float.NaN, x.compare(VectorOperators.GE, 0).not());
    }

    /** ln(1 + f) - f. A method of its own: what has grown too big is not inlined, and its vectors are boxed. */
    private static FloatVector rest(FloatVector f) {
        FloatVector q = f.fma(f.broadcast(C8), f.broadcast(C7));
        q = q.fma(f, f.broadcast(C6));
        q = q.fma(f, f.broadcast(C5));
        q = q.fma(f, f.broadcast(C4));
        q = q.fma(f, f.broadcast(C3));
        q = q.fma(f, f.broadcast(C2));
        q = q.fma(f, f.broadcast(C1));
        q = q.fma(f, f.broadcast(C0));
        return q.fma(f, f.broadcast(-0.5f)).mul(f.mul(f));
    }

    /** ln x, the very bits that {@link #log(FloatVector)} gives a lane. */
    public static float log(float x) {
        if (!(x >= 0)) {
            return Float.NaN;
        }
        if (x == 0) {
            return Float.NEGATIVE_INFINITY;
        }
        if (x == Float.POSITIVE_INFINITY) {
            return x;
        }
        boolean subnormal = x < Float.MIN_NORMAL;
        int bits = Float.floatToRawIntBits(subnormal ? x * TWO_23 : x);
        int exponent = (bits - TWO_THIRDS) >> FRACTION_BITS;
        float e = exponent - (subnormal ? FRACTION_BITS : 0);
        float f = Float.intBitsToFloat(bits - (exponent << FRACTION_BITS)) - 1;
        float q = Math.fma(f, C8, C7);
        q = Math.fma(q, f, C6);
        q = Math.fma(q, f, C5);
        q = Math.fma(q, f, C4);
        q = Math.fma(q, f, C3);
        q = Math.fma(q, f, C2);
        q = Math.fma(q, f, C1);
        q = Math.fma(q, f, C0);
        q = Math.fma(q, f, -0.5f) * (f * f);
        float whole = e * LN2_HIGH;
        float high = whole + f;
        float low = (f - (high - whole)) + Math.fma(e, LN2_LOW, q);
        return high + low;
    }
}
