package org.lemmata.model.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertMalformed;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.Json;
import org.lemmata.file.MalformedFileException;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.model.Architecture;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.oracle.ExactGpt2;
import org.lemmata.oracle.Refusals;
import org.lemmata.token.Batch;

class Gpt2WeightsTest {

    private static final int VOCABULARY = 11;
    private static final int LENGTH = 9;
    private static final int WIDTH = 12;
    private static final int HEADS = 3;
    private static final int LAYERS = 2;
    private static final int HIDDEN = 20;

    @TempDir
    private Path directory;

    private Path file;
    private final Map<String, double[]> tensors = new HashMap<>();
    private final Map<String, LongList> shapes = new LinkedHashMap<>();

    @BeforeEach
    void drawTensors() throws IOException {
        file = directory.resolve("model.safetensors");
        drawTensors(new Random(17), VOCABULARY, LENGTH, WIDTH, LAYERS, HIDDEN);
        config("{\"n_head\": 3}");
    }

    private void drawTensors(Random random, int vocabulary, int length, int width, int layers, int hidden) {
        draw(random, "wte.weight", vocabulary, width);
        draw(random, "wpe.weight", length, width);
        for (int layer = 0; layer < layers; layer++) {
            String h = "h." + layer + ".";
            drawPair(random, h + "ln_1", width);
            drawPair(random, h + "attn.c_attn", width, 3 * width);
            drawPair(random, h + "attn.c_proj", width, width);
            drawPair(random, h + "ln_2", width);
            drawPair(random, h + "mlp.c_fc", width, hidden);
            drawPair(random, h + "mlp.c_proj", hidden, width);
        }
        drawPair(random, "ln_f", width);
    }

    private void drawPair(Random random, String name, int... weight) {
        draw(random, name + ".weight", weight);
        draw(random, name + ".bias", weight[weight.length - 1]);
    }

    /** Draws binary32 numbers, which the file stores exactly. */
    private void draw(Random random, String name, int... shape) {
        double[] values = new double[Arrays.stream(shape).reduce(1, Math::multiplyExact)];
        Arrays.setAll(values, i -> (float) (0.5 * random.nextGaussian()));
        tensors.put(name, values);
        shapes.put(name, LongArrayList.toList(Arrays.stream(shape).asLongStream()));
    }

    private void write(String prefix) throws IOException {
        SafeTensorsWriter.write(
                file,
                Map.of("format", "pt"),
                shapes.keySet().stream().map(name -> content(prefix, name)).toList());
    }

