package org.lemmata.kernel.quantization;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The loops of {@link LaneRounding}, each over a whole number of vectors.
 *
 * <p>Rounding twice is rounding once, with the same words where it is stochastic, so vectors may overlap, in place too.
 */
final class ElementLanes {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Integer> CODES = VectorSpecies.of(int.class, SPECIES.vectorShape());

    static final int LANES = SPECIES.length();

    private static final int MIN_NORMAL = Float.floatToRawIntBits(Float.MIN_NORMAL);

    private ElementLanes() {}

    /** To nearest, ties to even, with subnormals. */
    static void tiesToEven(float[] y, int yAt, float[] x, int xAt, int length, LaneRounding rounding) {
        int dropped = rounding.dropped;
        int parity = rounding.dropped == 0 ? 0 : 1;
        int addend = rounding.addend;
        int kept = ~rounding.mask;
        int minNormal = rounding.minNormal;
        // Its neighbours are a quantum apart.
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

    /** In any mode that takes no random words. */
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

    /** With the words from {@code words[word]} on, one an element. */
    static void stochastic(
            float[] y, int yAt, float[] x, int xAt, int length, LaneRounding rounding, int[] words, int word) {
        // Of no dropped bits, none are left of the word: its shift by 32 is one by 0.
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

    /** What is not greater in magnitude than the threshold becomes a zero of its sign. */
    static void threshold(float[] y, int yAt, float[] x, int xAt, int length, float maxZero) {
        int maximum = Float.floatToRawIntBits(maxZero);
        for (int i = 0; i < length; i += LANES) {
            IntVector code = FloatVector.fromArray(SPECIES, x, xAt + i).reinterpretAsInts();
            code.blend(code.and(Integer.MIN_VALUE), code.and(Integer.MAX_VALUE).compare(VectorOperators.LE, maximum))
                    .reinterpretAsFloats()
                    .intoArray(y, yAt + i);
        }
    }

    /** Whether one of the numbers is subnormal in binary32. */
    static boolean anySubnormal(float[] x, int at, int length) {
        int i = 0;
        boolean any = false;
        for (; i <= length - LANES; i += LANES) {
            // 0 becomes the largest code.
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
}
