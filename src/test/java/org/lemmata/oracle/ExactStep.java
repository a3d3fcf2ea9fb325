package org.lemmata.oracle;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * Products, sums, quotients and reciprocal roots of binary32 numbers, computed exactly and rounded once to a format
 * whose numbers are binary32 numbers.
 */
public record ExactStep(ExactRounding rounding) {

    /** More digits than any rounding decision needs. */
    private static final MathContext WIDE = new MathContext(120);

    public static ExactStep of(Rounding rounding) {
        return new ExactStep(ExactRounding.of(
                (FloatFormat) rounding.format(), rounding.mode(), rounding.subnormals(), rounding.saturate()));
    }

    public float product(float a, float b, int word) {
        double inBinary64 = (double) a * b;
        if (inBinary64 == 0 || !Double.isFinite(inBinary64)) {
            return (float) rounding.round(inBinary64);
        }
        return round(new BigDecimal(a).multiply(new BigDecimal(b)), word);
    }

    public float sum(float a, float b, int word) {
        double inBinary64 = (double) a + b;
        if (inBinary64 == 0 || !Double.isFinite(inBinary64)) {
            return (float) rounding.round(inBinary64);
        }
        return round(new BigDecimal(a).add(new BigDecimal(b)), word);
    }

    /** a / n + b; the digits beyond {@link #WIDE} are replaced by one more digit. */
    public float quotientPlus(float a, int n, float b, int word) {
        double inBinary64 = (double) a / n + b;
        if (!Double.isFinite(inBinary64) || (a == 0 && b == 0)) {
            return (float) rounding.round(inBinary64);
        }
        BigDecimal numerator = new BigDecimal(a).add(new BigDecimal(b).multiply(BigDecimal.valueOf(n)));
        if (numerator.signum() == 0) {
            return 0;
        }
        MathContext cut = new MathContext(WIDE.getPrecision(), RoundingMode.DOWN);
        BigDecimal quotient = numerator.divide(BigDecimal.valueOf(n), cut);
        boolean exact = quotient.multiply(BigDecimal.valueOf(n)).compareTo(numerator) == 0;
        return round(exact ? quotient : beyond(quotient), word);
    }

    /** 1 / sqrt(a). */
    public float reciprocalRoot(float a, int word) {
        double inBinary64 = 1 / Math.sqrt(a);
        if (!Double.isFinite(inBinary64) || inBinary64 == 0) {
            return (float) rounding.round(inBinary64);
        }
        BigDecimal radicand = new BigDecimal(a);
        BigDecimal root = BigDecimal.ONE.divide(radicand, WIDE).sqrt(WIDE);
        // An exact root has few bits, so it is a binary64 number.
        BigDecimal few = new BigDecimal(root.doubleValue());
        boolean exact = few.multiply(few).multiply(radicand).compareTo(BigDecimal.ONE) == 0;
        return round(exact ? few : root, word);
    }

    private float round(BigDecimal x, int word) {
        return (float) rounding.round(x, word);
    }

    private static BigDecimal beyond(BigDecimal x) {
        BigDecimal last = x.ulp().movePointLeft(3);
        return x.signum() < 0 ? x.subtract(last) : x.add(last);
    }
}
