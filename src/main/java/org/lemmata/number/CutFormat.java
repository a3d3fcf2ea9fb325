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

    private boolean contains(double x) {
        return Double.isNaN(x) || round(x, Rounding.Mode.TIES_TO_EVEN, true, false) == x;
    }
}
