package org.lemmata.kernel.quantization;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The SIMD loops of quantization: the rounding loops of {@link LaneRounding}, each over whole vectors; sums rounded to
 * odd; and the scaling of blocks that share a scale.
 *
 * <p>Rounding is idempotent if stochastic rounding uses the same random words, so vectors may overlap, even in place.
 */
final class ElementLanes {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Integer> CODES = VectorSpecies.of(int.class, SPECIES.vectorShape());

    static final int LANES = SPECIES.length();

    private static final int MIN_NORMAL = Float.floatToRawIntBits(Float.MIN_NORMAL);

    private ElementLanes() {}

    static void tiesToEven(float[] y, int yAt, float[] x, int xAt, int length, LaneRounding rounding) {
        int dropped = rounding.dropped;
        int parity = rounding.dropped == 0 ? 0 : 1;
        int addend = rounding.addend;
        int kept = ~rounding.mask;
        int minNormal = rounding.minNormal;
        // Near this number, neighbouring floats are a quantum apart.
        float rounder = LaneRounding.ROUNDER * rounding.quantum;
        int maximum = rounding.maximum;
        int overflow = rounding.overflow;
        for (int i = 0; i < length; i += LANES) {
            IntVector code = FloatVector.fromArray(SPECIES, x, xAt + i).reinterpretAsInts();
            IntVector magnitude = code.and(Integer.MAX_VALUE);
            IntVector small =
                    magnitude.reinterpretAsFloats().add(rounder).sub(rounder).reinterpretAsInts();
            IntVector rounded = magnitude
                    .lanewise(VectorOperators.LSHR, dropped)
                    .and(parity)
                    .add(magnitude.add(addend))
                    .and(kept)
                    .blend(small, magnitude.compare(VectorOperators.LT, minNormal));
            rounded.blend(overflow, rounded.compare(VectorOperators.GT, maximum))
                    .blend(magnitude, magnitude.compare(VectorOperators.GT, LaneRounding.INFINITY))
                    .or(code.and(Integer.MIN_VALUE))
                    .reinterpretAsFloats()
                    .intoArray(y, yAt + i);
        }
    }

    static void deterministic(float[] y, int yAt, float[] x, int xAt, int length, LaneRounding rounding) {
        int dropped = rounding.dropped;
        int kept = ~rounding.mask;
        int signSelects = rounding.signSelects;
        int parity = rounding.parity;
        IntVector addend = IntVector.broadcast(CODES, rounding.addend);
        int selectedAddend = rounding.selectedAddend;
        IntVector threshold = IntVector.broadcast(CODES, Float.floatToRawIntBits(rounding.threshold));
        int selectedThreshold = Float.floatToRawIntBits(rounding.selectedThreshold);
        int minNormal = rounding.minNormal;
        float quantaPerOne = rounding.quantaPerOne;
        float quantum = rounding.quantum;
        int maximum = rounding.maximum;
        IntVector overflow = IntVector.broadcast(CODES, rounding.overflow);
        int negativeOverflow = rounding.negativeOverflow;
        int infinity = rounding.infinity;
        int flushedBelow = rounding.flushedBelow;
        for (int i = 0; i < length; i += LANES) {
            IntVector code = FloatVector.fromArray(SPECIES, x, xAt + i).reinterpretAsInts();
            IntVector magnitude = code.and(Integer.MAX_VALUE);
            IntVector sign =
                    code.lanewise(VectorOperators.LSHR, Integer.SIZE - 1).and(signSelects);
            IntVector selector = magnitude
                    .lanewise(VectorOperators.LSHR, dropped)
                    .and(parity)
                    .or(sign);
            IntVector rounded = magnitude
                    .add(addend.blend(selectedAddend, selector.compare(VectorOperators.NE, 0)))
                    .and(kept);

            FloatVector quanta = magnitude.reinterpretAsFloats().mul(quantaPerOne);
            FloatVector below = quanta.add(LaneRounding.ROUNDER).sub(LaneRounding.ROUNDER);
            below = below.sub(1, below.compare(VectorOperators.GT, quanta));
            selector = below.add(LaneRounding.ROUNDER)
                    .reinterpretAsInts()
                    .and(parity)
                    .or(sign);
            FloatVector limit = threshold
                    .blend(selectedThreshold, selector.compare(VectorOperators.NE, 0))
                    .reinterpretAsFloats();
            IntVector small = below.add(1, quanta.sub(below).compare(VectorOperators.GT, limit))
                    .mul(quantum)
                    .reinterpretAsInts();

            rounded = rounded.blend(small, magnitude.compare(VectorOperators.LT, minNormal));
            rounded = rounded.blend(
                            overflow.blend(negativeOverflow, code.compare(VectorOperators.LT, 0)),
                            rounded.compare(VectorOperators.GT, maximum))
                    .blend(0, rounded.compare(VectorOperators.LT, flushedBelow));
            rounded.blend(infinity, magnitude.compare(VectorOperators.EQ, LaneRounding.INFINITY))
                    .blend(magnitude, magnitude.compare(VectorOperators.GT, LaneRounding.INFINITY))
                    .or(code.and(Integer.MIN_VALUE))
                    .reinterpretAsFloats()
                    .intoArray(y, yAt + i);
        }
    }

