package org.lemmata.statistic;

/**
 * The statistic that summarizes the scores of a version. It is computed from logarithms, so that rates and their
 * reciprocals, times, give reciprocal ratios. {@code docs/notes/regression-log.md} has the false-alarm rate and the
 * sensitivity of each statistic.
 */
public enum Center {
    /**
     * The mean over forks of each fork's median iteration. It is as precise as the mean, but insensitive to a few
     * interrupted iterations. The default.
     */
    MEAN_OF_MEDIANS,
    /** The median over forks of each fork's median iteration, for 10 or more forks, if whole forks may be disturbed. */
    MEDIAN,
    /**
     * The mean over forks of each fork's mean iteration, which gives the geometric mean of the scores if forks have
     * equally many iterations.
     */
    MEAN
}
