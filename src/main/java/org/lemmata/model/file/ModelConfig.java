package org.lemmata.model.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.lemmata.argument.Refuse;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Contents;
import org.lemmata.file.Json;
import org.lemmata.file.MalformedFileException;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.model.Architecture;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.token.Vocabulary;

/**
 * {@code config.json} in the directory of a weights file. It has sizes and options under the keys that Hugging Face's
 * transformers uses for a GPT-2. Lemmata adds the keys {@code head_dim}, {@code lemmata.architecture}, as in the
 * metadata of the weights, and {@code lemmata.vocabulary}.
 *
 * <p>Lemmata writes {@code "model_type": "lemmata"}, so that transformers rejects the file. Otherwise the GPT-2 of
 * transformers would not find its tensor names and would start with random weights.
 *
 * <p>Source of the keys: GPT2Config of github.com/huggingface/transformers.
 */
public final class ModelConfig {

    public static final String FILE = "config.json";

    private static final String MODEL_TYPE = "model_type";
    private static final String OURS = "lemmata";
    private static final String VOCABULARY = "lemmata.vocabulary";
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Path file;
    private final JsonNode root;

    private ModelConfig(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /**
     * The configuration in the directory of a weights file, if it exists.
     *
     * @throws MalformedFileException if the file is not a JSON object
     */
    public static Optional<ModelConfig> beside(Path weights) throws IOException {
        Path file = weights.resolveSibling(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            JsonNode root = MAPPER.readTree(Contents.of(file));
            if (root.isObject()) {
                return Optional.of(new ModelConfig(file, root));
            }
        } catch (JsonProcessingException e) {
            throw new MalformedFileException(
                    file, "", "expected JSON: " + Refuse.withShortQuotes(String.valueOf(e.getOriginalMessage())));
        }
        throw new MalformedFileException(file, "", "expected a JSON object");
    }

    /** Writes the configuration of a transformer into {@code directory}. Replaces an existing configuration. */
    public static void write(Path directory, Architecture architecture, Vocabulary vocabulary) throws IOException {
        FeedForwardOptions feedForward = architecture.feedForward();
        Map<String, Object> config = new LinkedHashMap<>();
        config.put(MODEL_TYPE, OURS);
        config.put("vocab_size", architecture.vocabularySize());
        config.put("n_positions", architecture.maxLength());
        config.put("n_embd", architecture.width());
        config.put("n_layer", architecture.layers());
        config.put("n_head", architecture.attention().heads());
        config.put("head_dim", architecture.attention().headWidth());
        config.put("n_inner", feedForward == null ? 0 : feedForward.hidden());
        config.put("activation_function", feedForward == null ? null : name(feedForward.activation()));
        config.put("layer_norm_epsilon", architecture.normalization().epsilon());
        config.put("tie_word_embeddings", architecture.output().tied());
        config.put("embd_pdrop", architecture.dropout());
        config.put("resid_pdrop", architecture.dropout());
        config.put("attn_pdrop", 0.0);
        config.put(Weights.ARCHITECTURE_KEY, ArchitectureJson.tree(architecture));
        config.put(VOCABULARY, vocabulary.symbols());
        AtomicFile.write(directory.resolve(FILE), Json.indented(config) + "\n");
    }

    /** The activation's name in Hugging Face's transformers, which has no cosine. */
    private static String name(Activation.Kind activation) {
        return switch (activation) {
            case RELU -> "relu";
            case GELU -> "gelu";
            case TANH_GELU -> "gelu_new";
            case COSINE -> "cosine";
        };
    }

    /** The symbols of the tokens, if Lemmata wrote the file. */
    public Optional<Vocabulary> vocabulary() throws MalformedFileException {
        if (!root.has(VOCABULARY)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Vocabulary(List.of(MAPPER.treeToValue(root.get(VOCABULARY), String[].class))));
        } catch (JsonProcessingException | RuntimeException e) {
            throw refusal(VOCABULARY, "a list of different texts");
        }
    }

    /** The tokens that end a sequence. */
    public IntSet ends() throws MalformedFileException {
        String key = "eos_token_id";
        var ends = new IntOpenHashSet();
        JsonNode value = root.path(key);
        for (JsonNode end : value.isArray() ? value : List.of(value)) {
            integer(key, end, 0).ifPresent(ends::add);
        }
        return ends;
    }

    /** Whether the unembedding may be absent from the weights file, and is then the token embedding. */
    boolean tied() {
        return root.path("tie_word_embeddings").asBoolean(true);
    }

    /** Rejects a configuration that is not of a GPT-2, or scales scores in another way. */
    void requireGpt2() throws MalformedFileException {
        require(root.path(MODEL_TYPE).asText("gpt2").equals("gpt2"), MODEL_TYPE, "gpt2");
        require(root.path("scale_attn_weights").asBoolean(true), "scale_attn_weights", "true");
        String byLayer = "scale_attn_by_inverse_layer_idx";
        require(!root.path(byLayer).asBoolean(), byLayer, "false");
    }

    OptionalInt heads() throws MalformedFileException {
        return integer("n_head", root.path("n_head"), 1);
    }

    Activation.Kind activation() throws MalformedFileException {
        String key = "activation_function";
        String name = root.path(key).asText("gelu_new");
        return switch (name) {
            case "gelu_new", "gelu_pytorch_tanh", "gelu_fast" -> Activation.Kind.TANH_GELU;
            case "gelu" -> Activation.Kind.GELU;
            case "relu" -> Activation.Kind.RELU;
            default -> throw refusal(key, "gelu_new, gelu or relu");
        };
    }

    float epsilon() throws MalformedFileException {
        String key = "layer_norm_epsilon";
        double epsilon = root.path(key).asDouble(root.has(key) ? Double.NaN : 1e-5);
        require(epsilon >= 0 && epsilon <= Float.MAX_VALUE, key, "a number from 0");
        return (float) epsilon;
    }

    private OptionalInt integer(String key, JsonNode value, int minimum) throws MalformedFileException {
        if (value.isMissingNode() || value.isNull()) {
            return OptionalInt.empty();
        }
        require(value.isInt() && value.intValue() >= minimum, key, "an integer from " + minimum);
        return OptionalInt.of(value.intValue());
    }

    private void require(boolean right, String key, String expected) throws MalformedFileException {
        if (!right) {
            throw refusal(key, expected);
        }
    }

    private MalformedFileException refusal(String key, String expected) {
        return new MalformedFileException(
                file, key, "expected " + expected + ", got " + Refuse.shown(String.valueOf(root.get(key))));
    }
}
