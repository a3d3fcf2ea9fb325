package org.lemmata.task.depth;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.math.BigInteger;
import java.util.List;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.lemmata.index.BinaryWordSet;

/**
 * Distinct words of {@link DyckWords}, drawn uniformly without repetitions, in the order of their draws.
 *
 * <p>Words are stored as bits, in a list and in a set: 10^7 words of 32 brackets take about 110 MB.
 */
public final class DistinctWords {

    private final DyckWords words;

    /** The words one after another, each in {@link #chunks} integers of 32 bits. */
    private final IntList list;

    private final int chunks;
    private final BinaryWordSet set;

    /**
     * Draws distinct words.
     *
     * @param draws the random generator of draw i = 0, 1, ...; repeated words are discarded
     * @throws IllegalArgumentException if there are fewer than {@code count} words
     */
    public DistinctWords(DyckWords words, int count, LongFunction<? extends RandomGenerator> draws) {
        this(words, count, draws, List.of());
    }

    /**
     * Draws distinct words that are not among {@code others}.
     *
     * @param draws the random generator of draw i = 0, 1, ...; repeated words are discarded
     * @param others disjoint sets of words of the task {@code words}
     * @throws IllegalArgumentException if {@code count} is negative, or there are fewer than {@code count} words
     *     outside {@code others}
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
        chunks = Math.ceilDiv(words.defaultLength(), Integer.SIZE);
        list = new IntArrayList(Math.multiplyExact(count, chunks));
        set = BinaryWordSet.forLength(words.defaultLength());
        for (long draw = 0; size() < count; draw++) {
            long[] word = bits(words.sampleIds(draws.apply(draw)));
            if (others.stream().noneMatch(other -> other.set.contains(word)) && set.add(word)) {
                for (int chunk = 0; chunk < chunks; chunk++) {
                    list.add((int) (word[chunk / 2] >>> (Integer.SIZE * chunk)));
                }
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

    public int size() {
        return list.size() / chunks;
    }

    /** The ids of the word with this index. */
    public int[] ids(int index) {
        int[] ids = new int[words.defaultLength()];
        for (int i = 0; i < ids.length; i++) {
            int chunk = list.getInt(index * chunks + i / Integer.SIZE);
            ids[i] = (chunk >>> i & 1) == 1 ? DyckWords.OPEN : DyckWords.CLOSE;
        }
        return ids;
    }

    /** Whether this set contains a word; {@code ids} must have the length of the set's words. */
    public boolean contains(int... ids) {
        return set.contains(bits(ids));
    }

    /**
     * The number of {@code prefixes}, counted with repetitions, with which a word of this set begins.
     *
     * <p>Each word is looked up in the tree of the prefixes, independently of {@link #contains}.
     */
    public int begun(List<int[]> prefixes) {
        var tree = new PrefixTree(prefixes);
        for (int index = 0; index < size(); index++) {
            tree.remove(ids(index));
        }
        return prefixes.size() - tree.size();
    }
}
