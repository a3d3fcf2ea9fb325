package org.lemmata.model.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;

import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.MalformedFileException;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ModelCase;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

class WeightsTest {

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("weights.safetensors");
    }

    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(50));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyArchitectureComesBackWithItsParameters(ModelCase model) throws IOException {
        Parameters written = model.parameters();
        Weights.write(file, written);
        Parameters read = Weights.read(file);
        assertThat(read.architecture()).isEqualTo(written.architecture());
        assertThat(read.values()).isEqualTo(written.values());
    }

    /** Two of the values are those of the former flag, so older weights can still be read. */
    @Test
    void theLogarithmOfScoresIsAFlagOrTheSequence() {
        Map.of(LogLength.NONE, "false", LogLength.SEEN, "true", LogLength.SEQUENCE, "\"SEQUENCE\"")
                .forEach((logLength, text) -> {
                    Architecture written =
                            SMALL.withAttention(AttentionOptions.softmax(1, 2).withScores(1, logLength, 0));
                    String json = ArchitectureJson.write(written);
                    assertThat(json).contains("\"logLength\":" + text + ",");
                    assertThat(ArchitectureJson.read(json, 9)).isEqualTo(written);
                });
        String json = ArchitectureJson.write(SMALL.withAttention(AttentionOptions.softmax(1, 2)));
        for (String text : List.of("\"SEEN\"", "\"false\"", "0", "1", "[]", "null")) {
            assertThatThrownBy(() ->
                            ArchitectureJson.read(json.replace("\"logLength\":false", "\"logLength\":" + text), 9))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("logLength: expected ");
        }
    }

    @Test
    void architecturesThatAreNoObjectsAreRefused() {
        for (String json : List.of("null", "", "[]", "3")) {
            assertThatThrownBy(() -> ArchitectureJson.read(json, 9)).hasMessageStartingWith("architecture: expected ");
            assertThatThrownBy(() -> ArchitectureJson.readPerceptron(json))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("perceptron: expected an object in JSON, got ");
        }
    }

    /** Older files lack these options, and their architecture is unchanged. */
    @Test
    void laterOptionsAreWrittenOnlyWhereTheySaySomething() {
        Architecture before = Architecture.gpt2(7, 5, 6, 2, 2, 9, 0);
        Architecture later = before.withAttention(before.attention().withIdentities(true, 0.5f))
                .withNormalization(before.normalization().withBareFinal());
        assertThat(ArchitectureJson.write(before)).doesNotContain("identityMultiplier", "ofFinal");
        assertThat(ArchitectureJson.write(later)).contains("\"identityMultiplier\":0.5", "\"ofFinal\":false");
        for (Architecture each : List.of(before, later)) {
            assertThat(ArchitectureJson.read(ArchitectureJson.write(each), 9)).isEqualTo(each);
        }
    }

    @Test
    void parametersInBinary64AreReadToTheBitOrRounded() throws IOException {
        var random = new Random(3);
        var exact = new ExactParameters(Architecture.gpt2(7, 5, 6, 2, 2, 9, 0.1));
        Arrays.setAll(exact.values(), i -> random.nextGaussian());
        WideWeights.write(file, exact);
        assertThat(Weights.readExact(file).architecture()).isEqualTo(exact.architecture());
        assertThat(Weights.readExact(file).values()).isEqualTo(exact.values());
        assertThat(Weights.read(file).values()).isEqualTo(exact.nearest().values());
    }

    /** In binary32, 1 + 2^-8 + 2^-40 is the tie 1 + 2^-8, which bfloat16 rounds to 1. */
    @Test
    void parametersInBinary64AreRoundedToAFormatOnce() throws IOException {
        var exact = new ExactParameters(SMALL);
        Arrays.fill(exact.values(), 1 + 0x1p-8 + 0x1p-40);
        WideWeights.write(file, exact);
        var stored = (StoredModel.OfTransformer) StoredModel.open(file);
        for (Rounding.Mode mode : List.of(Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.TOWARD_POSITIVE)) {
            var rounding = new Rounding(FloatFormat.BFLOAT16, mode, true, false);
            var model = (Transformer) stored.model(Optional.of(PrecisionPolicy.tensors(rounding)), Kernels.scalar());
            assertThat(model.parameters().values()).containsOnly(1 + 0x1p-7f);
        }
        PrecisionPolicy logits =
                PrecisionPolicy.only(PrecisionSite.LOGITS, Rounding.toNearestEven(FloatFormat.BFLOAT16));
        var model = (Transformer) stored.model(Optional.of(logits), Kernels.scalar());
        assertThat(model.parameters().values()).containsOnly(1 + 0x1p-8f);
    }

    @ParameterizedTest
    @CsvSource({"NaN, NaN", "-Infinity, -Infinity", "1e60, Infinity"})
    void parametersThatAreNotFiniteAreRefused(double value, String shown) throws IOException {
        var exact = new ExactParameters(SMALL);
        int at = SMALL.layout().getLast().offset();
        exact.values()[at] = value;
        WideWeights.write(file, exact);
        StoredModel stored = StoredModel.open(file);
        assertMessage(stored::values, SMALL.layout().getLast().name() + ": expected finite numbers, got " + shown);
        var transformer = (StoredModel.OfTransformer) stored;
        if (Double.isFinite(value)) {
            assertThat(transformer.model(Optional.empty(), Kernels.scalar())).isInstanceOf(ReferenceTransformer.class);
        } else {
            assertMessage(
                    () -> transformer.model(Optional.empty(), Kernels.scalar()),
                    SMALL.layout().getLast().name() + ": expected finite numbers, got " + shown);
        }
    }

    @Test
    void vectorsHaveOneExtentAndMatricesTwo() throws IOException {
        Weights.write(file, new ExactParameters(Architecture.gpt2(7, 5, 6, 1, 2, 9, 0)).nearest());
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            assertThat(tensors.tensor("layer.0.attention_norm.gain").shape().toLongArray())
                    .containsExactly(6L);
            assertThat(tensors.tensor("layer.0.first").shape().toLongArray()).containsExactly(6L, 9L);
            assertThat(tensors.tensor("token_embedding").shape().toLongArray()).containsExactly(7L, 6L);
            assertThat(tensors.metadata().get(Weights.ARCHITECTURE_KEY)).isEqualTo("""
                {'vocabularySize':7,'maxLength':5,'width':6,'layers':1,\
                'positions':{'kind':'TABLE','period':0},\
                'attention':{'heads':2,'headWidth':3,'weighting':'SOFTMAX','mask':'CAUSAL',\
                'scoreScale':0.57735026,'logLength':false,'scoreBiasSpan':0,'thresholdBits':0,\
                'identities':false,'normalizeQueriesAndKeys':false,'outputProjection':true,'biases':true},\
                'feedForward':{'hidden':9,'activation':'GELU','firstBias':true,'secondBias':true},\
                'normalization':{'placement':'PRE','kind':'LAYER',\
                'epsilon':1.0E-5,'gain':true,'shift':true},\
                'residual':true,'output':{'kind':'NEXT_TOKEN','tied':true,'bias':false},'dropout':0.0}\
                """.replace('\'', '"'));
        }
    }

    private static final Architecture SMALL = Architecture.uniformHead(3, 4, 2, true);

    private static TensorContent tensor(String name, long... shape) {
        LongList extents = LongList.of(shape);
        return new TensorContent(name, extents, new float[(int) TensorEntry.size(extents)], 0);
    }

    /** The tensors of {@link #SMALL}. */
    private static List<TensorContent> tensors() {
        return List.of(
                tensor("token_embedding", 3, 2), tensor("position_embedding", 4, 2), tensor("layer.0.value", 2, 2));
    }

    private void assertRefused(Consumer<List<TensorContent>> change, String message) throws IOException {
        List<TensorContent> tensors = new ArrayList<>(tensors());
        change.accept(tensors);
        SafeTensorsWriter.write(file, Map.of(Weights.ARCHITECTURE_KEY, ArchitectureJson.write(SMALL)), tensors);
        assertMessage(() -> Weights.read(file), message);
        assertMessage(() -> Weights.readExact(file), message);
    }

    private void assertMessage(ThrowingCallable read, String message) {
        assertMalformed(read, file + ": " + message);
    }

    @Test
    void tensorsThatAreNotTheArchitecturesAreRefusedByName() throws IOException {
        assertRefused(List::removeLast, "layer.0.value: expected a tensor of shape [2, 2], got none of this name");
        assertRefused(
                tensors -> tensors.set(1, tensor("position_embedding", 2, 4)),
                "position_embedding: expected shape [4, 2], got [2, 4]");
        assertRefused(
                tensors -> tensors.set(1, tensor("position_embedding", 8)),
                "position_embedding: expected shape [4, 2], got [8]");
        assertRefused(
                tensors -> tensors.add(tensor("layer.0.key", 2, 2)),
                "layer.0.key: expected no tensor of this name, got one of shape [2, 2]");
        assertRefused(
                tensors -> tensors.add(tensor("layer.1.value", 2, 2)),
                "layer.1.value: expected no tensor of this name, got one of shape [2, 2]");
    }

    @Test
    void aFileThatDoesNotSayItsArchitectureIsRefused() throws IOException {
        SafeTensorsWriter.write(file, Map.of(), List.of(tensor("token_embedding", 3, 2)));
        assertMessage(
                () -> Weights.read(file),
                "header: __metadata__.lemmata.architecture: expected an architecture in JSON, got none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "7",
                "{}",
                "\"vocabularySize\":3 -> \"vocabularySize\":0",
                "\"vocabularySize\":3 -> \"vocabularySize\":3.5",
                "\"vocabularySize\":3 -> \"vocabularySize\":\"3\"",
                "\"vocabularySize\":3 -> \"vocabularySize\":30000000000",
                "\"vocabularySize\":3 -> \"vocabularySize\":null",
                "\"vocabularySize\":3 -> \"more\":1,\"vocabularySize\":3",
                "\"vocabularySize\":3, -> ",
                "\"width\":2 -> \"width\":2000000000",
                "\"layers\":1 -> \"layers\":1,\"layers\":1",
                "\"heads\":1 -> \"heads\":0",
                "\"epsilon\":0.0 -> \"epsilon\":1e39",
                "\"UNIFORM\" -> \"uniform\"",
                "\"UNIFORM\" -> 1",
                "\"UNIFORM\" -> null",
                "\"output\":{ -> \"output\":null,\"x\":{",
            })
    void metadataThatIsNoArchitectureIsRefusedInOneLine(String json) throws IOException {
        String[] change = json.split(" -> ", -1);
        String text = change.length == 1 ? json : ArchitectureJson.write(SMALL).replace(change[0], change[1]);
        assertThat(text).isNotEqualTo(ArchitectureJson.write(SMALL));
        SafeTensorsWriter.write(file, Map.of(Weights.ARCHITECTURE_KEY, text), tensors());
        assertThatThrownBy(() -> Weights.read(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(file + ": header: __metadata__.lemmata.architecture: ")
                .hasMessageContaining("expected")
                .hasMessageNotContaining("\n")
                .satisfies(e -> assertThat(e.getMessage())
                        .hasSizeLessThan(400 + file.toString().length()));
    }

    /** The layout of a huge number of layers would fill memory before a tensor is found missing. */
    @Test
    void aFileSaysNoMoreLayersThanItHasTensors() throws IOException {
        String json = ArchitectureJson.write(SMALL).replace("\"layers\":1", "\"layers\":4");
        SafeTensorsWriter.write(file, Map.of(Weights.ARCHITECTURE_KEY, json), tensors());
        assertMessage(
                () -> Weights.read(file),
                "header: __metadata__.lemmata.architecture: layers: expected at most 3, got 4");
    }

    /**
     * A changed bit of the header gives another legal file or a one-line error; each bit of every eleventh byte is
     * tested.
     */
    @Test
    void alteredHeadersAreReadOrRefusedInOneLine() throws IOException {
        alterEvery(11);
    }

    @Tag("long")
    @Test
    void soAreThoseAlteredAnywhere() throws IOException {
        alterEvery(1);
    }

    private void alterEvery(int step) throws IOException {
        Weights.write(file, new ExactParameters(SMALL).nearest());
        int bits = Byte.SIZE * ((int) Files.size(file) - Float.BYTES * SMALL.parameterCount());
        assertThat(SafeTensorsFileTest.refusedOfAltered(file, bits, step, Weights::read))
                .isGreaterThan(bits / 2 / step);
    }
}
