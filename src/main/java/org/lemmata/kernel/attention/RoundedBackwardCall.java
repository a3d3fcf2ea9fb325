package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/** The rounded backward pass of all heads and sequences, cut into chunks; each calling thread has one such object. */
final class RoundedBackwardCall implements Workers.Chunks {

    private static final ThreadLocal<RoundedBackwardPass> PASS = ThreadLocal.withInitial(RoundedBackwardPass::new);

    private final AttentionUnits units = new AttentionUnits();

    AttentionRounding rounding = AttentionRounding.none();
    RandomStream stream = RoundingStreams.NONE;
    AttentionInputs dInputs = ForwardCall.NO_INPUTS;
    AttentionOutputs dOutputs = ForwardCall.NO_OUTPUTS;
    AttentionInputs inputs = ForwardCall.NO_INPUTS;
    AttentionShape shape = ForwardCall.NO_SHAPE;

    private RaggedOffsets sequences = ForwardCall.NO_SEQUENCES;

    void run(
            Workers workers,
            AttentionRounding newRounding,
            RandomStream newStream,
            AttentionInputs newDInputs,
            AttentionOutputs newDOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        rounding = newRounding;
        stream = newStream;
        dInputs = newDInputs;
        dOutputs = newDOutputs;
        inputs = newInputs;
        sequences = newSequences;
        shape = newShape;
        try {
            units.cut(sequences, shape, false);
            workers.run(units.chunks(), this);
            round(workers, dInputs.queries(), RoundingStreams.QUERY_GRADIENTS);
            round(workers, dInputs.keys(), RoundingStreams.KEY_GRADIENTS);
            round(workers, dInputs.values(), RoundingStreams.VALUE_GRADIENTS);
        } finally {
            // What the caller owns is not kept from the garbage collector.
            dInputs = ForwardCall.NO_INPUTS;
            dOutputs = ForwardCall.NO_OUTPUTS;
            inputs = ForwardCall.NO_INPUTS;
            sequences = ForwardCall.NO_SEQUENCES;
            shape = ForwardCall.NO_SHAPE;
        }
    }

    @Override
    public void run(int chunk) {
        RoundedBackwardPass pass = PASS.get();
        for (int unit = units.chunkStart(chunk); unit < units.chunkStart(chunk + 1); unit++) {
            int sequence = units.sequence(unit);
            pass.run(this, sequences.start(sequence), sequences.length(sequence), units.head(unit));
        }
    }

    private void round(Workers workers, float[] gradient, int part) {
        Rounding site = rounding.gradients();
        if (site != null) {
            int width = shape.width();
            int rows = sequences.total();
            new VectorQuantization(workers)
                    .round(gradient, 0, width, gradient, 0, width, rows, width, site, stream.part(part));
        }
    }
}
