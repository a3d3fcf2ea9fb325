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

    /** The greatest N: a word is one {@code long}, and the 5.6e16 words of N = 32 can be counted in one. */
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
                opening[length * stride + cell] = counts.after(step, height + 1, false).longValueExact();
            }
        }
    }

    @Override
    public BigInteger count() {
        return BigInteger.valueOf(count);
    }

    @Override
    public int[] sample(RandomGenerator random) {
        return DyckWords.ids(sampleBits(random), length);
    }

    long sampleBits(RandomGenerator random) {
        return word(random.nextLong(count));
    }

    /** The word of a rank in [0, count), bit i set where bracket i is '('. */
    long word(long rank) {
        assert rank >= 0 && rank < count;
        long word = 0;
        long rest = rank;
        int height = 0;
        int unreached = -1; // all ones until the height has been minDepth, then 0
        // Without branches: which bracket comes is a coin toss, which no predictor guesses.
        for (int step = 0, row = 0; step < length; step++, row += stride) {
            long words = opening[row + height + (unreached & (length * stride))];
            long closes = ~((rest - words) >> 63); // all ones for ')', 0 for '('
            rest -= words & closes;
            int open = 1 + (int) closes;
            word |= (long) open << step;
            height += 2 * open - 1;
            unreached &= (height - minDepth) >> 31;
        }
        return word;
    }
}
