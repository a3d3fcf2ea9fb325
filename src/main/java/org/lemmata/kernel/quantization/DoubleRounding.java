package org.lemmata.kernel.quantization;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * Rounds binary64 numbers to a {@link FloatFormat} of at most 24 significand bits, in every mode, with SIMD.
 *
 * <p>Let e be the exponent of x. The numbers of the format near x, including subnormal numbers, are the multiples of q
 * = 2^(max(e, emin) - p + 1). Near |x| + 2^52 q, binary64 numbers are q apart, so adding 2^52 q rounds |x| to a
 * multiple of q, ties to even. The sum has the last bit of the multiple, and subtracting 2^52 q is exact. Other modes
 * correct the result by its difference from |x|, which is also exact. Infinities are preserved, because 2^52 q then
 * wraps round to a number near 0.
 */
final class DoubleRounding {

    private static final VectorSpecies<Double> SPECIES = VectorSpecies.of(double.class, Species.FLOAT.vectorShape());

    /** The species of the random words: as many lanes as {@link #SPECIES}, each of half the width. */
    private static final VectorSpecies<Integer> WORDS =
            VectorSpecies.of(int.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

    private static final int LANES = SPECIES.length();

    private static final int STORED_BITS = 52;
    private static final int BIAS = 1023;
    private static final long EXPONENT = 0x7FFL << STORED_BITS;

    /** The smallest step of a random number of {@link Rounding#RANDOM_BITS} bits. */
    private static final double RANDOM_UNIT = 1.0 / (1 << Rounding.RANDOM_BITS);

    private final Rounding rounding;

    /** The exponent field of 2^emin. */
    final long minimum;

    /** The number that, added to the exponent field of x, gives 2^52 q. */
    final long toMagic;

    /** The number that, added to the exponent field of x, gives q. */
    private final long toQuantum;

    final double maximum;

    /** The magnitude of results above the maximum; the next two fields are for negative numbers and infinities. */
    final double beyondPositive;

    private final double beyondNegative;
    private final double infinite;

    /** Magnitudes below this become 0. */
    private final double minKept;

    /** The exponent field of 2^emin is clamped to at least 1, the field of the smallest normal exponent of binary64. */
    private DoubleRounding(Rounding rounding, FloatFormat format) {
        this.rounding = rounding;
        this.minimum = (long) Math.max(1, format.minExponent() + BIAS) << STORED_BITS;
        this.toMagic = (long) (STORED_BITS + 1 - format.significandBits()) << STORED_BITS;
        this.toQuantum = (long) (1 - format.significandBits()) << STORED_BITS;
        this.maximum = format.maxFinite();
        this.beyondPositive = rounding.round(Double.MAX_VALUE, 0);
        this.beyondNegative = -rounding.round(-Double.MAX_VALUE, 0);
        this.infinite = rounding.round(Double.POSITIVE_INFINITY, 0);
        this.minKept = rounding.subnormals() ? 0 : format.minNormal();
    }

    /** A rounding of binary64 numbers to the format, if binary32 contains it; null for other formats. */
    static @Nullable DoubleRounding of(Rounding rounding) {
        FloatFormat widest = FloatFormat.BINARY32;
        return rounding.format() instanceof FloatFormat format
                        && format.significandBits() <= widest.significandBits()
                        && format.minExponent() >= widest.minExponent()
                        && format.maxExponent() <= widest.maxExponent()
                ? new DoubleRounding(rounding, format)
                : null;
    }

    /**
     * A rounding of sums of two binary32 numbers to a format of at most 24 significand bits; null for other formats.
     * The sums are multiples of the smallest binary32 number, so smaller exponents are allowed. If emin exceeded those
     * of binary32, 2^52 q could overflow.
     */
    static @Nullable DoubleRounding ofSums(Rounding rounding) {
        return rounding.format() instanceof FloatFormat format
                        && format.significandBits() <= Float.PRECISION
                        && format.minExponent() <= Float.MAX_EXPONENT
                ? new DoubleRounding(rounding, format)
                : null;
    }

    /**
     * Whether the mode is to nearest even, with subnormals: minimum, toMagic, maximum and beyondPositive then suffice.
     */
    boolean isPlain() {
        return rounding.mode() == Rounding.Mode.TIES_TO_EVEN && rounding.subnormals();
    }

    /**
     * {@code y[yAt + j] = round(factor * x[xAt + j])} for {@code length} elements; the factor is 1, or all numbers are
     * binary32 numbers, so that products are exact. {@code y} may be {@code x} at the same offset.
     *
     * @param words random words, one per element from {@code words[word]} on; ignored unless the mode is stochastic
     */
    void round(double[] y, int yAt, double[] x, int xAt, double factor, int length, int[] words, int word) {
        int whole = length - length % LANES;
        switch (rounding.mode()) {
            case TIES_TO_EVEN -> even(y, yAt, x, xAt, factor, whole);
            case TIES_TO_AWAY -> away(y, yAt, x, xAt, factor, whole);
            case TOWARD_ZERO -> towardZero(y, yAt, x, xAt, factor, whole);
            case TOWARD_POSITIVE -> upward(y, yAt, x, xAt, factor, whole, 0);
            case TOWARD_NEGATIVE -> upward(y, yAt, x, xAt, factor, whole, Long.MIN_VALUE);
            case TO_ODD -> odd(y, yAt, x, xAt, factor, whole);
            case STOCHASTIC -> stochastic(y, yAt, x, xAt, factor, whole, words, word);
        }
        for (int j = whole; j < length; j++) {
            y[yAt + j] = rounding.round(factor * x[xAt + j], rounding.isStochastic() ? words[word + j] : 0);
        }
    }

    private static LongVector bits(double[] x, int at, double factor) {
        return DoubleVector.fromArray(SPECIES, x, at).mul(factor).reinterpretAsLongs();
    }

    /** Stores a magnitude with the sign of x, or 0 with that sign if the magnitude is below {@code minKept}. */
    private void store(DoubleVector y, LongVector bits, double[] to, int at) {
        y.blend(0, y.compare(VectorOperators.LT, minKept))
                .reinterpretAsLongs()
                .or(bits.and(Long.MIN_VALUE))
                .reinterpretAsDoubles()
                .intoArray(to, at);
    }

    private void even(double[] to, int toAt, double[] x, int xAt, double factor, int length) {
        for (int j = 0; j < length; j += LANES) {
            LongVector bits = bits(x, xAt + j, factor);
            DoubleVector magnitude = bits.and(Long.MAX_VALUE).reinterpretAsDoubles();
            DoubleVector magic = bits.and(EXPONENT).max(minimum).add(toMagic).reinterpretAsDoubles();
            DoubleVector y = magnitude.add(magic).sub(magic);
            y = y.blend(beyondPositive, y.compare(VectorOperators.GT, maximum));
            store(y, bits, to, toAt + j);
        }
    }

    /** Rounds ties away from zero: a tie that was rounded down lies q / 2 above the result. */
    private void away(double[] to, int toAt, double[] x, int xAt, double factor, int length) {
        for (int j = 0; j < length; j += LANES) {
            LongVector bits = bits(x, xAt + j, factor);
            DoubleVector magnitude = bits.and(Long.MAX_VALUE).reinterpretAsDoubles();
            LongVector exponent = bits.and(EXPONENT).max(minimum);
            DoubleVector magic = exponent.add(toMagic).reinterpretAsDoubles();
            DoubleVector quantum = exponent.add(toQuantum).reinterpretAsDoubles();
            DoubleVector y = magnitude.add(magic).sub(magic);
            VectorMask<Double> tie = magnitude.sub(y).compare(VectorOperators.EQ, quantum.mul(0.5));
            y = y.add(quantum, tie);
            y = y.blend(beyondPositive, y.compare(VectorOperators.GT, maximum));
            store(y, bits, to, toAt + j);
        }
    }

    private void towardZero(double[] to, int toAt, double[] x, int xAt, double factor, int length) {
        for (int j = 0; j < length; j += LANES) {
            LongVector bits = bits(x, xAt + j, factor);
            DoubleVector magnitude = bits.and(Long.MAX_VALUE).reinterpretAsDoubles();
            LongVector exponent = bits.and(EXPONENT).max(minimum);
            DoubleVector magic = exponent.add(toMagic).reinterpretAsDoubles();
            DoubleVector quantum = exponent.add(toQuantum).reinterpretAsDoubles();
            DoubleVector y = magnitude.add(magic).sub(magic);
            y = y.sub(quantum, y.compare(VectorOperators.GT, magnitude));
            y = y.blend(beyondPositive, y.compare(VectorOperators.GT, maximum));
            y = y.blend(infinite, magnitude.compare(VectorOperators.EQ, Double.POSITIVE_INFINITY));
            store(y, bits, to, toAt + j);
        }
    }

    /**
     * Rounds up to a multiple of q. With {@code flip}, which flips the sign before and after, it rounds down. Adding 3
     * 2^51 q instead of 2^52 q leaves room for negative numbers.
     */
    private void upward(double[] to, int toAt, double[] x, int xAt, double factor, int length, long flip) {
        double beyond = flip == 0 ? beyondPositive : beyondNegative;
        long toSignedMagic = toMagic | 1L << (STORED_BITS - 1);
        for (int j = 0; j < length; j += LANES) {
            LongVector bits = bits(x, xAt + j, factor).lanewise(VectorOperators.XOR, flip);
            DoubleVector value = bits.reinterpretAsDoubles();
            LongVector exponent = bits.and(EXPONENT).max(minimum);
            DoubleVector magic = exponent.add(toSignedMagic).reinterpretAsDoubles();
            DoubleVector quantum = exponent.add(toQuantum).reinterpretAsDoubles();
            DoubleVector y = value.add(magic).sub(magic);
            y = y.add(quantum, y.compare(VectorOperators.LT, value));
            y = y.blend(beyond, y.compare(VectorOperators.GT, maximum));
            y = y.blend(-maximum, y.compare(VectorOperators.LT, -maximum));
            y = y.blend(-infinite, value.compare(VectorOperators.EQ, Double.NEGATIVE_INFINITY));
            y = y.blend(0, y.abs().compare(VectorOperators.LT, minKept));
            y.reinterpretAsLongs()
                    .or(bits.and(Long.MIN_VALUE))
                    .lanewise(VectorOperators.XOR, flip)
                    .reinterpretAsDoubles()
                    .intoArray(to, toAt + j);
        }
    }

    /** Rounds |x| down to y, a multiple of q. If y is inexact, sets its last bit, which is that of y + 2^52 q. */
    private void odd(double[] to, int toAt, double[] x, int xAt, double factor, int length) {
        for (int j = 0; j < length; j += LANES) {
            LongVector bits = bits(x, xAt + j, factor);
            DoubleVector magnitude = bits.and(Long.MAX_VALUE).reinterpretAsDoubles();
            LongVector exponent = bits.and(EXPONENT).max(minimum);
            DoubleVector magic = exponent.add(toMagic).reinterpretAsDoubles();
            DoubleVector quantum = exponent.add(toQuantum).reinterpretAsDoubles();
            DoubleVector y = magnitude.add(magic).sub(magic);
            y = y.sub(quantum, y.compare(VectorOperators.GT, magnitude));
            DoubleVector odd = y.add(magic)
                    .reinterpretAsLongs()
                    .or(1)
                    .reinterpretAsDoubles()
                    .sub(magic);
            y = y.blend(odd, y.compare(VectorOperators.LT, magnitude));
            y = y.blend(beyondPositive, y.compare(VectorOperators.GT, maximum));
            y = y.blend(infinite, magnitude.compare(VectorOperators.EQ, Double.POSITIVE_INFINITY));
            store(y, bits, to, toAt + j);
        }
    }

    /** Rounds |x| up to y + q if |x| - y &gt;= (1 - u) q, for y = q floor(|x| / q) and a random u in [0, 1). */
    private void stochastic(
            double[] to, int toAt, double[] x, int xAt, double factor, int length, int[] words, int word) {
        for (int j = 0; j < length; j += LANES) {
            LongVector bits = bits(x, xAt + j, factor);
            DoubleVector magnitude = bits.and(Long.MAX_VALUE).reinterpretAsDoubles();
            LongVector exponent = bits.and(EXPONENT).max(minimum);
            DoubleVector magic = exponent.add(toMagic).reinterpretAsDoubles();
            DoubleVector quantum = exponent.add(toQuantum).reinterpretAsDoubles();
            DoubleVector u = ((DoubleVector) IntVector.fromArray(WORDS, words, word + j)
                            .lanewise(VectorOperators.LSHR, Integer.SIZE - Rounding.RANDOM_BITS)
                            .convertShape(VectorOperators.I2D, SPECIES, 0))
                    .mul(RANDOM_UNIT);
            DoubleVector y = magnitude.add(magic).sub(magic);
            y = y.sub(quantum, y.compare(VectorOperators.GT, magnitude));
            DoubleVector threshold = quantum.sub(quantum.mul(u));
            y = y.add(quantum, magnitude.sub(y).compare(VectorOperators.GE, threshold));
            y = y.blend(beyondPositive, y.compare(VectorOperators.GT, maximum));
            store(y, bits, to, toAt + j);
        }
    }
}
