package org.lemmata.kernel.quantization;

import org.lemmata.number.BlockFormat;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.GridFormat;
import org.lemmata.number.IntegerFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Significand;
import org.lemmata.number.ThresholdFormat;

/**
 * The constants with which the loops of {@link ElementLanes} round binary32 numbers.
 *
 * <p>Among numbers of one sign, codes (bit patterns) are ordered like their magnitudes. A normal number is therefore
 * rounded by an addition to its code that carries into the last kept bit, and by clearing the dropped bits. A subnormal
 * number is divided by the quantum (the smallest subnormal 2^(emin - p + 1)) and rounded to an integer in binary32.
 *
 * <p>Multiples of a power of two count as a format of 24 bits whose subnormals reach up to 2^23 quanta, and integers of
 * b bits as a format of b - 1 bits whose only exponent is b - 2.
 *
 * <p>Safe for several threads only while none of them calls {@code prepare}.
 */
final class LaneRounding {

    enum Loop {
        /** No loop: numbers do not change. */
        COPY,
        /** The shortest loop: rounds to nearest even and keeps subnormals. */
        TIES_TO_EVEN,
        /** Any other deterministic rounding. */
        DETERMINISTIC,
        STOCHASTIC,
        /** Turns small numbers into zeros. */
        THRESHOLD,
        /** No SIMD loop: rounds one element at a time. */
        ONE_BY_ONE
    }

    static final int INFINITY = 0x7F80_0000;

    private static final int NAN = 0x7FC0_0000;

    private static final int FRACTION_BITS = Float.PRECISION - 1;

    /** Adding and then subtracting this number rounds to an integer. */
    static final float ROUNDER = 0x1p23f;

    /** A threshold that no fraction of a quantum exceeds. */
    private static final float NEVER = 1;

    /** The number just below one half. */
    private static final float BELOW_HALF = 0x1.fffffep-2f;

    Loop loop = Loop.ONE_BY_ONE;

    /** Whether subnormal binary32 numbers must be rounded one at a time. */
    boolean onlyNormals;

    /** The number of dropped bits of a code, 24 - p. */
    int dropped;

    int mask;

    // `addend` is added to the code of a normal number. `threshold` is the fraction of a quantum above which a
    // subnormal number is rounded away from zero. The "selected" variants are for lanes whose selecting bit is 1.
    int addend;
    int selectedAddend;
    float threshold;
    float selectedThreshold;

    /** 1 if the sign is the selecting bit. */
    int signSelects;

    /** 1 if the last kept bit is the selecting bit. */
    int parity;

    /**
     * The code of 2^emin. Smaller numbers are rounded as multiples of the quantum; if the code is 0, there are none.
     */
    int minNormal;

    float quantum;
    float quantaPerOne;
    int maximum;

    // Codes that replace positive and negative numbers beyond the maximum, and infinities.
    int overflow;
    int negativeOverflow;
    int infinity;

    /** Codes below this code become 0. */
    int flushedBelow;

    /** For {@link Loop#THRESHOLD}: the largest magnitude that becomes zero. */
    float maxZero;

    /**
     * Whether binary32 sums rounded to odd may be rounded like exact sums: at least two bits must be dropped.
     *
     * <p>Rounded to odd, a sum of 2^128 or more becomes the largest finite binary32 number. If this number does not
     * overflow the format, the result is correct only for rounding to nearest.
     */
    boolean takesOddSums(Rounding.Mode mode) {
        boolean nearest = mode == Rounding.Mode.TIES_TO_EVEN || mode == Rounding.Mode.TIES_TO_AWAY;
        boolean loops = loop == Loop.TIES_TO_EVEN || loop == Loop.DETERMINISTIC;
        return loops && dropped >= 2 && (!onlyNormals || nearest);
    }

    /**
     * Whether binary32 addition already rounds sums correctly: to nearest even, for formats of 24 or 53 bits such as
     * binary32 and binary64.
     */
    boolean takesPlainSums(Rounding rounding) {
        int bits = rounding.format().significandBits();
        return loop == Loop.COPY
                && rounding.mode() == Rounding.Mode.TIES_TO_EVEN
                && (bits == Float.PRECISION || bits == FloatFormat.BINARY64.significandBits());
    }

    /** Chooses the loop and its constants for the elements of a tensor. */
    void prepare(Rounding rounding) {
        boolean saturate = rounding.saturate();
        boolean subnormals = rounding.subnormals();
        loop = Loop.ONE_BY_ONE;
        onlyNormals = false;
        switch (rounding.format()) {
            case FloatFormat format -> {
                if (containsAll(format, subnormals, saturate)) {
                    loop = Loop.COPY;
                } else if (hasAllExponents(format)) {
                    onlyNormals = true;
                    prepareInfinite(format.significandBits(), 0, rounding.mode());
                } else if (isWithinBinary32(format)) {
                    int emin = format.minExponent();
                    prepareFinite(format, format.significandBits(), emin, rounding.mode(), subnormals, saturate);
                }
            }
            case ThresholdFormat format -> {
                loop = Loop.THRESHOLD;
                maxZero = (float) Math.scalb(1.0, -format.p());
            }
            case GridFormat format -> {
                int exponent = Math.getExponent(format.step());
                if (Significand.bitsOf(format.step()) == 1 && exponent <= 0) {
                    prepareInfinite(Float.PRECISION, exponent + FRACTION_BITS, rounding.mode());
                }
            }
            case IntegerFormat _ -> {
                // Integers have no -0; the loops would keep it.
            }
        }
    }

