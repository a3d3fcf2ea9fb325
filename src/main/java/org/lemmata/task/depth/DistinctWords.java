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
        if (count < 0 || BigInteger.valueOf(count).compareTo(words.count()) > 0) {
            throw new IllegalArgumentException(
                    "distinct words: expected 0 to " + words.count() + ", which is all there are, got " + count);
        }
        this.words = words;
        list = new BinaryWordList(words.defaultLength(), count);
        set = BinaryWordSet.forLength(words.defaultLength());
        for (long draw = 0; list.size() < count; draw++) {
            long[] word = bits(words.sampleIds(draws.apply(draw)));
            if (set.add(word)) {
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
        int begun = 0;
        for (int index = 0; index < size(); index++) {
            int node = PrefixTree.ROOT;
            for (int i = 0; i < words.defaultLength() && node != PrefixTree.NONE; i++) {
                node = tree.next(node, id(index, i));
                begun += tree.takeEnds(node);
            }
        }
        return begun;
    }
}
