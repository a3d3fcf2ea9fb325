package org.lemmata.kernel.attention.cached;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.attention.ScalarRows;

/** The scalar reference: the last rows of {@link ScalarAttention}. */
public final class ScalarCachedAttention implements CachedAttention {

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        CachedAttention.checkForward(outputs, inputs, cache, sequences, count);
        AttentionShape shape = cache.shape();
        Arrays.fill(outputs.identityOutputs(), 0, count * shape.identityWidth(), 0);
        for (int r = 0; r < count; r++) {
            RaggedOffsets sequence = RaggedOffsets.ofLengths(cache.length(sequences[r]));
            ScalarRows rows = ScalarRows.plain(cache.inputs(sequences[r], inputs), sequence, shape);
            forward(rows, outputs, 0, sequence.length(0), r, shape);
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        CachedAttention.checkForward(outputs, inputs, sequences, shape);
        ScalarRows rows = ScalarRows.plain(inputs, sequences, shape);
        for (int s = 0; s < sequences.count(); s++) {
            forward(rows, outputs, s, sequences.length(s), s, shape);
        }
    }

    private static void forward(
            ScalarRows rows, AttentionOutputs outputs, int sequence, int length, int own, AttentionShape shape) {
        float[] none = {};
        var unsaved = new AttentionOutputs(outputs.outputs(), outputs.identityOutputs(), none, none);
        for (int head = 0; head < shape.heads(); head++) {
            rows.forward(unsaved, sequence, head, length - 1, own);
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
        ScalarRows rows = ScalarRows.plain(inputs, sequences, shape);
        for (int s = 0; s < sequences.count(); s++) {
            for (int head = 0; head < shape.heads(); head++) {
                rows.backward(sums, dOutputs, s, head, sequences.length(s) - 1, s);
            }
        }
        ScalarRows.addInto(dInputs, sums, sequences.count(), shape);
    }
}
