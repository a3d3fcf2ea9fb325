package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/**
 * A pass over all heads and sequences, divided into chunks of units. Each calling thread has one object per kind of
 * pass, so that calls allocate nothing.
 */
@SuppressWarnings("this-escape") // The units only store the reference; they use it when a call runs.
public abstract class AttentionCall implements Workers.Chunks {

    public static final RaggedOffsets NO_SEQUENCES = RaggedOffsets.ofLengths();

    private final AttentionUnits units = new AttentionUnits(this);

    private AttentionInputs dInputs = AttentionInputs.EMPTY;
    private AttentionOutputs dOutputs = AttentionOutputs.EMPTY;
    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    private AttentionInputs inputs = AttentionInputs.EMPTY;
    private RaggedOffsets sequences = NO_SEQUENCES;
    private AttentionShape shape = AttentionShape.PLAIN;

    /** Runs a forward pass. If there are few heads, the queries of a head may be split into several units. */
    protected final void run(
            Workers workers,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        run(workers, AttentionInputs.EMPTY, AttentionOutputs.EMPTY, newOutputs, newInputs, newSequences, newShape);
    }

    /** Runs a backward pass over whole heads, or a forward pass if {@code newDInputs} is empty. */
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
            // Unless the batch is empty, this array has elements only in a backward pass.
            units.cut(dInputs.values().length == 0);
            workers.run(units.chunks(), this);
            finish(workers);
        } finally {
            // Lets the garbage collector free the caller's arrays.
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

    /** Runs a unit, and possibly some of the units after it. Returns how many units it ran. */
    protected abstract int run(AttentionUnit unit);

    /** Runs on the calling thread after all units. */
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
