package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.random.RandomGenerator;

/**
 * word(rank): the rank-th word in the order in which '(' comes before ')', for words that a {@code long} holds.
 *
 * <p>At every bracket the rank is compared with the number of words that go on with '('. A rank drawn uniformly from
 * [0, count) so gives a uniform word from one random number.
 */
final class PackedSampler implements WordSampler {

    /** The largest N: a word is one {@code long}, and the 5.6e16 words of N = 32 can be counted in one. */
    static final int MAX_PAIRS = 32;

    private final int length;
    private final int minDepth;
    private final int stride;
    /** Words that go on with '(', at (step, height); first those of prefixes that have been as deep as minDepth. */
    private final long[] opening;

    private final long count;

    PackedSampler(int pairs, int minDepth, int maxDepth) {
        var counts = new CompletionCounts(pairs, minDepth, maxDepth);
        this.length = 2 * pairs;
        this.minDepth = minDepth;
        this.stride = maxDepth + 1;
        this.count = counts.words().longValueExact();
        this.opening = new long[2 * length * stride];
        for (int step = 0; step < length; step++) {
            // Only heights of the step's parity occur.
            for (int height = step & 1; height <= maxDepth; height += 2) {
                int cell = step * stride + height;
                opening[cell] = counts.after(step, height + 1, true).longValueExact();
                opening[length * stride + cell] =
                        counts.after(step, height + 1, false).longValueExact();
            }
        }
    }

    @Override
    public BigInteger count() {
        return BigInteger.valueOf(count);
    }

    @Override
    public int[] sample(RandomGenerator random) {
        return DyckWords.ids(word(random.nextLong(count)), length);
    }

    /** The word of a rank in [0, count), bit i set where bracket i is '('. */
    long word(long rank) {
        assert rank >= 0 && rank < count;
        long word = 0;
        long rest = rank;
        int height = 0;
        int plane = length * stride; // of prefixes that have not been as deep as minDepth
        for (int step = 0; step < length; step++) {
            long words = opening[plane + step * stride + height];
            if (rest < words) {
                word |= 1L << step;
                height++;
                if (height == minDepth) {
                    plane = 0;
                }
            } else {
                rest -= words;
                height--;
            }
        }
        return word;
    }
}
