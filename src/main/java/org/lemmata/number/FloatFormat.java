package org.lemmata.number;

import java.util.List;

/**
 * A binary floating-point format of IEEE 754: (-1)^s 2^e m with m of p bits and emin &lt;= e &lt;= emax, subnormals,
 * infinities and NaN.
 *
 * <p>Code words are those of an IEEE 754 interchange format: sign, biased exponent (bias = 1 - emin; all ones stand for
 * infinity and NaN), p - 1 trailing significand bits.
 *
 * @param name the name, "binary16"
 * @param significandBits p, the hidden bit counted, from 2 to 53
 * @param minExponent emin, the exponent of the least normal number
 * @param maxExponent emax, the exponent of the greatest number
 */
public record FloatFormat(String name, int significandBits, int minExponent, int maxExponent) implements NumberFormat {

    public static final FloatFormat BINARY64 = new FloatFormat("binary64", 53, -1022, 1023);
    public static final FloatFormat BINARY32 = new FloatFormat("binary32", 24, -126, 127);
    public static final FloatFormat BINARY16 = new FloatFormat("binary16", 11, -14, 15);
    public static final FloatFormat BFLOAT16 = new FloatFormat("bfloat16", 8, -126, 127);

    static final List<FloatFormat> NAMED = List.of(BINARY64, BINARY32, BINARY16, BFLOAT16);

    private static final int STORED_BITS_64 = 52;
    private static final long HIDDEN_BIT_64 = 1L << STORED_BITS_64;

    private static final int STORED_BITS_32 = 23;
    private static final int BIAS_32 = 127;
    private static final int INFINITY_BITS_32 = 0x7F80_0000;

    public FloatFormat {
        if (significandBits < 2 || significandBits > 53) {
            throw new IllegalArgumentException("significandBits: expected 2 to 53, got " + significandBits);
        }
        // So every number of the format, the least subnormal 2^(emin - p + 1) included, is exact in binary64.
        if (minExponent > maxExponent || minExponent < Double.MIN_EXPONENT || maxExponent > Double.MAX_EXPONENT) {
            throw new IllegalArgumentException("exponents: expected emin <= emax within those of binary64, got "
                    + minExponent + " to " + maxExponent);
        }
    }

    @Override
    public double maxFinite() {
        return Math.scalb(2.0 - Math.scalb(1.0, 1 - significandBits), maxExponent);
    }

    /** 2^emin. */
    @Override
    public double minNormal() {
        return Math.scalb(1.0, minExponent);
    }

    /**
     * The distance of neighbouring representable numbers at {@code x}: 2^(max(e, emin) - p + 1), e the exponent of x.
     */
    public double ulp(double x) {
        return Math.scalb(1.0, Math.max(Math.getExponent(x), minExponent) - significandBits + 1);
    }

    private int exponentBits() {
        // Biased exponents run from 0 (zero, subnormal) over emax - emin + 1 normal ones to all ones (infinity, NaN).
        return Integer.SIZE - Integer.numberOfLeadingZeros(maxExponent - minExponent + 2);
    }

    @Override
    public int codeBits() {
        return significandBits + exponentBits();
    }

    @Override
    public double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        if (x == 0 || !Double.isFinite(x)) {
            return x;
        }
        long bits = Double.doubleToRawLongBits(x);
        int biased = (int) (bits >>> STORED_BITS_64) & 0x7FF;
        long significand = (bits & (HIDDEN_BIT_64 - 1)) | (biased == 0 ? 0 : HIDDEN_BIT_64);
        int scale = Math.max(biased, 1) - 1023 - STORED_BITS_64; // |x| = significand * 2^scale
        int exponent = scale + Long.SIZE - 1 - Long.numberOfLeadingZeros(significand);

