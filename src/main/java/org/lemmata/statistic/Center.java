package org.lemmata.statistic;

/** What stands for many scores; on the log scale, so that a rate and its reciprocal, a time, give one ratio. */
public enum Center {
    MEDIAN,
    /** The mean of the logs: the geometric mean of the scores. */
    MEAN
}
