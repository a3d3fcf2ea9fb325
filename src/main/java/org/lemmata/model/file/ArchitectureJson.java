package org.lemmata.model.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.MultilayerPerceptronOptions;

/**
 * Reads and writes an {@link Architecture} or {@link MultilayerPerceptronOptions} as a JSON object with the components
 * of the options under their names, except newer components that have their defaults. The components of the size and of
 * the attention scores are members of the surrounding object.
 */
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
            .build();

    /** The JSON value of each constant. Older files contain only false and true. */
    private static final Map<LogLength, JsonNode> LOG_LENGTHS = Map.of(
            LogLength.NONE, BooleanNode.FALSE,
            LogLength.SEEN, BooleanNode.TRUE,
            LogLength.SEQUENCE, TextNode.valueOf(LogLength.SEQUENCE.name()));

    private static final String LOG_LENGTH = "logLength";

    /** Components that older files lack, with their default values, which are not written. */
    private static final Map<String, Map<String, JsonNode>> LATER = Map.of(
            "attention", Map.of("identityMultiplier", FloatNode.valueOf(0)),
            "normalization", Map.of("ofFinal", BooleanNode.TRUE));

    private ArchitectureJson() {}

    static String write(MultilayerPerceptronOptions options) {
        return MAPPER.valueToTree(options).toString();
    }

    static String write(Architecture architecture) {
        return tree(architecture).toString();
    }

    /** The JSON tree that {@link #write} returns as text. */
    static ObjectNode tree(Architecture architecture) {
        ObjectNode tree = MAPPER.valueToTree(architecture);
        LATER.forEach((options, later) -> later.forEach((name, without) -> {
            var object = (ObjectNode) tree.get(options);
            if (object.get(name).equals(without)) {
                object.remove(name);
            }
        }));
        ObjectNode attention = unwrap(tree.get("attention"), "scores");
        attention.set(LOG_LENGTH, LOG_LENGTHS.get(architecture.attention().logLength()));
        return unwrap(tree, "size").set("attention", attention);
    }

    /** @throws IllegalArgumentException if the JSON is invalid; the message has one line */
    static MultilayerPerceptronOptions readPerceptron(String json) {
        try {
            JsonNode tree = MAPPER.readTree(json);
            Refuse.when(!tree.isObject(), "perceptron", "an object in JSON", Refuse.shown(json));
            requireValues(tree);
            return MAPPER.treeToValue(tree, MultilayerPerceptronOptions.class);
        } catch (JsonProcessingException e) {
            throw refusal(json, e);
        }
    }

    /**
     * @param maxLayers the largest number of layers that the file can contain
     * @throws IllegalArgumentException if the JSON is invalid; the message has one line
     */
    static Architecture read(String json, int maxLayers) {
        try {
            JsonNode tree = MAPPER.readTree(json);
            Refuse.when(!tree.isObject(), "architecture", "an object in JSON", Refuse.shown(json));
            Refuse.when(
                    tree.path("layers").asLong() > maxLayers, "layers", "at most " + maxLayers, tree.path("layers"));
            requireValues(tree);
            nameLogLength(tree.path("attention"));
            LATER.forEach((options, later) -> later.forEach((name, without) -> {
                if (tree.path(options) instanceof ObjectNode object && !object.has(name)) {
                    object.set(name, without);
                }
            }));
            wrap(tree, "size", Architecture.Size.class);
            wrap(tree.path("attention"), "scores", AttentionOptions.Scores.class);
            return MAPPER.treeToValue(tree, Architecture.class);
        } catch (JsonProcessingException e) {
            throw refusal(json, e);
        }
    }

    private static IllegalArgumentException refusal(String json, JsonProcessingException cause) {
        String problem = cause.getOriginalMessage();
        return new IllegalArgumentException(
                "architecture: expected an architecture in JSON, got " + Refuse.shown(json) + ": "
                        + Refuse.shown(problem == null ? "" : problem),
                cause);
    }

    /** A copy of {@code object} in which the members of {@code component} replace the component. */
    private static ObjectNode unwrap(JsonNode object, String component) {
        ObjectNode flat = MAPPER.createObjectNode();
        object.properties().forEach(member -> {
            if (member.getKey().equals(component)) {
                flat.setAll((ObjectNode) member.getValue());
            } else {
                flat.set(member.getKey(), member.getValue());
            }
        });
        return flat;
    }

    private static void nameLogLength(JsonNode node) {
        if (node instanceof ObjectNode attention && attention.has(LOG_LENGTH)) {
            JsonNode read = attention.get(LOG_LENGTH);
            attention.put(
                    LOG_LENGTH,
                    LOG_LENGTHS.entrySet().stream()
                            .filter(entry -> entry.getValue().equals(read))
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException(LOG_LENGTH
                                    + ": expected false, true or \"SEQUENCE\", got " + Refuse.shown(read.toString())))
                            .getKey()
                            .name());
        }
    }

    /** Moves the members of {@code component} into an object of its own. */
    private static void wrap(JsonNode node, String component, Class<? extends Record> type) {
        if (!(node instanceof ObjectNode object)) {
            return;
        }
        Refuse.when(object.has(component), component, "none", "one");
        ObjectNode wrapped = MAPPER.createObjectNode();
        for (RecordComponent member : type.getRecordComponents()) {
            if (object.has(member.getName())) {
                wrapped.set(member.getName(), object.remove(member.getName()));
            }
        }
        object.set(component, wrapped);
    }

    /** Rejects null values, except for the feed-forward part. */
    private static void requireValues(JsonNode object) {
        for (Map.Entry<String, JsonNode> component : object.properties()) {
            if (component.getValue().isNull() && !component.getKey().equals("feedForward")) {
                throw new IllegalArgumentException(Refuse.shown(component.getKey()) + ": expected a value, got null");
            }
            requireValues(component.getValue());
        }
    }
}
