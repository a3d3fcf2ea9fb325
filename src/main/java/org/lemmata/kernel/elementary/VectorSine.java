package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * sin x and cos x in binary32, over arrays.
 *
 * <p>The maximum error over all binary32 numbers is 0.965 ulps for sin x and 0.968 ulps for cos x (0.962 if |x| is at
 * most 2^17). sin(+0) = +0, sin(-0) = -0; infinities and NaN give NaN.
 *
 * <p>Only fused multiply-adds, additions, multiplications and integer operations are used, whose results IEEE 754 or
 * Java defines exactly. So every machine, every number of lanes and the scalar form give the same bits.
 *
 * <p>Let |x| = n pi/2 + r with |r| at most pi/4. For sin(x + k pi/2), the quadrant n + k selects the polynomial of sin
 * r or of cos r.
 *
 * <p>r is represented as a sum of two numbers, r + low, because a multiple of pi/2 may be very close to x. With only r,
 * rounding would then cost half an ulp of the result.
 *
 * <p>Up to {@link #LIMIT}, pi/2 is subtracted in three parts, after Cody and Waite (1980), Software Manual for the
 * Elementary Functions, chapter 8. Greater angles need more bits of 2/pi, depending on their exponent. They are rare in
 * a model. They are reduced one at a time in integers, after Payne and Hanek (1983), Radian reduction for trigonometric
 * functions.
 */
public final class VectorSine {

    /** Up to this angle, n has at most 17 bits, and the three parts give r with an error below 2^-58. */
    static final float LIMIT = 0x1p17f;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    static final float TWO_OVER_PI = 0x1.45f306p-1f;

    /** 1.5 * 2^23. Adding it to x rounds x to an integer, which is then in the low bits of the sum. */
    static final float ROUNDER = 0x1.8p23f;

    /** pi/2 to 24 bits; x - n HALF_PI_HIGH is exact, because it is below 1 and a multiple of 2^-24. */
    static final float HALF_PI_HIGH = 0x1.921fb6p0f;

    /** pi/2 - HALF_PI_HIGH to 24 bits. */
    static final float HALF_PI_MIDDLE = -0x1.777a5cp-25f;

    /** pi/2 - HALF_PI_HIGH - HALF_PI_MIDDLE. */
    static final float HALF_PI_LOW = -0x1.ee59dap-50f;

    // (sin r / r - 1) / r^2 in powers of r^2 for |r| up to pi/4 + 0.004; the relative error in sin r is below 2^-27.8.
    static final float S0 = -0x1.555544p-3f;
    static final float S1 = 0x1.1106c6p-7f;
    static final float S2 = -0x1.991c26p-13f;

    // (cos r - 1 + r^2 / 2) / r^4 in powers of r^2 for |r| at most pi/4 + 0.004; the relative error in cos r is below
    // 2^-32.8.
    static final float C0 = 0x1.55554ap-5f;
    static final float C1 = -0x1.6c0c2p-10f;
    static final float C2 = 0x1.99e428p-16f;

    private VectorSine() {}

    /**
     * y_i = sin(x_i); y may be x at the same offset.
     *
     * @throws IllegalArgumentException if the elements do not lie within their array
     */
    public static void sinInto(float[] y, int yOffset, float[] x, int xOffset, int length) {
        sineInto(y, yOffset, x, xOffset, length, 0);
    }

    /**
     * y_i = cos(x_i); y may be x at the same offset.
     *
     * @throws IllegalArgumentException if the elements do not lie within their array
     */
    public static void cosInto(float[] y, int yOffset, float[] x, int xOffset, int length) {
        sineInto(y, yOffset, x, xOffset, length, 1);
    }

    /**
     * y_i = sin(x_i), or cos(x_i) if {@code quarter} is 1. Vectors with NaN or an angle above {@link #LIMIT}, and the
     * last, incomplete vector, are computed element by element.
     */
    private static void sineInto(float[] y, int yOffset, float[] x, int xOffset, int length, int quarter) {
        Extents.checkVector("y", y, yOffset, length);
        Extents.checkVector("x", x, xOffset, length);
        int whole = SPECIES.loopBound(length);
        for (int i = 0; i < whole; i += LANES) {
            FloatVector angles = FloatVector.fromArray(SPECIES, x, xOffset + i);
            if (angles.abs().compare(VectorOperators.LE, LIMIT).allTrue()) {
                sine(angles, quarter).intoArray(y, yOffset + i);
            } else {
                oneByOne(y, yOffset + i, x, xOffset + i, LANES, quarter);
            }
        }
        oneByOne(y, yOffset + whole, x, xOffset + whole, length - whole, quarter);
    }

    private static void oneByOne(float[] y, int yOffset, float[] x, int xOffset, int length, int quarter) {
        for (int i = 0; i < length; i++) {
            y[yOffset + i] = ScalarSine.sine(x[xOffset + i], quarter);
        }
    }

    /** The sine or cosine of each lane, for angles up to {@link #LIMIT}. */
    private static FloatVector sine(FloatVector x, int quarter) {
        FloatVector magnitude = x.abs();
        FloatVector shifted = magnitude.fma(x.broadcast(TWO_OVER_PI), x.broadcast(ROUNDER));
        FloatVector n = shifted.sub(ROUNDER);
        FloatVector first = n.fma(x.broadcast(-HALF_PI_HIGH), magnitude);
        // r + low = first - second, exactly: first is a multiple of the last bit of second.
        FloatVector second = n.mul(HALF_PI_MIDDLE);
        FloatVector r = first.sub(second);
        FloatVector low = first.sub(r).sub(second).add(n.fma(x.broadcast(-HALF_PI_MIDDLE), second));
        low = n.fma(x.broadcast(-HALF_PI_LOW), low);
        IntVector quadrant = shifted.reinterpretAsInts().add(quarter);
        VectorMask<Integer> odd =
                quadrant.lanewise(VectorOperators.LSHL, Integer.SIZE - 1).lt(0);
        IntVector sign = quadrant.and(2).lanewise(VectorOperators.LSHL, Integer.SIZE - 2);
        IntVector result = sine(r, low)
                .reinterpretAsInts()
                .blend(cosine(r, low).reinterpretAsInts(), odd)
                .lanewise(VectorOperators.XOR, sign);
        if (quarter == 0) {
            result = result.lanewise(VectorOperators.XOR, x.reinterpretAsInts().and(Integer.MIN_VALUE));
        }
        return result.reinterpretAsFloats();
    }

    /** sin(r + low). A separate method, because the vectors of a method that is too big to be inlined are boxed. */
    private static FloatVector sine(FloatVector r, FloatVector low) {
        FloatVector square = r.mul(r);
        FloatVector s = square.fma(r.broadcast(S2), r.broadcast(S1));
        s = s.fma(square, r.broadcast(S0));
        return r.add(r.mul(square).fma(s, low));
    }

    /** cos(r + low). */
    private static FloatVector cosine(FloatVector r, FloatVector low) {
        FloatVector square = r.mul(r);
        FloatVector c = square.fma(r.broadcast(C2), r.broadcast(C1));
        c = c.fma(square, r.broadcast(C0));
        c = c.fma(square, r.broadcast(-0.5f));
        // Subtracts half of the rounding error r^2 - square, and half of 2 r low from (r + low)^2; drops low^2.
        FloatVector rest =
                r.fma(r, square.neg()).fma(r.broadcast(-0.5f), low.mul(r).neg());
        return square.fma(c, rest).add(1);
    }
}
