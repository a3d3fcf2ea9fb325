package org.lemmata.train;

import java.util.OptionalDouble;

/**
 * How a run ended. The objective then has the parameters of the best step.
 *
 * @param steps taken
 * @param tokens input tokens read
 * @param end why it ended
 * @param trainLoss of the last step
 * @param lowestTrainLoss of any step
 * @param bestStep the step after which the validation loss was lowest; the last one without validation
 * @param validationLoss after the best step
 * @param testLoss after the best step
 * @param seconds that the run has taken, interruptions left out
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

    /** Why a run ended. */
    public enum End {
        /** All steps were taken. */
        STEPS,
        /** The training loss fell below its target. */
        TARGET_LOSS,
        /** The validation loss had no new minimum for too long. */
        PATIENCE,
        /**
         * The listener wanted it to: nothing was measured at the end, and the parameters are those of the last step.
         */
        INTERRUPTED
    }
}
