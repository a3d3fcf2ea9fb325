package org.lemmata.train;

/**
 * The progress of a run.
 *
 * @param step steps taken so far
 * @param steps steps of the whole run, unless it stops early
 * @param trainLoss the training loss of the last step
 * @param tokens tokens read since the start or the last resume
 * @param tokensPerSecond the speed since the start or the last resume, including evaluations and checkpoints
 * @param secondsLeft the remaining time, extrapolated from at least the later half of the steps since the start or the
 *     last resume; NaN in the first seconds and steps
 */
public record Progress(
        long step, long steps, double trainLoss, long tokens, double tokensPerSecond, double secondsLeft) {}
