package org.lemmata.train;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.Json;

/**
 * A line of the curve. All but the last two follow from the run's seed and settings.
 *
 * @param step steps taken
 * @param tokens input tokens that they have read
 * @param trainLoss the mean loss of this step's examples, with the parameters before it
 * @param learningRate of this step, for parameters that have none of their own
 * @param gradientNorm of this step, over what is trained, before clipping
 * @param validationLoss with the parameters after this step; null if not measured
 * @param measured what the hooks gave, by hook and name; empty if not measured
 * @param seconds that the run has taken, interruptions left out
 * @param tokensPerSecond since the last line, evaluations and checkpoints left out
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
     * One JSON object in one line, its fields named as the components, without those that were not measured. A measure
     * that is not finite is the string {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}.
     */
    public String toJson() {
        return Json.line(this);
    }
}
