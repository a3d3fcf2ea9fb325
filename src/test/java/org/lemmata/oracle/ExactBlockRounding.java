package org.lemmata.oracle;

import java.math.BigDecimal;
import java.math.MathContext;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/** Blocks with a common scale, by the OCP Microscaling (MX) specification 1.0 and by division, in decimal fractions. */
public final class ExactBlockRounding {

    private static final MathContext MANY = new MathContext(400);
    private static final BigDecimal INT8_STEP = new BigDecimal("0.015625"); // 2^-6
    private static final BigDecimal INT8_MAX = BigDecimal.valueOf(127);

    private ExactBlockRounding() {}

    /** log2 X for a maximum m &gt; 0: the exponent of m minus that of the element's maximum, clamped. */
    public static int scaleExponent(float maximum, int maxElementExponent) {
        BigDecimal m = new BigDecimal(maximum);
        int exponent = 127;
        while (ExactRounding.power(exponent).compareTo(m) > 0) {
            exponent--;
        }
        return Math.max(-127, Math.min(127, exponent - maxElementExponent));
    }

    /** The rounded x, X p, with a float element p. */
    public static BigDecimal round(float x, int scaleExponent, FloatFormat element, Rounding.Mode mode, int random) {
        if (x == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal quotient = new BigDecimal(x).multiply(ExactRounding.power(-scaleExponent));
        double p = ExactRounding.of(element, mode, true, true).round(quotient, random);
        return new BigDecimal(p).multiply(ExactRounding.power(scaleExponent));
    }

    /** The rounded x, X p, with an element p of MX's INT8: from -127 to 127 times 2^-6. */
    public static BigDecimal roundToInt8(float x, int scaleExponent, Rounding.Mode mode, int random) {
        BigDecimal steps =
                new BigDecimal(x).multiply(ExactRounding.power(-scaleExponent)).divide(INT8_STEP, MANY);
        return integer(steps, INT8_MAX, mode, random).multiply(INT8_STEP).multiply(ExactRounding.power(scaleExponent));
    }

    /** The scale m / q in binary32, if it is normal. */
    public static float scale(float maximum, int maxElement) {
        return new BigDecimal(maximum)
                .divide(BigDecimal.valueOf(maxElement), MANY)
                .floatValue();
    }

    /** The integer of magnitude at most {@code maximum} to which x / X is rounded, after rounding to binary32. */
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
