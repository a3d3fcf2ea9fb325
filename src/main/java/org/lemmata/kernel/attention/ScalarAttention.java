package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/**
 * The scalar reference: computes row by row, with sums in ascending order of position, and rounds every operation to
 * binary32.
 *
 * <p>The backward pass recomputes the weights of a row from its scores, exactly as the forward pass does, and reads no
 * saved values. Gradients of tokens, a, b and phi are summed first, then added to {@code dInputs}.
 */
public final class ScalarAttention implements Attention {

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        Attention.checkForward(outputs, inputs, sequences, shape);
        ScalarRows.plain(inputs, sequences, shape).forward(outputs);
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        Attention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        ScalarRows.plain(inputs, sequences, shape).backward(dInputs, dOutputs);
    }
}
