package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.ThresholdFormat;

/**
 * The quotient sum / total before the output is rounded to its format. If the binary32 quotient is rounded to odd, the
 * output is the exact quotient rounded once.
 *
 * <p>Source: Boldo and Melquiond (2008), theorem 1, which needs two more bits than the format has.
 */
final class Quotient {

    private static final int MAX_BITS = Float.PRECISION - 2;

    private Quotient() {}

    /**
     * Whether quotients are rounded to odd. This applies to threshold formats and to subsets of binary32 with at most
     * {@value #MAX_BITS} significand bits, in every mode except stochastic. For other formats, the nearest binary32
     * quotient is rounded.
     */
    static boolean isOdd(@Nullable Rounding outputs) {
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

    /** The binary32 quotient, rounded to nearest even or to odd. A sum of -0 counts as +0. */
    static float of(float sum, float total, boolean odd) {
        double exact = (double) (sum + 0f) / total;
        float quotient = (float) exact;
        if (!odd || quotient == exact || Double.isNaN(exact) || (Float.floatToRawIntBits(quotient) & 1) == 1) {
            return quotient;
        }
        // Changes the magnitude by one step: bit patterns of one sign are ordered like their magnitudes.
        int step = Math.abs(quotient) < Math.abs(exact) ? 1 : -1;
        return Float.intBitsToFloat(Float.floatToRawIntBits(quotient) + step);
    }
}
