package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Words with a depth in a window, of any length: what {@link PackedSampler} does, with ranks of any size. */
final class CountingSampler implements WordSampler {

    private final int length;
    private final int minDepth;
    private final CompletionCounts counts;

    CountingSampler(int pairs, int minDepth, int maxDepth) {
        double bytes = CompletionCounts.bytes(pairs, minDepth, maxDepth);
        if (bytes > Runtime.getRuntime().maxMemory() / 2.0) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "N, maxDepth: expected counts that fit into half of the memory (%.1f GB), got N = %d and maxDepth"
                            + " = %d, which take about %.1f GB",
                    Runtime.getRuntime().maxMemory() / 2e9,
                    pairs,
                    maxDepth,
                    bytes / 1e9));
        }
        this.length = 2 * pairs;
        this.minDepth = minDepth;
        this.counts = new CompletionCounts(pairs, minDepth, maxDepth);
    }

    @Override
    public BigInteger count() {
        return counts.words();
    }

    @Override
    public int[] sample(RandomGenerator random) {
        Random bits = Random.from(random);
        BigInteger rank;
        do {
            rank = new BigInteger(count().bitLength(), bits);
        } while (rank.compareTo(count()) >= 0);
        return word(rank);
    }

    /** The word of a rank in [0, count()). */
    int[] word(BigInteger rank) {
        int[] word = new int[length];
        int height = 0;
        boolean reached = false;
        BigInteger rest = rank;
        for (int step = 0; step < length; step++) {
            BigInteger words = counts.after(step, height + 1, reached);
            if (rest.compareTo(words) < 0) {
                word[step] = DyckWords.OPEN;
                height++;
                reached |= height >= minDepth;
            } else {
                word[step] = DyckWords.CLOSE;
                height--;
                rest = rest.subtract(words);
            }
        }
        return word;
    }
}
