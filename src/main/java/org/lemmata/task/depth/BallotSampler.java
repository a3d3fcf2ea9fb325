package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.random.RandomGenerator;

/**
 * P('(' | r brackets to come, h open) = (h + 2)(r - h) / (2 r (h + 1)): words of any depth, without a table.
 *
 * <p>It is the quotient of the ballot numbers b(r - 1, h + 1) and b(r, h), b(r, h) = (h + 1) / (r + 1) binomial(r + 1,
 * (r - h) / 2) being the number of ways to close h brackets with r to come. An integer is drawn below the denominator,
 * so it is exact.
 */
final class BallotSampler implements WordSampler {

    private final int pairs;

    BallotSampler(int pairs) {
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
