package org.lemmata.index;

import org.lemmata.argument.Refuse;

/** A list of binary words of equal length, packed: n words of b bits need n b / 64 longs. */
public final class BinaryWordList {

    private final int length;
    private final int capacity;
    private final long[] bits;
    private int size;

    /**
     * An empty list.
     *
     * @param length the number of bits of a word, at least 1
     * @param capacity the maximum number of words
     * @throws IllegalArgumentException if an argument is out of range, or the words do not fit in one array
     */
    public BinaryWordList(int length, int capacity) {
        Refuse.below("length", length, 1);
        long longs = Math.ceilDiv((long) length * capacity, Long.SIZE);
        if (capacity < 0 || longs > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    "capacity: expected as many words of " + length + " bits as an array holds, got " + capacity);
        }
        this.length = length;
        this.capacity = capacity;
        bits = new long[(int) longs];
    }

    public int size() {
        return size;
    }

    /**
     * Adds a word: bit i is bit i % 64 of its long i / 64.
     *
     * @throws IllegalStateException if the list is full
     */
    public void add(long... word) {
        if (size == capacity) {
            throw new IllegalStateException("a list of " + capacity + " words is full");
        }
        for (int i = 0; i < length; i++) {
            long place = (long) size * length + i;
            bits[(int) (place / Long.SIZE)] |= (word[i / Long.SIZE] >>> i & 1) << place;
        }
        size++;
    }

    /** Bit {@code i} of word {@code index}. */
    public boolean bit(int index, int i) {
        if (index < 0 || index >= size || i < 0 || i >= length) {
            throw new IndexOutOfBoundsException(
                    "word, bit: expected below " + size + " and " + length + ", got " + index + " and " + i);
        }
        long place = (long) index * length + i;
        return (bits[(int) (place / Long.SIZE)] >>> place & 1) != 0;
    }
}
