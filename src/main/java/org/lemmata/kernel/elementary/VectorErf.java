package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * erf x = 2 / sqrt(pi) int_0^x exp(-t^2) dt in binary32, lane by lane: an odd polynomial below 1, and 1 - e^(p(|x|))
 * with the sign of x from there on, p being a polynomial for ln(1 - erf).
 *
 * <p>At most 1 ulp from erf x for every x, subnormal ones included; over all of binary32 the worst is 0.986 ulps. erf
 * of either zero is that zero, erf of an infinity is 1 with its sign, NaN gives NaN.
 *
 * <p>Only fused multiply-adds, additions, multiplications and integer operations are used, each of which IEEE 754 or
 * Java fixes to the bit, so that every machine, every lane width and the scalar form give the same bits.
 *
 * <p>The coefficients are weighted minimax fits made for this class.
 */
public final class VectorErf {

    /** From here on the exponential is used: 1 - erf, which is at most 0.16, multiplies its error. */
    private static final float SMALL = 1;

    /** 1 - erf x is below 2^-25, half an ulp below 1, from 3.92 on; the fit holds up to 3.93. */
    private static final float SATURATED = 3.925f;

    // erf x / x - 1 in powers of x^2 for |x| <= 1; the relative error in erf x is below 2^-29.3.
    private static final float C0 = 0x1.06eba8p-3f;
    private static final float C1 = -0x1.81273ep-2f;
    private static final float C2 = 0x1.ce2ce6p-4f;
    private static final float C3 = -0x1.b7f71ap-6f;
    private static final float C4 = 0x1.53f224p-8f;
    private static final float C5 = -0x1.a3515ep-11f;
    private static final float C6 = 0x1.4771fcp-14f;

    // ln(1 - erf x) in powers of x, without a constant, for 1 <= x <= 3.93; the relative error in erf x is below
    // 2^-31.
    private static final float L1 = -0x1.20f21cp0f;
    private static final float L2 = -0x1.451acp-1f;
    private static final float L3 = -0x1.b4596p-4f;
    private static final float L4 = 0x1.89605p-6f;
    private static final float L5 = -0x1.ec7b3p-9f;
    private static final float L6 = 0x1.6f9572p-12f;
    private static final float L7 = -0x1.d45f7p-17f;

    private VectorErf() {}

    /** erf x for each lane. */
    public static FloatVector erf(FloatVector x) {
        FloatVector magnitude = x.abs();
        FloatVector t = magnitude.blend(SATURATED, magnitude.compare(VectorOperators.GT, SATURATED));
        IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE);
        return large(t).blend(small(magnitude), magnitude.lt(SMALL))
                .reinterpretAsInts()
                .or(sign)
                .reinterpretAsFloats()
                .blend(Float.NaN, x.test(VectorOperators.IS_NAN));
    }

    /** erf x for 0 <= x < 1. A method of its own: what has grown too big is not inlined, and its vectors are boxed. */
    private static FloatVector small(FloatVector x) {
        FloatVector square = x.mul(x);
        FloatVector p = square.fma(x.broadcast(C6), x.broadcast(C5));
        p = p.fma(square, x.broadcast(C4));
        p = p.fma(square, x.broadcast(C3));
        p = p.fma(square, x.broadcast(C2));
        p = p.fma(square, x.broadcast(C1));
        p = p.fma(square, x.broadcast(C0));
        return p.fma(x, x);
    }

    /** erf x for 1 <= x <= 3.93. */
    private static FloatVector large(FloatVector x) {
        FloatVector l = x.fma(x.broadcast(L7), x.broadcast(L6));
        l = l.fma(x, x.broadcast(L5));
        l = l.fma(x, x.broadcast(L4));
        l = l.fma(x, x.broadcast(L3));
        l = l.fma(x, x.broadcast(L2));
        l = l.fma(x, x.broadcast(L1));
        FloatVector exponent = l.mul(x);
        return x.broadcast(1).sub(VectorExp.normal(exponent, l.fma(x, exponent.neg())));
    }

    /** erf x, the very bits that {@link #erf(FloatVector)} gives a lane. */
    public static float erf(float x) {
        if (Float.isNaN(x)) {
            return Float.NaN;
        }
        float magnitude = Math.abs(x);
        if (magnitude < SMALL) {
            float square = x * x;
            float p = Math.fma(square, C6, C5);
            p = Math.fma(p, square, C4);
            p = Math.fma(p, square, C3);
            p = Math.fma(p, square, C2);
            p = Math.fma(p, square, C1);
            p = Math.fma(p, square, C0);
            return Math.copySign(Math.fma(p, magnitude, magnitude), x);
        }
        float t = Math.min(magnitude, SATURATED);
        float l = Math.fma(t, L7, L6);
        l = Math.fma(l, t, L5);
        l = Math.fma(l, t, L4);
        l = Math.fma(l, t, L3);
        l = Math.fma(l, t, L2);
        l = Math.fma(l, t, L1);
        float exponent = l * t;
        return Math.copySign(1 - VectorExp.normal(exponent, Math.fma(l, t, -exponent)), x);
    }
}
