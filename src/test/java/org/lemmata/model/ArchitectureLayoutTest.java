package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;

class ArchitectureLayoutTest {

    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(50));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void viewsFollowEachOtherWithoutHoles(ModelCase model) {
        Set<String> names = new HashSet<>();
        int next = 0;
        for (ParameterView view : model.architecture().layout()) {
            assertThat(view.offset()).as("%s of %s", view, model).isEqualTo(next);
            assertThat(names.add(view.name()))
                    .as("%s of %s is there once", view, model)
                    .isTrue();
            next += view.rows() * view.columns();
        }
        assertThat(model.architecture().parameterCount()).as("%s", model).isEqualTo(next);
    }

    /** d = 12, 3 heads of 4, hidden 21, 7 tokens, 23 positions, two layers. */
    @Test
    void aGpt2HasTheParametersOfTheFormula() {
        int attention = 4 * 12 * 12 + 4 * 12;
        int feedForward = 2 * 12 * 21 + 21 + 12;
        int norms = 2 * 2 * 12;
        assertThat(Architecture.gpt2(7, 23, 12, 2, 3, 21, 0).parameterCount())
                .isEqualTo(7 * 12 + 23 * 12 + 2 * (attention + feedForward + norms) + 2 * 12);
        // GPT-2 small, as it is published.
        assertThat(Architecture.gpt2(50257, 1024, 768, 12, 12, 3072, 0).parameterCount())
                .isEqualTo(124_439_808);
    }

    @Test
    void namesAreThoseOfWeightFiles() {
        Architecture architecture = Architecture.gpt2(7, 23, 12, 1, 3, 21, 0)
                .withOutput(new OutputOptions(OutputOptions.Kind.NEXT_TOKEN, false, true));
        AttentionOptions attention = architecture
                .attention()
                .withIdentities(true)
                .withScores(1, LogLength.SEEN, 3)
                .withNormalizedQueriesAndKeys(true);
        assertThat(architecture.withAttention(attention).layout().stream().map(ParameterView::name))
                .containsExactly("""
                    token_embedding position_embedding layer.0.attention_norm.gain layer.0.attention_norm.shift
                    layer.0.query layer.0.query_bias layer.0.key layer.0.key_bias layer.0.value layer.0.value_bias
                    layer.0.query_norm.gain layer.0.query_norm.shift layer.0.key_norm.gain layer.0.key_norm.shift
                    layer.0.key_query_identity layer.0.value_output_identity layer.0.score_bias
                    layer.0.output layer.0.output_bias
                    layer.0.feed_forward_norm.gain layer.0.feed_forward_norm.shift
                    layer.0.first layer.0.first_bias layer.0.second layer.0.second_bias
                    final_norm.gain final_norm.shift unembedding unembedding_bias\
                    """.split("\\s+"));
    }

    @Test
    void whatIsNoArchitectureIsRefused() {
        assertRefused(
                () -> architecture(1, 4, 2, 1, false),
                "outputProjection: expected one where heads * headWidth (2 * 1) is not the width (4), got" + " none");
        assertThat(architecture(1, 4, 2, 1, true).attention().width()).isEqualTo(2);
        assertRefused(() -> architecture(0, 4, 2, 2, true), "vocabularySize: expected at least 1, got 0");
        assertRefused(() -> architecture(1, 0, 2, 2, true), "width: expected at least 1, got 0");
        assertRefused(() -> architecture(1, 4, 0, 2, true), "heads, headWidth: expected at least 1, got 0, 2");
        assertRefused(
                () -> Architecture.gpt2(2, 8, 30, 1, 4, 8, 0), "heads: expected a divisor of the width 30, got 4");
        assertRefused(() -> Architecture.gpt2(2, 8, 32, 1, 4, 0, 0), "hidden: expected at least 1, got 0");
        assertRefused(
                () -> Architecture.gpt2(2, 8, 32, 1, 4, 8, 1),
                "dropout: expected a probability from 0 to below 1, got 1.0");
        assertRefused(
                () -> Architecture.gpt2(1 << 20, 8, 1 << 12, 1, 4, 8, 0),
                "parameters: expected at most 2147483647, got more at token_embedding");
        assertRefused(
                () -> new OutputOptions(OutputOptions.Kind.REGRESSION, true, false),
                "tied: expected an unembedding of its own for REGRESSION, got tied");
        assertRefused(
                () -> new PositionOptions(PositionOptions.Kind.TABLE, 3),
                "period: expected 0 with positions TABLE, got 3");
        assertRefused(
                () -> AttentionOptions.softmax(1, 2)
                        .withScores(1, LogLength.SEEN, 0)
                        .withWeighting(Weighting.UNIFORM, 0),
                "weighting: expected one with scores for scoreBiasSpan, normalizeQueriesAndKeys or"
                        + " logLength, got UNIFORM");
        assertRefused(
                () -> architecture(2, 4, 2, 2, true)
                        .withNormalization(NormalizationOptions.layer(NormalizationOptions.Placement.INNER)),
                "feedForward: expected one with normalization INNER, got none");
    }

    private static Architecture architecture(
            int vocabularySize, int width, int heads, int headWidth, boolean outputProjection) {
        return new Architecture(
                new Architecture.Size(vocabularySize, 3, width, 1),
                PositionOptions.table(),
                AttentionOptions.softmax(heads, headWidth).withOutputProjection(outputProjection),
                null,
                NormalizationOptions.none(),
                true,
                OutputOptions.nextToken(true),
                0);
    }

    @Test
    void arraysOfAnotherSizeAreRefused() {
        Architecture architecture = Architecture.uniformHead(2, 6, 1, true);
        assertThat(architecture.parameterCount()).isEqualTo(9);
        assertRefused(() -> new Parameters(architecture, new float[8]), "values: expected 9 elements, got 8");
        assertRefused(() -> new ExactParameters(architecture, new double[10]), "values: expected 9 elements, got 10");
    }

    @Test
    void elementsAreSetByNameAndPlace() {
        var parameters = new ExactParameters(Architecture.uniformHead(2, 3, 2, true));
        parameters.set(ParameterRole.POSITION_EMBEDDING, 1, 0, 7);
        assertThat(parameters.values()).containsExactly(0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0);
        assertRefused(
                () -> parameters.set(ParameterRole.POSITION_EMBEDDING, 3, 0, 7),
                "position_embedding: expected a place within 3 x 2, got (3, 0)");
        assertRefused(
                () -> parameters.set(ParameterRole.UNEMBEDDING, 0, 0, 7),
                "parameter: expected one of [token_embedding, position_embedding, layer.0.value], got"
                        + " 'unembedding'");
    }

    @Test
    void normalParametersHaveTheirDeviationAndWiden() {
        Architecture architecture = Architecture.uniformHead(50, 100, 100, true);
        Parameters parameters = Parameters.normal(architecture, 0.02, new Random(5));
        double[] wide = parameters.widen().values();
        double squares = 0;
        double sum = 0;
        for (int i = 0; i < wide.length; i++) {
            assertThat(wide[i]).isEqualTo(parameters.values()[i]);
            squares += wide[i] * wide[i];
            sum += wide[i];
        }
        // 25,000 draws, seed 5: five standard errors of mean and deviation.
        assertThat(sum / wide.length).isBetween(-0.00064, 0.00064);
        assertThat(Math.sqrt(squares / wide.length)).isBetween(0.0195, 0.0205);
        assertThat(List.of(architecture.layout().getFirst().name())).containsExactly("token_embedding");
    }

    private static ExactParameters value(double v) {
        var parameters = new ExactParameters(Architecture.uniformHead(1, 2, 1, true));
        parameters.set(ParameterRole.VALUE, 0, 0, 0, v);
        return parameters;
    }

    private static Parameters narrow(double v, NumberFormat format) {
        return value(v).narrow(Rounding.toNearestEven(format));
    }

    @Test
    void numbersOfTheFormatAreKept() {
        assertThat(narrow(-2049, FloatFormat.BINARY32).values()).containsExactly(0, 0, 0, -2049);
        assertThat(narrow(-2048, FloatFormat.BINARY16).values()).containsExactly(0, 0, 0, -2048);
        assertThat(narrow(-0.0, FloatFormat.BFLOAT16).values()).containsExactly(0, 0, 0, -0f);
        assertThat(narrow(0.1f, FloatFormat.BINARY64).values()).containsExactly(0, 0, 0, 0.1f);
    }

    @Test
    void othersAreRefusedWithTheBitsTheyTake() {
        assertFormatRefused(-2049, FloatFormat.BINARY16, "-2049.0, which needs 12 significand bits, got binary16");
        assertFormatRefused(
                0x1p24 + 1, FloatFormat.BINARY32, "1.6777217E7, which needs 25 significand bits, got binary32");
        assertFormatRefused(
                2.0 / 3, FloatFormat.BINARY32, "0.6666666666666666, which needs 53 significand bits, got binary32");
        // Parameters are stored in binary32, so a binary64 number is rejected for every format.
        assertFormatRefused(0.1, FloatFormat.BINARY64, "0.1, which needs 52 significand bits, got binary64");
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThatThrownBy(() -> narrow(65536, FloatFormat.BINARY16)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> narrow(0x1p-25, FloatFormat.BINARY16)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> narrow(1e300, FloatFormat.BINARY64)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parametersThatAreNotFiniteAreRefused() {
        assertRefused(
                () -> narrow(Double.NaN, FloatFormat.BINARY32), "layer.0.value: expected a finite number, got NaN");
        assertRefused(
                () -> narrow(Double.NEGATIVE_INFINITY, FloatFormat.BINARY16),
                "layer.0.value: expected a finite number, got -Infinity");
    }

    private static void assertFormatRefused(double v, NumberFormat format, String rest) {
        assertRefused(() -> narrow(v, format), "format: expected one that contains layer.0.value = " + rest);
    }
}
