package org.lemmata.kernel.attention;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/**
 * A pass over all heads and sequences, divided into units of work, which are grouped into chunks. Each calling thread
 * has one object per kind of pass, so that calls allocate nothing.
 *
 * <p>The grouping depends only on the sizes of the problem. A chunk takes units until it has enough work, because
 * handing a chunk to a thread takes several microseconds.
 */
abstract class AttentionCall implements Workers.Chunks {

    static final RaggedOffsets NO_SEQUENCES = RaggedOffsets.ofLengths();

    /** The minimum work of a chunk, about 10 microseconds. */
    private static final double MIN_CHUNK_FLOPS = 1e6;

    /** If (number of sequences) * heads is below this, forward passes also divide the queries of a head. */
    private static final int MANY_HEADS = 32;

    /** The number of queries per part of a head: enough that packing the keys again for each part costs little. */
    private static final int PART = 4 * AttentionProducts.QUERIES;

    private AttentionUnit[] all = {};
    private int units;

    /** The first unit of each chunk, then the number of units. */
    private int[] chunkStarts = {};

    AttentionInputs dInputs = AttentionInputs.EMPTY;
    AttentionOutputs dOutputs = AttentionOutputs.EMPTY;
    AttentionOutputs outputs = AttentionOutputs.EMPTY;
    AttentionInputs inputs = AttentionInputs.EMPTY;
    RaggedOffsets sequences = NO_SEQUENCES;
    AttentionShape shape = AttentionShape.PLAIN;

    /**
     * Runs a backward pass over whole heads, or a forward pass if {@code newDInputs} is empty. If there are few heads,
     * a forward pass may split the queries of a head into several units.
     */
    final void run(
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
            begin();
            workers.run(cut(), this);
            finish();
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

    /** Divides the call into units and chunks; returns the number of chunks. */
    private int cut() {
        units = 0;
        int chunks = 0;
        double flops = MIN_CHUNK_FLOPS;
        // Unless the batch is empty, the gradients of values have elements only in a backward pass.
        boolean whole = dInputs.values().length > 0 || (long) sequences.count() * shape.heads() >= MANY_HEADS;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int length = sequences.length(sequence);
            int part = whole ? length : PART;
            boolean together = ShortHeads.suits(shape, length);
            // Heads that are processed together share the products of tokens.
            double width = 4.0 * (shape.headWidth() + (together ? 0 : shape.identityWidth()));
            for (int head = 0; head < shape.heads(); head++) {
                for (int first = 0; first < length; first += part) {
                    if (flops >= MIN_CHUNK_FLOPS && !(together && head > 0)) {
                        startChunk(chunks++);
                        flops = 0;
                    }
                    int end = Math.min(length, first + part);
                    next().set(sequence, head, first, end);
                    flops += width * (end - first) * shape.seen((first + end) / 2, length);
                }
            }
        }
        startChunk(chunks);
        return chunks;
    }

    private void startChunk(int chunk) {
        if (chunkStarts.length == chunk) {
            chunkStarts = Arrays.copyOf(chunkStarts, 2 * chunk + 16);
        }
        chunkStarts[chunk] = units;
    }

    private AttentionUnit next() {
        if (all.length == units) {
            all = Arrays.copyOf(all, 2 * units + 16);
            Arrays.setAll(all, i -> i < units ? all[i] : new AttentionUnit(this));
        }
        return all[units++];
    }

    @Override
    public final void run(int chunk) {
        int unit = chunkStarts[chunk];
        while (unit < chunkStarts[chunk + 1]) {
            unit += run(all[unit]);
        }
    }

    /** Reserves scratch space. Runs on the calling thread before all units. */
    void begin() {}

    /** Runs a unit, and possibly some of the units after it. Returns how many units it ran. */
    abstract int run(AttentionUnit unit);

    /** Runs on the calling thread after all units. */
    abstract void finish();
}
