package org.lemmata.kernel.quantization;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * a + b, rounded stochastically as if exact, on lanes of binary64: there a sum rounded to odd has all the bits that 24
 * random ones are compared with, and no sum overflows.
 *
 * <p>As {@link LaneRounding} does it: full significands by their codes, lesser numbers as multiples of the quantum. For
 * all float formats of at most 24 bits. Not for several threads, unless all of them only read.
 */
final class StochasticSums {

    private static final VectorSpecies<Double> SPECIES = VectorSpecies.of(double.class, Species.FLOAT.vectorShape());

    private static final VectorSpecies<Long> CODES = VectorSpecies.of(long.class, Species.FLOAT.vectorShape());

    private static final VectorShape NARROW_SHAPE = VectorShape.forBitSize(Species.FLOAT.vectorBitSize() / 2);

    private static final VectorSpecies<Float> NARROW = VectorSpecies.of(float.class, NARROW_SHAPE);

    private static final VectorSpecies<Integer> WORDS = VectorSpecies.of(int.class, NARROW_SHAPE);

    private static final int LANES = SPECIES.length();

    private static final long INFINITY = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);

    /** Adding and subtracting it rounds to an integer. */
    private static final double ROUNDER = 0x1p52;

    private boolean onLanes;
    private int dropped;
    private long minNormal;
    private double quantum;
    private double quantaPerOne;
    private long maximum;
    private long overflow;
    private long flushedBelow;

    boolean onLanes() {
        return onLanes;
    }

    void prepare(Rounding rounding) {
        onLanes = Species.COMPARES_LONGS
                && rounding.isStochastic()
                && rounding.format() instanceof FloatFormat format
                && format.significandBits() <= Float.PRECISION;
        if (!(rounding.format() instanceof FloatFormat format) || !onLanes) {
            return;
        }
        dropped = FloatFormat.BINARY64.significandBits() - format.significandBits();
        int quantumExponent = format.minExponent() - format.significandBits() + 1;
        // No sum of numbers of binary32 but 0 is below 2^-149.
        boolean hasQuantum = quantumExponent >= Double.MIN_EXPONENT;
        minNormal = hasQuantum ? Double.doubleToRawLongBits(format.minNormal()) : 0;
        quantum = hasQuantum ? Math.scalb(1.0, quantumExponent) : 1;
        quantaPerOne = 1 / quantum;
        maximum = Double.doubleToRawLongBits(format.maxFinite());
        long beyond = switch (format.specials()) {
            case INFINITIES_AND_NAN -> INFINITY;
            case NAN -> Double.doubleToRawLongBits(Double.NaN);
            case NONE -> maximum;
        };
        overflow = rounding.saturate() ? maximum : beyond;
        flushedBelow = rounding.subnormals() ? 0 : Double.doubleToRawLongBits(format.minNormal());
    }

    /** The first sums, as many as fill vectors, with the words from {@code words[word]} on; returns how many. */
    int sumInto(float[] y, int yAt, float[] a, int aAt, float[] b, int bAt, int length, int[] words, int word) {
        int whole = length - length % LANES;
        // Random words have 24 bits.
        int unused = dropped - Rounding.RANDOM_BITS;
        long kept = -1L << dropped;
        long minNormal = this.minNormal;
        double quantum = this.quantum;
        double quantaPerOne = this.quantaPerOne;
        long maximum = this.maximum;
        long overflow = this.overflow;
        long flushedBelow = this.flushedBelow;
        for (int i = 0; i < whole; i += LANES) {
            DoubleVector left = (DoubleVector)
                    FloatVector.fromArray(NARROW, a, aAt + i).convertShape(VectorOperators.F2D, SPECIES, 0);
            DoubleVector right = (DoubleVector)
                    FloatVector.fromArray(NARROW, b, bAt + i).convertShape(VectorOperators.F2D, SPECIES, 0);
            DoubleVector sum = left.add(right);
            DoubleVector partOfRight = sum.sub(left);
            LongVector error =
                    left.sub(sum.sub(partOfRight)).add(right.sub(partOfRight)).reinterpretAsLongs();
            LongVector code = sum.reinterpretAsLongs();
            LongVector sign = code.and(Long.MIN_VALUE);
            // To odd: by one to where the error is, unless it is 0, or NaN where something is infinite.
            LongVector odd = code.or(1);
            odd = odd.blend(
                    code.sub(1).or(1), error.lanewise(VectorOperators.XOR, code).compare(VectorOperators.LT, 0));
            LongVector magnitude = code.blend(
                            odd, error.and(Long.MAX_VALUE).sub(1).compare(VectorOperators.ULT, INFINITY - 1))
                    .and(Long.MAX_VALUE);

            IntVector random = IntVector.fromArray(WORDS, words, word + i).lanewise(VectorOperators.LSHR, 8);
            LongVector rounded = ((LongVector) random.convertShape(VectorOperators.I2L, CODES, 0))
                    .lanewise(VectorOperators.LSHL, unused)
                    .add(magnitude)
                    .and(kept);

            DoubleVector quanta = magnitude.reinterpretAsDoubles().mul(quantaPerOne);
            DoubleVector below = quanta.add(ROUNDER).sub(ROUNDER);
            below = below.sub(1, below.compare(VectorOperators.GT, quanta));
            DoubleVector limit = ((DoubleVector)
                            random.neg().add(1 << Rounding.RANDOM_BITS).convertShape(VectorOperators.I2D, SPECIES, 0))
                    .mul(0x1p-24);
            LongVector small = below.add(1, quanta.sub(below).compare(VectorOperators.GE, limit))
                    .mul(quantum)
                    .reinterpretAsLongs();

            rounded = rounded.blend(small, magnitude.compare(VectorOperators.LT, minNormal));
            DoubleVector result = rounded.blend(overflow, rounded.compare(VectorOperators.GT, maximum))
                    .blend(0, rounded.compare(VectorOperators.LT, flushedBelow))
                    .blend(magnitude, magnitude.compare(VectorOperators.GT, INFINITY))
                    .or(sign)
                    .reinterpretAsDoubles();
            ((FloatVector) result.convertShape(VectorOperators.D2F, NARROW, 0)).intoArray(y, yAt + i);
        }
        return whole;
    }
}
