package org.lemmata.number;

import org.lemmata.argument.Refuse;

/** The number of significand bits that a number needs. */
public final class Significand {

    private Significand() {}

    /** The smallest p for which |x| is a power of two times an integer below 2^p; 0 for zero. */
    public static int bitsOf(double x) {
        Refuse.when(!Double.isFinite(x), "x", "a finite number", x);
        if (x == 0) {
            return 0;
        }
        long bits = Double.doubleToRawLongBits(x) & Long.MAX_VALUE;
        long trailing = bits & ((1L << 52) - 1);
        long significand = bits >>> 52 == 0 ? trailing : trailing | (1L << 52);
        return Long.SIZE - Long.numberOfLeadingZeros(significand) - Long.numberOfTrailingZeros(significand);
    }

    /** The significand bits of the product x y, or 53 if it is inexact in binary64. */
    public static int bitsOfProduct(double x, double y) {
        double product = x * y;
        int ex = Math.getExponent(x);
        int ey = Math.getExponent(y);
        // Scaled to numbers near 1, because the error of a tiny product may underflow to 0.
        double error = Math.fma(Math.scalb(x, -ex), Math.scalb(y, -ey), -Math.scalb(product, -ex - ey));
        boolean exact = Double.isFinite(product) && error == 0;
        return exact ? bitsOf(product) : FloatFormat.BINARY64.significandBits();
    }
}
