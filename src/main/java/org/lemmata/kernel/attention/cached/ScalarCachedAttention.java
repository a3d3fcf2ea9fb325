package org.lemmata.kernel.attention.cached;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.ScalarAttention;

/** The reference: the operations of {@link ScalarAttention} on its last rows, in their order. */
public final class ScalarCachedAttention implements CachedAttention {

    /**
     * What a query sees.
     *
     * @param cache null where keys and values are rows of the inputs
     * @param number that of the sequence in the cache
     * @param first the row of the first position
     * @param row that of the query
     */
    private record Context(
            AttentionInputs inputs,
            AttentionShape shape,
            @Nullable AttentionCache cache,
            int number,
            int first,
            int length,
            int row) {

        /** Where the columns of a head begin in the row of a position. */
        int at(int position, int head) {
            return (first + position) * shape.width() + head * shape.headWidth();
        }

        /** Where those of the query and the outputs begin. */
        int queryAt(int head) {
            return row * shape.width() + head * shape.headWidth();
        }

        /** Sets the weights u; returns their sum. */
        float weigh(float[] weights, int head) {
            float maximum = shape.hasScores() ? scores(weights, head) : 0;
            return ScalarAttention.weigh(weights, length, length, maximum, shape);
        }

        /** Sets the scores, without the logarithm; returns the maximum, NaN as soon as one is. */
        private float scores(float[] scores, int head) {
            int last = length - 1;
            float maximum = Float.NEGATIVE_INFINITY;
            for (int j = 0; j <= last; j++) {
                scores[j] = shape.scoreScale() * product(j, head);
                if (last - j < shape.biasSpan()) {
                    scores[j] += inputs.scoreBiases()[head * shape.biasSpan() + last - j];
                }
                maximum = Math.max(maximum, scores[j]);
            }
            return maximum;
        }

        /** &lt;q, k_j&gt; + a &lt;x, x_j&gt;. */
        private float product(int j, int head) {
            int headWidth = shape.headWidth();
            int tokenWidth = shape.identityWidth();
            float[] q = inputs.queries();
            if (cache == null) {
                return ScalarAttention.dot(q, queryAt(head), inputs.keys(), at(j, head), headWidth);
            }
            int key = cache.panelAt(number, j, shape.width()) + head * headWidth * AttentionCache.PANEL;
            float product = dot(q, queryAt(head), cache.keys, key, headWidth);
            if (tokenWidth > 0) {
                int own = cache.row(number, length - 1) * tokenWidth;
                int other = cache.panelAt(number, j, tokenWidth);
                product += inputs.keyQueryIdentities()[head]
                        * dot(cache.tokens, own, cache.tokenPanels, other, tokenWidth);
            }
            return product;
        }

        /** Of a row and a column of a panel. */
        private static float dot(float[] x, int xOffset, float[] panel, int offset, int length) {
            float sum = 0;
            for (int d = 0; d < length; d++) {
                sum += x[xOffset + d] * panel[offset + d * AttentionCache.PANEL];
            }
            return sum;
        }

        void average(AttentionOutputs outputs, float[] weights, float total, int head) {
            float[] values = cache == null ? inputs.values() : cache.values;
            for (int d = 0; d < shape.headWidth(); d++) {
                outputs.outputs()[queryAt(head) + d] =
                        ScalarAttention.sum(weights, values, at(0, head) + d, shape.width(), length) / total;
            }
            int tokenWidth = shape.identityWidth();
            for (int d = 0; d < tokenWidth && cache != null; d++) {
                float sum = ScalarAttention.sum(weights, cache.tokens, first * tokenWidth + d, tokenWidth, length);
                outputs.identityOutputs()[row * tokenWidth + d] += inputs.valueOutputIdentities()[head] * (sum / total);
            }
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        CachedAttention.checkForward(outputs, inputs, cache, sequences, count);
        AttentionShape shape = cache.shape();
        Arrays.fill(outputs.identityOutputs(), 0, count * shape.identityWidth(), 0);
        for (int r = 0; r < count; r++) {
            int number = sequences[r];
            forward(outputs, new Context(inputs, shape, cache, number, cache.row(number, 0), cache.length(number), r));
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        CachedAttention.checkForward(outputs, inputs, sequences, shape);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            forward(outputs, rows(inputs, sequences, sequence, shape));
        }
    }

    private static Context rows(AttentionInputs inputs, RaggedOffsets sequences, int sequence, AttentionShape shape) {
        return new Context(
                inputs, shape, null, sequence, sequences.start(sequence), sequences.length(sequence), sequence);
    }

    private static void forward(AttentionOutputs outputs, Context context) {
        float[] weights = new float[context.length()];
        for (int head = 0; head < context.shape().heads(); head++) {
            float total = context.weigh(weights, head);
            context.average(outputs, weights, total, head);
        }
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        CachedAttention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        float[] dBiases = new float[shape.heads() * shape.biasSpan()];
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            Context context = rows(inputs, sequences, sequence, shape);
            float[] weights = new float[context.length()];
            for (int head = 0; head < shape.heads(); head++) {
                float total = context.weigh(weights, head);
                for (int j = 0; j < weights.length; j++) {
                    weights[j] /= total;
                }
                float[] dWeights = backwardValues(dInputs, dOutputs, context, weights, head);
                if (shape.hasScores()) {
                    backwardScores(dInputs, dBiases, context, weights, dWeights, head);
                }
            }
        }
        for (int at = 0; at < dBiases.length && shape.hasScores(); at++) {
            dInputs.scoreBiases()[at] += dBiases[at];
        }
    }

    /** Sets dv; returns dw. */
    private static float[] backwardValues(
            AttentionInputs dInputs, AttentionOutputs dOutputs, Context context, float[] weights, int head) {
        int row = context.queryAt(head);
        int headWidth = context.shape().headWidth();
        float[] dWeights = new float[weights.length];
        for (int j = 0; j < weights.length; j++) {
            int value = context.at(j, head);
            dWeights[j] = ScalarAttention.dot(
                    dOutputs.outputs(), row, context.inputs().values(), value, headWidth);
            for (int d = 0; d < headWidth; d++) {
                dInputs.values()[value + d] = weights[j] * dOutputs.outputs()[row + d];
            }
        }
        return dWeights;
    }

    /** Sets dq and dk, and adds to dphi. */
    private static void backwardScores(
            AttentionInputs dInputs, float[] dBiases, Context context, float[] weights, float[] dWeights, int head) {
        AttentionShape shape = context.shape();
        AttentionInputs inputs = context.inputs();
        int row = context.queryAt(head);
        int last = weights.length - 1;
        float factor = shape.lengthFactor(weights.length);
        float mean = ScalarAttention.dot(weights, 0, dWeights, 0, weights.length);
        float[] dQuery = new float[shape.headWidth()];
        for (int j = 0; j <= last; j++) {
            int key = context.at(j, head);
            float dScore = shape.hasScoreGradients() ? factor * (weights[j] * (dWeights[j] - mean)) : 0;
            for (int d = 0; d < dQuery.length; d++) {
                dQuery[d] += dScore * inputs.keys()[key + d];
                dInputs.keys()[key + d] = shape.scoreScale() * (dScore * inputs.queries()[row + d]);
            }
            if (last - j < shape.biasSpan()) {
                dBiases[head * shape.biasSpan() + last - j] += dScore;
            }
        }
        for (int d = 0; d < dQuery.length; d++) {
            dQuery[d] *= shape.scoreScale();
        }
        System.arraycopy(dQuery, 0, dInputs.queries(), row, dQuery.length);
    }
}
