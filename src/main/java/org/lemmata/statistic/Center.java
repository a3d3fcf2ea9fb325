package org.lemmata.statistic;

/**
 * How the scores of a version are summarized. Scores are on a log scale, so that a rate and its reciprocal, a time,
 * give the same ratio. {@code docs/regression.md} has the false alarm rate and the sensitivity of each.
 */
public enum Center {
    /**
     * The mean over forks of each fork's median iteration: as precise as the mean, and insensitive to a few interrupted
     * iterations. The default choice.
     */
    MEAN_OF_MEDIANS,
    /** The median over forks of each fork's median iteration: for 10 forks or more, if whole forks were disturbed. */
    MEDIAN,
    /** The mean over forks of each fork's mean iteration, which is the geometric mean of the scores. */
    MEAN
}
