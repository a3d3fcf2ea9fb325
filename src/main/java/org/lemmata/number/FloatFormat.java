package org.lemmata.number;

import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * A binary floating-point format: zeros, the numbers (-1)^s 2^e m, where m in [1, 2) has p bits and emin &lt;= e &lt;=
 * emax, and subnormal numbers.
 *
 * <p>Code words are sign, biased exponent (bias = 1 - emin) and p - 1 trailing significand bits, as in the interchange
 * formats of IEEE 754. {@link Specials} defines which codes represent infinities and NaN.
 *
 * <p>A number is first rounded as if there were no maximum exponent. If the result exceeds the largest number, it then
 * becomes an infinity, or NaN if the format has no infinities. It becomes the largest number instead if the rounding
 * saturates, if the format has neither infinities nor NaN, in the modes toward zero and to odd, and in a directed mode
 * that points toward zero for its sign.
 *
 * @param name the name, such as "binary16"
 * @param significandBits p, including the hidden bit, from 2 to 53
 * @param minExponent emin, the exponent of the smallest normal number
 * @param maxExponent emax, the exponent of the largest number
 * @param specials which codes represent infinities and NaN
 */
public record FloatFormat(String name, int significandBits, int minExponent, int maxExponent, Specials specials)
        implements NumberFormat {

    public enum Specials {
        /** Codes with an exponent of all ones, as in IEEE 754. */
        INFINITIES_AND_NAN,
        /**
         * NaN has an exponent and significand of all ones; there are no infinities. If the exponents fill their field,
         * the largest number has the code below NaN.
         */
        NAN,
        /** No infinities and no NaN. */
        NONE
    }

    public static final FloatFormat BINARY64 = new FloatFormat("binary64", 53, -1022, 1023);
    public static final FloatFormat BINARY32 = new FloatFormat("binary32", 24, -126, 127);
    public static final FloatFormat BINARY16 = new FloatFormat("binary16", 11, -14, 15);
    public static final FloatFormat BFLOAT16 = new FloatFormat("bfloat16", 8, -126, 127);

    /** The 19-bit format of matrix units: 10 trailing significand bits and the exponents of binary32. */
    public static final FloatFormat TF32 = new FloatFormat("tf32", 11, -126, 127);

    /** Source: Open Compute Project (2023), OCP 8-bit floating point specification (OFP8) 1.0, table 2. */
    public static final FloatFormat OCP_E5M2 = new FloatFormat("ocp_e5m2", 3, -14, 15);

    /** Source: as {@link #OCP_E5M2}; emax is 8, because only one significand of the maximum exponent is NaN. */
    public static final FloatFormat OCP_E4M3 = new FloatFormat("ocp_e4m3", 4, -6, 8, Specials.NAN);

    /** Source: Open Compute Project (2023), OCP Microscaling formats (MX) specification 1.0, section 5.3. */
    public static final FloatFormat E3M2 = new FloatFormat("e3m2", 3, -2, 4, Specials.NONE);

    /** Source: as {@link #E3M2}. */
    public static final FloatFormat E2M3 = new FloatFormat("e2m3", 4, 0, 2, Specials.NONE);

    /** Source: as {@link #E3M2}. */
    public static final FloatFormat E2M1 = new FloatFormat("e2m1", 2, 0, 2, Specials.NONE);

    public static final List<FloatFormat> NAMED =
            List.of(BINARY64, BINARY32, TF32, BINARY16, BFLOAT16, OCP_E5M2, OCP_E4M3, E3M2, E2M3, E2M1);

    private static final int STORED_BITS_64 = 52;
    private static final int BIAS_64 = 1023;
    private static final long HIDDEN_BIT_64 = 1L << STORED_BITS_64;

    public FloatFormat {
        Refuse.outside("significandBits", significandBits, 2, 53);
        // The limits make every number exact in binary64, including the smallest subnormal 2^(emin - p + 1).
        if (minExponent > maxExponent || minExponent < Double.MIN_EXPONENT || maxExponent > Double.MAX_EXPONENT) {
            throw new IllegalArgumentException("exponents: expected emin <= emax within those of binary64, got "
                    + minExponent + " to " + maxExponent);
        }
    }

    public FloatFormat(String name, int significandBits, int minExponent, int maxExponent) {
        this(name, significandBits, minExponent, maxExponent, Specials.INFINITIES_AND_NAN);
    }

    /**
     * p = ceil(c log2 n) bits with the exponents of binary64: a precision that grows with the length n of the input.
     *
     * <p>Source: Merrill and Sabharwal (2023), The parallelism tradeoff: limitations of log-precision transformers,
     * section 2: O(log n) bits; the factor c and the exponents are explicit here.
     *
     * @throws IllegalArgumentException if n is below 2, or p is not from 2 to 53
     */
    public static FloatFormat logPrecision(double factor, int length) {
        int bits = length < 2 ? 0 : (int) Math.ceil(factor * Math.log(length) / Math.log(2) - 1e-12);
        if (bits < 2 || bits > 53) {
            throw new IllegalArgumentException(
                    "log-precision(c,n): expected c log2 n from 2 to 53, got c = " + factor + ", n = " + length);
        }
        String shown = factor == Math.rint(factor) ? Long.toString((long) factor) : Double.toString(factor);
        return new FloatFormat("log-precision(" + shown + "," + length + ")", bits, -1022, 1023);
    }

    @Override
    public double maxFinite() {
        long ones = (1L << (significandBits - 1)) - 1;
        long trailing = specials == Specials.NAN && exponentsFillTheirField() ? ones - 1 : ones;
        long exponent = (long) (maxExponent + BIAS_64) << STORED_BITS_64;
        return Double.longBitsToDouble(exponent | (trailing << (STORED_BITS_64 + 1 - significandBits)));
    }

    private boolean exponentsFillTheirField() {
        return maxExponent - minExponent + 1 == (1 << exponentBits()) - 1;
    }

    /** 2^emin. */
    @Override
    public double minNormal() {
        return powerOfTwo(minExponent);
    }

    /** The distance between neighbours at {@code x}: 2^(max(e, emin) - p + 1), where e is the exponent of x. */
    public double ulp(double x) {
        return Math.scalb(1.0, Math.max(Math.getExponent(x), minExponent) - significandBits + 1);
    }

    private int exponentBits() {
        // Biased exponents are 0 (zero and subnormals), the emax - emin + 1 exponents of normal numbers, and one more
        // exponent if there are infinities.
        int last = maxExponent - minExponent + (specials == Specials.INFINITIES_AND_NAN ? 2 : 1);
        return Integer.SIZE - Integer.numberOfLeadingZeros(last);
    }

    @Override
    public int codeBits() {
        return significandBits + exponentBits();
    }

    @Override
    public double round(double x, Rounding.Mode mode, boolean subnormals, boolean saturate, int random) {
        if (x == 0 || Double.isNaN(x)) {
            return x;
        }
        if (Double.isInfinite(x)) {
            return Math.copySign(saturate ? maxFinite() : infinity(), x);
        }
        long bits = Double.doubleToRawLongBits(x);
        int biased = (int) (bits >>> STORED_BITS_64) & 0x7FF;
        long significand = (bits & (HIDDEN_BIT_64 - 1)) | (biased == 0 ? 0 : HIDDEN_BIT_64);
        int scale = Math.max(biased, 1) - BIAS_64 - STORED_BITS_64; // |x| = significand * 2^scale
        int exponent = scale + Long.SIZE - 1 - Long.numberOfLeadingZeros(significand);

        int quantum = Math.max(exponent, minExponent) - significandBits + 1; // results are multiples of 2^quantum
        int dropped = quantum - scale;
        double magnitude;
        if (dropped <= 0) {
            magnitude = Math.abs(x);
        } else {
            long kept = dropped < Long.SIZE ? significand >>> dropped : 0;
            long remainder = dropped < Long.SIZE ? significand & ((1L << dropped) - 1) : significand;
            boolean away = goesAway(mode, x < 0, kept, remainder, dropped, random);
            magnitude = (away ? kept + 1 : kept) * powerOfTwo(quantum);
        }
        if (magnitude > maxFinite()) {
            magnitude = saturate || !overflows(mode, x < 0) ? maxFinite() : infinity();
        } else if (!subnormals && magnitude < minNormal()) {
            magnitude = 0;
        }
        return Math.copySign(magnitude, x);
    }

    /** 2^exponent, at least 2^-1074. */
    private static double powerOfTwo(int exponent) {
        return Double.longBitsToDouble(
                exponent < Double.MIN_EXPONENT
                        ? 1L << (exponent + BIAS_64 + STORED_BITS_64 - 1)
                        : (long) (exponent + BIAS_64) << STORED_BITS_64);
    }

    /** Whether {@code kept} quanta plus {@code remainder} 2^-dropped quanta is rounded away from zero. */
    private static boolean goesAway(
            Rounding.Mode mode, boolean negative, long kept, long remainder, int dropped, int random) {
        if (remainder == 0) {
            return false;
        }
        // With 54 or more dropped bits, the remainder of 53 bits is below half, and also below Long.MAX_VALUE.
        long half = dropped < Long.SIZE - 1 ? 1L << (dropped - 1) : Long.MAX_VALUE;
        return switch (mode) {
            case TIES_TO_EVEN -> remainder > half || (remainder == half && (kept & 1) == 1);
            case TIES_TO_AWAY -> remainder >= half;
            case TOWARD_ZERO -> false;
            case TOWARD_POSITIVE -> !negative;
            case TOWARD_NEGATIVE -> negative;
            case TO_ODD -> (kept & 1) == 0;
            case STOCHASTIC -> {
                int shift = dropped - Rounding.RANDOM_BITS;
                long fraction = shift <= 0 ? remainder << -shift : shift < Long.SIZE ? remainder >>> shift : 0;
                yield fraction + (random >>> (Integer.SIZE - Rounding.RANDOM_BITS)) >= 1L << Rounding.RANDOM_BITS;
            }
        };
    }

    /** Whether numbers beyond the largest number overflow, if the rounding does not saturate. */
    private static boolean overflows(Rounding.Mode mode, boolean negative) {
        return switch (mode) {
            case TIES_TO_EVEN, TIES_TO_AWAY, STOCHASTIC -> true;
            case TOWARD_ZERO, TO_ODD -> false;
            case TOWARD_POSITIVE -> !negative;
            case TOWARD_NEGATIVE -> negative;
        };
    }

    /** The result of overflow: infinity, NaN or the largest number. */
    private double infinity() {
        return switch (specials) {
            case INFINITIES_AND_NAN -> Double.POSITIVE_INFINITY;
            case NAN -> Double.NaN;
            case NONE -> maxFinite();
        };
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if {@code x} is not representable, as infinities and NaN in some formats
     */
    @Override
    public long encode(double x) {
        int storedBits = significandBits - 1;
        long specialExponent = (1L << exponentBits()) - 1;
        long sign = Double.doubleToRawLongBits(x) >>> 63 << (codeBits() - 1);
        double magnitude = Math.abs(x);
        if (Double.isNaN(x) && specials != Specials.NONE) {
            long trailing = specials == Specials.NAN ? (1L << storedBits) - 1 : 1L << (storedBits - 1);
            return (specialExponent << storedBits) | trailing;
        }
        if (magnitude == Double.POSITIVE_INFINITY && specials == Specials.INFINITIES_AND_NAN) {
            return sign | (specialExponent << storedBits);
        }
        if (!(magnitude <= maxFinite()) || round(x, Rounding.Mode.TOWARD_ZERO, true, false) != x) {
            throw new IllegalArgumentException("x: expected a number of " + name + ", got " + x);
        }
        if (magnitude < minNormal()) {
            return sign | (long) Math.scalb(magnitude, storedBits - minExponent);
        }
        int exponent = Math.getExponent(magnitude);
        long trailing = (long) Math.scalb(magnitude, storedBits - exponent) - (1L << storedBits);
        return sign | ((long) (exponent - minExponent + 1) << storedBits) | trailing;
    }
}
