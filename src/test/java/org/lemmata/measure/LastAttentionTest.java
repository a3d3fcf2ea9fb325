package org.lemmata.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.statistic.Measurement;

class LastAttentionTest {

    /** One layer with two heads of one column, without a feed-forward part. */
    private static final Architecture ONE_LAYER = new Architecture(
            new Architecture.Size(3, 50, 2, 1),
            PositionOptions.none(),
            AttentionOptions.softmax(2, 1),
            null,
            NormalizationOptions.none(),
            true,
            OutputOptions.regression(false),
            0);

    private static ExactParameters parameters() {
        double[] values = new double[ONE_LAYER.parameterCount()];
        set(values, ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER, 1, 0, 0, 1, -1, 2);
        // Row i, column h: the contribution of component i to head h.
        set(values, ParameterRole.QUERY, 0, 0.5, 1, -0.25, 2);
        set(values, ParameterRole.KEY, 0, 1, 0, 0, -0.5);
        return new ExactParameters(ONE_LAYER, values);
    }

    private static void set(double[] values, ParameterRole role, int layer, double... entries) {
        System.arraycopy(entries, 0, values, ONE_LAYER.view(role, layer).offset(), entries.length);
    }

    /** Scores are queries (0.5, 1), (-0.25, 2), (-1, 3) of the three tokens times keys (1, 0), (0, -0.5), (-1, -1). */
    @Test
    void weightsAreTheSoftmaxOfTheScoresOfTheLastQuery() {
        double[][][] weights = new ReferenceTransformer(parameters()).lastAttention(1, 2, 0, 2);
        double[][] scores = {{0, 1, -1, 1}, {-1.5, -3, 0, -3}};
        for (int head = 0; head < 2; head++) {
            double sum = Arrays.stream(scores[head]).map(Math::exp).sum();
            for (int j = 0; j < 4; j++) {
                assertThat(weights[0][head][j]).isCloseTo(Math.exp(scores[head][j]) / sum, within(1e-15));
            }
        }
    }

    @Test
    void meansAndDeviationsAreThoseOfTheWeights() {
        var measure = new LastAttention(new ReferenceTransformer(parameters()));
        // With last token 2, the first head's weights of tokens 0, 1, 2 are proportional to e^-1, 1, e.
        measure.add(new int[] {0, 0, 2}, position -> position < 2);
        measure.add(new int[] {1, 0, 2}, position -> position < 2);
        Map<String, Measurement> measured =
                measure.measurements().stream().collect(Collectors.toMap(Measurement::name, Function.identity()));
        double low = Math.exp(-1) / (2 * Math.exp(-1) + Math.E);
        double total = 1 + Math.exp(-1) + Math.E;
        double[] relevant = {low, low, 1 / total, Math.exp(-1) / total};
        double mean = (relevant[0] + relevant[1] + relevant[2] + relevant[3]) / 4;
        double squares = 0;
        for (double weight : relevant) {
            squares += (weight - mean) * (weight - mean) / 4;
        }
        assertThat(of(measured, "0.0.relevant").value()).isCloseTo(mean, within(1e-15));
        assertThat(of(measured, "0.0.relevantDeviation").value()).isCloseTo(Math.sqrt(squares), within(1e-15));
        assertThat(of(measured, "0.0.relevant").n()).isEqualTo(2);
        assertThat(of(measured, "0.0.relevantDeviation").n()).isEqualTo(4);
        assertThat(of(measured, "0.0.others").value()).isCloseTo((1 - 2 * low + Math.E / total) / 2, within(1e-15));
        assertThat(measured).containsKeys("0.1.others", "0.1.relevantDeviation").hasSize(8);
    }

    /** Uniform weights 1 / n of sequences of different lengths n. Their mean over all weights is 50 / sum of n. */
    @Test
    void theIntervalBelongsToTheMeanOverAllWeights() {
        var measure = new LastAttention(
                new ReferenceTransformer(new ExactParameters(ONE_LAYER, new double[ONE_LAYER.parameterCount()])));
        for (int i = 0; i < 50; i++) {
            measure.add(new int[new int[] {2, 10, 3, 11}[i % 4]], position -> true);
        }
        Measurement relevant = measure.measurements().getFirst();
        assertThat(relevant.value()).isBetween(0.154, 0.155);
        assertThat(relevant.value())
                .isBetween(relevant.interval().low(), relevant.interval().high());
    }

    private static Measurement of(Map<String, Measurement> measured, String name) {
        return Objects.requireNonNull(measured.get(name), name);
    }

    @Test
    void aClassWithoutPositionsIsLeftOut() {
        var measure = new LastAttention(new ReferenceTransformer(parameters()));
        measure.add(new int[] {0, 1}, position -> true);
        assertThat(measure.measurements())
                .extracting(Measurement::name)
                .containsExactlyElementsOf(
                        List.of("0.0.relevant", "0.0.relevantDeviation", "0.1.relevant", "0.1.relevantDeviation"));
    }

    /** In earlier layers, every position must have its attention as the last position of a prefix. */
    @Test
    void layersBeforeTheLastSeeEveryPosition() {
        Architecture deep = ONE_LAYER.withLayers(2);
        var random = new Random(5);
        double[] values = random.doubles(deep.parameterCount(), -1, 1).toArray();
        var model = new ReferenceTransformer(new ExactParameters(deep, values));
        double[][][] weights = model.lastAttention(0, 2, 1, 1, 0);
        for (double[][] layer : weights) {
            for (double[] head : layer) {
                assertThat(head).hasSize(5);
                assertThat(Arrays.stream(head).sum()).isCloseTo(1, within(1e-14));
            }
        }
        // The first layer does not depend on the second.
        double[] first = values.clone();
        for (ParameterView view : deep.layout()) {
            if (view.layer() == 1) {
                Arrays.fill(first, view.offset(), view.offset() + view.size(), 0);
            }
        }
        assertThat(new ReferenceTransformer(new ExactParameters(deep, first)).lastAttention(0, 2, 1, 1, 0)[0])
                .isDeepEqualTo(weights[0]);
    }
}
