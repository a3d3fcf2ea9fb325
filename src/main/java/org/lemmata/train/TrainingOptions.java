package org.lemmata.train;

import java.time.Duration;
import org.lemmata.argument.Refuse;

/**
 * How long a run is, and what it does on the way.
 *
 * @param seed what the objective's random numbers follow from
 * @param steps of the optimizer, at least 1
 * @param batchSize examples of a micro-batch, at least 1
 * @param accumulation micro-batches of a step, at least 1: a step sees batchSize * accumulation examples
 * @param curveEvery steps from one line of the curve to the next, at least 1; an evaluation and the last step have
 *     theirs, too
 * @param evaluateEvery steps from one evaluation to the next; 0 for one at the end alone
 * @param targetLoss the run ends with the first step whose training loss is below it; 0 for never
 * @param patience the run ends with this many evaluations in a row whose validation loss is no new minimum; 0 for never
 * @param checkpointEvery steps from one checkpoint to the next; 0 to go by time alone
 * @param checkpointInterval time from one checkpoint to the next; zero to go by steps alone. The end has one in any
 *     case
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

    /** The same with another time from one checkpoint to the next. */
    public TrainingOptions withCheckpointInterval(Duration time) {
        return new TrainingOptions(
                seed,
                steps,
                batchSize,
                accumulation,
                curveEvery,
                evaluateEvery,
                targetLoss,
                patience,
                checkpointEvery,
                time);
    }
}
