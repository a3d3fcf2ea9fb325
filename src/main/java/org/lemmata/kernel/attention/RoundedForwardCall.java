package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/** The rounded forward pass of all heads and sequences, cut into chunks; each calling thread has one such object. */
final class RoundedForwardCall implements Workers.Chunks {

    private static final ThreadLocal<RoundedForwardPass> PASS = ThreadLocal.withInitial(RoundedForwardPass::new);

    private static final AttentionRounding NO_ROUNDING = AttentionRounding.none();

    private final AttentionUnits units = new AttentionUnits();

    /** The averages of tokens, row by row and head by head, of which the identity outputs are made. */
    float[] headAverages = {};

    AttentionRounding rounding = NO_ROUNDING;

    /** Of products, and of numbers as they are; null where sums are not rounded. */
    @Nullable
    RoundedMultiplyAdd sums;

    @Nullable
    RoundedMultiplyAdd plainSums;

    RandomStream stream = RoundingStreams.NONE;
    AttentionOutputs outputs = ForwardCall.NO_OUTPUTS;
    AttentionInputs inputs = ForwardCall.NO_INPUTS;
    AttentionShape shape = ForwardCall.NO_SHAPE;

    /** Whether the quotients are rounded to odd. */
    boolean odd;

    private RaggedOffsets sequences = ForwardCall.NO_SEQUENCES;

    void run(
            Workers workers,
            AttentionRounding newRounding,
            @Nullable RoundedMultiplyAdd newSums,
            @Nullable RoundedMultiplyAdd newPlainSums,
            RandomStream newStream,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        headAverages = atLeast(headAverages, ForwardCall.headTokens(newSequences, newShape));
        rounding = newRounding;
        sums = newSums;
        plainSums = newPlainSums;
        stream = newStream;
        outputs = newOutputs;
        inputs = newInputs;
        sequences = newSequences;
        shape = newShape;
        odd = Quotient.isOdd(rounding.outputs());
        try {
            units.cut(sequences, shape, true);
            workers.run(units.chunks(), this);
            addHeads();
            round(workers, outputs.outputs(), shape.width(), RoundingStreams.OUTPUTS);
            round(workers, outputs.identityOutputs(), shape.identityWidth(), RoundingStreams.IDENTITY_OUTPUTS);
        } finally {
            // What the caller owns is not kept from the garbage collector.
            outputs = ForwardCall.NO_OUTPUTS;
            inputs = ForwardCall.NO_INPUTS;
            sequences = ForwardCall.NO_SEQUENCES;
            shape = ForwardCall.NO_SHAPE;
        }
    }

    @Override
    public void run(int chunk) {
        RoundedForwardPass pass = PASS.get();
        for (int unit = units.chunkStart(chunk); unit < units.chunkStart(chunk + 1); unit++) {
            int sequence = units.sequence(unit);
            pass.run(
                    this,
                    sequences.start(sequence),
                    sequences.length(sequence),
                    units.head(unit),
                    units.firstQuery(unit),
                    units.queryEnd(unit));
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
                    float average = headAverages[(row * heads + head) * width + d];
                    sum = Math.fma(inputs.valueOutputIdentities()[head], average, sum);
                }
                outputs.identityOutputs()[row * width + d] = sum;
            }
        }
    }

    private void round(Workers workers, float[] matrix, int columns, int part) {
        Rounding site = rounding.outputs();
        if (site != null && columns > 0) {
            int rows = sequences.total();
            new VectorQuantization(workers)
                    .round(matrix, 0, columns, matrix, 0, columns, rows, columns, site, stream.part(part));
        }
    }
}
