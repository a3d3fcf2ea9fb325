package org.lemmata.number;

/**
 * x if |x| &gt; 2^-p, else 0: p bits of precision as Izzo, Nichani and Lee (2025), section 3.2 mean them.
 *
 * <p>Only smallness is lost: what is kept is kept in binary64, whose code words these are. Rounding modes, subnormals
 * and saturation change nothing. Source: Izzo, Nichani and Lee (2025), section 3.2.
 *
 * @param p the exponent of the threshold, from 1 to 1022
 */
public record ThresholdFormat(int p) implements NumberFormat {

    public ThresholdFormat {
        if (p < 1 || p > 1022) {
            throw new IllegalArgumentException("threshold(p): expected p from 1 to 1022, got " + p);
        }
    }

    @Override
    public String name() {
        return "threshold(" + p + ")";
    }

    /** The 53 of binary64: no significand is shortened. */
    @Override
    public int significandBits() {
        return FloatFormat.BINARY64.significandBits();
    }

    @Override
    public double maxFinite() {
        return Double.MAX_VALUE;
    }

    /** The number next above 2^-p. */
    @Override
    public double minNormal() {
        return Math.nextUp(Math.scalb(1.0, -p));
    }

    @Override
    public int codeBits() {
        return Double.SIZE;
    }

    @Override
    public double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate, int random) {
        return Math.abs(x) <= Math.scalb(1.0, -p) ? Math.copySign(0, x) : x;
    }

    @Override
    public long encode(double x) {
        if (round(x, Rounding.Mode.TIES_TO_EVEN, true, false) != x && !Double.isNaN(x)) {
            throw new IllegalArgumentException("x: expected a number of " + name() + ", got " + x);
        }
        return Double.doubleToLongBits(x);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if it is the code of a number that is not 0, and not above the threshold
     */
    @Override
    public double decode(long code) {
        double x = Double.longBitsToDouble(code);
        if (round(x, Rounding.Mode.TIES_TO_EVEN, true, false) != x && !Double.isNaN(x)) {
            throw new IllegalArgumentException("code: expected one of " + name() + ", got 0x" + Long.toHexString(code));
        }
        return x;
    }
}
