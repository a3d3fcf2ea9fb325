package org.lemmata.train;

/**
 * How far a run is.
 *
 * @param step steps taken
 * @param steps that the run takes if nothing stops it
 * @param trainLoss of the last step
 * @param tokens read since the run was started or resumed
 * @param tokensPerSecond since then, everything included
 * @param secondsLeft if the steps left take as long as the later half of those since then; NaN in the first seconds and
 *     steps
 */
public record Progress(
        long step, long steps, double trainLoss, long tokens, double tokensPerSecond, double secondsLeft) {}
