package org.lemmata.train;

/**
 * The progress of a run.
 *
 * @param step steps taken
 * @param steps steps of the whole run, unless it stops early
 * @param trainLoss loss of the last step
 * @param tokens tokens read since the start or the last resume
 * @param tokensPerSecond since then, including evaluations and checkpoints
 * @param secondsLeft remaining time, extrapolated from the later half of the steps since then; NaN in the first seconds
 *     and steps
 */
public record Progress(
        long step, long steps, double trainLoss, long tokens, double tokensPerSecond, double secondsLeft) {}
