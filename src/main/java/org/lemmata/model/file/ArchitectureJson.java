package org.lemmata.model.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import org.lemmata.model.Architecture;

/** An {@link Architecture} as a JSON object: every component of it and of its options, under its name. */
final class ArchitectureJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .addModule(LogLengthJson.module())
            .build();

    private ArchitectureJson() {}

    static String write(Architecture architecture) {
        try {
            return MAPPER.writeValueAsString(architecture);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an architecture is numbers and names", e);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @param maxLayers how many layers there may be: each has parameters, so a file says how many it can hold
     * @throws IllegalArgumentException if it is none; the message has one line
     */
    static Architecture read(String json, int maxLayers) {
        try {
            JsonNode tree = MAPPER.readTree(json);
            if (!tree.isObject()) {
                throw new IllegalArgumentException(
                        "architecture: expected an object in JSON, got " + SafeTensorsHeader.visible(json));
            }
            if (tree.path("layers").asLong() > maxLayers) {
                throw new IllegalArgumentException(
                        "layers: expected at most " + maxLayers + ", got " + tree.path("layers"));
            }
            requireValues(tree);
            return MAPPER.treeToValue(tree, Architecture.class);
        } catch (JsonProcessingException e) {
            String problem = e.getOriginalMessage();
            throw new IllegalArgumentException(
                    "architecture: expected an architecture in JSON, got " + SafeTensorsHeader.visible(json) + ": "
                            + SafeTensorsHeader.visible(problem == null ? "" : problem),
                    e);
        }
    }

    /** The one component that may be null is the feed-forward part. */
    private static void requireValues(JsonNode object) {
        for (Map.Entry<String, JsonNode> component : object.properties()) {
            if (component.getValue().isNull() && !component.getKey().equals("feedForward")) {
                throw new IllegalArgumentException(
                        SafeTensorsHeader.visible(component.getKey()) + ": expected a value, got null");
            }
            requireValues(component.getValue());
        }
    }
}
