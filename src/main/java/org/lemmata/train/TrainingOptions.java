package org.lemmata.train;

import java.time.Duration;
import org.lemmata.argument.Refuse;

/**
 * The length of a run, and the intervals between evaluations, between lines of the curve, and between checkpoints.
 *
 * @param seed determines the objective's random numbers
 * @param steps steps of the optimizer, at least 1
 * @param batchSize examples of a micro-batch, at least 1
 * @param accumulation micro-batches of a step, at least 1; a step has batchSize * accumulation examples
 * @param curveEvery steps from one line of the curve to the next, at least 1; evaluations and the last step also write
 *     a line
 * @param evaluateEvery steps from one evaluation to the next; 0 to evaluate only at the end
 * @param targetLoss the run ends with the first step whose training loss is below it; 0 for never
 * @param patience the run ends after this many evaluations in a row without a new minimum of the validation loss; 0 for
 *     never
 * @param checkpointEvery steps from one checkpoint to the next; 0 if only {@code checkpointInterval} counts
 * @param checkpointInterval time from one checkpoint to the next; zero if only {@code checkpointEvery} counts. A
 *     checkpoint is always written at the end
 */
public record TrainingOptions(
        long seed,
        long steps,
        int batchSize,
        int accumulation,
        long curveEvery,
        long evaluateEvery,
        double targetLoss,
        int patience,
        long checkpointEvery,
        Duration checkpointInterval) {

    public TrainingOptions {
        Refuse.below("steps", steps, 1);
        Refuse.below("batchSize", batchSize, 1);
        Refuse.below("accumulation", accumulation, 1);
        Refuse.below("curveEvery", curveEvery, 1);
        Refuse.below("evaluateEvery", evaluateEvery, 0);
        Refuse.when(!(targetLoss >= 0), "targetLoss", "at least 0", targetLoss);
        Refuse.below("patience", patience, 0);
        Refuse.below("checkpointEvery", checkpointEvery, 0);
        Refuse.when(checkpointInterval.isNegative(), "checkpointInterval", "at least 0", checkpointInterval);
    }
}
