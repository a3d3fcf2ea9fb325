package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.size;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionPacking;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.thread.Workers;

/** A call over all heads of all queries, divided into chunks. Each calling thread has one object. */
final class CachedAttentionCall implements Workers.Chunks {

    private static final ThreadLocal<CachedAttentionPass> PASS = ThreadLocal.withInitial(CachedAttentionPass::new);
    private static final ThreadLocal<CachedAttentionGradients> GRADIENTS =
            ThreadLocal.withInitial(CachedAttentionGradients::new);

    /** The minimum number of floats that a chunk reads from a cache, about five microseconds of work. */
    private static final long MIN_CHUNK_OF_CACHE = 1 << 15;

    /** The minimum number of floats that a chunk reads if keys and values are rows of sequences. */
    private static final long MIN_CHUNK_OF_ROWS = 1 << 14;

    private static final int[] NO_NUMBERS = {};
    private static final RaggedOffsets NO_SEQUENCES = RaggedOffsets.ofLengths();

    /** For each row and head, its average of tokens, from which the identity outputs are computed. */
    private float[] headAverages = {};

    /** For each sequence and head, its contribution to the gradient of phi. */
    private float[] dBiases = {};

    /** Units are numbered row * heads + head. Element i is the first unit of chunk i. */
    private int[] chunkStarts = new int[16];

    /** The capacity of the cache, or without a cache the length of the longest sequence. */
    int longest;

    /** Null in the forward pass. */
    private @Nullable AttentionInputs dInputs;

    private AttentionOutputs dOutputs = AttentionOutputs.EMPTY;
    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    AttentionInputs inputs = AttentionInputs.EMPTY;
    AttentionShape shape = AttentionShape.PLAIN;

    /** Null if keys and values are the rows of sequences. */
    @Nullable
    AttentionCache cache;

    private int[] numbers = NO_NUMBERS;
    private RaggedOffsets sequences = NO_SEQUENCES;

    /** Sets keys and values to those of cached sequences; row r is for {@code newNumbers[r]}. */
    CachedAttentionCall over(AttentionCache newCache, int[] newNumbers) {
        cache = newCache;
        numbers = newNumbers;
        // Uses the capacity, because arrays sized by the length would grow with every token.
        longest = newCache.capacity();
        return this;
    }

    /** Sets keys and values to the rows of sequences. */
    CachedAttentionCall over(RaggedOffsets newSequences) {
        sequences = newSequences;
        longest = 0;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            longest = Math.max(longest, sequences.length(sequence));
        }
        return this;
    }

    /** Runs over {@code count} rows: a backward pass, or a forward pass if {@code newDInputs} is null. */
    void run(
            Workers workers,
            @Nullable AttentionInputs newDInputs,
            AttentionOutputs newDOutputs,
            AttentionOutputs newOutputs,
            AttentionInputs newInputs,
            AttentionShape newShape,
            int count) {
        dInputs = newDInputs;
        dOutputs = newDOutputs;
        outputs = newOutputs;
        inputs = newInputs;
        shape = newShape;
        try {
            headAverages = atLeast(headAverages, shape.headTokens(count));
            if (newDInputs == null) {
                workers.run(cut(count), this);
                AttentionPacking.addHeads(outputs, inputs, headAverages, 0, count, shape);
            } else {
                differentiate(workers, newDInputs.scoreBiases(), count);
            }
        } finally {
            // Lets the garbage collector free the caller's arrays.
            dInputs = null;
            dOutputs = AttentionOutputs.EMPTY;
            outputs = AttentionOutputs.EMPTY;
            inputs = AttentionInputs.EMPTY;
            shape = AttentionShape.PLAIN;
            cache = null;
            numbers = NO_NUMBERS;
            sequences = NO_SEQUENCES;
        }
    }

    private void differentiate(Workers workers, float[] sums, int count) {
        int biases = shape.heads() * shape.biasSpan();
        int size = shape.hasScores() ? size("sequences * heads * biasSpan", count, shape.heads(), shape.biasSpan()) : 0;
        dBiases = atLeast(dBiases, size);
        Arrays.fill(dBiases, 0, size, 0);
        workers.run(cut(count), this);
        for (int at = 0; at < size; at++) {
            sums[at % biases] += dBiases[at];
        }
    }

    /** Divides the heads of {@code count} rows into chunks; returns the number of chunks. */
    private int cut(int count) {
        long enough = cache == null ? MIN_CHUNK_OF_ROWS : MIN_CHUNK_OF_CACHE;
        int width = shape.headWidth() + shape.identityWidth();
        int chunks = 0;
        long size = enough;
        int heads = shape.heads();
        for (int row = 0; row < count; row++) {
            long sizeOfHead = 2L * width * length(row);
            for (int head = 0; head < heads; head++) {
                if (size >= enough) {
                    startChunk(chunks++, row * heads + head);
                    size = 0;
                }
                size += sizeOfHead;
            }
        }
        startChunk(chunks, count * shape.heads());
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
        int heads = shape.heads();
        int unit = chunkStarts[chunk];
        int end = chunkStarts[chunk + 1];
        AttentionInputs gradients = dInputs;
        CachedAttentionPass forward = PASS.get();
        // Increments row and head, because a division per unit would be slow for short sequences.
        for (int row = unit / heads, head = unit % heads; unit < end; unit++) {
            if (gradients == null) {
                forward.run(outputs, headAverages, this, row, head);
            } else {
                GRADIENTS.get().run(gradients, dBiases, dOutputs, outputs, this, row, head);
            }
            head++;
            if (head == heads) {
                head = 0;
                row++;
            }
        }
    }

    /** The number that the sequence of a row has in the cache. */
    int number(int row) {
        return numbers[row];
    }

    /** The number of positions that the query of a row sees. */
    int length(int row) {
        return cache == null ? sequences.length(row) : cache.length(numbers[row]);
    }

    /** The offset of a head's columns in the first value (and without a cache, key) that the query of a row sees. */
    int at(int row, int head) {
        return firstRow(row) * shape.width() + head * shape.headWidth();
    }

    int firstRow(int row) {
        return cache == null ? sequences.start(row) : cache.row(numbers[row], 0);
    }

    /** The offset of a head's columns in the query and the outputs of a row. */
    int queryAt(int row, int head) {
        return row * shape.width() + head * shape.headWidth();
    }
}
