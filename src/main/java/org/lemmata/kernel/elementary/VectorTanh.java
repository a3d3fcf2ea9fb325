package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * tanh x in binary32, lane by lane: an odd polynomial below 1, and 1 - 2 / (e^(2|x|) + 1) with the sign of x from there
 * on.
 *
 * <p>At most 1 ulp from tanh x for every x, subnormal ones included; over all of binary32 the worst is 0.960 ulps. tanh
 * of either zero is that zero, tanh of an infinity is 1 with its sign, NaN gives NaN.
 *
 * <p>Only fused multiply-adds, additions, multiplications, a division and integer operations are used, each of which
 * IEEE 754 or Java fixes to the bit, so that every machine, every lane width and the scalar form give the same bits.
 *
 * <p>The coefficients are a weighted minimax fit made for this class.
 */
public final class VectorTanh {

    /** From here on the exponential is used: its error is multiplied by (1 - tanh^2 x) / 2 <= 0.21. */
    private static final float SMALL = 1;

    /** 1 - tanh x is below 2^-25, half an ulp below 1, from 9.011 on. */
    private static final float SATURATED = 9.5f;

    // (tanh x / x - 1) / x^2 in powers of x^2 for |x| <= 1; the relative error in tanh x is below 2^-27.6.
    private static final float C0 = -0x1.55553cp-2f;
    private static final float C1 = 0x1.110be4p-3f;
    private static final float C2 = -0x1.b9623ap-5f;
    private static final float C3 = 0x1.6009a4p-6f;
    private static final float C4 = -0x1.045fep-7f;
    private static final float C5 = 0x1.2d9fa4p-9f;
    private static final float C6 = -0x1.77cb82p-12f;

    private VectorTanh() {}

    /** tanh x for each lane. */
    public static FloatVector tanh(FloatVector x) {
        FloatVector magnitude = x.abs();
        FloatVector bounded = magnitude.blend(SATURATED, magnitude.compare(VectorOperators.GT, SATURATED));
        FloatVector exponential = VectorExp.normal(bounded.add(bounded));
        FloatVector large = x.broadcast(1).sub(x.broadcast(2).div(exponential.add(1)));
        IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE);
        return large.blend(small(magnitude), magnitude.lt(SMALL))
                .reinterpretAsInts()
                .or(sign)
                .reinterpretAsFloats()
                .blend(Float.NaN, x.test(VectorOperators.IS_NAN));
    }

    /** tanh x for 0 <= x < 1. A method of its own: what has grown too big is not inlined, and its vectors are boxed. */
    private static FloatVector small(FloatVector x) {
        FloatVector square = x.mul(x);
        FloatVector p = square.fma(x.broadcast(C6), x.broadcast(C5));
        p = p.fma(square, x.broadcast(C4));
        p = p.fma(square, x.broadcast(C3));
        p = p.fma(square, x.broadcast(C2));
        p = p.fma(square, x.broadcast(C1));
        p = p.fma(square, x.broadcast(C0));
        return p.mul(square).fma(x, x);
    }

    /** tanh x, the very bits that {@link #tanh(FloatVector)} gives a lane. */
    public static float tanh(float x) {
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
            return Math.copySign(Math.fma(p * square, magnitude, magnitude), x);
        }
        float bounded = Math.min(magnitude, SATURATED);
        return Math.copySign(1 - 2 / (VectorExp.normal(bounded + bounded) + 1), x);
    }
}
