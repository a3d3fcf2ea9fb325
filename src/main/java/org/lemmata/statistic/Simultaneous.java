package org.lemmata.statistic;

import org.lemmata.argument.Refuse;

/** Levels of intervals if several comparisons are made at once. */
public final class Simultaneous {

    private Simultaneous() {}

    /**
     * The level that each interval needs so that all hold together with probability at least 1 - {@code alpha}, whether
     * or not they are independent: 1 - alpha / comparisons (Bonferroni).
     *
     * @param alpha the maximum probability that at least one interval misses its true value, between 0 and 1, both
     *     excluded
     * @param comparisons the number of intervals, at least 1
     */
    public static double level(double alpha, int comparisons) {
        Refuse.when(!(alpha > 0 && alpha < 1), "alpha", "a number between 0 and 1", alpha);
        Refuse.below("comparisons", comparisons, 1);
        return 1 - alpha / comparisons;
    }

    /**
     * The level of each interval at one of several planned looks, if a comparison may stop after each look. Look k of n
     * spends the share 2 k / (n (n + 1)) of alpha (an alpha-spending rule, Lan and DeMets 1983). The sum of the shares
     * is 1, so by the union bound, all intervals of all looks hold with probability at least 1 - {@code alpha}. Later
     * looks have more forks, so their shares are larger.
     *
     * @param look from 1 to {@code looks}
     */
    public static double level(double alpha, int comparisons, int look, int looks) {
        Refuse.outside("look", look, 1, looks);
        return level(2 * alpha * look / (looks * (looks + 1.0)), comparisons);
    }
}
