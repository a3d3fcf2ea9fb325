package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.number.Rounding;

/**
 * Attention with each site of an {@link AttentionRounding} rounded to its own number format.
 *
 * <p>Scalar; every sum starts at +0 and runs in ascending order (of column in an inner product, of position elsewhere),
 * product and addition separately, never fused. The greatest score is that of the rounded scores. Softmax takes the
 * difference to it in binary32 and the exponential by {@link Math#exp} of binary64; the weights 1 and 0 of uniform
 * attention and hardmax are rounded at the site {@code exponentials} too, and the sum of uniform weights is a running
 * sum of ones.
 *
 * <p>A site rounds once: products, sums and quotients of binary32 operands reach it as if exact, in binary64. What it
 * gives is then stored in binary32, which changes nothing for a format that binary32 contains, and rounds again for
 * others, such as {@code threshold(p)}. With no site rounded the result has the bits of {@link ScalarAttention}.
 */
public final class RoundedAttention implements Attention {

    private final AttentionRounding rounding;

    public RoundedAttention(AttentionRounding rounding) {
        this.rounding = rounding;
    }

    public AttentionRounding rounding() {
        return rounding;
    }

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
                int column = head * shape.headWidth();
                for (int i = 0; i < weights.length; i++) {
                    float max = scores(weights, i + 1, queries, keys, first, column, shape);
                    float total = weigh(weights, i + 1, max, shape.weighting());
                    average(outputs, weights, i + 1, total, values, first, column, shape);
                }
            }
        }
    }

    /** Uniform weights: the sums of row i are those of row i - 1 and one step more. */
    private void averageAll(float[] outputs, float[] values, int first, int end, int width) {
        float weight = narrow(rounding.exponentials(), 1);
        for (int column = 0; column < width; column++) {
            float total = 0;
            float sum = 0;
            for (int row = first; row < end; row++) {
                int at = row * width + column;
                total = add(total, weight);
                sum = add(sum, multiply(weight, values[at]));
                outputs[at] = narrow(rounding.outputs(), (double) sum / total);
            }
        }
    }

    /** Sets s_0 ... s_(count - 1) for the last of {@code count} rows from {@code first} on; returns the greatest. */
    private float scores(
            float[] scores, int count, float[] queries, float[] keys, int first, int column, AttentionShape shape) {
        int width = shape.width();
        int query = (first + count - 1) * width + column;
        float max = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < count; j++) {
            int key = (first + j) * width + column;
            float sum = 0;
            for (int d = 0; d < shape.headWidth(); d++) {
                sum = add(sum, multiply(queries[query + d], keys[key + d]));
            }
            scores[j] = narrow(rounding.scores(), (double) shape.scoreScale() * sum);
            max = Math.max(max, scores[j]);
        }
        return max;
    }

    /** Replaces scores by weights; returns their sum. */
    private float weigh(float[] weights, int count, float max, AttentionShape.Weighting weighting) {
        float sum = 0;
        for (int j = 0; j < count; j++) {
            double weight = switch (weighting) {
                case SOFTMAX -> Math.exp(weights[j] - max);
                // The greatest score is NaN as soon as one is.
                case HARDMAX -> Float.isNaN(max) ? max : weights[j] == max ? 1 : 0;
                case UNIFORM -> throw new AssertionError("has no scores");
            };
            weights[j] = narrow(rounding.exponentials(), weight);
            sum = add(sum, weights[j]);
        }
        return sum;
    }

    private void average(
            float[] outputs,
            float[] weights,
            int count,
            float total,
            float[] values,
            int first,
            int column,
            AttentionShape shape) {
        int width = shape.width();
        for (int d = 0; d < shape.headWidth(); d++) {
            float sum = 0;
            for (int j = 0; j < count; j++) {
                sum = add(sum, multiply(weights[j], values[(first + j) * width + column + d]));
            }
            outputs[(first + count - 1) * width + column + d] = narrow(rounding.outputs(), (double) sum / total);
        }
    }

    /** A product of two binary32 numbers has at most 48 significand bits: binary64 holds it. */
    private float multiply(float a, float b) {
        return rounding.sums() == null ? a * b : narrow(rounding.sums(), (double) a * b);
    }

    private float add(float a, float b) {
        return rounding.sums() == null ? a + b : rounding.sums().roundSum(a, b);
    }

    private static float narrow(@Nullable Rounding rounding, double x) {
        return (float) (rounding == null ? x : rounding.round(x));
    }
}
