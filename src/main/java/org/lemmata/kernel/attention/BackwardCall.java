package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/** The backward pass of all heads and sequences, cut into chunks; each calling thread has one such object. */
final class BackwardCall implements Workers.Chunks {

    private static final ThreadLocal<BackwardPass> PASS = ThreadLocal.withInitial(BackwardPass::new);

    private final AttentionUnits units = new AttentionUnits();
    private final BackwardPartials partials = new BackwardPartials();

    private AttentionInputs dInputs = ForwardCall.NO_INPUTS;
    private AttentionOutputs dOutputs = ForwardCall.NO_OUTPUTS;
    private AttentionOutputs outputs = ForwardCall.NO_OUTPUTS;
    private AttentionInputs inputs = ForwardCall.NO_INPUTS;
    private RaggedOffsets sequences = ForwardCall.NO_SEQUENCES;
    private AttentionShape shape = ForwardCall.NO_SHAPE;

    void run(
            Workers workers,
            AttentionInputs newDInputs,
            AttentionOutputs newDOutputs,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        partials.reserve(newSequences, newShape);
        dInputs = newDInputs;
        dOutputs = newDOutputs;
        outputs = newOutputs;
        inputs = newInputs;
        sequences = newSequences;
        shape = newShape;
        try {
            units.cut(sequences, shape, false);
            workers.run(units.chunks(), this);
            partials.addInto(dInputs, sequences, shape);
        } finally {
            // What the caller owns is not kept from the garbage collector.
            dInputs = ForwardCall.NO_INPUTS;
            dOutputs = ForwardCall.NO_OUTPUTS;
            outputs = ForwardCall.NO_OUTPUTS;
            inputs = ForwardCall.NO_INPUTS;
            sequences = ForwardCall.NO_SEQUENCES;
            shape = ForwardCall.NO_SHAPE;
        }
    }

    @Override
    public void run(int chunk) {
        BackwardPass pass = PASS.get();
        for (int unit = units.chunkStart(chunk); unit < units.chunkStart(chunk + 1); unit++) {
            int sequence = units.sequence(unit);
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            pass.run(dInputs, partials, dOutputs, outputs, inputs, sequence, first, length, units.head(unit), shape);
        }
    }
}
