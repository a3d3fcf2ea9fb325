package org.lemmata.number;

import org.lemmata.argument.Refuse;

/** A subset of binary64 that does not limit significands; it has the code words of binary64. */
public sealed interface CutFormat extends NumberFormat permits ThresholdFormat, GridFormat {

    /** The 53 bits of binary64. */
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
        Refuse.when(!contains(x), "x", "a number of " + name(), x);
        return Double.doubleToLongBits(x);
    }

    private boolean contains(double x) {
        return Double.isNaN(x) || round(x, Rounding.Mode.TIES_TO_EVEN, true, false) == x;
    }
}
