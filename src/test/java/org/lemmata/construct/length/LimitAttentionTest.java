package org.lemmata.construct.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

class LimitAttentionTest {

    private static final int TOKENS = 3;

    /** Multiples of 1/4 up to 1, so that scores often tie and are exact in binary32. */
    private static ExactParameters draw(Architecture architecture, RandomGenerator random) {
        double[] values = new double[architecture.parameterCount()];
        Arrays.setAll(values, i -> random.nextInt(-4, 5) / 4.0);
        return new ExactParameters(architecture, values);
    }

    private static Architecture architecture(
            Weighting weighting, int period, int span, boolean residual, boolean biases, boolean feedForward) {
        return new Architecture(
                new Architecture.Size(TOKENS, 64, 4, 1),
                period == 0 ? PositionOptions.none() : PositionOptions.periodic(period),
                AttentionOptions.softmax(1, 3)
                        .withWeighting(weighting, weighting == Weighting.THRESHOLDED ? 5 : 0)
                        .withScores(0.5f, LogLength.SEQUENCE, span)
                        .withBiases(biases),
                feedForward ? new FeedForwardOptions(6, Activation.Kind.RELU, biases, biases) : null,
                NormalizationOptions.none(),
                residual,
                OutputOptions.regression(biases),
                0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void functionsOfWeightsAreTheModelsInBinary64AndOnTheKernels(long seed) {
        var random = new SplittableRandom(seed);
        for (int period : new int[] {0, 1, 2, 3}) {
            for (int span : new int[] {0, 1, 3}) {
                Architecture architecture = architecture(
                        Weighting.THRESHOLDED,
                        period,
                        span,
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean());
                ExactParameters parameters = draw(architecture, random);
                LimitFunction f = LimitFunction.of(parameters);
                LanguageModel reference = new ReferenceTransformer(parameters);
                LanguageModel kernels = new Transformer(
                        parameters.narrow(Rounding.toNearestEven(FloatFormat.BINARY32)), Kernels.best());
                for (int length : new int[] {1, 2, 3, 4, 7, 16, 32, 61, 64}) {
                    int[] x = random.ints(length, 0, TOKENS).toArray();
                    Batch batch = Batch.of(List.of(x));
                    String what = "seed " + seed + ", " + architecture + ", x = " + Arrays.toString(x);
                    assertThat(f.value(x)).as(what).isCloseTo(last(reference, batch), within(1e-12));
                    assertThat(f.value(x)).as(what).isCloseTo(last(kernels, batch), within(2e-4));
                    PositionCounts counts = PositionCounts.of(x, TOKENS, Math.max(1, period), Math.max(1, span));
                    assertThat(f.value(counts)).as(what).isCloseTo(f.value(x), within(1e-12));
                    assertThat(f.value(counts.sequence())).as(what).isCloseTo(f.value(x), within(1e-12));
                }
            }
        }
    }

    private static double last(LanguageModel model, Batch batch) {
        double[] logits = model.logits(batch);
        return logits[logits.length - 1];
    }

    /** In binary64, 0.1 + 0.2 and 0.3 differ only by the rounding of the sum. */
    @Test
    void scoresThatAreEqualAreEqualNumbers() {
        Architecture architecture = new Architecture(
                new Architecture.Size(2, 64, 3, 1),
                PositionOptions.none(),
                AttentionOptions.softmax(1, 3)
                        .withWeighting(Weighting.THRESHOLDED, 5)
                        .withScores(1, LogLength.SEEN, 0)
                        .withOutputProjection(false),
                null,
                NormalizationOptions.none(),
                true,
                OutputOptions.regression(false),
                0);
        var parameters = new ExactParameters(architecture);
        double[] values = parameters.values();
        double[][] embeddings = {{0.1, 0.2, 0.7}, {0.7, 0.2, 0.1}};
        System.arraycopy(embeddings[0], 0, values, 0, 3);
        System.arraycopy(embeddings[1], 0, values, 3, 3);
        for (int role = 0; role < 2; role++) {
            for (int i = 0; i < 9; i++) {
                values[6 + 9 * role + i] = role == 0 ? 1 : i % 4 == 0 ? 1 : 0;
            }
        }
        assertThat(0.1 + 0.2 + 0.7).isNotEqualTo(0.7 + 0.2 + 0.1);
        assertThat(LogitMargin.corrected(LimitAttention.of(parameters))).isInfinite();
    }

    @Test
    void otherArchitecturesAreRefusedInALine() {
        Architecture good = architecture(Weighting.THRESHOLDED, 2, 1, true, true, true);
        List<Architecture> others = List.of(
                good.withLayers(2),
                good.withPositions(PositionOptions.table()),
                good.withOutput(OutputOptions.nextToken(false)),
                good.withNormalization(NormalizationOptions.layer(NormalizationOptions.Placement.PRE)),
                good.withAttention(good.attention().withIdentities(true)),
                good.withAttention(good.attention().withScores(1, LogLength.NONE, 0)),
                good.withAttention(good.attention().withMask(Mask.NONE)),
                good.withFeedForward(new FeedForwardOptions(6, Activation.Kind.GELU, true, true)),
                architecture(Weighting.SOFTMAX, 2, 1, true, true, true));
        assertThat(others)
                .allSatisfy(
                        architecture -> assertThatThrownBy(() -> LimitFunction.of(new ExactParameters(architecture)))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageMatching("[a-zA-Z]+: expected .*, got .*"));
    }

    @Test
    void badTablesAndSequencesAreRefusedInALine() {
        double[][] one = {{0}};
        assertThatThrownBy(() -> new LimitAttention(2, 1, one, new double[] {0}, one, 1))
                .hasMessage("scores: expected 2 rows of at least 1 column, got 1 of 2");
        assertThatThrownBy(() -> new LimitAttention(1, 1, new double[][] {{Double.NaN}}, new double[] {0}, one, 1))
                .hasMessage("scores: expected 1 finite numbers in row 0, got [NaN]");
        var attention = new LimitAttention(1, 1, one, new double[] {0}, one, 1);
        assertThatThrownBy(() -> attention.output(new int[] {0, 1})).hasMessage("token: expected 0 to 0, got 1");
        assertThatThrownBy(() -> attention.output(new int[0]))
                .hasMessage("sequence: expected at least 1 token, got" + " none");
        assertThatThrownBy(() -> new PositionCounts(1, 2, new long[] {1, 2}, new int[] {0}))
                .hasMessage("counts: expected 2 positions of residue 0 among the first 3, got 1");
    }
}
