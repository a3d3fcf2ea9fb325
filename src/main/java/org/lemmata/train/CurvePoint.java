package org.lemmata.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

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

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /**
     * One JSON object in one line, its fields named as the components, without those that were not measured. A measure
     * that is not finite is the string {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}.
     */
    public String toJson() {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("step", step);
        line.put("tokens", tokens);
        line.put("trainLoss", trainLoss);
        line.put("learningRate", learningRate);
        line.put("gradientNorm", gradientNorm);
        if (validationLoss != null) {
            line.put("validationLoss", validationLoss);
        }
        if (!measured.isEmpty()) {
            ObjectNode hooks = line.putObject("measured");
            measured.forEach((hook, numbers) -> {
                ObjectNode node = hooks.putObject(hook);
                numbers.forEach((name, number) -> {
                    if (Double.isFinite(number)) {
                        node.put(name, number);
                    } else {
                        node.put(name, Double.toString(number));
                    }
                });
            });
        }
        line.put("seconds", seconds);
        line.put("tokensPerSecond", tokensPerSecond);
        try {
            return MAPPER.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("JSON of step " + step, e);
        }
    }
}
