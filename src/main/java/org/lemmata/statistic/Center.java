package org.lemmata.statistic;

/**
 * What stands for the scores of a side, on the log scale, so that a rate and its reciprocal, a time, give one ratio.
 * How often each alarms in vain and what it finds is in {@code docs/regression.md}.
 */
public enum Center {
    /**
     * The mean, over forks, of the median of each one's iterations: as exact as the mean, and blind to a few
     * interrupted iterations. The one to take if nothing speaks for another.
     */
    MEAN_OF_MEDIANS,
    /**
     * The median, over forks, of the median of each one's iterations: for 10 forks or more, some of which were
     * disturbed whole.
     */
    MEDIAN,
    /** The mean, over forks, of the mean of each one's iterations: the geometric mean of the scores. */
    MEAN
}
