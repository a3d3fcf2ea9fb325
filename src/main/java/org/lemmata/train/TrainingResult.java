package org.lemmata.train;

import java.util.OptionalDouble;

/**
 * The result of a run. Unless the run was stopped by its listener, the objective has the parameters of the best step.
 *
 * @param trainLoss training loss of the last step
 * @param lowestTrainLoss lowest training loss of a step
 * @param bestStep the step with the lowest validation loss; without validation, the last step, or 0 if the listener
 *     stopped the run
 * @param validationLoss the validation loss after the best step
 * @param testLoss the test loss after the best step
 * @param seconds duration of the run, excluding interruptions
 */
public record TrainingResult(
        long steps,
        long tokens,
        End end,
        double trainLoss,
        double lowestTrainLoss,
        long bestStep,
        OptionalDouble validationLoss,
        OptionalDouble testLoss,
        double seconds) {

    public enum End {
        STEPS,
        /** The training loss fell below its target. */
        TARGET_LOSS,
        /** The validation loss had no new minimum for {@link TrainingOptions#patience} evaluations. */
        PATIENCE,
        /** The listener stopped the run. Validation and test loss are empty; parameters are those of the last step. */
        INTERRUPTED
    }
}
