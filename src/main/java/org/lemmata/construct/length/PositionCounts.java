package org.lemmata.construct.length;

import java.util.Arrays;
import org.lemmata.argument.Refuse;

/**
 * The number of occurrences of each class (token, position mod Delta) before the last positions of a sequence, and the
 * last tokens themselves. A one-layer limit transformer depends only on these.
 *
 * <p>A class is token * period + residue; positions count from 0. The head has the first {@code length - tail.length}
 * positions, and the tail has all others. The query is the last position.
 */
public final class PositionCounts {

    private final int tokens;
    private final int period;
    private final long[] counts;
    private final int[] tail;
    private final long headLength;

    /**
     * @param counts the counts in the head; tokens * period numbers
     * @param tail the last tokens, at least one; at least tau + 1 unless the head is empty
     * @throws IllegalArgumentException if no sequence has these counts: positions have residues 0, 1, ... in turn
     */
    public PositionCounts(int tokens, int period, long[] counts, int[] tail) {
        if (tokens < 1 || period < 1 || counts.length != (long) tokens * period || tail.length == 0) {
            throw new IllegalArgumentException("counts: expected tokens * period of them and a tail, got "
                    + counts.length
                    + " for " + tokens + " * " + period + " and a tail of " + tail.length);
        }
        this.tokens = tokens;
        this.period = period;
        this.counts = counts.clone();
        this.tail = tail.clone();
        this.headLength = Arrays.stream(counts).sum();
        for (int residue = 0; residue < period; residue++) {
            long expected = positions(headLength, period, residue);
            long got = 0;
            for (int token = 0; token < tokens; token++) {
                if (counts[token * period + residue] < 0) {
                    throw new IllegalArgumentException("counts: expected none below 0, got " + Arrays.toString(counts));
                }
                got += counts[token * period + residue];
            }
            if (got != expected) {
                throw new IllegalArgumentException("counts: expected " + expected + " positions of residue " + residue
                        + " among the first " + headLength + ", got " + got);
            }
        }
        for (int token : tail) {
            Refuse.outside("token", token, 0, tokens - 1);
        }
    }

    static long positions(long length, int period, int residue) {
        return (length - residue + period - 1) / period;
    }

    /** The counts of a sequence whose tail has {@code tailLength} positions, or all positions of a shorter sequence. */
    public static PositionCounts of(int[] sequence, int tokens, int period, int tailLength) {
        int head = Math.max(0, sequence.length - tailLength);
        long[] counts = new long[tokens * period];
        for (int j = 0; j < head; j++) {
            Refuse.outside("token", sequence[j], 0, tokens - 1);
            counts[sequence[j] * period + j % period]++;
        }
        return new PositionCounts(tokens, period, counts, Arrays.copyOfRange(sequence, head, sequence.length));
    }

    public int tokens() {
        return tokens;
    }

    /** Delta. */
    public int period() {
        return period;
    }

    /** The number of occurrences of a class in the head. */
    public long count(int keyClass) {
        return counts[keyClass];
    }

    /** A copy of the last tokens. */
    public int[] tail() {
        return tail.clone();
    }

    public int tailLength() {
        return tail.length;
    }

    /** The class of the tail's position {@code index}. */
    public int tailClass(int index) {
        return tail[index] * period + (int) ((headLength + index) % period);
    }

    public long headLength() {
        return headLength;
    }

    /** |x|. */
    public long length() {
        return headLength + tail.length;
    }

    /**
     * A sequence with these counts. Each position of the head has the smallest token that is still available for its
     * residue; the tail follows.
     *
     * @throws IllegalArgumentException if the sequence does not fit in an array
     */
    public int[] sequence() {
        Refuse.when(length() > Integer.MAX_VALUE - 8, "length", "at most " + (Integer.MAX_VALUE - 8), length());
        int[] sequence = new int[(int) length()];
        for (int residue = 0; residue < period; residue++) {
            int position = residue;
            for (int token = 0; token < tokens; token++) {
                for (long left = counts[token * period + residue]; left > 0; left--) {
                    sequence[position] = token;
                    position += period;
                }
            }
        }
        System.arraycopy(tail, 0, sequence, (int) headLength, tail.length);
        return sequence;
    }
}
