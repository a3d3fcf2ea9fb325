package org.lemmata.kernel.attention;

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
            int first = sequences.start(sequence);
            if (shape.weighting() == AttentionShape.Weighting.UNIFORM) {
                averageAll(outputs, values, first, sequences.end(sequence), shape.width());
                continue;
            }
            float[] weights = new float[sequences.length(sequence)];
            for (int head = 0; head < shape.heads(); head++) {
                for (int i = 0; i < weights.length; i++) {
                    float max = scores(weights, i + 1, queries, keys, first + i, first, head, shape);
                    float total = weigh(weights, i + 1, max, shape.weighting());
                    average(outputs, weights, i + 1, total, values, first + i, first, head, shape);
                }
            }
        }
    }

    /** Uniform weights: row i is the running sum of the values, divided by how many there are. */
    private static void averageAll(float[] outputs, float[] values, int first, int end, int width) {
        for (int column = 0; column < width; column++) {
            float sum = 0;
            for (int row = first; row < end; row++) {
                sum += values[row * width + column];
                outputs[row * width + column] = sum / (row - first + 1);
            }
        }
    }

    /**
     * Sets the scores of query row {@code row} and {@code count} key rows from {@code first} on; returns the greatest.
     */
    private static float scores(
            float[] scores,
            int count,
            float[] queries,
            float[] keys,
            int row,
            int first,
            int head,
            AttentionShape shape) {
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

    /** Replaces scores by weights; returns their sum. */
    private static float weigh(float[] weights, int count, float max, AttentionShape.Weighting weighting) {
        float sum = 0;
        for (int j = 0; j < count; j++) {
            weights[j] = switch (weighting) {
                case SOFTMAX -> (float) Math.exp(weights[j] - max);
                // The greatest score is NaN as soon as one is.
                case HARDMAX -> Float.isNaN(max) ? max : weights[j] == max ? 1 : 0;
                case UNIFORM -> throw new AssertionError("has no scores");
            };
            sum += weights[j];
        }
        return sum;
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
