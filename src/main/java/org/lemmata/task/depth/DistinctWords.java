package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.random.RandomGenerator;
import org.lemmata.index.BinaryWordSet;

/** Words of {@link DyckWords}, none twice: uniform draws, those seen before thrown away. */
public final class DistinctWords {

    private final DyckWords words;
    private final RandomGenerator random;
    private final int wanted;
    private final BinaryWordSet drawn;

    /**
     * @param wanted how many words will be drawn at most
     * @throws IllegalArgumentException if there are fewer words than {@code wanted}
     */
    public DistinctWords(DyckWords words, int wanted, RandomGenerator random) {
        if (wanted < 0 || BigInteger.valueOf(wanted).compareTo(words.count()) > 0) {
            throw new IllegalArgumentException(
                    "distinct words: expected 0 to " + words.count() + ", which is all there are, got " + wanted);
        }
        this.words = words;
        this.random = random;
        this.wanted = wanted;
        this.drawn = BinaryWordSet.forLength(words.defaultLength());
    }

    public boolean hasNext() {
        return drawn.size() < wanted;
    }

    /**
     * The ids of a word that was not drawn before.
     *
     * @throws IllegalStateException if {@code wanted} words were drawn
     */
    public int[] next() {
        if (!hasNext()) {
            throw new IllegalStateException("distinct words: expected at most " + wanted + " draws");
        }
        int[] word;
        do {
            word = words.sampleIds(random);
        } while (!drawn.add(bits(word)));
        return word;
    }

    private static long[] bits(int[] word) {
        long[] bits = new long[(word.length + Long.SIZE - 1) / Long.SIZE];
        for (int i = 0; i < word.length; i++) {
            bits[i / Long.SIZE] |= (word[i] == DyckWords.OPEN ? 1L : 0L) << i;
        }
        return bits;
    }
}
