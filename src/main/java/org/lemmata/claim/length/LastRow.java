package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.Map;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * What the last position attends to, on a kernel: scores times the logarithm of the length, thresholded or hard.
 *
 * @param scores of every position, without the score bias
 * @param biases phi of the distances from 0 on
 * @param values a row a position
 * @param bits p
 */
@SuppressWarnings("ArrayRecordComponent") // Buffers of a kernel.
record LastRow(float[] scores, float[] biases, float[][] values, int bits) {

    /** The kernels that claims run on, by name. */
    static final Map<String, Attention> KERNELS = Map.of(
            "scalar", Kernels.scalar().attention(), "vector", Kernels.best().attention());

    /** The outputs of the last position with thresholded weights. */
    float[] thresholded(Attention kernel) {
        return run(kernel, shape(Weighting.HARDMAX).withThreshold(bits));
    }

    /** The same with hardmax. */
    float[] hard(Attention kernel) {
        return run(kernel, shape(Weighting.HARDMAX));
    }

    private AttentionShape shape(Weighting weighting) {
        return new AttentionShape(weighting, 1, values[0].length, 1)
                .withLogLength(LogLength.SEQUENCE)
                .withScoreBias(biases.length);
    }

    /** Queries are (1, 0, ...), keys (score, 0, ...). */
    private float[] run(Attention kernel, AttentionShape shape) {
        int length = scores.length;
        int width = shape.width();
        float[] queries = new float[length * width];
        float[] keys = new float[length * width];
        float[] flat = new float[length * width];
        for (int j = 0; j < length; j++) {
            queries[j * width] = 1;
            keys[j * width] = scores[j];
            System.arraycopy(values[j], 0, flat, j * width, width);
        }
        float[] outputs = new float[length * width];
        kernel.forward(
                AttentionOutputs.of(outputs),
                AttentionInputs.of(queries, keys, flat).withScoreBiases(biases),
                RaggedOffsets.ofLengths(length),
                shape);
        return Arrays.copyOfRange(outputs, (length - 1) * width, length * width);
    }
}
