package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.ThresholdFormat;

/**
 * sum / total as it reaches the rounding of an output: that rounds the exact quotient once if the quotient in binary32
 * was rounded to odd.
 *
 * <p>Source: Boldo and Melquiond (2008), theorem 1, with two bits to spare.
 */
public final class Quotient {

    private static final int MAX_BITS = Float.PRECISION - 2;

    private Quotient() {}

    /**
     * Whether quotients are rounded to odd: in every mode but the stochastic one, for thresholds and for formats of up
     * to {@value #MAX_BITS} bits that binary32 contains. Others round the quotient of binary32.
     */
    public static boolean isOdd(@Nullable Rounding outputs) {
        if (outputs == null || outputs.isStochastic()) {
            return false;
        }
        return switch (outputs.format()) {
            case FloatFormat format ->
                format.significandBits() <= MAX_BITS
                        && format.minExponent() >= Float.MIN_EXPONENT
                        && format.maxExponent() <= Float.MAX_EXPONENT;
            case ThresholdFormat _ -> true;
            default -> false;
        };
    }

    /** The quotient of binary32, rounded to nearest even or to odd; a sum of -0 counts as +0. */
    public static float of(float sum, float total, boolean odd) {
        double exact = (double) (sum + 0f) / total;
        float quotient = (float) exact;
        if (!odd || quotient == exact || Double.isNaN(exact) || (Float.floatToRawIntBits(quotient) & 1) == 1) {
            return quotient;
        }
        // A step in magnitude: bits of one sign are ordered as their numbers.
        int step = Math.abs(quotient) < Math.abs(exact) ? 1 : -1;
        return Float.intBitsToFloat(Float.floatToRawIntBits(quotient) + step);
    }
}
