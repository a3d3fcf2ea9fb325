package org.lemmata.statistic;

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
        if (!(alpha > 0 && alpha < 1)) {
            throw new IllegalArgumentException("alpha: expected a number between 0 and 1, got " + alpha);
        }
        if (comparisons < 1) {
            throw new IllegalArgumentException("comparisons: expected at least 1, got " + comparisons);
        }
        return 1 - alpha / comparisons;
    }
}
