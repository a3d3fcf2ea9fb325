package org.lemmata.kernel.attention;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;

/**
 * The units of work of a call, grouped into chunks.
 *
 * <p>The grouping depends only on the sizes of the problem. A chunk takes units until it has enough work, because
 * handing a chunk to a thread takes several microseconds.
 */
final class AttentionUnits {

    /** The minimum work of a chunk, about 10 microseconds. */
    private static final double MIN_CHUNK_FLOPS = 1e6;

    /** If (number of sequences) * heads is below this, forward passes also divide the queries of a head. */
    private static final int MANY_HEADS = 32;

    /** The number of queries per part of a head: enough that packing the keys again for each part costs little. */
    private static final int PART = 4 * AttentionProducts.QUERIES;

    private final AttentionCall call;
    private AttentionUnit[] all = {};
    private int[] chunkStarts = {};
    private int units;
    private int chunks;

    AttentionUnits(AttentionCall call) {
        this.call = call;
    }

    /** Divides a call into units and chunks; divides the queries of a head if {@code parts} and there are few heads. */
    void cut(boolean parts) {
        RaggedOffsets offsets = call.sequences();
        AttentionShape shape = call.shape();
        units = 0;
        chunks = 0;
        double flops = MIN_CHUNK_FLOPS;
        boolean whole = !parts || (long) offsets.count() * shape.heads() >= MANY_HEADS;
        for (int sequence = 0; sequence < offsets.count(); sequence++) {
            int length = offsets.length(sequence);
            int part = whole ? length : PART;
            boolean together = ShortHeads.suits(shape, length);
            // Heads that are processed together share the products of tokens.
            double width = 4.0 * (shape.headWidth() + (together ? 0 : shape.identityWidth()));
            for (int head = 0; head < shape.heads(); head++) {
                for (int first = 0; first < length; first += part) {
                    if (flops >= MIN_CHUNK_FLOPS && !(together && head > 0)) {
                        startChunk();
                        flops = 0;
                    }
                    int end = Math.min(length, first + part);
                    next().set(sequence, head, first, end);
                    flops += width * (end - first) * shape.seen((first + end) / 2, length);
                }
            }
        }
        startChunk();
        chunks--;
    }

    private void startChunk() {
        if (chunkStarts.length == chunks) {
            chunkStarts = Arrays.copyOf(chunkStarts, 2 * chunks + 16);
        }
        chunkStarts[chunks++] = units;
    }

    private AttentionUnit next() {
        if (all.length == units) {
            all = Arrays.copyOf(all, 2 * units + 16);
            Arrays.setAll(all, i -> i < units ? all[i] : new AttentionUnit(call));
        }
        return all[units++];
    }

    int chunks() {
        return chunks;
    }

    /** The first unit of a chunk. If {@code chunk} equals {@link #chunks}, returns the number of units. */
    int chunkStart(int chunk) {
        return chunkStarts[chunk];
    }

    AttentionUnit get(int unit) {
        return all[unit];
    }
}
