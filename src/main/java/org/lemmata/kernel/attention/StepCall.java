package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.thread.Workers;

/** All heads of all queries of a step, cut into chunks; each calling thread has one such object. */
final class StepCall implements Workers.Chunks {

    private static final ThreadLocal<StepPass> PASS = ThreadLocal.withInitial(StepPass::new);

    /** Numbers of the cache that a chunk reads at least: some five microseconds. */
    private static final long MIN_CHUNK = 1 << 15;

    private static final int[] NO_SEQUENCES = {};

    /** The averages of tokens, row by row and head by head, of which the identity outputs are made. */
    private float[] headAverages = {};

    /** Heads of rows, counted through: chunk i has those from element i to element i + 1. */
    private int[] chunkStarts = new int[16];

    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    private AttentionInputs inputs = AttentionInputs.EMPTY;
    private @Nullable AttentionCache cache;
    private int[] sequences = NO_SEQUENCES;

    void run(
            Workers workers,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            AttentionCache newCache,
            int[] newSequences,
            int count) {
        AttentionShape shape = newCache.shape();
        headAverages = atLeast(
                headAverages,
                AttentionPacking.size("count * heads * identityWidth", count, shape.heads(), shape.identityWidth()));
        outputs = newOutputs;
        inputs = newInputs;
        cache = newCache;
        sequences = newSequences;
        try {
            workers.run(cut(newCache, count), this);
            addHeads(shape, count);
        } finally {
            // What the caller owns is not kept from the garbage collector.
            outputs = AttentionOutputs.EMPTY;
            inputs = AttentionInputs.EMPTY;
            cache = null;
            sequences = NO_SEQUENCES;
        }
    }

    /** How many chunks. */
    private int cut(AttentionCache read, int count) {
        AttentionShape shape = read.shape();
        int width = shape.headWidth() + shape.identityWidth();
        int chunks = 0;
        long size = MIN_CHUNK;
        int heads = shape.heads();
        for (int unit = 0; unit < count * heads; unit++) {
            if (size >= MIN_CHUNK) {
                startChunk(chunks++, unit);
                size = 0;
            }
            size += 2L * width * read.length(sequences[unit / heads]);
        }
        startChunk(chunks, count * heads);
        return chunks;
    }

    private void startChunk(int chunk, int unit) {
        if (chunk == chunkStarts.length) {
            chunkStarts = Arrays.copyOf(chunkStarts, 2 * chunk);
        }
        chunkStarts[chunk] = unit;
    }

    @Override
    public void run(int chunk) {
        AttentionCache read = cache;
        if (read == null) {
            throw new IllegalStateException("no call is running");
        }
        StepPass pass = PASS.get();
        int heads = read.shape().heads();
        for (int unit = chunkStarts[chunk]; unit < chunkStarts[chunk + 1]; unit++) {
            int row = unit / heads;
            pass.run(outputs, headAverages, inputs, read, sequences[row], row, unit % heads);
        }
    }

    /** z = sum_h b_h (average of head h), in ascending order of heads. */
    private void addHeads(AttentionShape shape, int count) {
        int width = shape.identityWidth();
        int heads = shape.heads();
        for (int row = 0; row < count && width > 0; row++) {
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
