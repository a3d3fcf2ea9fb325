package org.lemmata.task.depth;

import java.util.List;

/**
 * The joint distribution of the length r and the stack size h of prefixes of D_2N. It determines how often a prefix is
 * completed by a baseline that depends only on positions. If this baseline writes '(' after t brackets with probability
 * q_t, independently, the probability of completion is the sum over r and h of P(r, h) P(a walk from h ends at 0 after
 * 2N - r steps and never falls below 0).
 *
 * @param probabilities P(r, h), at [r][h]
 */
@SuppressWarnings("ArrayRecordComponent") // The array is never changed or compared.
public record PrefixLaw(double[][] probabilities) {

    /**
     * The exact distribution for prefixes that {@link DyckWords#cut} draws with minimum depth {@code minDepth} from
     * uniform words of a depth in [{@code minDepth}, {@code maxDepth}].
     *
     * @param pairs N, at most 26, so that binary64 represents numbers of words exactly
     * @param minDepth at least 1; if it is 1, a word may be cut anywhere
     * @param maxDepth at most N
     */
    public static PrefixLaw ofCuts(int pairs, int minDepth, int maxDepth) {
        int length = 2 * pairs;
        double[][] ends = ends(length, maxDepth);
        double[][] weights = new double[length][maxDepth + 1];
        double words = 0;
        double[] shallow = start(maxDepth);
        for (int first = 1; first < length; first++) {
            shallow = step(shallow);
            double[] at = new double[maxDepth + 1];
            at[minDepth] = shallow[minDepth];
            shallow[minDepth] = 0;
            words += at[minDepth] * ends[length - first][minDepth];
            for (int r = first; r < length; r++) {
                for (int h = 0; h <= maxDepth; h++) {
                    weights[r][h] += at[h] * ends[length - r][h] / (length - first);
                }
                at = step(at);
            }
        }
        return new PrefixLaw(divided(weights, words));
    }

    /** The empirical distribution of the given prefixes of words of D_2N. */
    public static PrefixLaw of(int pairs, List<int[]> prefixes) {
        double[][] counts = new double[2 * pairs][pairs + 1];
        for (int[] prefix : prefixes) {
            int stack = 0;
            for (int id : prefix) {
                stack += id == DyckWords.OPEN ? 1 : -1;
            }
            counts[prefix.length][stack]++;
        }
        return new PrefixLaw(divided(counts, prefixes.size()));
    }

    /**
     * For t = 0, ..., 2N - 1, the proportion of words in which '(' follows the first t brackets, among all words of a
     * depth up to {@code maxDepth}.
     *
     * @param pairs N, at most 26
     */
    public static double[] openings(int pairs, int maxDepth) {
        int length = 2 * pairs;
        double[][] ends = ends(length, maxDepth);
        double[] shares = new double[length];
        double[] at = start(maxDepth);
        for (int t = 0; t < length; t++) {
            for (int h = 0; h < maxDepth; h++) {
                shares[t] += at[h] * ends[length - t - 1][h + 1] / ends[length][0];
            }
            at = step(at);
        }
        return shares;
    }

    /**
     * The probability that a prefix is completed to a word of D_2N by brackets that are independent of the prefix.
     *
     * @param openings q_t for t = 0, ..., 2N - 1
     */
    public double completed(double... openings) {
        int length = probabilities.length;
        double[] after = new double[length + 2];
        after[0] = 1;
        double completed = 0;
        for (int r = length - 1; r >= 1; r--) {
            double[] before = new double[length + 2];
            for (int h = 0; h <= length; h++) {
                before[h] = openings[r] * after[h + 1] + (h == 0 ? 0 : (1 - openings[r]) * after[h - 1]);
            }
            after = before;
            for (int h = 0; h < probabilities[r].length; h++) {
                completed += probabilities[r][h] * after[h];
            }
        }
        return completed;
    }

    private static double[] start(int maxDepth) {
        double[] at = new double[maxDepth + 1];
        at[0] = 1;
        return at;
    }

    /** The number of walks within [0, maxDepth] at each height after one more step. */
    private static double[] step(double... at) {
        double[] next = new double[at.length];
        for (int h = 0; h < at.length; h++) {
            next[h] = (h == 0 ? 0 : at[h - 1]) + (h == at.length - 1 ? 0 : at[h + 1]);
        }
        return next;
    }

    /**
     * [remaining steps][h]: the number of walks from h within [0, maxDepth] that end at 0, counted as reverse walks
     * from 0.
     */
    private static double[][] ends(int length, int maxDepth) {
        double[][] ends = new double[length + 1][];
        ends[0] = start(maxDepth);
        for (int left = 1; left <= length; left++) {
            ends[left] = step(ends[left - 1]);
        }
        return ends;
    }

    private static double[][] divided(double[][] weights, double total) {
        for (double[] row : weights) {
            for (int h = 0; h < row.length; h++) {
                row[h] /= total;
            }
        }
        return weights;
    }
}
