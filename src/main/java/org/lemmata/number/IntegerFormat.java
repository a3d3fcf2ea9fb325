package org.lemmata.number;

import org.lemmata.argument.Refuse;

/**
 * The integers from -(2^(b-1) - 1) to 2^(b-1) - 1, in two's complement, as in integer quantization.
 *
 * <p>The code -2^(b-1) is not used, so the range is symmetric. There are no infinities and no NaN. Overflow and
 * infinities always give the largest number of their sign, NaN stays NaN but has no code, and zero has no sign.
 *
 * @param bits b, from 2 to 24
 */
public record IntegerFormat(int bits) implements NumberFormat {

    private static final GridFormat INTEGERS = new GridFormat(1);

    public IntegerFormat {
        Refuse.outside("bits", bits, 2, Float.PRECISION);
    }

    @Override
    public String name() {
        return "int" + bits;
    }

    @Override
    public int significandBits() {
        return bits - 1;
    }

    @Override
    public double maxFinite() {
        return (1 << (bits - 1)) - 1;
    }

    @Override
    public double minNormal() {
        return 1;
    }

    @Override
    public int codeBits() {
        return bits;
    }

    @Override
    public double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate, int random) {
        double clamped = Math.clamp(x, -maxFinite(), maxFinite());
        return INTEGERS.round(clamped, mode, subnormals, saturate, random) + 0.0;
    }

    @Override
    public long encode(double x) {
        Refuse.when(!(Math.abs(x) <= maxFinite()) || x != Math.rint(x), "x", "a number of " + name(), x);
        return (long) x & ((1L << bits) - 1);
    }
}
