package org.lemmata.index;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.Collection;
import java.util.function.Predicate;
import org.lemmata.argument.Refuse;

/**
 * A set of binary words of equal length: bit i of a word is bit i % 64 of its long i / 64. Words of up to 32 bits are
 * stored as {@code int}, words of up to 64 bits as {@code long}, longer words as arrays.
 */
public final class BinaryWordSet {

    private final int length;
    private final Collection<?> words;
    private final Predicate<long[]> adding;
    private final Predicate<long[]> containing;

    private BinaryWordSet(int length, Collection<?> words, Predicate<long[]> adding, Predicate<long[]> containing) {
        this.length = length;
        this.words = words;
        this.adding = adding;
        this.containing = containing;
    }

    /**
     * An empty set for words of {@code length} bits.
     *
     * @throws IllegalArgumentException if {@code length} is below 1
     */
    public static BinaryWordSet forLength(int length) {
        Refuse.below("length", length, 1);
        if (length <= Integer.SIZE) {
            var words = new IntOpenHashSet();
            return new BinaryWordSet(
                    length, words, word -> words.add((int) word[0]), word -> words.contains((int) word[0]));
        }
        if (length <= Long.SIZE) {
            var words = new LongOpenHashSet();
            return new BinaryWordSet(length, words, word -> words.add(word[0]), word -> words.contains(word[0]));
        }
        var words = new ObjectOpenCustomHashSet<long[]>(LongArrays.HASH_STRATEGY);
        // The caller may reuse the array of a word, so the set stores a copy.
        return new BinaryWordSet(
                length, words, word -> !words.contains(word) && words.add(word.clone()), words::contains);
    }

    public int size() {
        return words.size();
    }

    /**
     * Adds a word; returns whether it is new.
     *
     * @throws IllegalArgumentException if the word does not have ceil(length / 64) longs, or a bit beyond the length is
     *     set
     */
    public boolean add(long... word) {
        check(word);
        return adding.test(word);
    }

    /**
     * Whether the set contains a word.
     *
     * @throws IllegalArgumentException as in {@link #add}
     */
    public boolean contains(long... word) {
        check(word);
        return containing.test(word);
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
}
