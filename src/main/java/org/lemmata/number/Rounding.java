package org.lemmata.number;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/**
 * A function from the reals onto a number format, with every choice explicit; a tensor is rounded element by element.
 *
 * @param format the numbers that results belong to
 * @param mode which neighbour is taken
 * @param subnormals whether numbers below the smallest normal one are kept, or become zero
 * @param saturate whether overflow and infinities give the largest finite number, or what mode and format say
 */
public record Rounding(NumberFormat format, Mode mode, boolean subnormals, boolean saturate) implements TensorRounding {

    /** How many bits of a random word decide: 24, so that 1 - u is a number of binary32. */
    public static final int RANDOM_BITS = 24;

    /** Which neighbour is taken; the directions of IEEE 754-2019, section 4.3 have its names. */
    public enum Mode {
        /** To the nearest; of two equally near ones, to the one whose last significand bit is 0. */
        TIES_TO_EVEN("TiesToEven"),
        /** To the nearest; of two equally near ones, to the one that is greater in magnitude. */
        TIES_TO_AWAY("TiesToAway"),
        /** To the nearest that is not greater in magnitude. */
        TOWARD_ZERO("TowardZero"),
        /** To the nearest that is not less. */
        TOWARD_POSITIVE("TowardPositive"),
        /** To the nearest that is not greater. */
        TOWARD_NEGATIVE("TowardNegative"),
        /**
         * To the neighbour whose last significand bit is 1, unless the number is exact: rounding that again, to at
         * least two bits fewer, in any mode is rounding once. Source: Boldo and Melquiond (2008), theorem 1.
         */
        TO_ODD("ToOdd"),
        /**
         * Away from zero if f + u &gt;= 1, else toward zero: f is the fraction of the way to the neighbour away from
         * zero, and u, from 0 to below 1, the upper {@value #RANDOM_BITS} bits of a random word. So the probability of
         * going away is f, rounded down to a multiple of 2^-24, and the mean of results is the number itself where f is
         * such a multiple, else less than 2^-24 of a step from it.
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
         * The mode of a label.
         *
         * @throws IllegalArgumentException if there is none
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

    /** To nearest even, with subnormals, overflowing to infinity: what IEEE 754 arithmetic does by default. */
    public static Rounding toNearestEven(NumberFormat format) {
        return new Rounding(format, Mode.TIES_TO_EVEN, true, false);
    }

    /** A name for people: that of the format, and what is not {@link #toNearestEven}. */
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
     * The number that {@code x} goes to.
     *
     * @throws IllegalStateException if the mode is {@link Mode#STOCHASTIC}
     */
    public double round(double x) {
        return format.round(x, mode, subnormals, saturate);
    }

    /** The number that {@code x} goes to; {@code random} is the word that decides where the mode is stochastic. */
    public double round(double x, int random) {
        return format.round(x, mode, subnormals, saturate, random);
    }

    /**
     * The number that {@code x} goes to, narrowed to binary32, to nearest even: exact for every format that binary32
     * contains.
     *
     * @throws IllegalStateException if the mode is {@link Mode#STOCHASTIC}
     */
    public float round(float x) {
        return format.round(x, mode, subnormals, saturate);
    }

    /** The same with the word that decides where the mode is stochastic. */
    public float round(float x, int random) {
        return format.round(x, mode, subnormals, saturate, random);
    }

    /**
     * The number that the exact sum a + b goes to, narrowed to binary32.
     *
     * <p>Where binary64 cannot hold the sum it is first rounded to odd: then rounding it again, in any mode, gives what
     * rounding the exact sum gives, for every float format of at most 51 bits; stochastically, where
     * {@link #RANDOM_BITS} bits beyond the last one decide, of at most 28.
     *
     * <p>Source: Boldo and Melquiond (2008), Emulation of FMA and correctly rounded sums: proved algorithms using
     * rounding to odd, IEEE Transactions on Computers 57(4), theorem 1; the error term is Knuth's TwoSum.
     *
     * @param random the word that decides where the mode is stochastic
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
