package org.lemmata.oracle;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * Rounding to p significand bits and exponents emin to emax as in IEEE 754-2019: first as if the exponent range were
 * unbounded above, then overflow. All numbers are exact decimal fractions.
 *
 * @param p the number of significand bits, including the hidden one
 * @param emin the exponent of the smallest normal number
 * @param emax the maximum exponent
 * @param specials the codes that are not finite numbers; if NAN, the last code is NaN
 * @param mode the rounding mode
 * @param subnormals whether results below 2^emin are kept; otherwise they become zero
 * @param saturate whether overflow and infinities become the largest finite number
 */
public record ExactRounding(
        int p,
        int emin,
        int emax,
        FloatFormat.Specials specials,
        Rounding.Mode mode,
        boolean subnormals,
        boolean saturate) {

    private static final BigDecimal HALF = new BigDecimal("0.5");
    private static final Map<Integer, BigDecimal> POWERS = new ConcurrentHashMap<>();

    public static ExactRounding of(FloatFormat format, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        return new ExactRounding(
                format.significandBits(),
                format.minExponent(),
                format.maxExponent(),
                format.specials(),
                mode,
                subnormals,
                saturate);
    }

    /** Rounds {@code x}, if the mode is not stochastic. */
    public double round(double x) {
        return round(x, 0);
    }

    /** Rounds {@code x}; only the stochastic mode uses {@code random}. */
    public double round(double x, int random) {
        if (x == 0 || Double.isNaN(x)) {
            return x;
        }
        if (Double.isInfinite(x)) {
            return saturate ? signed(maximum().doubleValue(), x) : beyond(x);
        }
        return round(new BigDecimal(x), random);
    }

    /** Rounds a number other than 0, which need not be a binary64 number. */
    public double round(BigDecimal number, int random) {
        double x = number.signum();
        BigDecimal magnitude = number.abs();
        int exponent = Math.getExponent(magnitude.doubleValue());
        while (magnitude.compareTo(power(exponent)) < 0) {
            exponent--;
        }
        int quantum = Math.max(exponent, emin) - (p - 1);
        BigDecimal rounded = integer(magnitude.multiply(power(-quantum)), mode, x < 0, random)
                .multiply(power(quantum));
        if (rounded.compareTo(maximum()) > 0) {
            boolean stays = saturate
                    || mode == Rounding.Mode.TOWARD_ZERO
                    || mode == Rounding.Mode.TO_ODD
                    || mode == (x < 0 ? Rounding.Mode.TOWARD_POSITIVE : Rounding.Mode.TOWARD_NEGATIVE);
            return stays ? signed(maximum().doubleValue(), x) : beyond(x);
        }
        boolean flushed = !subnormals && rounded.compareTo(power(emin)) < 0;
        return signed(flushed ? 0 : rounded.doubleValue(), x);
    }

    /** Rounds a magnitude, of a number with this sign, to an integer. */
    static BigDecimal integer(BigDecimal scaled, Rounding.Mode mode, boolean negative, int random) {
        BigDecimal floor = scaled.setScale(0, RoundingMode.FLOOR);
        BigDecimal fraction = scaled.subtract(floor);
        return switch (mode) {
            case TIES_TO_EVEN -> scaled.setScale(0, RoundingMode.HALF_EVEN);
            case TIES_TO_AWAY -> scaled.setScale(0, RoundingMode.HALF_UP);
            case TOWARD_ZERO -> floor;
            case TOWARD_POSITIVE -> scaled.setScale(0, negative ? RoundingMode.FLOOR : RoundingMode.CEILING);
            case TOWARD_NEGATIVE -> scaled.setScale(0, negative ? RoundingMode.CEILING : RoundingMode.FLOOR);
            case TO_ODD -> {
                boolean even = floor.multiply(HALF).stripTrailingZeros().scale() <= 0;
                yield fraction.signum() != 0 && even ? floor.add(BigDecimal.ONE) : floor;
            }
            case STOCHASTIC -> {
                BigDecimal u = BigDecimal.valueOf(random >>> 8).multiply(power(-24));
                yield fraction.add(u).compareTo(BigDecimal.ONE) >= 0 ? floor.add(BigDecimal.ONE) : floor;
            }
        };
    }

    private double beyond(double x) {
        return switch (specials) {
            case INFINITIES_AND_NAN -> signed(Double.POSITIVE_INFINITY, x);
            case NAN -> Double.NaN;
            case NONE -> signed(maximum().doubleValue(), x);
        };
    }

    private static double signed(double magnitude, double x) {
        return x < 0 ? -magnitude : magnitude;
    }

    /** The largest finite number: the last code of its exponent, or the one below if that is NaN's. */
    public BigDecimal maximum() {
        int ulps = specials == FloatFormat.Specials.NAN && fillsItsField(emin, emax) ? 2 : 1;
        return power(emax + 1).subtract(power(emax - (p - 1)).multiply(BigDecimal.valueOf(ulps)));
    }

    /** Whether all bits of the exponent field of emax, which is emax - emin + 1, are set, as in NaN. */
    static boolean fillsItsField(int emin, int emax) {
        return Integer.bitCount(emax - emin + 2) == 1;
    }

    /** 2^exponent. */
    static BigDecimal power(int exponent) {
        return POWERS.computeIfAbsent(exponent, e -> e >= 0 ? BigDecimal.TWO.pow(e) : HALF.pow(-e));
    }
}
