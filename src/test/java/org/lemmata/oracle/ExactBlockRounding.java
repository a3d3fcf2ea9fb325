package org.lemmata.oracle;

import java.math.BigDecimal;
import java.math.MathContext;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * A block of a scale and elements, by the OCP Microscaling (MX) specification 1.0 and by division, in decimal
 * fractions.
 */
public final class ExactBlockRounding {

    private static final MathContext MANY = new MathContext(400);
    private static final BigDecimal INT8_STEP = new BigDecimal("0.015625"); // 2^-6
    private static final BigDecimal INT8_MAX = BigDecimal.valueOf(127);

    private ExactBlockRounding() {}

    /** log2 X for a positive m: that of the largest power of two up to m, less that of the element's, clamped. */
    public static int scaleExponent(float maximum, int maxElementExponent) {
        BigDecimal m = new BigDecimal(maximum);
        int exponent = 127;
        while (ExactRounding.power(exponent).compareTo(m) > 0) {
            exponent--;
        }
        return Math.max(-127, Math.min(127, exponent - maxElementExponent));
    }

    /** X p of a float element. */
    public static BigDecimal round(float x, int scaleExponent, FloatFormat element, Rounding.Mode mode, int random) {
        if (x == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal quotient = new BigDecimal(x).multiply(ExactRounding.power(-scaleExponent));
        double p = ExactRounding.of(element, mode, true, true).round(quotient, random);
        return new BigDecimal(p).multiply(ExactRounding.power(scaleExponent));
    }

    /** X p of MX's INT8: p is a multiple of 2^-6, from -127 to 127 of them. */
    public static BigDecimal roundToInt8(float x, int scaleExponent, Rounding.Mode mode, int random) {
        BigDecimal steps =
                new BigDecimal(x).multiply(ExactRounding.power(-scaleExponent)).divide(INT8_STEP, MANY);
        return integer(steps, INT8_MAX, mode, random).multiply(INT8_STEP).multiply(ExactRounding.power(scaleExponent));
    }

    /** m / q in binary32, where it is normal. */
    public static float scale(float maximum, int maxElement) {
        return new BigDecimal(maximum)
                .divide(BigDecimal.valueOf(maxElement), MANY)
                .floatValue();
    }

    /** The integer of at most {@code maximum} in magnitude that x / X goes to, the quotient a number of binary32. */
    public static int code(float x, float scale, int maximum, Rounding.Mode mode, int random) {
        float quotient = new BigDecimal(x).divide(new BigDecimal(scale), MANY).floatValue();
        return integer(new BigDecimal(quotient), BigDecimal.valueOf(maximum), mode, random)
                .intValueExact();
    }

    private static BigDecimal integer(BigDecimal x, BigDecimal maximum, Rounding.Mode mode, int random) {
        BigDecimal magnitude =
                ExactRounding.integer(x.abs(), mode, x.signum() < 0, random).min(maximum);
        return x.signum() < 0 ? magnitude.negate() : magnitude;
    }
}
