package org.lemmata.train;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.Json;

/**
 * A line of the curve. All components except the last two are determined by the run's seed and settings.
 *
 * @param step steps taken
 * @param tokens input tokens of these steps
 * @param trainLoss the mean loss of this step's examples, with the parameters before it
 * @param learningRate the learning rate of this step, for parameters without their own rate
 * @param gradientNorm the gradient's norm in this step, over the trained parameters, before clipping
 * @param validationLoss the validation loss with the parameters after this step; null if not measured
 * @param measured results of the hooks, by hook and name; empty if not measured
 * @param seconds duration of the run without interruptions
 * @param tokensPerSecond since the last line, without evaluations and checkpoints
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
        double tokensPerSecond) {

    /**
     * A JSON object in one line with the components as fields, without those that were not measured. A value that is
     * not finite is the string {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}.
     */
    public String toJson() {
        return Json.line(this);
    }
}
