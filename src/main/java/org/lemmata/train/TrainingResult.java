package org.lemmata.train;

import java.util.OptionalDouble;

/**
 * The result of a run. The objective has the parameters of the best step.
 *
 * @param steps number of steps
 * @param tokens number of input tokens
 * @param end why the run ended
 * @param trainLoss training loss of the last step
 * @param lowestTrainLoss lowest training loss of a step
 * @param bestStep the step with the lowest validation loss; without validation, the last one
 * @param validationLoss the validation loss after the best step
 * @param testLoss the test loss after the best step
 * @param seconds duration of the run without interruptions
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
        /** The validation loss had no new minimum for {@link TrainingOptions#patience} evaluations. */
        PATIENCE,
        /**
         * The listener requested the stop; nothing was measured at the end, and the objective has the parameters of the
         * last step.
         */
        INTERRUPTED
    }
}
