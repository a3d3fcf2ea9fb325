package org.lemmata.statistic;

import org.lemmata.argument.Refuse;

/** Many comparisons at once. */
public final class Simultaneous {

    private Simultaneous() {}

    /**
     * The level of each interval so that all of them hold together with probability 1 - {@code alpha}, whatever their
     * dependence: 1 - alpha / comparisons (Bonferroni).
     *
     * @param alpha the chance that any of the intervals misses, between 0 and 1, both excluded
     * @param comparisons how many intervals, at least 1
     */
    public static double level(double alpha, int comparisons) {
        Refuse.when(!(alpha > 0 && alpha < 1), "alpha", "a number between 0 and 1", alpha);
        Refuse.below("comparisons", comparisons, 1);
        return 1 - alpha / comparisons;
    }

    /**
     * The level of each interval at one of several planned looks, at each of which a comparison may end: of alpha, look
     * k of n spends the share 2 k / (n (n + 1)). The shares add up to 1, so that with probability 1 - {@code alpha} all
     * intervals of all looks hold together, whatever their dependence (an alpha-spending rule, Lan and DeMets 1983, by
     * the union bound). Later looks have more forks and get more.
     *
     * @param look from 1 to {@code looks}
     */
    public static double level(double alpha, int comparisons, int look, int looks) {
        Refuse.outside("look", look, 1, looks);
        return level(2 * alpha * look / (looks * (looks + 1.0)), comparisons);
    }
}