    /** Rounds stochastically. The random words, one per element, begin at {@code words[word]}. */
    static void stochastic(
            float[] y, int yAt, float[] x, int xAt, int length, LaneRounding rounding, int[] words, int word) {
        // If no bits are dropped, the shift distance is 32, which Java treats as 0; the mask is then 0.
        int unused = Integer.SIZE - rounding.dropped;
        int mask = rounding.mask;
        int minNormal = rounding.minNormal;
        float quantaPerOne = rounding.quantaPerOne;
        float quantum = rounding.quantum;
        int maximum = rounding.maximum;
        int overflow = rounding.overflow;
        int flushedBelow = rounding.flushedBelow;
        for (int i = 0; i < length; i += LANES) {
            IntVector code = FloatVector.fromArray(SPECIES, x, xAt + i).reinterpretAsInts();
            IntVector magnitude = code.and(Integer.MAX_VALUE);
            IntVector random = IntVector.fromArray(CODES, words, word + i);
            IntVector rounded = random.lanewise(VectorOperators.LSHR, unused)
                    .and(mask)
                    .add(magnitude)
                    .and(~mask);

            FloatVector quanta = magnitude.reinterpretAsFloats().mul(quantaPerOne);
            FloatVector below = quanta.add(LaneRounding.ROUNDER).sub(LaneRounding.ROUNDER);
            below = below.sub(1, below.compare(VectorOperators.GT, quanta));
            // 2^24 - 2^24 u, exact in binary32.
            FloatVector limit = ((FloatVector) random.lanewise(VectorOperators.LSHR, 8)
                            .neg()
                            .add(1 << 24)
                            .convert(VectorOperators.I2F, 0))
                    .mul(0x1p-24f);
            IntVector small = below.add(1, quanta.sub(below).compare(VectorOperators.GE, limit))
                    .mul(quantum)
                    .reinterpretAsInts();

            rounded = rounded.blend(small, magnitude.compare(VectorOperators.LT, minNormal));
            rounded.blend(overflow, rounded.compare(VectorOperators.GT, maximum))
                    .blend(0, rounded.compare(VectorOperators.LT, flushedBelow))
                    .blend(magnitude, magnitude.compare(VectorOperators.GT, LaneRounding.INFINITY))
                    .or(code.and(Integer.MIN_VALUE))
                    .reinterpretAsFloats()
                    .intoArray(y, yAt + i);
        }
    }

    /** Replaces numbers with magnitudes up to {@code maxZero} by zeros of the same sign. */
    static void threshold(float[] y, int yAt, float[] x, int xAt, int length, float maxZero) {
        int maximum = Float.floatToRawIntBits(maxZero);
        for (int i = 0; i < length; i += LANES) {
            IntVector code = FloatVector.fromArray(SPECIES, x, xAt + i).reinterpretAsInts();
            code.blend(code.and(Integer.MIN_VALUE), code.and(Integer.MAX_VALUE).compare(VectorOperators.LE, maximum))
                    .reinterpretAsFloats()
                    .intoArray(y, yAt + i);
        }
    }

    static boolean anySubnormal(float[] x, int at, int length) {
        int i = 0;
        boolean any = false;
        for (; i <= length - LANES; i += LANES) {
            // Zero is not subnormal: 0 - 1 is the largest unsigned code.
            any |= FloatVector.fromArray(SPECIES, x, at + i)
                    .reinterpretAsInts()
                    .and(Integer.MAX_VALUE)
                    .sub(1)
                    .compare(VectorOperators.ULT, MIN_NORMAL - 1)
                    .anyTrue();
        }
        for (; i < length; i++) {
            any |= x[at + i] != 0 && Math.abs(x[at + i]) < Float.MIN_NORMAL;
        }
        return any;
    }

