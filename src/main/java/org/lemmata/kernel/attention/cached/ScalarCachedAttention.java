package org.lemmata.kernel.attention.cached;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.attention.ScalarAttention.Row;

/** The reference: {@link ScalarAttention} of only the last rows. */
public final class ScalarCachedAttention implements CachedAttention {

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        CachedAttention.checkForward(outputs, inputs, cache, sequences, count);
        AttentionShape shape = cache.shape();
        Arrays.fill(outputs.identityOutputs(), 0, count * shape.identityWidth(), 0);
        for (int r = 0; r < count; r++) {
            forward(outputs, cache.inputs(sequences[r], inputs), shape, 0, cache.length(sequences[r]), r);
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        CachedAttention.checkForward(outputs, inputs, sequences, shape);
        for (int s = 0; s < sequences.count(); s++) {
            forward(outputs, inputs, shape, sequences.start(s), sequences.length(s), s);
        }
    }

    private static void forward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionShape shape, int first, int length, int own) {
        float[] none = {};
        var unsaved = new AttentionOutputs(outputs.outputs(), outputs.identityOutputs(), none, none);
        float[] weights = new float[length];
        for (int head = 0; head < shape.heads(); head++) {
            ScalarAttention.forwardRow(unsaved, weights, new Row(inputs, shape, first, length, head, length - 1, own));
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
        AttentionInputs sums = AttentionInputs.zeros(sequences, shape);
        for (int s = 0; s < sequences.count(); s++) {
            int first = sequences.start(s);
            int length = sequences.length(s);
            float[] weights = new float[length];
            float[] dWeights = new float[length];
            for (int head = 0; head < shape.heads(); head++) {
                Row row = new Row(inputs, shape, first, length, head, length - 1, s);
                ScalarAttention.backwardRow(sums, dOutputs, weights, dWeights, row);
            }
        }
        ScalarAttention.addInto(dInputs, sums, sequences.count(), shape);
    }
}
