package org.lemmata.kernel.quantization;

import org.lemmata.number.Rounding;

/**
 * How a deterministic mode rounds a magnitude between two neighbours: away from zero where it lies above a fraction of
 * the way. Which fraction, a bit selects: the sign, or the last bit of the neighbour below.
 *
 * @param bySign whether the sign selects
 * @param byParity whether the last bit selects
 * @param limit the fraction where the bit is 0, or none selects
 * @param selectedLimit the fraction where it is 1
 */
record Direction(boolean bySign, boolean byParity, Limit limit, Limit selectedLimit) {

    /** A fraction of the way. */
    enum Limit {
        ZERO(0, 0),
        /** The number before one half: what is above it is at least one half. */
        BELOW_HALF(0x1.fffffep-2f, 0x1.fffffffffffffp-2),
        HALF(0.5f, 0.5),
        /** No fraction is above it. */
        NEVER(1, 1);

        private final float ofBinary32;
        private final double ofBinary64;

        Limit(float ofBinary32, double ofBinary64) {
            this.ofBinary32 = ofBinary32;
            this.ofBinary64 = ofBinary64;
        }

        float ofBinary32() {
            return ofBinary32;
        }

        double ofBinary64() {
            return ofBinary64;
        }

        /** What is added to a code so that dropping the bits of {@code mask} rounds it. */
        int addend(int mask) {
            int half = (mask + 1) >> 1;
            return switch (this) {
                case ZERO -> mask;
                case BELOW_HALF -> half;
                case HALF -> Math.max(0, half - 1);
                case NEVER -> 0;
            };
        }
    }

    /** That of a mode; of the stochastic one, toward zero. */
    static Direction of(Rounding.Mode mode) {
        return switch (mode) {
            case TIES_TO_EVEN -> new Direction(false, true, Limit.HALF, Limit.BELOW_HALF);
            case TIES_TO_AWAY -> new Direction(false, false, Limit.BELOW_HALF, Limit.BELOW_HALF);
            case TOWARD_ZERO, STOCHASTIC -> new Direction(false, false, Limit.NEVER, Limit.NEVER);
            case TOWARD_POSITIVE -> new Direction(true, false, Limit.ZERO, Limit.NEVER);
            case TOWARD_NEGATIVE -> new Direction(true, false, Limit.NEVER, Limit.ZERO);
            case TO_ODD -> new Direction(false, true, Limit.ZERO, Limit.NEVER);
        };
    }
}
