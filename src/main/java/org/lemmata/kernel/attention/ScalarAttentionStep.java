package org.lemmata.kernel.attention;

import java.util.Arrays;

/** The reference: the operations of {@link ScalarAttention} on its last row, in their order. */
public final class ScalarAttentionStep implements AttentionStep {

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        AttentionStep.check(outputs, inputs, cache, sequences, count);
        AttentionShape shape = cache.shape();
        Arrays.fill(outputs.identityOutputs(), 0, count * shape.identityWidth(), 0);
        for (int r = 0; r < count; r++) {
            int length = cache.length(sequences[r]);
            float[] weights = new float[length];
            for (int head = 0; head < shape.heads(); head++) {
                float maximum = shape.hasScores() ? scores(weights, inputs, cache, sequences[r], r, head) : 0;
                float total = ScalarAttention.weigh(weights, length, length, maximum, shape);
                average(outputs, inputs, cache, sequences[r], r, head, weights, total);
            }
        }
    }

    /** Sets the scores, without the factor ln n; returns the maximum, NaN as soon as one is. */
    private static float scores(
            float[] scores, AttentionInputs inputs, AttentionCache cache, int sequence, int row, int head) {
        AttentionShape shape = cache.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int query = row * shape.width() + head * headWidth;
        int last = scores.length - 1;
        float maximum = Float.NEGATIVE_INFINITY;
        for (int j = 0; j <= last; j++) {
            int key = cache.panelAt(sequence, j, shape.width()) + head * headWidth * AttentionCache.PANEL;
            float sum = dot(inputs.queries(), query, cache.keys, key, headWidth);
            if (tokenWidth > 0) {
                int own = cache.row(sequence, last) * tokenWidth;
                int other = cache.panelAt(sequence, j, tokenWidth);
                sum += inputs.keyQueryIdentities()[head] * dot(cache.tokens, own, cache.tokenPanels, other, tokenWidth);
            }
            scores[j] = shape.scoreScale() * sum;
            if (last - j < shape.biasSpan()) {
                scores[j] += inputs.scoreBiases()[head * shape.biasSpan() + last - j];
            }
            maximum = Math.max(maximum, scores[j]);
        }
        return maximum;
    }

    /** Of a row and a column of a panel. */
    private static float dot(float[] x, int xOffset, float[] panel, int offset, int length) {
        float sum = 0;
        for (int d = 0; d < length; d++) {
            sum += x[xOffset + d] * panel[offset + d * AttentionCache.PANEL];
        }
        return sum;
    }

    private static void average(
            AttentionOutputs outputs,
            AttentionInputs inputs,
            AttentionCache cache,
            int sequence,
            int row,
            int head,
            float[] weights,
            float total) {
        AttentionShape shape = cache.shape();
        int width = shape.width();
        int first = cache.row(sequence, 0);
        for (int d = head * shape.headWidth(); d < (head + 1) * shape.headWidth(); d++) {
            outputs.outputs()[row * width + d] = sum(weights, cache.values, first * width + d, width) / total;
        }
        int tokenWidth = shape.identityWidth();
        for (int d = 0; d < tokenWidth; d++) {
            float sum = sum(weights, cache.tokens, first * tokenWidth + d, tokenWidth);
            outputs.identityOutputs()[row * tokenWidth + d] += inputs.valueOutputIdentities()[head] * (sum / total);
        }
    }

    /** sum_j weights_j column_j. */
    private static float sum(float[] weights, float[] column, int offset, int stride) {
        float sum = 0;
        for (int j = 0; j < weights.length; j++) {
            sum += weights[j] * column[offset + j * stride];
        }
        return sum;
    }
}
