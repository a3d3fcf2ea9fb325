package org.lemmata.kernel.elementary;

import static org.lemmata.kernel.elementary.VectorSine.C0;
import static org.lemmata.kernel.elementary.VectorSine.C1;
import static org.lemmata.kernel.elementary.VectorSine.C2;
import static org.lemmata.kernel.elementary.VectorSine.HALF_PI_HIGH;
import static org.lemmata.kernel.elementary.VectorSine.HALF_PI_LOW;
import static org.lemmata.kernel.elementary.VectorSine.HALF_PI_MIDDLE;
import static org.lemmata.kernel.elementary.VectorSine.LIMIT;
import static org.lemmata.kernel.elementary.VectorSine.ROUNDER;
import static org.lemmata.kernel.elementary.VectorSine.S0;
import static org.lemmata.kernel.elementary.VectorSine.S1;
import static org.lemmata.kernel.elementary.VectorSine.S2;
import static org.lemmata.kernel.elementary.VectorSine.TWO_OVER_PI;

/**
 * The scalar form of {@link VectorSine}, with the same bits; it uses only that class's constants, so it needs no Vector
 * API.
 */
public final class ScalarSine {

    /** 64 zeros, then the first 256 bits of 2/pi = 0.1010... in binary. */
    private static final long[] TWO_OVER_PI_BITS = {
        0, 0xa2f9836e4e441529L, 0xfc2757d1f534ddc0L, 0xdb6295993c439041L, 0xfe5163abdebbc561L
    };

    /** pi/2 divided by 2^62. */
    private static final double HALF_PI_BY_FRACTION = 0x1.921fb54442d18p0 * 0x1p-62;

    private static final int FRACTION_BITS = Float.PRECISION - 1;

    private ScalarSine() {}

    public static float sin(float x) {
        return sine(x, 0);
    }

    public static float cos(float x) {
        return sine(x, 1);
    }

    /** sin(x + quarter pi/2) for quarter 0 or 1 and angles of any size, bit-identical to {@link VectorSine}. */
    static float sine(float x, int quarter) {
        float magnitude = Math.abs(x);
        float sine;
        if (magnitude <= LIMIT) {
            float shifted = Math.fma(magnitude, TWO_OVER_PI, ROUNDER);
            float n = shifted - ROUNDER;
            float first = Math.fma(n, -HALF_PI_HIGH, magnitude);
            float second = n * HALF_PI_MIDDLE;
            float r = first - second;
            float low = ((first - r) - second) + Math.fma(n, -HALF_PI_MIDDLE, second);
            low = Math.fma(n, -HALF_PI_LOW, low);
            sine = sine(r, low, Float.floatToRawIntBits(shifted) + quarter);
        } else if (magnitude <= Float.MAX_VALUE) {
            sine = greatSine(magnitude, quarter);
        } else {
            return Float.NaN;
        }
        return quarter == 0 && Float.floatToRawIntBits(x) < 0 ? -sine : sine;
    }

    /** sin(r + low + quadrant pi/2). */
    private static float sine(float r, float low, int quadrant) {
        float square = r * r;
        float sine;
        if ((quadrant & 1) == 0) {
            float s = Math.fma(square, S2, S1);
            s = Math.fma(s, square, S0);
            sine = r + Math.fma(r * square, s, low);
        } else {
            float c = Math.fma(square, C2, C1);
            c = Math.fma(c, square, C0);
            c = Math.fma(c, square, -0.5f);
            // Subtracts half of the rounding error r^2 - square, and half of the terms of low in (r + low)^2.
            float rest = Math.fma(Math.fma(r, r, -square), -0.5f, -(low * r));
            sine = Math.fma(square, c, rest) + 1;
        }
        return (quadrant & 2) == 0 ? sine : -sine;
    }

    /**
     * sin(x + quarter pi/2) for a large x = m 2^e with integer m. Only 2^e 2/pi modulo 4 matters; it is computed to 128
     * bits.
     */
    private static float greatSine(float x, int quarter) {
        long m = (Float.floatToRawIntBits(x) & ((1 << FRACTION_BITS) - 1)) | (1 << FRACTION_BITS);
        int e = Math.getExponent(x) - FRACTION_BITS;
        // The bit of weight 2 in 2^e 2/pi has weight 2^(1 - e) in 2/pi, whose bits follow 64 zeros in the table.
        int start = Long.SIZE + e - 2;
        long high = bits(start);
        long low = bits(start + Long.SIZE);
        // The product modulo 4, in units of 2^-62.
        long product = m * high + Math.unsignedMultiplyHigh(m, low);
        int quadrant = (int) ((product + (1L << 61)) >>> 62);
        double angle = (product - ((long) quadrant << 62)) * HALF_PI_BY_FRACTION;
        float r = (float) angle;
        return sine(r, (float) (angle - r), quadrant + quarter);
    }

    private static long bits(int start) {
        int word = start / Long.SIZE;
        int shift = start % Long.SIZE;
        return shift == 0
                ? TWO_OVER_PI_BITS[word]
                : (TWO_OVER_PI_BITS[word] << shift) | (TWO_OVER_PI_BITS[word + 1] >>> (Long.SIZE - shift));
    }
}
