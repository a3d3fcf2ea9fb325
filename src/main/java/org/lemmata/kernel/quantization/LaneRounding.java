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
 * A rounding of binary32 numbers as the constants that loops over lanes take.
 *
 * <p>Codes of one sign are ordered as their numbers, so a number of full significand is rounded by an addition to its
 * code that carries into the last kept bit, and by clearing the dropped ones. A lesser number is one of quanta, of the
 * smallest subnormal 2^(emin - p + 1), and these are rounded to an integer in binary32.
 *
 * <p>Multiples of a power of two are a format of 24 bits whose subnormals reach up to 2^23 quanta, and integers of b
 * bits one of b - 1 bits whose only exponent is b - 2.
 *
 * <p>Not for several threads, unless all of them only read.
 */
final class LaneRounding {

    /** Which loop rounds. */
    enum Way {
        /** None: every number stays as it is. */
        COPY,
        /** The shortest one: ties to even, subnormals kept. */
        TIES_TO_EVEN,
        /** Any mode that takes no random words. */
        DETERMINISTIC,
        STOCHASTIC,
        /** Small numbers become zeros. */
        THRESHOLD,
        /** No loop over lanes. */
        ONE_BY_ONE
    }

    static final int INFINITY = 0x7F80_0000;

    private static final int NAN = 0x7FC0_0000;

    private static final int FRACTION_BITS = Float.PRECISION - 1;

    /** The distance of neighbours in a binade 2^23 quanta up: adding and subtracting it rounds to an integer. */
    static final float ROUNDER = 0x1p23f;

    /** No fraction of a quantum is above it. */
    private static final float NEVER = 1;

    /** The number before one half: what is above it is at least one half. */
    private static final float BELOW_HALF = 0x1.fffffep-2f;

    private Way way = Way.ONE_BY_ONE;
    private boolean onlyNormals;

    /** How many bits of a code are dropped, 24 - p. */
    int dropped;

    /** The dropped bits. */
    int mask;

    // What is added to a code of full significand, and above which fraction of a quantum a lesser number goes away from
    // zero: the second of both is for lanes whose selecting bit is 1.
    int addend;
    int selectedAddend;
    float threshold;
    float selectedThreshold;

    /** 1 if the sign selects. */
    int signSelects;

    /** 1 if the last kept bit selects. */
    int parity;

    /** The code of 2^emin: lesser ones are rounded as multiples of the quantum; 0 if the codes of all do. */
    int minNormal;

    float quantum;
    float quantaPerOne;

    /** The code of the largest number. */
    int maximum;

    // What takes the place of what is beyond it, and of an infinity.
    int overflow;
    int negativeOverflow;
    int infinity;

    /** Codes below this one become 0. */
    int flushedBelow;

    /** For {@link Way#THRESHOLD}: what is not greater in magnitude becomes a zero. */
    float maxZero;

    Way way() {
        return way;
    }

    /** Whether subnormal numbers of binary32 have to be rounded one by one. */
    boolean onlyNormals() {
        return onlyNormals;
    }

    /**
     * Whether sums that binary32 has rounded to odd may be rounded as if they were exact: at least two bits are
     * dropped.
     *
     * <p>A sum of 2^128 or more has become the largest finite number. Where that is no overflow, only modes to nearest
     * go on from there as they must.
     */
    boolean takesOddSums(Rounding.Mode mode) {
        boolean nearest = mode == Rounding.Mode.TIES_TO_EVEN || mode == Rounding.Mode.TIES_TO_AWAY;
        boolean loops = way == Way.TIES_TO_EVEN || way == Way.DETERMINISTIC;
        return loops && dropped >= 2 && (!onlyNormals || nearest);
    }

    /** Whether the sums of binary32 are the rounded ones: it rounds to nearest even itself, after binary64 too. */
    boolean takesPlainSums(Rounding rounding) {
        int bits = rounding.format().significandBits();
        return way == Way.COPY
                && rounding.mode() == Rounding.Mode.TIES_TO_EVEN
                && (bits == Float.PRECISION || bits == FloatFormat.BINARY64.significandBits());
    }

    /** For the elements of a tensor. */
    void prepare(Rounding rounding) {
        boolean saturate = rounding.saturate();
        boolean subnormals = rounding.subnormals();
        way = Way.ONE_BY_ONE;
        onlyNormals = false;
        switch (rounding.format()) {
            case FloatFormat format -> {
                if (containsAll(format, subnormals, saturate)) {
                    way = Way.COPY;
                } else if (hasAllExponents(format)) {
                    onlyNormals = true;
                    prepareInfinite(format.significandBits(), 0, rounding.mode());
                } else if (isWithinBinary32(format)) {
                    int emin = format.minExponent();
                    prepareFinite(format, format.significandBits(), emin, rounding.mode(), subnormals, saturate);
                }
            }
            case ThresholdFormat format -> {
                way = Way.THRESHOLD;
                maxZero = (float) Math.scalb(1.0, -format.p());
            }
            case GridFormat format -> {
                int exponent = Math.getExponent(format.step());
                if (Significand.bitsOf(format.step()) == 1 && exponent <= 0) {
                    prepareInfinite(Float.PRECISION, exponent + FRACTION_BITS, rounding.mode());
                }
            }
            case IntegerFormat _ -> {
                // They have no -0, which the loops keep.
            }
        }
    }

    /** For the quotients of elements and scales. */
    void prepare(BlockFormat format, Rounding.Mode mode) {
        way = Way.ONE_BY_ONE;
        onlyNormals = false;
        switch (format.element()) {
            case FloatFormat element -> {
                // Far from the quotients that binary32 does not hold.
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
                // Their largest number is beyond binary32.
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

    /** Of a number of binary32 it only shortens the significand. */
    private static boolean hasAllExponents(FloatFormat format) {
        return format.significandBits() <= Float.PRECISION
                && format.minExponent() <= Float.MIN_EXPONENT - FRACTION_BITS
                && format.maxExponent() > Float.MAX_EXPONENT
                && format.specials() == FloatFormat.Specials.INFINITIES_AND_NAN;
    }

    /** And either the codes of all its numbers are shortened alike, or a quantum is a normal number up to 1. */
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

    /** No largest number; multiples of a quantum below 2^emin if {@code emin} is not 0. */
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
            way = Way.STOCHASTIC;
        } else {
            way = mode == Rounding.Mode.TIES_TO_EVEN && flushedBelow == 0 ? Way.TIES_TO_EVEN : Way.DETERMINISTIC;
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
