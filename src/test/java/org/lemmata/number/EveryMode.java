package org.lemmata.number;

import java.util.Locale;
import org.lemmata.oracle.Neighbours;

/** Compares rounding, in every mode and with all options, with the result that a number's neighbours determine. */
final class EveryMode {

    private static final boolean[] BOTH = {true, false};
    private static final Rounding.Mode[] MODES = Rounding.Mode.values();

    private final FloatFormat format;
    private final double minNormal;
    private final double maximum;

    EveryMode(FloatFormat format, double maximum) {
        this.format = format;
        this.minNormal = Math.scalb(1.0, format.minExponent());
        this.maximum = maximum;
    }

    /** Checks a magnitude and its negative. */
    void check(double magnitude, Neighbours neighbours) {
        int minWordAway = ((1 << 24) - neighbours.fraction()) << 8;
        int hashed = Long.hashCode(Double.doubleToRawLongBits(magnitude) * 0x9E37_79B9_7F4A_7C15L);
        int[] words = {minWordAway, minWordAway - 1, (hashed & 7) == 0 ? 0 : (hashed & 7) == 1 ? -1 : hashed};
        for (Rounding.Mode mode : MODES) {
            for (int w = 0; w < (mode == Rounding.Mode.STOCHASTIC ? words.length : 1); w++) {
                for (int options = 0; options < 8; options++) {
                    boolean negative = (options & 4) != 0;
                    double x = negative ? -magnitude : magnitude;
                    check(x, neighbours, mode, BOTH[options & 1], BOTH[(options >> 1) & 1], words[w]);
                }
            }
        }
    }

    private void check(
            double x, Neighbours neighbours, Rounding.Mode mode, boolean subnormals, boolean saturate, int word) {
        double minimum = subnormals ? 0 : minNormal;
        double expected = neighbours.round(format.specials(), minimum, maximum, mode, saturate, x < 0, word);
        double actual = format.round(x, mode, subnormals, saturate, word);
        if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
            throw new AssertionError(String.format(
                    Locale.ROOT,
                    "%s of %s (%a), word 0x%08x: expected %s, got %s",
                    new Rounding(format, mode, subnormals, saturate),
                    x,
                    x,
                    word,
                    expected,
                    actual));
        }
    }
}
