package org.lemmata.construct.hierarchy;

/**
 * The feed-forward part that tests whether a bracket's code t matches the found code t': q &gt;= 1 if the bracket opens
 * or t = t', q &lt;= -1 if it closes and t differs from t'.
 *
 * <p>q is a positive multiple of -2 |t - t'|_1 + C3 (o + 1) + 1 with C3 = 4 (m + 1). With recovery, if t' has more than
 * 4/5 of the attention, q equals -4 |r|_1 + 2 C3 Recov(o + 1) + 2 with r = Recov(|t - t'|). Recov is a staircase of
 * slope 1 / eps with the values 0, 1 and 2.
 *
 * <p>Source: Hayakawa and Sato (2024), Eqs. 119 to 129, and appendix O with signs and blocks as in docs/errata.md.
 *
 * @param codeBits m; t is in the first m columns
 * @param found the first column of t'
 * @param open the column of o: 1 for opening and -1 for closing brackets
 * @param one the column of ones
 * @param result the column of q
 */
record MatchTest(int codeBits, int found, int open, int one, int result) {

    /** 1 / eps of Recov, at least 20; 9/20 and 19/15 of this number are integers. */
    static final double FEW_BIT_SLOPE = 60;

    static final double PRINTED_SLOPE = 20;

    static int rows(int codeBits, boolean recover) {
        return recover ? 8 * codeBits + 6 : 2 * codeBits + 2;
    }

    /** q at the start, where all codes are 0 and o + 1 = 1. */
    double ofStart(boolean recover, double units) {
        return recover ? 8.0 * (codeBits + 1) + 2 : units * (4 * codeBits + 5);
    }

    double maximum(boolean recover, double units) {
        return recover ? 16.0 * (codeBits + 1) + 2 : units * (8 * codeBits + 9);
    }

    /**
     * The paper's gain in units of {@link LayerWriter}, 8 sqrt(m / 2), or the next power of two. For m &gt; 0, it
     * exceeds the norm, which is at most sqrt(8m + 5).
     *
     * @param exact whether to return the paper's gain
     */
    double units(boolean exact) {
        double least = 8 * Math.sqrt(codeBits / 2.0);
        return exact || codeBits == 0 ? least : Math.scalb(1.0, (int) Math.ceil(Math.log(least) / Math.log(2)));
    }

    /** Writes the test without recovery. The norm at the start is sqrt2. */
    LayerWriter write(LayerWriter layer, double units) {
        for (int bit = 0; bit < codeBits; bit++) {
            for (int side = 0; side < 2; side++) {
                int row = 2 * bit + side;
                double sign = side == 0 ? 1 : -1;
                layer.first(row, bit, sign).first(row, found + bit, -sign).second(result, row, -2);
            }
        }
        int row = 2 * codeBits;
        layer.first(row, open, 1).first(row, one, 1).second(result, row, 4.0 * (codeBits + 1));
        return layer.first(row + 1, one, 1).second(result, row + 1, 1).gain(units);
    }

    /** Writes the test with recovery; {@code slope} is 1 / eps. */
    LayerWriter writeRecovering(LayerWriter layer, double slope, double constant) {
        double[] shifts = {-9 * slope / 20, -(1 + 9 * slope / 20), -19 * slope / 15, -(1 + 19 * slope / 15)};
        layer.gain(slope * constant);
        int row = 0;
        for (int bit = 0; bit < codeBits; bit++) {
            for (double sign = 1; sign >= -1; sign -= 2) {
                for (int step = 0; step < shifts.length; step++, row++) {
                    layer.first(row, bit, sign).first(row, found + bit, -sign);
                    layer.shift(row, shifts[step]).second(result, row, step % 2 == 0 ? -4 : 4);
                }
            }
        }
        double ofOpen = 8.0 * (codeBits + 1);
        for (int step = 0; step < shifts.length; step++, row++) {
            layer.first(row, open, 1).first(row, one, 1);
            layer.shift(row, shifts[step]).second(result, row, step % 2 == 0 ? ofOpen : -ofOpen);
        }
        for (int step = 0; step < 2; step++, row++) {
            layer.first(row, one, constant).gain(row, slope);
            layer.shift(row, shifts[step]).second(result, row, step == 0 ? 2 : -2);
        }
        return layer;
    }

    /** {@code constant}, above 2 sqrt6 sqrt(2m + 1): normalization changes each row by less than 1/6 of its value. */
    static double recoveryConstant(int codeBits) {
        return 2 * Math.sqrt(6) * Math.sqrt(2 * codeBits + 1) * 1.001;
    }

    /**
     * The significand bits from which on rounding raises q at the start by at most 1 and lowers it by at most 4. The
     * start then still wins the attention of layer 5 against matches, where q is 2, and loses it to a mismatch, where q
     * is at most -6. At the start, q is a multiple of the difference of two ramps, each rounded at about half of the
     * slope.
     *
     * @param constant the constant of {@link #writeRecovering}, for {@link #FEW_BIT_SLOPE}
     */
    static int recoveryBits(int codeBits, double constant) {
        double ramp = FEW_BIT_SLOPE * constant / Math.hypot(constant, Math.sqrt(2)) - 9 * FEW_BIT_SLOPE / 20;
        double factor = 8.0 * (codeBits + 1) + 2;
        // Each ramp has an error of at most 2^(5 - bits), so this many bits suffice.
        int bits = (int) Math.ceil(6 + Math.log(factor) / Math.log(2));
        double excess = 0;
        while (excess <= 1 && excess >= -4) {
            bits--;
            double difference = LayerWriter.rounded(ramp, bits) - LayerWriter.rounded(ramp - 1, bits);
            excess = factor * (difference - 1);
        }
        return bits + 1;
    }
}
