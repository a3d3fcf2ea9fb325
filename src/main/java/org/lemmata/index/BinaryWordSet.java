package org.lemmata.index;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;

/**
 * A set of binary words of one length: bit i of a word is bit i % 64 of its long i / 64.
 *
 * <p>A word takes an {@code int} up to 32 bits, a {@code long} up to 64, and an array beyond.
 */
public abstract sealed class BinaryWordSet {

    private final int length;

    private BinaryWordSet(int length) {
        this.length = length;
    }

    /**
     * The empty set for words of {@code length} bits.
     *
     * @throws IllegalArgumentException if {@code length} is below 1
     */
    public static BinaryWordSet forLength(int length) {
        requireLength(length);
        if (length <= Integer.SIZE) {
            return new IntWords(length);
        }
        return length <= Long.SIZE ? new LongWords(length) : new ArrayWords(length);
    }

    /** Bits of a word. */
    public int length() {
        return length;
    }

    /** How many words are in. */
    public abstract int size();

    /**
     * Puts a word in; true if it was not in before.
     *
     * @throws IllegalArgumentException if the word does not have ceil(length / 64) longs, or a bit beyond its length
     */
    public final boolean add(long... word) {
        check(word);
        return addChecked(word);
    }

    /**
     * Whether a word is in.
     *
     * @throws IllegalArgumentException as {@link #add}
     */
    public final boolean contains(long... word) {
        check(word);
        return containsChecked(word);
    }

    abstract boolean addChecked(long[] word);

    abstract boolean containsChecked(long[] word);

    private static void requireLength(int length) {
        if (length < 1) {
            throw new IllegalArgumentException("length: expected at least 1, got " + length);
        }
    }

    private void check(long[] word) {
        int longs = (length + Long.SIZE - 1) / Long.SIZE;
        if (word.length != longs) {
            throw new IllegalArgumentException(
                    "word: expected " + longs + " longs for " + length + " bits, got " + word.length);
        }
        int used = length % Long.SIZE;
        if (used != 0 && word[longs - 1] >>> used != 0) {
            throw new IllegalArgumentException("word: expected no bit at or beyond " + length + ", got 0x"
                    + Long.toHexString(word[longs - 1]) + " as its last long");
        }
    }

    private static final class IntWords extends BinaryWordSet {

        private final IntOpenHashSet words = new IntOpenHashSet();

        IntWords(int length) {
            super(length);
        }

        @Override
        public int size() {
            return words.size();
        }

        @Override
        boolean addChecked(long[] word) {
            return words.add((int) word[0]);
        }

        @Override
        boolean containsChecked(long[] word) {
            return words.contains((int) word[0]);
        }
    }

    private static final class LongWords extends BinaryWordSet {

        private final LongOpenHashSet words = new LongOpenHashSet();

        LongWords(int length) {
            super(length);
        }

        @Override
        public int size() {
            return words.size();
        }

        @Override
        boolean addChecked(long[] word) {
            return words.add(word[0]);
        }

        @Override
        boolean containsChecked(long[] word) {
            return words.contains(word[0]);
        }
    }

    private static final class ArrayWords extends BinaryWordSet {

        private final ObjectOpenCustomHashSet<long[]> words = new ObjectOpenCustomHashSet<>(LongArrays.HASH_STRATEGY);

        ArrayWords(int length) {
            super(length);
        }

        @Override
        public int size() {
            return words.size();
        }

        @Override
        boolean addChecked(long[] word) {
            // A copy, since the caller may go on writing into his array; only where it is new.
            return !words.contains(word) && words.add(word.clone());
        }

        @Override
        boolean containsChecked(long[] word) {
            return words.contains(word);
        }
    }
}
