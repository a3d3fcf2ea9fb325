package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/** The forward pass of all heads and sequences. */
final class ForwardCall extends AttentionCall {

    private static final ThreadLocal<AttentionForward> PASS = ThreadLocal.withInitial(AttentionForward::new);

    private static final ThreadLocal<ShortHeads> SHORT = ThreadLocal.withInitial(ShortHeads::new);

    /** The averages of tokens, row by row and head by head, of which the identity outputs are made. */
    private float[] headAverages = {};

    void forward(
            Workers workers,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        headAverages = atLeast(headAverages, shape.headTokens(sequences.total()));
        run(workers, outputs, inputs, sequences, shape);
    }

    @Override
    protected int run(AttentionUnit unit) {
        if (ShortHeads.suits(shape(), unit.length())) {
            return SHORT.get().forward(outputs(), unit);
        }
        PASS.get().run(outputs(), headAverages, unit);
        return 1;
    }

    @Override
    protected void finish(Workers workers) {
        RaggedOffsets offsets = sequences();
        for (int sequence = 0; sequence < offsets.count(); sequence++) {
            if (!ShortHeads.suits(shape(), offsets.length(sequence))) {
                AttentionPacking.addHeads(
                        outputs(), inputs(), headAverages, offsets.start(sequence), offsets.end(sequence), shape());
            }
        }
    }
}
