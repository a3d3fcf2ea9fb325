package org.lemmata.number;

/**
 * The multiples k q of a step q. Kim and Suzuki (2024), section 3.3, round weights to the nearest integer (q = 1).
 *
 * <p>Let q = c 2^e with odd c. Magnitudes from 2^53 2^e on are not changed: binary64 has multiples of 2^e there, but
 * not every multiple of q. Code words are binary64 codes. Zeros keep their sign, infinities stay infinite, and the
 * options for subnormals and saturation have no effect. Modes to even and to odd use the last bit of k.
 *
 * @param step q, a positive normal number of binary32
 */
public record GridFormat(double step) implements CutFormat {

    public GridFormat {
        if (!(step > 0 && step <= Float.MAX_VALUE)
                || step < Float.MIN_NORMAL
                || Significand.bitsOf(step) > Float.PRECISION) {
            throw new IllegalArgumentException(
                    "multiple(q): expected a positive normal number of binary32, got " + step);
        }
    }

    @Override
    public String name() {
        if (step == 1) {
            return "integer";
        }
        boolean whole = step == Math.rint(step) && step < 1e9;
        return "multiple(" + (whole ? Long.toString((long) step) : Double.toString(step)) + ")";
    }

    @Override
    public double minNormal() {
        return step;
    }

    @Override
    public double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate, int random) {
        double magnitude = Math.abs(x);
        int lowestBit = Math.getExponent(step) + 1 - Significand.bitsOf(step);
        if (x == 0 || !(magnitude < Math.scalb(1.0, 53 + lowestBit))) {
            return x;
        }
        double remainder = magnitude % step; // exact
        if (remainder == 0) {
            return x;
        }
        double below = magnitude - remainder; // exact: a multiple of q, at most the magnitude
        boolean odd = (long) (below / step) % 2 != 0;
        // The distances to both neighbours may need more bits than binary64 has, but their comparison is exact.
        int half = Double.compare(remainder, step - remainder);
        boolean up = switch (mode) {
            case TIES_TO_EVEN -> half > 0 || (half == 0 && odd);
            case TIES_TO_AWAY -> half >= 0;
            case TOWARD_ZERO -> false;
            case TOWARD_POSITIVE -> x > 0;
            case TOWARD_NEGATIVE -> x < 0;
            case TO_ODD -> !odd;
            case STOCHASTIC -> {
                // remainder / q + u >= 1, multiplied by 2^24 q. Both sides are exact; the quotient is not.
                int towardZero = (1 << Rounding.RANDOM_BITS) - (random >>> (Integer.SIZE - Rounding.RANDOM_BITS));
                yield Math.scalb(remainder, Rounding.RANDOM_BITS) >= towardZero * step;
            }
        };
        return Math.copySign(up ? below + step : below, x);
    }
}
