package org.lemmata.index;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * Signs of n samples in columns. Each long has 64 samples of a column; a set bit is -1. The product of columns is their
 * exclusive or, and a sum of products follows from the number of set bits. Columns and samples are numbered from 0.
 * Bits beyond the last sample are 0.
 */
public final class SignColumns {

    private final int columns;
    private final int samples;
    private final int words;
    private final long[] bits;

    /**
     * Columns of +1.
     *
     * @throws IllegalArgumentException if there is no column or no sample, or if they do not fit in an array
     */
    public SignColumns(int columns, int samples) {
        Refuse.below("columns", columns, 1);
        Refuse.below("samples", samples, 1);
        words = Math.ceilDiv(samples, Long.SIZE);
        boolean fits = (long) columns * words <= Integer.MAX_VALUE - 8;
        Refuse.when(!fits, "samples", "as many as an array holds", columns + " columns of " + samples + " samples");
        this.columns = columns;
        this.samples = samples;
        bits = new long[columns * words];
    }

    /** Independent, uniformly random signs. */
    public static SignColumns random(int columns, int samples, RandomGenerator random) {
        var signs = new SignColumns(columns, samples);
        Arrays.setAll(signs.bits, i -> random.nextLong());
        for (int column = 0; column < columns; column++) {
            signs.bits[signs.offset(column) + signs.words - 1] &= -1L >>> -samples;
        }
        return signs;
    }

    public int columns() {
        return columns;
    }

    public int samples() {
        return samples;
    }

    public void requireColumns(int expected) {
        Refuse.when(columns != expected, "signs", expected + " columns", columns);
    }

    public int words() {
        return words;
    }

    /** The internal array of packed signs, not a copy. A column begins at {@link #offset}. */
    public long[] bits() {
        return bits;
    }

    /** The index in {@link #bits} of the first long of a column. */
    public int offset(int column) {
        return column * words;
    }

    /** The sign of a sample: +1 or -1. */
    public int sign(int column, int sample) {
        return (bits[offset(column) + (sample >> 6)] >>> sample & 1) == 0 ? 1 : -1;
    }

    public void set(int column, int sample, boolean negative) {
        int at = offset(column) + (sample >> 6);
        long bit = 1L << sample;
        bits[at] = negative ? bits[at] | bit : bits[at] & ~bit;
    }

    /** Sets column {@code target} to the product of two columns. */
    public void multiply(int target, int a, int b) {
        for (int word = 0; word < words; word++) {
            bits[offset(target) + word] = bits[offset(a) + word] ^ bits[offset(b) + word];
        }
    }

    /** A copy with additional columns of +1 at the end. */
    public SignColumns widened(int newColumns) {
        var wide = new SignColumns(newColumns, samples);
        System.arraycopy(bits, 0, wide.bits, 0, bits.length);
        return wide;
    }

    /** &lt;x_a, x_b, ...&gt;: the sum over the samples of the product of the columns {@code factors}. */
    public int sumOfProducts(int... factors) {
        int negative = 0;
        for (int word = 0; word < words; word++) {
            long product = 0;
            for (int factor : factors) {
                product ^= bits[offset(factor) + word];
            }
            negative += Long.bitCount(product);
        }
        return samples - 2 * negative;
    }
}
