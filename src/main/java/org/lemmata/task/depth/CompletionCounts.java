package org.lemmata.task.depth;

import java.math.BigInteger;

/**
 * c(i, h) = c(i + 1, h + 1) + c(i + 1, h - 1): in how many ways a prefix of i brackets with h of them open becomes a
 * word.
 *
 * <p>Words have 2N brackets and a depth in [minDepth, maxDepth]. A prefix that has not been as deep as minDepth has
 * fewer ways than one that has; the two are counted apart. The counts are exact.
 */
final class CompletionCounts {

    private final int pairs;
    private final int minDepth;
    private final int maxDepth;
    /** Of prefixes that have been as deep as minDepth: row i, heights of the parity of i only. */
    private final BigInteger[][] reached;
    /** Of prefixes that have not; the same as reached where minDepth is 1, which every word reaches. */
    private final BigInteger[][] unreached;

    CompletionCounts(int pairs, int minDepth, int maxDepth) {
        this.pairs = pairs;
        this.minDepth = minDepth;
        this.maxDepth = maxDepth;
        this.reached = new BigInteger[2 * pairs + 1][];
        this.unreached = minDepth == 1 ? reached : new BigInteger[2 * pairs + 1][];
        for (int step = 2 * pairs; step >= 0; step--) {
            reached[step] = row(step, true);
            if (minDepth > 1) {
                unreached[step] = row(step, false);
            }
        }
    }

    /** About how many bytes the counts take. */
    static double bytes(int pairs, int minDepth, int maxDepth) {
        // Heights up to min(i, 2N - i, maxDepth), every other one; a count has 2N bits at most, half of them on
        // average.
        double cells = 0.5 * maxDepth * (2.0 * pairs - maxDepth);
        return (minDepth == 1 ? 1 : 2) * cells * (64 + pairs / 8.0);
    }

    private BigInteger[] row(int step, boolean deepEnough) {
        var row = new BigInteger[maxHeight(step) / 2 + 1];
        for (int height = step & 1; height <= maxHeight(step); height += 2) {
            if (step == 2 * pairs) {
                row[height / 2] = deepEnough ? BigInteger.ONE : BigInteger.ZERO;
            } else {
                row[height / 2] = after(step, height + 1, deepEnough).add(after(step, height - 1, deepEnough));
            }
        }
        return row;
    }

    private int maxHeight(int step) {
        return Math.min(maxDepth, Math.min(step, 2 * pairs - step));
    }

    /** In how many ways a prefix whose bracket number {@code step} leads to {@code height} becomes a word. */
    BigInteger after(int step, int height, boolean deepEnough) {
        if (height < 0 || height > maxHeight(step + 1)) {
            return BigInteger.ZERO;
        }
        BigInteger[][] counts = deepEnough || height >= minDepth ? reached : unreached;
        return counts[step + 1][height / 2];
    }

    /** How many words there are. */
    BigInteger words() {
        return unreached[0][0];
    }
}
