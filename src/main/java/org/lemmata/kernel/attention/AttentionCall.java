package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/**
 * A pass over all heads and sequences, cut into chunks of units; each calling thread has one such object of a kind, so
 * that calls allocate nothing.
 */
@SuppressWarnings("this-escape") // The units keep it, and do not use it before it runs.
public abstract class AttentionCall implements Workers.Chunks {

    public static final RaggedOffsets NO_SEQUENCES = RaggedOffsets.ofLengths();

    private final AttentionUnits units = new AttentionUnits(this);

    private AttentionInputs dInputs = AttentionInputs.EMPTY;
    private AttentionOutputs dOutputs = AttentionOutputs.EMPTY;
    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    private AttentionInputs inputs = AttentionInputs.EMPTY;
    private RaggedOffsets sequences = NO_SEQUENCES;
    private AttentionShape shape = AttentionShape.PLAIN;

    /** A forward pass: where heads are few, the queries of one may be several units. */
    protected final void run(
            Workers workers,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        run(workers, AttentionInputs.EMPTY, AttentionOutputs.EMPTY, newOutputs, newInputs, newSequences, newShape);
    }

    /** A backward pass: a head of a sequence is a unit. */
    protected final void run(
            Workers workers,
            AttentionInputs newDInputs,
            AttentionOutputs newDOutputs,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        dInputs = newDInputs;
        dOutputs = newDOutputs;
        outputs = newOutputs;
        inputs = newInputs;
        sequences = newSequences;
        shape = newShape;
        try {
            // Where there are positions, values have gradients in a backward pass alone.
            units.cut(dInputs.values().length == 0);
            workers.run(units.chunks(), this);
            finish(workers);
        } finally {
            // What the caller owns is not kept from the garbage collector.
            dInputs = AttentionInputs.EMPTY;
            dOutputs = AttentionOutputs.EMPTY;
            outputs = AttentionOutputs.EMPTY;
            inputs = AttentionInputs.EMPTY;
            sequences = NO_SEQUENCES;
            shape = AttentionShape.PLAIN;
        }
    }

    @Override
    public final void run(int chunk) {
        int unit = units.chunkStart(chunk);
        while (unit < units.chunkStart(chunk + 1)) {
            unit += run(units.get(unit));
        }
    }

    /** Runs a unit and perhaps some that follow; how many. */
    protected abstract int run(AttentionUnit unit);

    /** What comes after all units, on the calling thread. */
    protected abstract void finish(Workers workers);

    public final AttentionInputs dInputs() {
        return dInputs;
    }

    public final AttentionOutputs dOutputs() {
        return dOutputs;
    }

    public final AttentionOutputs outputs() {
        return outputs;
    }

    public final AttentionInputs inputs() {
        return inputs;
    }

    public final RaggedOffsets sequences() {
        return sequences;
    }

    public final AttentionShape shape() {
        return shape;
    }
}
