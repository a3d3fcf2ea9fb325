package org.lemmata.kernel.normalization;

import java.math.BigDecimal;
import org.lemmata.number.Rounding;

/**
 * Exact quotients and reciprocal roots, rounded once. A binary64 approximation is compared with the exact number and,
 * if it is inexact, rounded to odd. Rounding it again then gives the exact number rounded once.
 */
final class RoundedStatistics {

    private RoundedStatistics() {}

    /** a / n + b. */
    static float quotientPlus(float a, int n, float b, Rounding rounding, int word) {
        double near = (double) a / n + b;
        if (near == 0 || !Double.isFinite(near)) {
            return (float) rounding.round(near, word);
        }
        BigDecimal divisor = new BigDecimal(n);
        BigDecimal dividend = new BigDecimal(a).add(divisor.multiply(new BigDecimal(b)));
        return (float) rounding.round(toOdd(near, y -> dividend.compareTo(y.multiply(divisor))), word);
    }

    /** 1 / sqrt(a). */
    static float reciprocalRoot(float a, Rounding rounding, int word) {
        double near = 1 / Math.sqrt(a);
        if (near == 0 || !Double.isFinite(near)) {
            return (float) rounding.round(near, word);
        }
        BigDecimal radicand = new BigDecimal(a);
        return (float) rounding.round(
                toOdd(near, y -> BigDecimal.ONE.compareTo(y.multiply(y).multiply(radicand))), word);
    }

    @FunctionalInterface
    private interface Exact {
        int compareTo(BigDecimal other);
    }

    private static double toOdd(double near, Exact exact) {
        double below = near;
        while (exact.compareTo(new BigDecimal(below)) < 0) {
            below = Math.nextDown(below);
        }
        while (exact.compareTo(new BigDecimal(Math.nextUp(below))) >= 0) {
            below = Math.nextUp(below);
        }
        boolean odd = (Double.doubleToRawLongBits(below) & 1) == 1;
        return odd || exact.compareTo(new BigDecimal(below)) == 0 ? below : Math.nextUp(below);
    }
}
