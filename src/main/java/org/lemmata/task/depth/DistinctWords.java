package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.List;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.lemmata.index.BinaryWordList;
import org.lemmata.index.BinaryWordSet;

/**
 * Words of {@link DyckWords}, no two of them equal, in the order in which they were drawn: uniform draws, those seen
 * before thrown away.
 *
 * <p>They are kept as bits, in a list and in a set: 10^7 words of 32 brackets take about 110 MB.
 */
public final class DistinctWords {

    private final DyckWords words;
    private final BinaryWordList list;
    private final BinaryWordSet set;

    /**
     * Draws them.
     *
     * @param count how many
     * @param draws the generator of draw i = 0, 1, ..., from which a word is drawn that may be thrown away
     * @throws IllegalArgumentException if there are not so many words
     */
    public DistinctWords(DyckWords words, int count, LongFunction<? extends RandomGenerator> draws) {
        this(words, count, draws, List.of());
    }

    /**
     * Draws words that are not among {@code others}, either.
     *
     * @param count how many
     * @param draws the generator of draw i = 0, 1, ..., from which a word is drawn that may be thrown away
     * @param others words of {@code words}, none of them in two of these
     * @throws IllegalArgumentException if there are not so many words besides
     */
    public DistinctWords(
            DyckWords words, int count, LongFunction<? extends RandomGenerator> draws, List<DistinctWords> others) {
        BigInteger left = others.stream()
                .map(other -> BigInteger.valueOf(other.size()))
                .reduce(words.count(), BigInteger::subtract);
        if (count < 0 || BigInteger.valueOf(count).compareTo(left) > 0) {
            throw new IllegalArgumentException("distinct words: expected 0 to " + left + ", which is all there are"
                    + (others.isEmpty() ? "" : " besides others") + ", got " + count);
        }
        this.words = words;
        list = new BinaryWordList(words.defaultLength(), count);
        set = BinaryWordSet.forLength(words.defaultLength());
        for (long draw = 0; list.size() < count; draw++) {
            long[] word = bits(words.sampleIds(draws.apply(draw)));
            if (others.stream().noneMatch(other -> other.set.contains(word)) && set.add(word)) {
                list.add(word);
            }
        }
    }

    private static long[] bits(int[] word) {
        long[] bits = new long[Math.ceilDiv(word.length, Long.SIZE)];
        for (int i = 0; i < word.length; i++) {
            bits[i / Long.SIZE] |= (word[i] == DyckWords.OPEN ? 1L : 0L) << i;
        }
        return bits;
    }

    /** How many there are. */
    public int size() {
        return list.size();
    }

    /** The ids of the word of an index. */
    public int[] ids(int index) {
        int[] ids = new int[words.defaultLength()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(index, i);
        }
        return ids;
    }

    private int id(int index, int i) {
        return list.bit(index, i) ? DyckWords.OPEN : DyckWords.CLOSE;
    }

    /** Whether a word of as many brackets is among them. */
    public boolean contains(int... ids) {
        return set.contains(bits(ids));
    }

    /**
     * How many of {@code prefixes}, each counted as often as it stands there, begin a word among these, or are one.
     *
     * <p>Each word is walked down the tree of the prefixes: what is found does not depend on {@link #contains}.
     */
    public int begun(List<int[]> prefixes) {
        var tree = new PrefixTree(prefixes);
        for (int index = 0; index < size(); index++) {
            tree.remove(ids(index));
        }
        return prefixes.size() - tree.size();
    }
}
