package org.lemmata.number;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/**
 * A function from the reals to a number format, with every choice explicit; tensors are rounded element by element.
 *
 * @param format the format of results
 * @param mode the rounding mode
 * @param subnormals whether numbers below the smallest normal number are kept, or become zero
 * @param saturate whether overflow and infinities give the largest finite number; otherwise they give the result that
 *     mode and format define
 */
public record Rounding(NumberFormat format, Mode mode, boolean subnormals, boolean saturate) implements TensorRounding {

    /**
     * The number of bits of a random word that are used: 24, so that 1 - u ({@link Mode#STOCHASTIC}) is a binary32
     * number.
     */
    public static final int RANDOM_BITS = 24;

    /** Rounding modes; the first five have the names of IEEE 754-2019, section 4.3. */
    public enum Mode {
        /** To the nearest number; ties to the one whose last significand bit is 0. */
        TIES_TO_EVEN("TiesToEven"),
        /** To the nearest number; ties to the one with the greater magnitude. */
        TIES_TO_AWAY("TiesToAway"),
        /** To the nearest number that is not greater in magnitude. */
        TOWARD_ZERO("TowardZero"),
        /** To the nearest number that is not below the exact value. */
        TOWARD_POSITIVE("TowardPositive"),
        /** To the nearest number that is not above the exact value. */
        TOWARD_NEGATIVE("TowardNegative"),
        /**
         * To the neighbour whose last significand bit is 1, unless the number is exact. Rounding the result again in
         * any mode except STOCHASTIC, to at least two bits fewer, equals rounding once. Source: Boldo and Melquiond
         * (2008), theorem 1.
         */
        TO_ODD("ToOdd"),
        /**
         * Away from zero if f + u &gt;= 1, otherwise toward zero. f is the position of the number between its
         * neighbours, as a fraction of the step away from zero. u in [0, 1) is 2^-24 times the number in the upper
         * {@value #RANDOM_BITS} bits of a random word. So the probability of rounding away from zero is f, rounded down
         * to a multiple of 2^-24. The mean of results differs from the number by less than 2^-24 of a step.
         */
        STOCHASTIC("Stochastic");

        private final String label;

        Mode(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /**
         * The mode with the given label.
         *
         * @throws IllegalArgumentException if no mode has this label
         */
        public static Mode parse(String label) {
            return Arrays.stream(values())
                    .filter(mode -> mode.label.equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("mode: expected one of "
                            + Arrays.stream(values()).map(Mode::label).collect(Collectors.joining(", ")) + ", got "
                            + Refuse.quoted(label)));
        }
    }

    /** To nearest even, with subnormals, overflowing to infinity: the default of IEEE 754 arithmetic. */
    public static Rounding toNearestEven(NumberFormat format) {
        return new Rounding(format, Mode.TIES_TO_EVEN, true, false);
    }

    /** A readable name: the name of the format, and all choices that differ from {@link #toNearestEven}. */
    @Override
    public String label() {
        return format.name()
                + (mode == Mode.TIES_TO_EVEN ? "" : " " + mode.label())
                + (subnormals ? "" : " without subnormals")
                + (saturate ? " saturating" : "");
    }

    @Override
    public boolean isStochastic() {
        return mode == Mode.STOCHASTIC;
    }

    /**
     * {@code x} rounded.
     *
     * @throws IllegalStateException if the mode is {@link Mode#STOCHASTIC}
     */
    public double round(double x) {
        return format.round(x, mode, subnormals, saturate);
    }

    /** {@code x} rounded; {@code random} is the random word of the stochastic mode. */
    public double round(double x, int random) {
        return format.round(x, mode, subnormals, saturate, random);
    }

    /**
     * {@code x} rounded, then narrowed to binary32, to nearest even: exactly if binary32 contains the format.
     *
     * @throws IllegalStateException if the mode is {@link Mode#STOCHASTIC}
     */
    public float round(float x) {
        return (float) round((double) x);
    }

    /** {@link #round(float)} with {@code random} as the random word of the stochastic mode. */
    public float round(float x, int random) {
        return (float) round((double) x, random);
    }

    /**
     * The exact sum a + b rounded, then narrowed to binary32.
     *
     * <p>If the sum is inexact in binary64, it is first rounded to odd. Rounding this number again gives the same
     * result as rounding the exact sum, for every float format of at most 51 bits. The stochastic mode uses
     * {@link #RANDOM_BITS} more bits, so the limit is 28 bits.
     *
     * <p>Source: Boldo and Melquiond (2008), Emulation of FMA and correctly rounded sums: proved algorithms using
     * rounding to odd, IEEE Transactions on Computers 57(4), theorem 1; the error term is Knuth's TwoSum.
     *
     * @param random the random word of the stochastic mode
     */
    public float roundSum(float a, float b, int random) {
        double sum = (double) a + b;
        double partOfB = sum - a;
        double error = (a - (sum - partOfB)) + (b - partOfB);
        boolean odd = (Double.doubleToRawLongBits(sum) & 1) == 1;
        if (error == 0 || Double.isNaN(error) || odd) {
            return (float) round(sum, random);
        }
        return (float) round(error > 0 ? Math.nextUp(sum) : Math.nextDown(sum), random);
    }
}
