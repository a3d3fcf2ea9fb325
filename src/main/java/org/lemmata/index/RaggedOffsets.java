package org.lemmata.index;

import java.util.Arrays;

/**
 * The positions of {@code count} sequences in one flat array: sequence i is [start(i), end(i)). The offsets are o_0 = 0
 * &lt;= o_1 &lt;= ... &lt;= o_count = total; there is no padding between sequences.
 */
public final class RaggedOffsets {

    private final int[] offsets;

    private RaggedOffsets(int[] offsets) {
        this.offsets = offsets;
    }

    /** The offsets of sequences with the given lengths, which may be zero, in order. */
    public static RaggedOffsets ofLengths(int... lengths) {
        int[] offsets = new int[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < 0) {
                throw new IllegalArgumentException(
                        "lengths: expected no negative length, got " + lengths[i] + " at " + i);
            }
            offsets[i + 1] = Math.addExact(offsets[i], lengths[i]);
        }
        return new RaggedOffsets(offsets);
    }

    public int count() {
        return offsets.length - 1;
    }

    public int total() {
        return offsets[offsets.length - 1];
    }

    public int start(int sequence) {
        return offsets[sequence];
    }

    public int end(int sequence) {
        return offsets[sequence + 1];
    }

    public int length(int sequence) {
        return offsets[sequence + 1] - offsets[sequence];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RaggedOffsets that && Arrays.equals(offsets, that.offsets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(offsets);
    }

    @Override
    public String toString() {
        return "RaggedOffsets" + Arrays.toString(offsets);
    }
}
