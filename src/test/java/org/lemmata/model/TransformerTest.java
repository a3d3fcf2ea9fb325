package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionRounding;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.matmul.MatMulRounding;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

class TransformerTest {

    /**
     * Of the greatest logit's magnitude: at most 3 layers of 5 roundings chained, each of at most 76 terms, with errors
     * that mostly cancel; 2^-24 * sqrt(76) * 15 is 8e-6.
     */
    private static final double TOLERANCE = 2e-5;

    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(60));
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

    /** Coarse parameters make many scores equal, and exact in one layer: a tie is a tie in both. */
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
                        .withScores(1, false, 0));
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
                    .containsExactly(oneByOne.stream().mapToDouble(x -> x).toArray());
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
        for (LanguageModel transformer : List.of(
                new Transformer(model.parameters(), Kernels.scalar()),
                new Transformer(model.parameters(), Kernels.best()),
                new ReferenceTransformer(model.parameters().widen()))) {
            double[] before = transformer.logits(Batch.of(List.of(sequence)));
            double[] after = transformer.logits(Batch.of(List.of(changed)));
            assertThat(Arrays.copyOf(after, 11 * columns))
                    .as("%s", model)
                    .containsExactly(Arrays.copyOf(before, 11 * columns));
            // Without a residual, hardmax may look at one early token from everywhere.
            if (model.architecture().residual()) {
                assertThat(after).as("%s", model).isNotEqualTo(before);
            }
        }
    }

    /** Those that a precision policy covers. */
    static Stream<ModelCase> roundedCases() {
        return cases().filter(model -> model.architecture().feedForward() == null
                && model.architecture().placement() == NormalizationOptions.Placement.NONE
                && !model.architecture().attention().normalizeQueriesAndKeys());
    }

    @ParameterizedTest
    @MethodSource("roundedCases")
    void aPolicyThatRoundsNothingHasTheBitsOfTheScalarKernels(ModelCase model) {
        var policy = new PrecisionPolicy(null, MatMulRounding.none(), AttentionRounding.none());
        Batch batch = Batch.of(model.sequences());
        assertThat(new Transformer(model.parameters(), policy).forward(batch))
                .as("%s", model)
                .containsExactly(new Transformer(model.parameters(), Kernels.scalar()).forward(batch));
    }

    @ParameterizedTest
    @MethodSource("roundedCases")
    void roundedLogitsAreNumbersOfTheFormatAndNearTheUnroundedOnes(ModelCase model) {
        Batch batch = Batch.of(model.sequences());
        double[] unrounded = new Transformer(model.parameters(), Kernels.scalar()).logits(batch);
        double scale = Arrays.stream(unrounded).map(Math::abs).max().orElse(0);
        for (NumberFormat format : List.of(FloatFormat.BINARY16, FloatFormat.BFLOAT16)) {
            Rounding rounding = Rounding.toNearestEven(format);
            for (PrecisionPolicy policy :
                    List.of(PrecisionPolicy.tensors(rounding), PrecisionPolicy.everything(rounding))) {
                double[] logits = new Transformer(model.parameters(), policy).logits(batch);
                assertThat(Arrays.stream(logits).map(rounding::round).toArray())
                        .as("%s in %s", model, format.name())
                        .containsExactly(logits);
                assertThat(logits).as("%s in %s", model, format.name()).isNotEqualTo(unrounded);
                // Hardmax and thresholded weights jump where rounding moves a score over another, or over the threshold.
                Weighting weighting = model.architecture().attention().weighting();
                if (weighting != Weighting.HARDMAX && weighting != Weighting.THRESHOLDED) {
                    double tolerance = scale * Math.scalb(64.0, -format.significandBits());
                    for (int i = 0; i < logits.length; i++) {
                        assertThat(logits[i])
                                .as("%s in %s, logit %d", model, format.name(), i)
                                .isCloseTo(unrounded[i], within(tolerance));
                    }
                }
            }
        }
    }

    @Test
    void sumsOfEmbeddingsAreRoundedOnceWhateverTheMode() {
        // 1 - 2^-80 lies below 1, and binary32 and binary64 round it to 1 first: toward zero the answer is the number
        // below 1.
        Architecture architecture = Architecture.uniformHead(1, 1, 1, true);
        float[] values = {1, -0x1p-80f, 1};
        var rounding = new Rounding(FloatFormat.BFLOAT16, Rounding.Mode.TOWARD_ZERO, true, false);
        var policy = new PrecisionPolicy(rounding, MatMulRounding.none(), AttentionRounding.none());
        float[] logits =
                new Transformer(new Parameters(architecture, values), policy).forward(Batch.of(List.of(new int[] {0})));
        assertThat(logits).containsExactly(1 - 0x1p-8f);
    }

    @Test
    void batchesThatDoNotFitAreRefused() {
        Architecture architecture = Architecture.uniformHead(3, 4, 2, true);
        var parameters = new Parameters(architecture, new float[architecture.parameterCount()]);
        for (LanguageModel model :
                List.of(new Transformer(parameters, Kernels.scalar()), new ReferenceTransformer(parameters.widen()))) {
            assertThatThrownBy(() -> model.logits(Batch.of(List.of(new int[2], new int[5]))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("batch: expected at most 4 tokens a sequence, got 5 in sequence 1");
            assertThatThrownBy(() -> model.logits(Batch.of(List.of(new int[] {0, 2}, new int[] {1, 3}))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("batch: expected tokens below 3, got 3 at 3");
            assertThat(model.logits(Batch.of(List.of()))).isEmpty();
        }
    }
}
