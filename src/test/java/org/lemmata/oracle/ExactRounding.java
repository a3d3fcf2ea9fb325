package org.lemmata.oracle;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rounding to p significand bits and exponents emin to emax as IEEE 754-2019 words it: first as if the exponent range
 * were unbounded above, then overflow.
 *
 * @param p significand bits, the hidden one counted
 * @param emin the exponent of the least normal number
 * @param emax the greatest exponent
 * @param direction HALF_EVEN for TiesToEven, DOWN for TowardZero
 * @param subnormals whether results below 2^emin are kept, or become zero
 * @param saturate whether overflow and infinities give the greatest finite number
 */
public record ExactRounding(int p, int emin, int emax, RoundingMode direction, boolean subnormals, boolean saturate) {

    private static final Map<Integer, BigDecimal> POWERS = new ConcurrentHashMap<>();

    public double round(double x) {
        if (x == 0 || Double.isNaN(x)) {
            return x;
        }
        if (Double.isInfinite(x)) {
            return saturate ? Math.copySign(greatest().doubleValue(), x) : x;
        }
        BigDecimal magnitude = new BigDecimal(x).abs();
        int exponent = Math.getExponent(x);
        while (magnitude.compareTo(power(exponent)) < 0) {
            exponent--;
        }
        int quantum = Math.max(exponent, emin) - (p - 1);
        BigDecimal rounded =
                magnitude.multiply(power(-quantum)).setScale(0, direction).multiply(power(quantum));
        double result;
        if (rounded.compareTo(greatest()) > 0) {
            result = saturate || direction == RoundingMode.DOWN ? greatest().doubleValue() : Double.POSITIVE_INFINITY;
        } else if (!subnormals && rounded.compareTo(power(emin)) < 0) {
            result = 0;
        } else {
            result = rounded.doubleValue();
        }
        return x < 0 ? -result : result;
    }

    private BigDecimal greatest() {
        return power(emax + 1).subtract(power(emax - (p - 1)));
    }

    private static BigDecimal power(int exponent) {
        return POWERS.computeIfAbsent(
                exponent,
                e -> e >= 0 ? BigDecimal.TWO.pow(e) : BigDecimal.valueOf(0.5).pow(-e));
    }
}
