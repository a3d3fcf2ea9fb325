package org.lemmata.oracle;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * Products, sums, quotients and reciprocal roots of binary32 numbers, computed exactly and rounded once to a format
 * whose numbers are binary32 numbers.
 */
public final class ExactStep {

    private static final BigDecimal HALF = new BigDecimal("0.5");

    /** More digits than any rounding decision needs. */
    private static final MathContext WIDE = new MathContext(120);

    private static final Map<Integer, BigDecimal> POWERS = new ConcurrentHashMap<>();

    private final int p;
    private final int emin;
    private final Rounding.Mode mode;
    private final boolean subnormals;
    private final boolean saturate;
    private final BigDecimal maximum;
    private final double infinity;

    public ExactStep(FloatFormat format, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        this.p = format.significandBits();
        this.emin = format.minExponent();
        this.mode = mode;
        this.subnormals = subnormals;
        this.saturate = saturate;
        int lacking = format.specials() == FloatFormat.Specials.NAN ? 2 : 1;
        this.maximum = power(p).subtract(BigDecimal.valueOf(lacking)).multiply(power(format.maxExponent() - p + 1));
        this.infinity = switch (format.specials()) {
            case INFINITIES_AND_NAN -> Double.POSITIVE_INFINITY;
            case NAN -> Double.NaN;
            case NONE -> maximum.doubleValue();
        };
    }

    public static ExactStep of(Rounding rounding) {
        return new ExactStep(
                (FloatFormat) rounding.format(), rounding.mode(), rounding.subnormals(), rounding.saturate());
    }

    private static BigDecimal power(int exponent) {
        return POWERS.computeIfAbsent(exponent, e -> e >= 0 ? BigDecimal.TWO.pow(e) : HALF.pow(-e));
    }

    public float product(float a, float b, int word) {
        double inBinary64 = (double) a * b;
        if (inBinary64 == 0 || !Double.isFinite(inBinary64)) {
            return special(inBinary64);
        }
        return round(new BigDecimal(a).multiply(new BigDecimal(b)), word);
    }

    public float sum(float a, float b, int word) {
        double inBinary64 = (double) a + b;
        if (inBinary64 == 0 || !Double.isFinite(inBinary64)) {
            return special(inBinary64);
        }
        return round(new BigDecimal(a).add(new BigDecimal(b)), word);
    }

    /** a / n + b; the digits beyond {@link #WIDE} are replaced by one more digit. */
    public float quotientPlus(float a, int n, float b, int word) {
        double inBinary64 = (double) a / n + b;
        if (!Double.isFinite(inBinary64) || (a == 0 && b == 0)) {
            return special(inBinary64);
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
            return special(inBinary64);
        }
        BigDecimal radicand = new BigDecimal(a);
        BigDecimal root = BigDecimal.ONE.divide(radicand, WIDE).sqrt(WIDE);
        // An exact root has few bits, so it is a binary64 number.
        BigDecimal few = new BigDecimal(root.doubleValue());
        boolean exact = few.multiply(few).multiply(radicand).compareTo(BigDecimal.ONE) == 0;
        return round(exact ? few : root, word);
    }

    private static BigDecimal beyond(BigDecimal x) {
        BigDecimal last = x.ulp().movePointLeft(3);
        return x.signum() < 0 ? x.subtract(last) : x.add(last);
    }

    private float special(double x) {
        if (Double.isInfinite(x)) {
            return (float) Math.copySign(saturate ? maximum.doubleValue() : infinity, x);
        }
        return (float) x;
    }

    /** Rounds a number other than 0. */
    public float round(BigDecimal x, int word) {
        boolean negative = x.signum() < 0;
        BigDecimal magnitude = x.abs();
        int exponent = Math.getExponent(magnitude.doubleValue());
        while (magnitude.compareTo(power(exponent)) < 0) {
            exponent--;
        }
        while (magnitude.compareTo(power(exponent + 1)) >= 0) {
            exponent++;
        }
        int quantum = Math.max(exponent, emin) - p + 1;
        BigDecimal multiple = magnitude.multiply(power(-quantum));
        BigInteger below = multiple.toBigInteger();
        BigDecimal fraction = multiple.subtract(new BigDecimal(below));
        boolean up = fraction.signum() > 0 && goesUp(negative, below.testBit(0), fraction, word);
        BigDecimal result = new BigDecimal(up ? below.add(BigInteger.ONE) : below).multiply(power(quantum));
        double rounded = result.doubleValue();
        if (result.compareTo(maximum) > 0) {
            rounded = saturate || staysFinite(negative) ? maximum.doubleValue() : infinity;
        } else if (!subnormals && result.compareTo(power(emin)) < 0) {
            rounded = 0;
        }
        return (float) (negative ? -rounded : rounded);
    }

    private boolean goesUp(boolean negative, boolean odd, BigDecimal fraction, int word) {
        int half = fraction.compareTo(HALF);
        return switch (mode) {
            case TIES_TO_EVEN -> half > 0 || (half == 0 && odd);
            case TIES_TO_AWAY -> half >= 0;
            case TOWARD_ZERO -> false;
            case TOWARD_POSITIVE -> !negative;
            case TOWARD_NEGATIVE -> negative;
            case TO_ODD -> !odd;
            case STOCHASTIC ->
                fraction.add(BigDecimal.valueOf(word >>> 8).multiply(power(-24)))
                                .compareTo(BigDecimal.ONE)
                        >= 0;
        };
    }

    private boolean staysFinite(boolean negative) {
        return switch (mode) {
            case TIES_TO_EVEN, TIES_TO_AWAY, STOCHASTIC -> false;
            case TOWARD_ZERO, TO_ODD -> true;
            case TOWARD_POSITIVE -> negative;
            case TOWARD_NEGATIVE -> !negative;
        };
    }
}
