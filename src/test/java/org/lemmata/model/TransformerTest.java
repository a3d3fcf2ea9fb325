package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

class TransformerTest {

    /**
     * The tolerance relative to the maximum logit: at most 3 layers with 5 successive roundings, each of at most 76
     * terms, with errors that mostly cancel; 2^-24 * sqrt(76) * 15 is 8e-6.
     */
    private static final double TOLERANCE = 2e-5;

    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(60));
    }

    private static List<LanguageModel> models(Parameters parameters) {
        return List.of(
                new Transformer(parameters, Kernels.scalar()),
                new Transformer(parameters, Kernels.best()),
                new ReferenceTransformer(parameters.widen()));
    }

    private static void assertClose(double[] actual, double[] expected, ModelCase model, String kernels) {
        double scale = Arrays.stream(expected).map(Math::abs).max().orElse(0);
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i])
                    .as("%s: logit %d, %s", kernels, i, model)
                    .isCloseTo(expected[i], within(TOLERANCE * scale));
        }
    }

    private static void assertKernelsAgree(ModelCase model, Parameters parameters) {
        Batch batch = Batch.of(model.sequences());
        double[] expected = new ReferenceTransformer(parameters.widen()).logits(batch);
        assertClose(new Transformer(parameters, Kernels.scalar()).logits(batch), expected, model, "scalar");
        assertClose(new Transformer(parameters, Kernels.best()).logits(batch), expected, model, "best");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void kernelsAgreeWithTheReferenceInBinary64(ModelCase model) {
        assertKernelsAgree(model, model.parameters());
    }

    static Stream<ModelCase> hardmaxCases() {
        return cases().filter(model -> model.architecture().attention().weighting() == Weighting.HARDMAX);
    }

    /** Coarse parameters give many equal scores, which are exact in one layer, so ties agree in both models. */
    @ParameterizedTest
    @MethodSource("hardmaxCases")
    void equalScoresShareTheWeightOfHardmax(ModelCase drawn) {
        Architecture architecture = drawn.architecture()
                .withLayers(1)
                .withNormalization(NormalizationOptions.none())
                .withFeedForward(null)
                .withAttention(drawn.architecture()
                        .attention()
                        .withNormalizedQueriesAndKeys(false)
                        .withScores(1, LogLength.NONE, 0));
        var model = new ModelCase(drawn.name(), drawn.seed(), architecture);
        assertKernelsAgree(model, model.coarseParameters());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRaggedBatchIsItsSequencesOneByOne(ModelCase model) {
        for (LanguageModel transformer : List.of(
                new Transformer(model.parameters(), Kernels.scalar()),
                new ReferenceTransformer(model.parameters().widen()))) {
            double[] together = transformer.logits(Batch.of(model.sequences()));
            List<Double> oneByOne = new ArrayList<>();
            for (int[] sequence : model.sequences()) {
                Arrays.stream(transformer.logits(Batch.of(List.of(sequence)))).forEach(oneByOne::add);
            }
            assertThat(together)
                    .as("%s", model)
                    .isEqualTo(oneByOne.stream().mapToDouble(x -> x).toArray());
        }
        var best = new Transformer(model.parameters(), Kernels.best());
        double[] together = best.logits(Batch.of(model.sequences()));
        int row = 0;
        for (int[] sequence : model.sequences()) {
            double[] alone = best.logits(Batch.of(List.of(sequence)));
            assertClose(Arrays.copyOfRange(together, row, row + alone.length), alone, model, "best");
            row += alone.length;
        }
    }

    static Stream<ModelCase> causalCases() {
        return cases().filter(model -> model.architecture().attention().mask() == Mask.CAUSAL);
    }

    @ParameterizedTest
    @MethodSource("causalCases")
    void laterTokensDoNotChangeEarlierLogits(ModelCase model) {
        int[] sequence = model.sequence(23, new Random(1));
        int[] changed = sequence.clone();
        for (int i = 11; i < 23; i++) {
            changed[i] = (changed[i] + 1) % model.architecture().vocabularySize();
        }
        int columns = model.architecture().outputs();
        for (LanguageModel transformer : models(model.parameters())) {
            double[] before = transformer.logits(Batch.of(List.of(sequence)));
            double[] after = transformer.logits(Batch.of(List.of(changed)));
            assertThat(Arrays.copyOf(after, 11 * columns))
                    .as("%s", model)
                    .isEqualTo(Arrays.copyOf(before, 11 * columns));
            // Without a residual, hardmax may attend to the same early token at all positions.
            if (model.architecture().residual()) {
                assertThat(after).as("%s", model).isNotEqualTo(before);
            }
        }
    }

    /**
     * Computed by hand: with queries 0 the scaled scores are m a_h (E_i . E_j), and m b_h times the weighted sum of E_j
     * bypasses W_O.
     */
    @Test
    void aMultiplierAddsIdentitiesAfterTheScaleAndAfterTheOutputMatrix() {
        float multiplier = 3;
        double a = 0.25;
        double b = 0.5;
        Architecture architecture = Architecture.uniformHead(3, 4, 2, false)
                .withAttention(
                        AttentionOptions.softmax(1, 2).withMask(Mask.NONE).withIdentities(true, multiplier))
                .withOutput(OutputOptions.nextToken(true));
        var parameters = new Parameters(architecture, new float[architecture.parameterCount()]);
        double[][] tokens = {{1, 0.5}, {-0.5, 2}, {0.25, -1}};
        for (int token = 0; token < tokens.length; token++) {
            for (int d = 0; d < 2; d++) {
                parameters.values()[2 * token + d] = (float) tokens[token][d];
            }
        }
        parameters
                .values()[architecture.view(ParameterRole.KEY_QUERY_IDENTITY, 0).offset()] = (float) a;
        parameters
                .values()[
                architecture.view(ParameterRole.VALUE_OUTPUT_IDENTITY, 0).offset()] = (float) b;
        double[] weights = new double[3];
        Arrays.setAll(weights, j -> Math.exp(multiplier * a * inner(tokens[2], tokens[j])));
        double total = Arrays.stream(weights).sum();
        double[] x = new double[2];
        Arrays.setAll(x, d -> {
            double sum = 0;
            for (int j = 0; j < 3; j++) {
                sum += multiplier * b * weights[j] / total * tokens[j][d];
            }
            return sum;
        });
        double[] expected =
                Arrays.stream(tokens).mapToDouble(token -> inner(x, token)).toArray();
        Batch batch = Batch.of(List.of(new int[] {0, 1, 2}));
        for (LanguageModel model : models(parameters)) {
            assertThat(model.lastLogits(batch)).containsExactly(expected, within(1e-6));
        }
    }

    private static double inner(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1];
    }

    @Test
    void batchesThatDoNotFitAreRefused() {
        Architecture architecture = Architecture.uniformHead(3, 4, 2, true);
        var parameters = new Parameters(architecture, new float[architecture.parameterCount()]);
        for (LanguageModel model : models(parameters)) {
            assertRefused(
                    () -> model.logits(Batch.of(List.of(new int[2], new int[5]))),
                    "batch: expected at most 4 tokens per sequence, got 5 in sequence 1");
            assertRefused(
                    () -> model.logits(Batch.of(List.of(new int[] {0, 2}, new int[] {1, 3}))),
                    "batch: expected tokens below 3, got 3 at 3");
            assertThat(model.logits(Batch.of(List.of()))).isEmpty();
        }
    }

    private static Batch batch(ModelCase model) {
        Random random = new Random(model.seed());
        return Batch.of(IntStream.of(3, ModelCase.MAX_LENGTH, 1, 16)
                .mapToObj(length -> model.sequence(length, random))
                .toList());
    }

    private static void assertLastRows(LanguageModel model, Batch batch, Object name) {
        double[] all = model.logits(batch);
        double[] last = model.lastLogits(batch);
        int columns = model.architecture().outputs();
        assertThat(last).as("%s", name).hasSize(batch.sequences().count() * columns);
        for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
            int end = batch.sequences().end(sequence);
            assertThat(Arrays.copyOfRange(last, sequence * columns, (sequence + 1) * columns))
                    .as("%s, sequence %d", name, sequence)
                    .isEqualTo(Arrays.copyOfRange(all, (end - 1) * columns, end * columns));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void lastLogitsHaveTheBitsOfTheLastRowsOfAll(ModelCase model) {
        Batch batch = batch(model);
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            assertLastRows(new Transformer(model.parameters(), kernels), batch, model);
        }
        assertLastRows(new ReferenceTransformer(model.parameters().widen()), batch, model);
    }

    @ParameterizedTest
    @EnumSource(names = {"TIES_TO_EVEN", "STOCHASTIC"})
    void soTheyHaveWhereTensorsAreRounded(Rounding.Mode mode) {
        PrecisionPolicy policy = PrecisionPolicy.tensors(new Rounding(FloatFormat.BFLOAT16, mode, true, false));
        cases().limit(8)
                .forEach(model -> assertLastRows(
                        new Transformer(model.parameters(), policy, Kernels.best()), batch(model), model));
    }

    @Test
    void aSequenceWithoutTokensHasNoLastLogits() {
        ModelCase model = cases().findFirst().orElseThrow();
        Batch batch = Batch.of(List.of(new int[] {1}, new int[0]));
        for (LanguageModel one : models(model.parameters())) {
            assertRefused(
                    () -> one.lastLogits(batch),
                    "batch: expected sequences of at least 1 token, got none in sequence 1");
            assertThat(one.lastLogits(Batch.of(List.of()))).isEmpty();
        }
    }
}
