package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/** The forward pass of all heads and sequences, cut into chunks; each calling thread has one such object. */
final class ForwardCall implements Workers.Chunks {

    private static final ThreadLocal<ForwardPass> PASS = ThreadLocal.withInitial(ForwardPass::new);

    static final AttentionOutputs NO_OUTPUTS = AttentionOutputs.of(new float[0]);
    static final AttentionInputs NO_INPUTS = AttentionInputs.of(new float[0], new float[0], new float[0]);
    static final RaggedOffsets NO_SEQUENCES = RaggedOffsets.ofLengths();
    static final AttentionShape NO_SHAPE = AttentionShape.softmax(1, 1);

    private final AttentionUnits units = new AttentionUnits();

    /** The averages of tokens, row by row and head by head, of which the identity outputs are made. */
    private float[] headAverages = {};

    private AttentionOutputs outputs = NO_OUTPUTS;
    private AttentionInputs inputs = NO_INPUTS;
    private RaggedOffsets sequences = NO_SEQUENCES;
    private AttentionShape shape = NO_SHAPE;

    void run(
            Workers workers,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        headAverages = atLeast(headAverages, headTokens(newSequences, newShape));
        outputs = newOutputs;
        inputs = newInputs;
        sequences = newSequences;
        shape = newShape;
        try {
            units.cut(sequences, shape, true);
            workers.run(units.chunks(), this);
            addHeads();
        } finally {
            // What the caller owns is not kept from the garbage collector.
            outputs = NO_OUTPUTS;
            inputs = NO_INPUTS;
            sequences = NO_SEQUENCES;
            shape = NO_SHAPE;
        }
    }

    /** Elements of a number for each head and each element of the tokens. */
    static int headTokens(RaggedOffsets sequences, AttentionShape shape) {
        return AttentionPacking.size(
                "total * heads * identityWidth", sequences.total(), shape.heads(), shape.identityWidth());
    }

    @Override
    public void run(int chunk) {
        ForwardPass pass = PASS.get();
        for (int unit = units.chunkStart(chunk); unit < units.chunkStart(chunk + 1); unit++) {
            int sequence = units.sequence(unit);
            pass.run(
                    outputs,
                    headAverages,
                    inputs,
                    sequences.start(sequence),
                    sequences.length(sequence),
                    units.head(unit),
                    units.firstQuery(unit),
                    units.queryEnd(unit),
                    shape);
        }
    }

    /** z_i = sum_h b_h (average of head h), in ascending order of heads. */
    private void addHeads() {
        int width = shape.identityWidth();
        int heads = shape.heads();
        for (int row = 0; row < sequences.total() && width > 0; row++) {
            for (int d = 0; d < width; d++) {
                float sum = 0;
                for (int head = 0; head < heads; head++) {
                    sum += inputs.valueOutputIdentities()[head] * headAverages[(row * heads + head) * width + d];
                }
                outputs.identityOutputs()[row * width + d] = sum;
            }
        }
    }
}
