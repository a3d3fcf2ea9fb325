package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/** The backward pass of all heads and sequences. */
final class BackwardCall extends AttentionCall {

    private static final ThreadLocal<AttentionBackward> PASS = ThreadLocal.withInitial(AttentionBackward::new);

    private static final ThreadLocal<ShortHeads> SHORT = ThreadLocal.withInitial(ShortHeads::new);

    private final BackwardPartials partials = new BackwardPartials();

    void backward(
            Workers workers,
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        partials.reserve(sequences, shape);
        run(workers, dInputs, dOutputs, outputs, inputs, sequences, shape);
    }

    @Override
    protected int run(AttentionUnit unit) {
        if (ShortHeads.suits(shape(), unit.length())) {
            return SHORT.get().backward(this, partials, unit);
        }
        PASS.get().run(this, partials, unit);
        return 1;
    }

    @Override
    protected void finish(Workers workers) {
        partials.addInto(dInputs(), sequences(), shape());
    }
}
