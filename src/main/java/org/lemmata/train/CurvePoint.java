package org.lemmata.train;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

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
public record CurvePoint(
        long step,
        long tokens,
        double trainLoss,
        double learningRate,
        double gradientNorm,
        @Nullable Double validationLoss,
        SortedMap<String, SortedMap<String, Double>> measured,
        double seconds,
        double tokensPerSecond) {}
