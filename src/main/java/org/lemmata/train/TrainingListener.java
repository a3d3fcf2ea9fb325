package org.lemmata.train;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Receives the events of a run, on the thread of the run. */
public interface TrainingListener {

    default void stepped(Progress progress) {}

    /** The run is resumed from a checkpoint. It ran for {@code secondsBefore} before the interruption. */
    default void resumed(double secondsBefore) {}

    /**
     * A run with files took step 1, 2, 4, 8, ... A resumed run also reports such steps before the interruption.
     *
     * @param loss loss of the step
     * @param weights 16 hexadecimal digits of a hash of the bits of all parameters after the step
     */
    default void hashed(long step, double loss, String weights) {}

    /** A point of the curve was measured and, in a run with files, written. */
    default void measured(CurvePoint point) {}

    /** A checkpoint was written after {@code step} steps. */
    default void saved(long step) {}

    /**
     * Whether the run should stop; called after each step except the last. A run that stops ends as
     * {@link TrainingResult.End#INTERRUPTED}. If it has files, it writes a checkpoint and can be resumed.
     */
    default boolean wantsToStop() {
        return false;
    }

    /**
     * The progress of a run.
     *
     * @param step steps taken so far
     * @param steps steps of the whole run, unless it stops early
     * @param trainLoss the training loss of the last step
     * @param tokens tokens read since the start or the last resume
     * @param tokensPerSecond the speed since the start or the last resume, including evaluations and checkpoints
     * @param secondsLeft the remaining time, extrapolated from at least the later half of the steps since the start or
     *     the last resume; NaN in the first seconds and steps
     */
    record Progress(long step, long steps, double trainLoss, long tokens, double tokensPerSecond, double secondsLeft) {}

    /**
     * A line of the curve. The seed and the settings of the run determine all components except the last two.
     *
     * @param tokens input tokens of all steps so far
     * @param trainLoss the mean loss over this step's scored rows, with the parameters before the step
     * @param learningRate the learning rate of this step, for parameters without their own rate
     * @param gradientNorm the norm of this step's gradient over the trained parameters, before clipping
     * @param validationLoss the validation loss with the parameters after this step; null if not measured
     * @param measured results of the hooks, by hook and name; empty if not measured
     * @param seconds duration of the run, excluding interruptions
     * @param tokensPerSecond the speed since the last line, excluding evaluations and checkpoints
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record CurvePoint(
            long step,
            long tokens,
            double trainLoss,
            double learningRate,
            double gradientNorm,
            @Nullable Double validationLoss,
            SortedMap<String, SortedMap<String, Double>> measured,
            double seconds,
            double tokensPerSecond) {}
}
