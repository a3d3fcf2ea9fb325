package org.lemmata.number;

import org.lemmata.argument.Refuse;

/**
 * x if |x| &gt; 2^-p, else 0: p bits of precision in the sense of Izzo, Nichani and Lee (2025), section 3.2.
 *
 * <p>Only small numbers change; others are kept in binary64, with its code words. Rounding modes, subnormals and
 * saturation have no effect.
 *
 * @param p the exponent of the threshold, from 1 to 1022
 */
public record ThresholdFormat(int p) implements CutFormat {

    public ThresholdFormat {
        Refuse.when(p < 1 || p > 1022, "threshold(p)", "p from 1 to 1022", p);
    }

    @Override
    public String name() {
        return "threshold(" + p + ")";
    }

    /** The smallest number above 2^-p. */
    @Override
    public double minNormal() {
        return Math.nextUp(Math.scalb(1.0, -p));
    }

    @Override
    public double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate, int random) {
        return Math.abs(x) <= Math.scalb(1.0, -p) ? Math.copySign(0, x) : x;
    }
}