    /**
     * a + b in binary32, rounded to odd. Rounding y to a format with at least two bits fewer, in any mode except
     * stochastic, gives the exact sum rounded once.
     *
     * <p>A sum beyond the largest finite number becomes the largest finite number, whose last bit is 1.
     *
     * <p>Source: Boldo and Melquiond (2008), Emulation of FMA and correctly rounded sums: proved algorithms using
     * rounding to odd, IEEE Transactions on Computers 57(4), theorem 1; the error term is Knuth's TwoSum.
     */
    static void oddSumsInto(float[] y, int yAt, float[] a, int aAt, float[] b, int bAt, int length) {
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector left = FloatVector.fromArray(SPECIES, a, aAt + i);
            FloatVector right = FloatVector.fromArray(SPECIES, b, bAt + i);
            FloatVector sum = left.add(right);
            FloatVector partOfRight = sum.sub(left);
            IntVector error =
                    left.sub(sum.sub(partOfRight)).add(right.sub(partOfRight)).reinterpretAsInts();
            IntVector code = sum.reinterpretAsInts();
            // The code itself if it is odd, otherwise its neighbour in the direction of the error.
            IntVector odd = code.or(1)
                    .blend(
                            code.sub(1).or(1),
                            error.lanewise(VectorOperators.XOR, code).compare(VectorOperators.LT, 0));
            IntVector greater = left.reinterpretAsInts()
                    .and(Integer.MAX_VALUE)
                    .max(right.reinterpretAsInts().and(Integer.MAX_VALUE));
            // The condition: the error is neither 0 (the sum is exact) nor NaN (an operand or the sum is infinite).
            code.blend(odd, error.and(Integer.MAX_VALUE).sub(1).compare(VectorOperators.ULT, LaneRounding.INFINITY - 1))
                    .sub(
                            1,
                            code.and(Integer.MAX_VALUE)
                                    .compare(VectorOperators.EQ, LaneRounding.INFINITY)
                                    .and(greater.compare(VectorOperators.LT, LaneRounding.INFINITY)))
                    .reinterpretAsFloats()
                    .intoArray(y, yAt + i);
        }
        for (int i = whole; i < length; i++) {
            y[yAt + i] = oddSum(a[aAt + i], b[bAt + i]);
        }
    }

    private static float oddSum(float a, float b) {
        float sum = a + b;
        if (Float.isInfinite(sum) && Float.isFinite(a) && Float.isFinite(b)) {
            return Math.copySign(Float.MAX_VALUE, sum);
        }
        float partOfB = sum - a;
        float error = (a - (sum - partOfB)) + (b - partOfB);
        boolean odd = (Float.floatToRawIntBits(sum) & 1) == 1;
        if (odd || error == 0 || Float.isNaN(error)) {
            return sum;
        }
        return error > 0 ? Math.nextUp(sum) : Math.nextDown(sum);
    }

    /** The largest magnitude, or NaN if any x is NaN, because the codes of NaN are above the code of infinity. */
    static float largestMagnitude(float[] x, int at, int length) {
        IntVector codes = IntVector.zero(CODES);
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            codes = codes.max(FloatVector.fromArray(SPECIES, x, at + i)
                    .reinterpretAsInts()
                    .and(Integer.MAX_VALUE));
        }
        int maximum = codes.reduceLanes(VectorOperators.MAX);
        for (int i = whole; i < length; i++) {
            maximum = Math.max(maximum, Float.floatToRawIntBits(x[at + i]) & Integer.MAX_VALUE);
        }
        return Float.intBitsToFloat(maximum);
    }

    /** x_i / scale for scale = 2^n. Subnormal quotients may be inexact, but are 0 only if x_i is 0. */
    static void scaleDown(float[] quotients, int to, float[] x, int at, int length, float scale) {
        // Multiplies in two exact steps: 1 / scale overflows below 2^-127, and mxint8 has scales down to 2^-133.
        float lift = scale < 0x1p-100f ? 0x1p64f : 1;
        float factor = 1 / (scale * lift);
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector value = FloatVector.fromArray(SPECIES, x, at + i);
            IntVector quotient = value.mul(lift).mul(factor).reinterpretAsInts();
            IntVector tiny = quotient.or(1);
            quotient.blend(
                            tiny,
                            quotient.and(Integer.MAX_VALUE)
                                    .compare(VectorOperators.LT, MIN_NORMAL)
                                    .and(value.reinterpretAsInts()
                                            .and(Integer.MAX_VALUE)
                                            .compare(VectorOperators.NE, 0)))
                    .reinterpretAsFloats()
                    .intoArray(quotients, to + i);
        }
        for (int i = whole; i < length; i++) {
            float quotient = x[at + i] * lift * factor;
            boolean tiny = Math.abs(quotient) < Float.MIN_NORMAL && x[at + i] != 0;
            quotients[to + i] = tiny ? Float.intBitsToFloat(Float.floatToRawIntBits(quotient) | 1) : quotient;
        }
    }

    /** x_i / scale, rounded to nearest even. */
    static void divide(float[] quotients, int to, float[] x, int at, int length, float scale) {
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector.fromArray(SPECIES, x, at + i).div(scale).intoArray(quotients, to + i);
        }
        for (int i = whole; i < length; i++) {
            quotients[to + i] = x[at + i] / scale;
        }
    }

    /** y_i = elements_i scale + zero; a {@code zero} of -0 changes nothing, and +0 turns -0 into +0. */
    static void scale(float[] y, int to, float[] elements, int at, int length, float scale, float zero) {
        int whole = length - length % LANES;
        for (int i = 0; i < whole; i += LANES) {
            FloatVector.fromArray(SPECIES, elements, at + i)
                    .mul(scale)
                    .add(zero)
                    .intoArray(y, to + i);
        }
        for (int i = whole; i < length; i++) {
            y[to + i] = elements[at + i] * scale + zero;
        }
    }
}
