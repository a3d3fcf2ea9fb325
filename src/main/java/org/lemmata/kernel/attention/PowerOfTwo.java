package org.lemmata.kernel.attention;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * 2^x in binary32, lane by lane, for x below 127.5: 2^n 2^r with n = round(x) and r = x - n, where a polynomial of
 * degree 5 approximates 2^r.
 *
 * <p>The error is at most 2.04 ulps if 2^x is a normal number. The result is +0 for x below -126, including -infinity;
 * NaN gives NaN. Attention uses powers of 2 instead of e: the factor log2(e) is part of the scale of the scores, and
 * the argument needs no two-step reduction.
 */
public final class PowerOfTwo {

    /** The smallest x for which 2^x is normal. */
    private static final float MIN = -126;

    /** 1.5 * 2^23 + 127. Adding it to x rounds x to an integer, whose sum with 127 is then in the low bits. */
    private static final float ROUNDER = 0x1.8000fep23f;

    private static final int FRACTION_BITS = Float.PRECISION - 1;

    // A weighted minimax fit of (2^r - 1) / r for |r| <= 1/2; the relative error in 2^r is below 2^-23.3.
    private static final float C1 = 0x1.62e42ap-1f;
    private static final float C2 = 0x1.ebf9bcp-3f;
    private static final float C3 = 0x1.c6b752p-5f;
    private static final float C4 = 0x1.3cea88p-7f;
    private static final float C5 = 0x1.5bba14p-10f;

    private static final int THREE_QUARTERS = Float.floatToRawIntBits(0.75f);
    private static final float TWO_LOG2_E = (float) (2 / Math.log(2));

    private PowerOfTwo() {}

    public static FloatVector of(FloatVector x) {
        FloatVector shifted = x.add(ROUNDER);
        FloatVector r = x.sub(shifted.sub(ROUNDER));
        FloatVector p = r.fma(x.broadcast(C5), x.broadcast(C4));
        p = p.fma(r, x.broadcast(C3));
        p = p.fma(r, x.broadcast(C2));
        p = p.fma(r, x.broadcast(C1));
        p = p.fma(r, x.broadcast(1));
        // Multiplies by 2^n instead of adding to the exponent, so that NaN stays NaN.
        FloatVector power = shifted.reinterpretAsInts()
                .lanewise(VectorOperators.LSHL, FRACTION_BITS)
                .reinterpretAsFloats();
        return p.mul(power).blend(0, x.lt(MIN));
    }

    /**
     * log2(x), lane by lane, for positive normal x: the exponent plus log2(m) for the significand m in [0.75, 1.5).
     * log2(m) is the series of 2 artanh(z) / ln 2 with z = (m - 1) / (m + 1), |z| at most 1/5. The error is at most
     * 4.53 ulps; NaN gives NaN.
     */
    static FloatVector inverse(FloatVector x) {
        IntVector bits = x.reinterpretAsInts();
        IntVector exponent = bits.sub(THREE_QUARTERS).lanewise(VectorOperators.ASHR, FRACTION_BITS);
        FloatVector m =
                bits.sub(exponent.lanewise(VectorOperators.LSHL, FRACTION_BITS)).reinterpretAsFloats();
        FloatVector z = m.sub(1).div(m.add(1));
        FloatVector square = z.mul(z);
        FloatVector series = square.fma(x.broadcast(1 / 11f), x.broadcast(1 / 9f));
        series = series.fma(square, x.broadcast(1 / 7f));
        series = series.fma(square, x.broadcast(1 / 5f));
        series = series.fma(square, x.broadcast(1 / 3f));
        series = series.fma(square, x.broadcast(1));
        return ((FloatVector) exponent.convert(VectorOperators.I2F, 0))
                .add(z.mul(series).mul(TWO_LOG2_E))
                .add(x.mul(0));
    }
}
