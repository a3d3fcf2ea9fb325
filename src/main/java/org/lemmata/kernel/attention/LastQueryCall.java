package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/** The last queries of all sequences, cut into chunks; each calling thread has one such object. */
final class LastQueryCall implements Workers.Chunks {

    private static final ThreadLocal<LastQueryPass> PASS = ThreadLocal.withInitial(LastQueryPass::new);

    /** Numbers that a chunk reads at least: some five microseconds. */
    private static final long MIN_CHUNK = 1 << 14;

    /** Chunk i has the sequences from element i to element i + 1. */
    private int[] chunkStarts = new int[16];

    private int longest;

    /** What each sequence adds to the gradients of phi, head by head. */
    private float[] dBiases = {};

    /** Null in the forward pass. */
    private @Nullable AttentionInputs dInputs;

    private AttentionOutputs dOutputs = AttentionOutputs.EMPTY;
    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    private AttentionInputs inputs = AttentionInputs.EMPTY;
    private RaggedOffsets sequences = AttentionCall.NO_SEQUENCES;
    private AttentionShape shape = AttentionShape.PLAIN;

    void forward(
            Workers workers,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        run(workers, null, AttentionOutputs.EMPTY, newOutputs, newInputs, newSequences, newShape);
    }

    void backward(
            Workers workers,
            AttentionInputs newDInputs,
            AttentionOutputs newDOutputs,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            RaggedOffsets newSequences,
            AttentionShape newShape) {
        int size = newShape.hasScores()
                ? AttentionPacking.size(
                        "sequences * heads * biasSpan", newSequences.count(), newShape.heads(), newShape.biasSpan())
                : 0;
        dBiases = atLeast(dBiases, size);
        Arrays.fill(dBiases, 0, size, 0);
        run(workers, newDInputs, newDOutputs, newOutputs, newInputs, newSequences, newShape);
        int biases = newShape.heads() * newShape.biasSpan();
        for (int at = 0; at < size; at++) {
            newDInputs.scoreBiases()[at % biases] += dBiases[at];
        }
    }

    private void run(
            Workers workers,
            @Nullable AttentionInputs newDInputs,
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
            workers.run(cut(), this);
        } finally {
            // What the caller owns is not kept from the garbage collector.
            dInputs = null;
            dOutputs = AttentionOutputs.EMPTY;
            outputs = AttentionOutputs.EMPTY;
            inputs = AttentionInputs.EMPTY;
            sequences = AttentionCall.NO_SEQUENCES;
            shape = AttentionShape.PLAIN;
        }
    }

    /** How many chunks. */
    private int cut() {
        int chunks = 0;
        long size = MIN_CHUNK;
        longest = 0;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            if (size >= MIN_CHUNK) {
                startChunk(chunks++, sequence);
                size = 0;
            }
            size += 2L * shape.width() * sequences.length(sequence);
            longest = Math.max(longest, sequences.length(sequence));
        }
        startChunk(chunks, sequences.count());
        return chunks;
    }

    private void startChunk(int chunk, int sequence) {
        if (chunk == chunkStarts.length) {
            chunkStarts = Arrays.copyOf(chunkStarts, 2 * chunk);
        }
        chunkStarts[chunk] = sequence;
    }

    @Override
    public void run(int chunk) {
        LastQueryPass pass = PASS.get();
        pass.reserve(shape, longest);
        AttentionInputs gradients = dInputs;
        for (int sequence = chunkStarts[chunk]; sequence < chunkStarts[chunk + 1]; sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            if (gradients == null) {
                pass.forward(outputs, inputs, sequence, first, length);
            } else {
                pass.backward(gradients, dBiases, dOutputs, outputs, inputs, sequence, first, length);
            }
        }
    }
}
