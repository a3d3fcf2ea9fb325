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
    protected void run(int from, int to) {
        AttentionBackward pass = PASS.get();
        ShortHeads heads = SHORT.get();
        int unit = from;
        while (unit < to) {
            AttentionUnit next = unit(unit);
            if (ShortHeads.suits(shape(), next.length())) {
                unit += heads.backward(this, partials, next);
            } else {
                pass.run(this, partials, next);
                unit++;
            }
        }
    }

    @Override
    protected void finish(Workers workers) {
        partials.addInto(dInputs(), sequences(), shape());
    }
}