        int quantum = Math.max(exponent, minExponent) - significandBits + 1; // results are multiples of 2^quantum
        int dropped = quantum - scale;
        double magnitude;
        if (dropped <= 0) {
            magnitude = Math.abs(x);
        } else {
            // From 54 dropped bits on, |x| is below half a quantum: the same remainder decides every mode.
            int shift = Math.min(dropped, 54);
            long kept = significand >>> shift;
            long remainder = significand & ((1L << shift) - 1);
            long half = 1L << (shift - 1);
            boolean up = switch (mode) {
                case TIES_TO_EVEN -> remainder > half || (remainder == half && (kept & 1) == 1);
                case TOWARD_ZERO -> false;
            };
            magnitude = Math.scalb((double) (up ? kept + 1 : kept), quantum);
        }
        if (magnitude > maxFinite()) {
            magnitude = saturate || mode == Rounding.Mode.TOWARD_ZERO ? maxFinite() : Double.POSITIVE_INFINITY;
        } else if (!subnormals && magnitude < minNormal()) {
            magnitude = 0;
        }
        return Math.copySign(magnitude, x);
    }

    /** {@inheritDoc} On the bits of {@code x}, where binary32 contains this format. */
    @Override
    public float round(float x, Rounding.Mode mode, boolean subnormals, boolean saturate) {
        int bits = Float.floatToRawIntBits(x);
        int magnitude = bits & Integer.MAX_VALUE;
        int biased = Math.max(magnitude >>> STORED_BITS_32, 1);
        int dropped = BINARY32.significandBits - significandBits + Math.max(0, minExponent + BIAS_32 - biased);
        // With 23 bits dropped or more, the bit that decides ties is the hidden one or above it.
        if (magnitude >= INFINITY_BITS_32 || dropped >= STORED_BITS_32 || !isWithinBinary32()) {
            return (float) round((double) x, mode, subnormals, saturate);
        }
        // Codes of one sign are ordered as their numbers, so a carry out of the significand goes to the next binade.
        int kept = magnitude;
        if (dropped > 0 && mode == Rounding.Mode.TIES_TO_EVEN) {
            kept += (1 << (dropped - 1)) - 1 + ((magnitude >>> dropped) & 1);
        }
        kept &= -1 << dropped;
        int greatest =
                ((maxExponent + BIAS_32 + 1) << STORED_BITS_32) - (1 << (BINARY32.significandBits - significandBits));
        if (kept > greatest) {
            kept = saturate || mode == Rounding.Mode.TOWARD_ZERO ? greatest : INFINITY_BITS_32;
        } else if (!subnormals && kept < (minExponent + BIAS_32) << STORED_BITS_32) {
            kept = 0;
        }
        return Float.intBitsToFloat((bits & Integer.MIN_VALUE) | kept);
    }

    private boolean isWithinBinary32() {
        return significandBits <= BINARY32.significandBits
                && minExponent >= BINARY32.minExponent
                && maxExponent <= BINARY32.maxExponent;
    }

    @Override
    public long encode(double x) {
        int storedBits = significandBits - 1;
        long specialExponent = (1L << exponentBits()) - 1;
        long sign = Double.doubleToRawLongBits(x) >>> 63 << (codeBits() - 1);
        if (Double.isNaN(x)) {
            return (specialExponent << storedBits) | (1L << (storedBits - 1));
        }
        double magnitude = Math.abs(x);
        if (magnitude == Double.POSITIVE_INFINITY) {
            return sign | (specialExponent << storedBits);
        }
        if (round(x, Rounding.Mode.TOWARD_ZERO, true, false) != x) {
            throw new IllegalArgumentException("x: expected a number of " + name + ", got " + x);
        }
        if (magnitude < minNormal()) {
            return sign | (long) Math.scalb(magnitude, storedBits - minExponent);
        }
        int exponent = Math.getExponent(magnitude);
        long trailing = (long) Math.scalb(magnitude, storedBits - exponent) - (1L << storedBits);
        return sign | ((long) (exponent - minExponent + 1) << storedBits) | trailing;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the code's exponent is above emax and not that of infinity and NaN, which
     *     happens where the number of exponents is not 2 less than a power of two
     */
    @Override
    public double decode(long code) {
        int storedBits = significandBits - 1;
        long trailing = code & ((1L << storedBits) - 1);
        long specialExponent = (1L << exponentBits()) - 1;
        long biased = (code >>> storedBits) & specialExponent;
        double sign = ((code >>> (codeBits() - 1)) & 1) == 0 ? 1 : -1;
        if (biased == specialExponent) {
            return trailing == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (biased == 0) {
            return sign * Math.scalb((double) trailing, minExponent - storedBits);
        }
        if (biased > maxExponent - minExponent + 1) {
            throw new IllegalArgumentException("code: expected one of " + name + ", got 0x" + Long.toHexString(code));
        }
        return sign * Math.scalb((double) (trailing + (1L << storedBits)), (int) biased - 1 + minExponent - storedBits);
    }
}
