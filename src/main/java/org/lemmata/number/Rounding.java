package org.lemmata.number;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A function from the reals onto a number format, with every choice explicit.
 *
 * @param format the numbers that results belong to
 * @param mode which neighbour is taken
 * @param subnormals whether numbers below the least normal one are kept, or become zero
 * @param saturate whether overflow gives the largest finite number, or what the mode says
 */
public record Rounding(NumberFormat format, Mode mode, boolean subnormals, boolean saturate) {

    /** Rounding-direction attributes, named as IEEE 754-2019, section 4.3 names them. */
    public enum Mode {
        /** To the nearest; of two equally near ones, to the one whose last significand bit is 0. */
        TIES_TO_EVEN("TiesToEven"),
        /** To the nearest that is not greater in magnitude. */
        TOWARD_ZERO("TowardZero");

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
                            + Arrays.stream(values()).map(Mode::label).collect(Collectors.joining(", ")) + ", got '"
                            + label + "'"));
        }
    }

    /** To nearest even, with subnormals, overflowing to infinity: what IEEE 754 arithmetic does by default. */
    public static Rounding toNearestEven(NumberFormat format) {
        return new Rounding(format, Mode.TIES_TO_EVEN, true, false);
    }

    /** The number that {@code x} goes to. */
    public double round(double x) {
        return format.round(x, mode, subnormals, saturate);
    }

    /** The number that {@code x} goes to, narrowed to binary32; exact for every format that binary32 contains. */
    public float round(float x) {
        return format.round(x, mode, subnormals, saturate);
    }

    /**
     * The number that the exact sum a + b goes to, narrowed to binary32.
     *
     * <p>Where binary64 cannot hold the sum it is first rounded to odd: then rounding it again, in any mode, gives what
     * rounding the exact sum gives, for every format of at most 51 bits.
     *
     * <p>Source: Boldo and Melquiond (2008), Emulation of FMA and correctly rounded sums: proved algorithms using
     * rounding to odd, IEEE Transactions on Computers 57(4), theorem 1; the error term is Knuth's TwoSum.
     */
    public float roundSum(float a, float b) {
        double sum = (double) a + b;
        double partOfB = sum - a;
        double error = (a - (sum - partOfB)) + (b - partOfB);
        boolean odd = (Double.doubleToRawLongBits(sum) & 1) == 1;
        if (error == 0 || Double.isNaN(error) || odd) {
            return (float) round(sum);
        }
        return (float) round(error > 0 ? Math.nextUp(sum) : Math.nextDown(sum));
    }

    /** Rounds {@code length} elements of {@code values} in place. */
    public void roundInto(float[] values, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            values[i] = round(values[i]);
        }
    }
}
