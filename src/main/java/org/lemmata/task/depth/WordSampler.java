package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Draws bracket words of one length exactly uniformly: every word has probability 1 / count(). */
sealed interface WordSampler {

    BigInteger count();

    int[] sample(RandomGenerator random);

    /**
     * Samples words of any depth without a table: P('(' | r remaining brackets, h open) = (h + 2)(r - h) / (2 r (h +
     * 1)).
     *
     * <p>This probability is the quotient of the ballot numbers b(r - 1, h + 1) and b(r, h). Here, b(r, h) = (h + 1) /
     * (r + 1) binomial(r + 1, (r - h) / 2) is the number of ways to close h open brackets with r remaining brackets.
     * The draw is exact, because it compares a uniform integer below the denominator with the numerator.
     */
    final class Ballot implements WordSampler {

        private final int pairs;

        Ballot(int pairs) {
            this.pairs = pairs;
        }

        /** The Catalan number C_N, by C_n = C_(n-1) 2 (2n - 1) / (n + 1). */
        @Override
        public BigInteger count() {
            BigInteger catalan = BigInteger.ONE;
            for (int n = 1; n <= pairs; n++) {
                catalan = catalan.multiply(BigInteger.valueOf(4L * n - 2)).divide(BigInteger.valueOf(n + 1L));
            }
            return catalan;
        }

        @Override
        public int[] sample(RandomGenerator random) {
            int[] word = new int[2 * pairs];
            long height = 0;
            for (int step = 0; step < word.length; step++) {
                long rest = (long) word.length - step;
                boolean open = random.nextLong(2 * rest * (height + 1)) < (height + 2) * (rest - height);
                word[step] = open ? DyckWords.OPEN : DyckWords.CLOSE;
                height += open ? 1 : -1;
            }
            return word;
        }
    }

    /**
     * Words of any length with a depth in [minDepth, maxDepth]. Unlike in {@link Packed}, ranks have any size.
     *
     * <p>It computes the exact numbers c(i, h) of ways to complete a prefix of i brackets, of which h are open, to a
     * word of 2N brackets: c(i, h) = c(i + 1, h + 1) + c(i + 1, h - 1). Prefixes that have not reached minDepth have
     * fewer completions, so separate counts exist for them.
     */
    final class Counting implements WordSampler {

        private final int length;
        private final int minDepth;
        private final int maxDepth;
        /** Counts for prefixes that have reached minDepth: row i has only heights with the parity of i. */
        private final BigInteger[][] reached;
        /**
         * Counts for prefixes that have not reached minDepth. If minDepth is 1, this is the array {@link #reached},
         * because every word reaches depth 1.
         */
        private final BigInteger[][] unreached;

        Counting(int pairs, int minDepth, int maxDepth) {
            // Every second height up to min(i, 2N - i, maxDepth) has a count, of at most 2N bits and N bits on average.
            double cells = 0.5 * maxDepth * (2.0 * pairs - maxDepth);
            double bytes = (minDepth == 1 ? 1 : 2) * cells * (64 + pairs / 8.0);
            if (bytes > Runtime.getRuntime().maxMemory() / 2.0) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "N, maxDepth: expected counts that fit into half of the memory (%.1f GB), got N = %d and"
                                + " maxDepth = %d, which take about %.1f GB",
                        Runtime.getRuntime().maxMemory() / 2e9,
                        pairs,
                        maxDepth,
                        bytes / 1e9));
            }
            this.length = 2 * pairs;
            this.minDepth = minDepth;
            this.maxDepth = maxDepth;
            this.reached = new BigInteger[length + 1][];
            this.unreached = minDepth == 1 ? reached : new BigInteger[length + 1][];
            for (int step = length; step >= 0; step--) {
                reached[step] = row(step, true);
                if (minDepth > 1) {
                    unreached[step] = row(step, false);
                }
            }
        }

        private BigInteger[] row(int step, boolean deepEnough) {
            var row = new BigInteger[maxHeight(step) / 2 + 1];
            for (int height = step & 1; height <= maxHeight(step); height += 2) {
                if (step == length) {
                    row[height / 2] = deepEnough ? BigInteger.ONE : BigInteger.ZERO;
                } else {
                    row[height / 2] = after(step, height + 1, deepEnough).add(after(step, height - 1, deepEnough));
                }
            }
            return row;
        }

        private int maxHeight(int step) {
            return Math.min(maxDepth, Math.min(step, length - step));
        }

        /** The number of ways to complete a prefix of {@code step} + 1 brackets that ends at {@code height}. */
        BigInteger after(int step, int height, boolean deepEnough) {
            if (height < 0 || height > maxHeight(step + 1)) {
                return BigInteger.ZERO;
            }
            BigInteger[][] counts = deepEnough || height >= minDepth ? reached : unreached;
            return counts[step + 1][height / 2];
        }

        @Override
        public BigInteger count() {
            return unreached[0][0];
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

        int[] word(BigInteger rank) {
            int[] word = new int[length];
            int height = 0;
            boolean reached = false;
            BigInteger rest = rank;
            for (int step = 0; step < length; step++) {
                BigInteger words = after(step, height + 1, reached);
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

    /**
     * Words that fit in a {@code long}, by their rank in the order with '(' before ')'.
     *
     * <p>At every bracket, the rank is compared with the number of words that continue with '('. One uniform rank in
     * [0, count) thus determines a uniform word.
     */
    final class Packed implements WordSampler {

        /** The maximum N for which a word and the number of words (5.6e16 for N = 32) fit in a {@code long}. */
        static final int MAX_PAIRS = 32;

        private final int length;
        private final int minDepth;
        private final int stride;
        /**
         * The number of words that continue with '(', at (step, height): first the table for prefixes that have reached
         * minDepth, then the table for other prefixes.
         */
        private final long[] opening;

        private final long count;

        Packed(int pairs, int minDepth, int maxDepth) {
            var counts = new Counting(pairs, minDepth, maxDepth);
            this.length = 2 * pairs;
            this.minDepth = minDepth;
            this.stride = maxDepth + 1;
            this.count = counts.count().longValueExact();
            this.opening = new long[2 * length * stride];
            for (int step = 0; step < length; step++) {
                // Only heights with the parity of the step occur.
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
            return DyckWords.ids(sampleBits(random), length);
        }

        long sampleBits(RandomGenerator random) {
            return word(random.nextLong(count));
        }

        /** The word with a rank in [0, count); bit i is set if bracket i is '('. */
        long word(long rank) {
            assert rank >= 0 && rank < count;
            long word = 0;
            long rest = rank;
            int height = 0;
            int plane = length * stride; // the counts for prefixes that have not reached minDepth
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
}
