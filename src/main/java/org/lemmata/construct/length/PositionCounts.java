package org.lemmata.construct.length;

import java.util.Arrays;
import org.lemmata.argument.Refuse;

/**
 * How often each class (token, position mod Delta) occurs before the last positions of a sequence, and those last ones:
 * all that a one-layer limit transformer sees of it.
 *
 * <p>A class is token * period + residue; positions count from 0. The first part, the head, has {@code length -
 * tail.length} positions, the tail the others, the last one of which asks.
 */
public final class PositionCounts {

    private final int tokens;
    private final int period;
    private final long[] counts;
    private final int[] tail;
    private final long headLength;

    /**
     * @param counts of the head, tokens * period
     * @param tail the last tokens, at least one; at least tau + 1, or there is no head
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

    /** How many of the first {@code length} positions have a residue. */
    static long positions(long length, int period, int residue) {
        return (length - residue + period - 1) / period;
    }

    /** Those of a sequence whose last {@code tailLength} positions, or all if it is shorter, are the tail. */
    public static PositionCounts of(int[] sequence, int tokens, int period, int tailLength) {
        int head = Math.max(0, sequence.length - tailLength);
        long[] counts = new long[tokens * period];
        for (int j = 0; j < head; j++) {
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

    /** Occurrences of a class in the head. */
    public long count(int keyClass) {
        return counts[keyClass];
    }

    /** The last tokens; a copy. */
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
     * A sequence with these counts: at each position of the head the smallest token that its residue has left, then the
     * tail.
     *
     * @throws IllegalArgumentException if it is longer than an array may be
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
