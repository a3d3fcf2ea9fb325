package org.lemmata.number;

/** Some of the numbers of binary64, whose code words these are: their significands are not shortened. */
public sealed interface CutFormat extends NumberFormat permits ThresholdFormat, GridFormat {

    /** The 53 of binary64: numbers differ in how many they use. */
    @Override
    default int significandBits() {
        return FloatFormat.BINARY64.significandBits();
    }

    @Override
    default double maxFinite() {
        return Double.MAX_VALUE;
    }

    @Override
    default int codeBits() {
        return Double.SIZE;
    }

    @Override
    default long encode(double x) {
        if (!contains(x)) {
            throw new IllegalArgumentException("x: expected a number of " + name() + ", got " + x);
        }
        return Double.doubleToLongBits(x);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if it is the code of a number of binary64 that is none of the format
     */
    @Override
    default double decode(long code) {
        double x = Double.longBitsToDouble(code);
        if (!contains(x)) {
            throw new IllegalArgumentException("code: expected one of " + name() + ", got 0x" + Long.toHexString(code));
        }
        return x;
    }

    private boolean contains(double x) {
        return Double.isNaN(x) || round(x, Rounding.Mode.TIES_TO_EVEN, true, false) == x;
    }
}
