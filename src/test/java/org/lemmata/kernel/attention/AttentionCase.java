package org.lemmata.kernel.attention;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.oracle.ExactAttention;

/** Inputs of one attention, arrays as long as needed and no longer. */
@SuppressWarnings("ArrayRecordComponent") // Tests change elements; nobody compares or prints cases.
record AttentionCase(AttentionShape shape, int[] lengths, float[] queries, float[] keys, float[] values) {

    /** What stands behind the outputs, and must stand there after: a NaN that no arithmetic makes. */
    private static final int CANARY = 0x7FC0BEEF;

    private static final int CANARIES = 67;

    static AttentionShape shape(AttentionShape.Weighting weighting, int heads, int headWidth) {
        return new AttentionShape(weighting, heads, headWidth, (float) (1 / Math.sqrt(headWidth)));
    }

    /** Normal queries, keys and values. */
    static AttentionCase normal(AttentionShape shape, long seed, int... lengths) {
        Random random = new Random(seed);
        return of(shape, () -> (float) random.nextGaussian(), lengths);
    }

    /** Integers of -3 to 3: with a scale that is a power of two, scores and sums are exact and ties frequent. */
    static AttentionCase integers(AttentionShape shape, long seed, int... lengths) {
        Random random = new Random(seed);
        return of(shape, () -> (float) (random.nextInt(7) - 3), lengths);
    }

    static AttentionCase of(AttentionShape shape, Supplier<Float> number, int... lengths) {
        int size = Arrays.stream(lengths).sum() * shape.width();
        float[][] inputs = new float[3][size];
        for (float[] input : inputs) {
            for (int i = 0; i < size; i++) {
                input[i] = number.get();
            }
        }
        return new AttentionCase(shape, lengths, inputs[0], inputs[1], inputs[2]);
    }

    AttentionCase copy() {
        return new AttentionCase(shape, lengths, queries.clone(), keys.clone(), values.clone());
    }

    int at(int row, int head, int d) {
        return row * shape.width() + head * shape.headWidth() + d;
    }

    /** The outputs; fails if anything behind them, or an input, was written. */
    float[] run(Attention attention) {
        AttentionCase before = copy();
        float[] outputs = new float[values.length + CANARIES];
        Arrays.fill(outputs, Float.intBitsToFloat(CANARY));
        attention.forward(
                AttentionOutputs.of(outputs),
                AttentionInputs.of(queries, keys, values),
                RaggedOffsets.ofLengths(lengths),
                shape);
        for (int i = values.length; i < outputs.length; i++) {
            if (Float.floatToRawIntBits(outputs[i]) != CANARY) {
                throw new AssertionError("wrote element " + (i - values.length) + " behind the outputs");
            }
        }
        if (!Arrays.equals(before.queries, queries)
                || !Arrays.equals(before.keys, keys)
                || !Arrays.equals(before.values, values)) {
            throw new AssertionError("wrote an input");
        }
        return Arrays.copyOf(outputs, values.length);
    }

    ExactAttention.Result exact() {
        ExactAttention.Weights weights =
                ExactAttention.Weights.valueOf(shape.weighting().name());
        return ExactAttention.forward(
                weights, shape.heads(), shape.headWidth(), shape.scoreScale(), lengths, queries, keys, values);
    }
}
