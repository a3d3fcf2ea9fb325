package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/** The reference: the operations of {@link ScalarAttention} on its last rows, in their order. */
public final class ScalarLastQueryAttention implements LastQueryAttention {

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        LastQueryAttention.checkForward(outputs, inputs, sequences, shape);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            float[] weights = new float[sequences.length(sequence)];
            for (int head = 0; head < shape.heads(); head++) {
                float total = weigh(weights, inputs, first, sequence, head, shape);
                int column = head * shape.headWidth();
                for (int d = column; d < column + shape.headWidth(); d++) {
                    float sum = 0;
                    for (int j = 0; j < weights.length; j++) {
                        sum += weights[j] * inputs.values()[(first + j) * shape.width() + d];
                    }
                    outputs.outputs()[sequence * shape.width() + d] = sum / total;
                }
            }
        }
    }

    /** Sets the weights u; returns their sum. */
    private static float weigh(
            float[] weights, AttentionInputs inputs, int first, int sequence, int head, AttentionShape shape) {
        int length = weights.length;
        float maximum = shape.hasScores() ? scores(weights, inputs, first, sequence, head, shape) : 0;
        return ScalarAttention.weigh(weights, length, length, maximum, shape);
    }

    /** Sets the scores, without the logarithm; returns the maximum, NaN as soon as one is. */
    private static float scores(
            float[] scores, AttentionInputs inputs, int first, int sequence, int head, AttentionShape shape) {
        int width = shape.width();
        int column = head * shape.headWidth();
        int last = scores.length - 1;
        float maximum = Float.NEGATIVE_INFINITY;
        for (int j = 0; j <= last; j++) {
            float sum = ScalarAttention.dot(
                    inputs.queries(),
                    sequence * width + column,
                    inputs.keys(),
                    (first + j) * width + column,
                    shape.headWidth());
            scores[j] = shape.scoreScale() * sum;
            if (last - j < shape.biasSpan()) {
                scores[j] += inputs.scoreBiases()[head * shape.biasSpan() + last - j];
            }
            maximum = Math.max(maximum, scores[j]);
        }
        return maximum;
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        LastQueryAttention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        float[] dBiases = new float[shape.heads() * shape.biasSpan()];
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            float[] weights = new float[sequences.length(sequence)];
            for (int head = 0; head < shape.heads(); head++) {
                float total = weigh(weights, inputs, first, sequence, head, shape);
                for (int j = 0; j < weights.length; j++) {
                    weights[j] /= total;
                }
                float[] dWeights = backwardValues(dInputs, dOutputs, inputs, weights, first, sequence, head, shape);
                if (shape.hasScores()) {
                    backwardScores(dInputs, dBiases, inputs, weights, dWeights, first, sequence, head, shape);
                }
            }
        }
        for (int at = 0; at < dBiases.length && shape.hasScores(); at++) {
            dInputs.scoreBiases()[at] += dBiases[at];
        }
    }

    /** Sets dv; returns dw. */
    private static float[] backwardValues(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionInputs inputs,
            float[] weights,
            int first,
            int sequence,
            int head,
            AttentionShape shape) {
        int row = sequence * shape.width() + head * shape.headWidth();
        float[] dWeights = new float[weights.length];
        for (int j = 0; j < weights.length; j++) {
            int value = (first + j) * shape.width() + head * shape.headWidth();
            dWeights[j] = ScalarAttention.dot(dOutputs.outputs(), row, inputs.values(), value, shape.headWidth());
            for (int d = 0; d < shape.headWidth(); d++) {
                dInputs.values()[value + d] = weights[j] * dOutputs.outputs()[row + d];
            }
        }
        return dWeights;
    }

    /** Sets dq and dk, and adds to dphi. */
    private static void backwardScores(
            AttentionInputs dInputs,
            float[] dBiases,
            AttentionInputs inputs,
            float[] weights,
            float[] dWeights,
            int first,
            int sequence,
            int head,
            AttentionShape shape) {
        int row = sequence * shape.width() + head * shape.headWidth();
        int last = weights.length - 1;
        float factor = shape.lengthFactor(weights.length);
        float mean = ScalarAttention.dot(weights, 0, dWeights, 0, weights.length);
        float[] dQuery = new float[shape.headWidth()];
        for (int j = 0; j <= last; j++) {
            int key = (first + j) * shape.width() + head * shape.headWidth();
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
