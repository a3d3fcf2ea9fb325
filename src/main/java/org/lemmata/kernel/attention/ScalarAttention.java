package org.lemmata.kernel.attention;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;

/** The reference: row by row, sums in ascending order of position, every operation rounded to binary32. */
public final class ScalarAttention implements Attention {

    @Override
    public void forward(
            float[] outputs,
            float[] queries,
            float[] keys,
            float[] values,
            RaggedOffsets sequences,
            AttentionShape shape) {
        shape.check(outputs, queries, keys, values, sequences);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            float[] weights = new float[sequences.length(sequence)];
            for (int head = 0; head < shape.heads(); head++) {
                for (int i = 0; i < weights.length; i++) {
                    int row = sequences.start(sequence) + i;
                    float total = weigh(weights, i + 1, queries, keys, row, sequences.start(sequence), head, shape);
                    average(outputs, weights, i + 1, total, values, row, sequences.start(sequence), head, shape);
                }
            }
        }
    }

    /** Sets u_0 ... u_(count - 1) for query row {@code row} and the rows from {@code first} on; returns their sum. */
    private static float weigh(
            float[] weights, int count, float[] queries, float[] keys, int row, int first, int head, AttentionShape shape) {
        if (shape.weighting() == AttentionShape.Weighting.UNIFORM) {
            Arrays.fill(weights, 0, count, 1);
            return count;
        }
        float max = scores(weights, count, queries, keys, row, first, head, shape);
        float sum = 0;
        for (int j = 0; j < count; j++) {
            weights[j] = switch (shape.weighting()) {
                case SOFTMAX -> (float) Math.exp(weights[j] - max);
                // The difference is 0 at a maximum, negative elsewhere, and NaN where a score was NaN.
                case HARDMAX -> weights[j] == max ? 1 : 0 * (weights[j] - max);
                case UNIFORM -> throw new AssertionError("has no scores");
            };
            sum += weights[j];
        }
        return sum;
    }

    private static float scores(
            float[] scores, int count, float[] queries, float[] keys, int row, int first, int head, AttentionShape shape) {
        int width = shape.width();
        int column = head * shape.headWidth();
        float max = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < count; j++) {
            float sum = 0;
            for (int d = 0; d < shape.headWidth(); d++) {
                sum += queries[row * width + column + d] * keys[(first + j) * width + column + d];
            }
            scores[j] = shape.scoreScale() * sum;
            max = Math.max(max, scores[j]);
        }
        return max;
    }

    private static void average(
            float[] outputs,
            float[] weights,
            int count,
            float total,
            float[] values,
            int row,
            int first,
            int head,
            AttentionShape shape) {
        int width = shape.width();
        int column = head * shape.headWidth();
        for (int d = 0; d < shape.headWidth(); d++) {
            float sum = 0;
            for (int j = 0; j < count; j++) {
                sum += weights[j] * values[(first + j) * width + column + d];
            }
            outputs[row * width + column + d] = sum / total;
        }
    }
}