    private TensorContent content(String prefix, String name) {
        String outer = prefix.replace("transformer.", "");
        double[] exact = Objects.requireNonNull(tensors.get(name));
        float[] values = new float[exact.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) exact[i];
        }
        return new TensorContent(
                (name.startsWith("lm_head") ? outer : prefix) + name,
                Objects.requireNonNull(shapes.get(name)),
                values,
                0);
    }

    private void config(String json) throws IOException {
        Files.writeString(directory.resolve("config.json"), json);
    }

    private void assertComputes(Parameters parameters, String head) {
        int[] ids = {3, 10, 0, 0, 7, 1, 5};
        double[][] expected = new ExactGpt2(tensors, WIDTH, HEADS, LAYERS).logits(ids, head);
        Batch batch = Batch.of(List.of(ids));
        double[] exact = new ReferenceTransformer(parameters.widen()).logits(batch);
        double[] fast = new Transformer(parameters, Kernels.scalar()).logits(batch);
        for (int t = 0; t < ids.length; t++) {
            for (int v = 0; v < VOCABULARY; v++) {
                assertThat(exact[t * VOCABULARY + v])
                        .as("position %d, token %d", t, v)
                        .isCloseTo(expected[t][v], within(1e-9));
                assertThat(fast[t * VOCABULARY + v]).isCloseTo(expected[t][v], within(1e-4));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', false",
        "transformer., false",
        "'', true",
        "transformer., true",
        "_orig_mod.transformer., true",
        "module.transformer., false",
        "module._orig_mod., false"
    })
    void aFileComputesWhatItsTensorsDo(String prefix, boolean masks) throws IOException {
        if (masks) {
            var random = new Random(1);
            draw(random, "h.0.attn.bias", 1, 1, LENGTH, LENGTH);
            draw(random, "h.1.attn.masked_bias");
            draw(random, "nothing", 0, WIDTH);
        }
        write(prefix);
        Parameters read = Gpt2Weights.read(file);
        assertThat(read.architecture())
                .isEqualTo(Architecture.gpt2(VOCABULARY, LENGTH, WIDTH, LAYERS, HEADS, HIDDEN, 0)
                        .withFeedForward(new FeedForwardOptions(HIDDEN, Activation.Kind.TANH_GELU, true, true)));
        assertComputes(read, "wte.weight");
    }

    @Test
    void anUnembeddingThatDiffersFromTheEmbeddingIsTaken() throws IOException {
        shapes.put("lm_head.weight", LongList.of(VOCABULARY, WIDTH));
        tensors.put(
                "lm_head.weight",
                Objects.requireNonNull(tensors.get("wte.weight")).clone());
        write("transformer.");
        Parameters tied = Gpt2Weights.read(file);
        assertThat(tied.architecture().output().tied()).isTrue();
        draw(new Random(2), "lm_head.weight", VOCABULARY, WIDTH);
        write("transformer.");
        Parameters untied = Gpt2Weights.read(file);
        assertThat(untied.architecture().output().tied()).isFalse();
        assertComputes(untied, "lm_head.weight");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "transformer.", "_orig_mod.transformer.", "module."})
    void theHeadAloneIsBothWhereTheyAreTied(String prefix) throws IOException {
        shapes.put("lm_head.weight", Objects.requireNonNull(shapes.remove("wte.weight")));
        tensors.put("lm_head.weight", Objects.requireNonNull(tensors.get("wte.weight")));
        write(prefix);
        config("{\"n_head\": 3}");
        assertThat(StoredModel.open(file)).isInstanceOf(StoredModel.OfTransformer.class);
        Parameters read = Gpt2Weights.read(file);
        assertThat(read.architecture().output().tied()).isTrue();
        assertComputes(read, "wte.weight");
        config("{\"n_head\": 3, \"tie_word_embeddings\": false}");
        assertMalformed(
                () -> StoredModel.open(file), file + ": " + prefix + "wte.weight: expected this tensor, got none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_orig_mod.transformer."})
    void aHeadThatIsNotTiedMustBeThere(String prefix) throws IOException {
        write(prefix);
        config("{\"n_head\": 3, \"tie_word_embeddings\": false}");
        String head = prefix.replace("transformer.", "") + "lm_head.weight";
        assertMalformed(
                () -> StoredModel.open(file),
                file + ": " + head + ": expected this tensor, since tie_word_embeddings is false, got none");
        draw(new Random(2), "lm_head.weight", VOCABULARY, WIDTH);
        write(prefix);
        assertComputes(Gpt2Weights.read(file), "lm_head.weight");
    }

    @Test
    void shardsAreOneModel() throws IOException {
        Path index = directory.resolve("model.safetensors.index.json");
        Map<String, String> files = new LinkedHashMap<>();
        for (int part = 0; part < 3; part++) {
            List<TensorContent> contents = new ArrayList<>();
            for (String name : shapes.keySet()) {
                if (Math.floorMod(name.hashCode(), 3) == part) {
                    contents.add(content("transformer.", name));
                    files.put("transformer." + name, "model-%s-of-3.safetensors".formatted(part));
                }
            }
            assertThat(contents).isNotEmpty();
            SafeTensorsWriter.write(
                    directory.resolve("model-%s-of-3.safetensors".formatted(part)), Map.of("format", "pt"), contents);
        }
        config("{\"n_head\": 3}");
        Files.writeString(index, Json.indented(Map.of("metadata", Map.of("total_size", 1), "weight_map", files)));
        assertComputes(Gpt2Weights.read(index), "wte.weight");
        assertThat(((StoredModel.OfTransformer) StoredModel.open(index)).values())
                .isEqualTo(Gpt2Weights.read(index).values());
        files.put("transformer.wte.weight", "../model.safetensors");
        Files.writeString(index, Json.indented(Map.of("weight_map", files)));
        assertMalformed(
                () -> StoredModel.open(index),
                index
                        + ": weight_map.transformer.wte.weight: expected a safetensors file in the directory of the"
                        + " index, got '../model.safetensors'");
        Files.writeString(index, "{\"weight_map\": {\"x\": \"model-0-of-3.safetensors\"}}");
        assertMalformed(
                () -> StoredModel.open(index),
                directory.resolve("model-0-of-3.safetensors") + ": x: expected this tensor, got none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                               | weight_map: expected an object, got nothing: the field is absent",
                "{'weight_map': ['x']}            | weight_map: expected an object, got an array of 1",
                "{'weight_map': {}}               | weight_map: expected the file of each tensor, got an object",
                "{'weight_map': {'x': 7}}         | weight_map.x: expected a string, got the number 7",
                "[1]                              | expected an object, got an array of 1",
                "{'weight_map': {'x': 'a', 'x': 'b'}} | line 1, column 30: expected the file of each tensor: Duplicate"
                        + " field 'x'"
            },
            quoteCharacter = '`')
    void anIndexThatDoesNotMapTensorsToFilesIsRefused(String json, String message) throws IOException {
        Path index = Files.writeString(directory.resolve("model.safetensors.index.json"), json.replace('\'', '"'));
        assertMalformed(() -> StoredModel.open(index), index + ": " + message);
    }

    /** Integer tensors, which TensorContent cannot write. */
    @Test
    void integersThatAreNoParametersArePassedOver() throws IOException {
        draw(new Random(1), "position_ids", 1, 2);
        draw(new Random(1), "num_batches_tracked");
        write("");
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        bytes = withType(bytes, "position_ids", "[1,2]", "I32");
        Files.writeString(file, withType(bytes, "num_batches_tracked", "[]", "I32"), StandardCharsets.ISO_8859_1);
        assertComputes(Gpt2Weights.read(file), "wte.weight");
        Files.writeString(file, bytes, StandardCharsets.ISO_8859_1);
        assertMalformed(
                () -> Gpt2Weights.read(file),
                file + ": num_batches_tracked: expected no tensor of this name, got one of shape []");
    }

    private static String withType(String file, String name, String shape, String type) {
        String before = "\"" + name + "\":{\"dtype\":\"F32\",\"shape\":" + shape;
        assertThat(file).contains(before);
        return file.replace(before, before.replace("F32", type));
    }

    /** Binary32 cannot represent the values, so the model runs in binary64. */
    @Test
    void parametersInBinary64AreReadToTheBit() throws IOException {
        tensors.replaceAll((name, values) ->
                Arrays.stream(values).map(value -> value * (1 + 0x1p-30)).toArray());
        shapes.put("lm_head.weight", LongList.of(VOCABULARY, WIDTH));
        for (boolean tied : new boolean[] {true, false}) {
            double[] head = Objects.requireNonNull(tensors.get("wte.weight")).clone();
            head[0] = tied ? head[0] : Math.nextUp(head[0]);
            tensors.put("lm_head.weight", head);
            WideWeights.write(file, Map.of("format", "pt"), shapes, tensors);
            var stored = (StoredModel.OfTransformer) StoredModel.open(file);
            assertThat(stored.architecture().output().tied()).isEqualTo(tied);
            int[] ids = {3, 10, 0, 0, 7, 1, 5};
            double[][] expected = new ExactGpt2(tensors, WIDTH, HEADS, LAYERS).logits(ids, "lm_head.weight");
            assertThat(stored.model(Optional.empty(), Kernels.scalar()).lastLogits(Batch.of(List.of(ids))))
                    .containsExactly(expected[ids.length - 1], within(1e-12));
            assertThat(stored.values()).isEqualTo(Gpt2Weights.read(file).values());
        }
    }

    @Test
    void severalTokensMayEndASequence() throws IOException {
        write("");
        Map<String, List<Integer>> ends = Map.of(
                "{}", List.of(),
                "{\"eos_token_id\": null}", List.of(),
                "{\"eos_token_id\": 3}", List.of(3),
                "{\"eos_token_id\": [3, 10]}", List.of(3, 10));
        for (Map.Entry<String, List<Integer>> entry : ends.entrySet()) {
            config(entry.getKey());
            assertThat(ModelConfig.beside(file).orElseThrow().ends())
                    .containsExactlyInAnyOrderElementsOf(entry.getValue());
        }
        config("{\"eos_token_id\": [3, \"x\"]}");
        assertThatThrownBy(() -> ModelConfig.beside(file).orElseThrow().ends())
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("eos_token_id: expected an integer from 0, got ");
    }

    @Test
    void headsAreReadOffTheWidthOrGiven() throws IOException {
        write("");
        Path config = directory.resolve("config.json");
        Files.delete(config);
        Refusals.assertRefused(
                () -> Gpt2Weights.read(file),
                "heads: expected n_head in config.json next to " + file + ", a divisor of the width 12, got none");
        config("{\"n_head\": 5}");
        Refusals.assertRefused(
                () -> Gpt2Weights.read(file),
                "heads: expected n_head in config.json next to " + file + ", a divisor of the width 12, got 5");
        Files.delete(config);
        shapes.clear();
        drawTensors(new Random(4), 3, 2, 128, 1, 512);
        write("");
        assertThat(Gpt2Weights.read(file).architecture().attention().heads()).isEqualTo(2);
    }

    @Test
    void whatShapesDoNotTellIsReadBesideTheFile() throws IOException {
        write("transformer.");
        Path config = directory.resolve("config.json");
        Files.writeString(config, "{\"model_type\": \"gpt2\", \"n_head\": 3, \"n_inner\": null}");
        assertThat(Gpt2Weights.read(file).architecture().attention().heads()).isEqualTo(HEADS);
        assertComputes(Gpt2Weights.read(file), "wte.weight");
        Files.writeString(config, """
            {"n_head": 2, "activation_function": "relu", "layer_norm_epsilon": 0.25}
            """);
        Architecture told = Gpt2Weights.read(file).architecture();
        assertThat(told.attention().heads()).isEqualTo(2);
        assertThat(Objects.requireNonNull(told.feedForward()).activation()).isEqualTo(Activation.Kind.RELU);
        assertThat(told.normalization().epsilon()).isEqualTo(0.25f);
        assertThat(((StoredModel.OfTransformer) StoredModel.open(file)).architecture())
                .isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'n_head': 0}                  | n_head: expected an integer from 1, got 0",
                "{'n_head': 'x'}                | n_head: expected an integer from 1, got \"x\"",
                "{'n_head': 3.9}                | n_head: expected an integer from 1, got 3.9",
                "{'n_head': 3, 'n_head': 4}     | expected JSON: Duplicate field 'n_head'",
                "{'model_type': 'gpt_neo'}      | model_type: expected gpt2, got \"gpt_neo\"",
                "{'activation_function': 'silu'} | activation_function: expected gelu_new, gelu or relu, got \"silu\"",
                "{'layer_norm_epsilon': -1}     | layer_norm_epsilon: expected a number from 0, got -1",
                "{'layer_norm_epsilon': 1e39}   | layer_norm_epsilon: expected a number from 0, got 1.0E39",
                "{'scale_attn_weights': false} | scale_attn_weights: expected true, got false",
                "{'scale_attn_by_inverse_layer_idx': true} | scale_attn_by_inverse_layer_idx: expected false, got true",
                "[1]                            | expected a JSON object"
            },
            quoteCharacter = '`')
    void aConfigurationOfAnotherModelIsRefused(String json, String message) throws IOException {
        write("");
        Path config = Files.writeString(directory.resolve("config.json"), json.replace('\'', '"'));
        assertMalformed(() -> StoredModel.open(file), config + ": " + message);
    }

    private void assertRefused(Consumer<Map<String, LongList>> change, String message) throws IOException {
        Map<String, LongList> before = new LinkedHashMap<>(shapes);
        change.accept(shapes);
        write("");
        assertMalformed(() -> Gpt2Weights.read(file), file + ": " + message);
        shapes.clear();
        shapes.putAll(before);
    }

    @Test
    void whatIsNoGpt2IsRefusedByName() throws IOException {
        assertRefused(of -> of.remove("wte.weight"), "wte.weight: expected this tensor, got none");
        assertRefused(
                of -> of.remove("h.1.ln_2.bias"),
                "h.1.ln_2.bias: expected a tensor of shape [12], got none of this name");
        assertRefused(
                of -> of.remove("h.0.ln_1.weight"),
                "h.0.ln_1.weight: expected a tensor of shape [12], got none of this name");
        assertRefused(
                of -> of.put("h.1.attn.c_attn.weight", LongList.of(36L, 12L)),
                "h.1.attn.c_attn.weight: expected shape [12, 36], got [36, 12]");
        assertRefused(
                of -> of.put("wte.weight", LongList.of(132L)),
                "wte.weight: expected a matrix with extents from 1 to 2^31 - 1, got shape [132]");
        tensors.put("h.0.attn.rotary", new double[2]);
        assertRefused(
                of -> of.put("h.0.attn.rotary", LongList.of(2L)),
                "h.0.attn.rotary: expected no tensor of this name, got one of shape [2]");
        tensors.put("lm_head.weight", new double[11 * 12]);
        assertRefused(
                of -> of.put("lm_head.weight", LongList.of(12L, 11L)),
                "lm_head.weight: expected shape [11, 12], got [12, 11]");
    }
}