    /** Chooses the loop and its constants for quotients of elements and scales. */
    void prepare(BlockFormat format, Rounding.Mode mode) {
        loop = Loop.ONE_BY_ONE;
        onlyNormals = false;
        switch (format.element()) {
            case FloatFormat element -> {
                // The quotients that matter are far larger than binary32 subnormals.
                if (isWithinBinary32(element) && element.minExponent() - element.significandBits() > -100) {
                    prepareFinite(element, element.significandBits(), element.minExponent(), mode, true, true);
                }
            }
            case IntegerFormat element -> {
                if (element.bits() > 2) {
                    prepareFinite(element, element.bits() - 1, element.bits() - 2, mode, true, true);
                }
            }
            case GridFormat _, ThresholdFormat _ -> {
                // Rounded one at a time, because the largest numbers of these formats exceed binary32.
            }
        }
    }

    private static boolean containsAll(FloatFormat format, boolean subnormals, boolean saturate) {
        int minExponent = Float.MIN_EXPONENT - FRACTION_BITS;
        return format.significandBits() >= Float.PRECISION
                && format.minExponent() - format.significandBits() + 1 <= minExponent
                && format.maxExponent() >= Float.MAX_EXPONENT
                && format.specials() == FloatFormat.Specials.INFINITIES_AND_NAN
                && (subnormals || format.minExponent() <= minExponent)
                && (!saturate || format.maxExponent() > Float.MAX_EXPONENT);
    }

    /** Whether rounding a binary32 number to the format only shortens its significand. */
    private static boolean hasAllExponents(FloatFormat format) {
        return format.significandBits() <= Float.PRECISION
                && format.minExponent() <= Float.MIN_EXPONENT - FRACTION_BITS
                && format.maxExponent() > Float.MAX_EXPONENT
                && format.specials() == FloatFormat.Specials.INFINITIES_AND_NAN;
    }

    /**
     * Whether binary32 contains the format, and either its exponents begin like those of binary32 or its quantum is a
     * normal number of at most 1.
     */
    private static boolean isWithinBinary32(FloatFormat format) {
        int quantumExponent = format.minExponent() - format.significandBits() + 1;
        return format.significandBits() <= Float.PRECISION
                && format.maxExponent() <= Float.MAX_EXPONENT
                && (format.minExponent() == Float.MIN_EXPONENT
                        || (quantumExponent >= Float.MIN_EXPONENT && quantumExponent <= 0));
    }

    private void prepareFinite(
            NumberFormat format, int bits, int emin, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        boolean codesOnly = emin == Float.MIN_EXPONENT;
        prepareSignificands(bits, codesOnly ? 0 : emin, !codesOnly, mode);
        maximum = Float.floatToRawIntBits((float) format.maxFinite());
        int beyond = switch (format instanceof FloatFormat f ? f.specials() : FloatFormat.Specials.NONE) {
            case INFINITIES_AND_NAN -> INFINITY;
            case NAN -> NAN;
            case NONE -> maximum;
        };
        infinity = saturate ? maximum : beyond;
        overflow = infinity;
        negativeOverflow = infinity;
        switch (mode) {
            case TIES_TO_EVEN, TIES_TO_AWAY, STOCHASTIC -> {}
            case TOWARD_ZERO, TO_ODD -> {
                overflow = maximum;
                negativeOverflow = maximum;
            }
            case TOWARD_POSITIVE -> negativeOverflow = maximum;
            case TOWARD_NEGATIVE -> overflow = maximum;
        }
        flushedBelow = subnormals ? 0 : (emin + Float.MAX_EXPONENT) << FRACTION_BITS;
        choose(mode);
    }

    /** Chooses the constants for a format without a largest number. If {@code onlyNormals}, it has no subnormals. */
    private void prepareInfinite(int bits, int emin, Rounding.Mode mode) {
        prepareSignificands(bits, emin, !onlyNormals, mode);
        maximum = INFINITY;
        infinity = INFINITY;
        overflow = INFINITY;
        negativeOverflow = INFINITY;
        flushedBelow = 0;
        choose(mode);
    }

    private void choose(Rounding.Mode mode) {
        if (mode == Rounding.Mode.STOCHASTIC) {
            loop = Loop.STOCHASTIC;
        } else {
            loop = mode == Rounding.Mode.TIES_TO_EVEN && flushedBelow == 0 ? Loop.TIES_TO_EVEN : Loop.DETERMINISTIC;
        }
    }

    private void prepareSignificands(int bits, int emin, boolean hasQuantum, Rounding.Mode mode) {
        dropped = Float.PRECISION - bits;
        mask = (1 << dropped) - 1;
        minNormal = hasQuantum ? (emin + Float.MAX_EXPONENT) << FRACTION_BITS : 0;
        quantum = hasQuantum ? Math.scalb(1f, emin - bits + 1) : 1;
        quantaPerOne = 1 / quantum;
        int half = (mask + 1) >> 1;
        signSelects = 0;
        parity = 0;
        switch (mode) {
            case TIES_TO_EVEN -> {
                parity = 1;
                select(Math.max(0, half - 1), half, 0.5f, BELOW_HALF);
            }
            case TIES_TO_AWAY -> select(half, half, BELOW_HALF, BELOW_HALF);
            case TOWARD_ZERO, STOCHASTIC -> select(0, 0, NEVER, NEVER);
            case TOWARD_POSITIVE -> {
                signSelects = 1;
                select(mask, 0, 0, NEVER);
            }
            case TOWARD_NEGATIVE -> {
                signSelects = 1;
                select(0, mask, NEVER, 0);
            }
            case TO_ODD -> {
                parity = 1;
                select(mask, 0, 0, NEVER);
            }
        }
    }

    private void select(int addend, int selectedAddend, float threshold, float selectedThreshold) {
        this.addend = addend;
        this.selectedAddend = selectedAddend;
        this.threshold = threshold;
        this.selectedThreshold = selectedThreshold;
    }
}
