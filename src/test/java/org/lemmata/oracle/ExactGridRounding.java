package org.lemmata.oracle;

import java.math.BigDecimal;
import org.lemmata.number.Rounding;

/** Rounding to multiples of a step q in exact fractions: x / q is rounded to an integer k; the result is k q. */
public final class ExactGridRounding {

    private ExactGridRounding() {}

    /** The multiple of {@code step} to which a finite {@code x} is rounded; a zero has the sign of {@code x}. */
    public static double round(double x, double step, Rounding.Mode mode, int random) {
        BigDecimal magnitude = new BigDecimal(x).abs();
        BigDecimal q = new BigDecimal(step);
        BigDecimal[] parts = magnitude.divideAndRemainder(q);
        // k + 0, 1/4, 1/2 or 3/4 is rounded like x / q, except in the stochastic mode.
        int half = parts[1].add(parts[1]).compareTo(q);
        String quarters = parts[1].signum() == 0 ? "0" : half < 0 ? "0.25" : half == 0 ? "0.5" : "0.75";
        BigDecimal k;
        if (mode == Rounding.Mode.STOCHASTIC) {
            BigDecimal u = BigDecimal.valueOf(random >>> 8).divide(BigDecimal.valueOf(1 << 24));
            boolean away = parts[1].add(u.multiply(q)).compareTo(q) >= 0;
            k = parts[0].add(away ? BigDecimal.ONE : BigDecimal.ZERO);
        } else {
            k = ExactRounding.integer(parts[0].add(new BigDecimal(quarters)), mode, x < 0, random);
        }
        return Math.copySign(k.multiply(q).doubleValue(), x);
    }
}
