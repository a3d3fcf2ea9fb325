package org.lemmata.index;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.Collection;
import java.util.function.Predicate;
import org.lemmata.argument.Refuse;

/**
 * A set of binary words of one length: bit i of a word is bit i % 64 of its long i / 64.
 *
 * <p>A word takes an {@code int} up to 32 bits, a {@code long} up to 64, and an array beyond.
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
     * The empty set for words of {@code length} bits.
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
        // A copy, since the caller may go on writing into his array; only where it is new.
        return new BinaryWordSet(
                length, words, word -> !words.contains(word) && words.add(word.clone()), words::contains);
    }

    /** How many words are in. */
    public int size() {
        return words.size();
    }

    /**
     * Puts a word in; true if it was not in before.
     *
     * @throws IllegalArgumentException if the word does not have ceil(length / 64) longs, or a bit beyond its length
     */
    public boolean add(long... word) {
        check(word);
        return adding.test(word);
    }

    /**
     * Whether a word is in.
     *
     * @throws IllegalArgumentException as {@link #add}
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
