package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.token.Batch;

class GenerationTest {

    private static final Architecture ARCHITECTURE = Architecture.gpt2(7, ModelCase.MAX_LENGTH, 12, 1, 3, 21, 0);

    private static Transformer model(long seed) {
        return model(seed, 0.7);
    }

    private static Transformer model(long seed, double deviation) {
        return new Transformer(Parameters.normal(ARCHITECTURE, deviation, new Random(seed)), Kernels.scalar());
    }

    @Test
    void greedyTakesTheGreatestLogitAndOfEqualOnesTheFirst() {
        Decoding greedy = new Decoding.Greedy();
        assertThat(greedy.next(new double[] {9, 1, 3, 3, 9}, 1, 3)).isEqualTo(1);
        assertThat(greedy.next(new double[] {-1, -2}, 0, 2)).isZero();
        assertThat(greedy.next(new double[] {Double.NEGATIVE_INFINITY, -1e300}, 0, 2))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void raggedPrefixesAreCompletedAsIfAlone(long seed) {
        Transformer model = model(seed);
        List<int[]> prefixes =
                List.of(new int[] {0}, new int[] {1, 2, 3, 4}, new int[] {5}, new int[9], new int[] {4, 4});
        List<Generation> together = Generation.complete(model, prefixes, 9, new Decoding.Greedy());
        for (int i = 0; i < prefixes.size(); i++) {
            Generation generation = together.get(i);
            Generation alone = Generation.complete(model, List.of(prefixes.get(i)), 9, new Decoding.Greedy())
                    .getFirst();
            assertThat(generation.tokens())
                    .as("seed %d, prefix %d", seed, i)
                    .hasSize(9)
                    .isEqualTo(alone.tokens());
            assertThat(generation.prefix()).isEqualTo(prefixes.get(i));
            assertThat(generation.prefixLength()).isEqualTo(prefixes.get(i).length);
            assertThat(generation.logits()).hasSize(9 - prefixes.get(i).length);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyTokenIsTheGreatestLogitOfItsContext(long seed) {
        Transformer model = model(seed);
        Generation generation = Generation.complete(model, List.of(new int[] {3, 1}), 12, new Decoding.Greedy())
                .getFirst();
        double[] all = model.logits(Batch.of(List.of(generation.tokens())));
        int columns = ARCHITECTURE.vocabularySize();
        for (int i = 2; i < 12; i++) {
            double[] logits = Arrays.copyOfRange(all, (i - 1) * columns, i * columns);
            assertThat(generation.logits().get(i - 2))
                    .as("seed %d, token %d", seed, i)
                    .containsExactly(logits);
            int token = generation.tokens()[i];
            assertThat(logits[token]).isEqualTo(Arrays.stream(logits).max().orElseThrow());
        }
    }

    @Test
    void samplingFollowsTheSoftmax() {
        // Six logits between other ones: the offset counts.
        double[] logits = {50, 0, Math.log(2), Math.log(3), Math.log(4), Math.log(5), Math.log(6), 50};
        var decoding = new Decoding.Sampling(new Random(20261));
        long[] counts = new long[6];
        for (int i = 0; i < 200_000; i++) {
            counts[decoding.next(logits, 1, 6)]++;
        }
        double p = ChiSquareTest.withDefaults()
                .test(new double[] {1, 2, 3, 4, 5, 6}, counts)
                .getPValue();
        assertThat(p).as("seed 20261, counts %s", Arrays.toString(counts)).isGreaterThan(1e-4);
    }

    @Test
    void samplingHoldsForLargeLogitsAndLeavesOutWhatHasNoWeight() {
        var decoding = new Decoding.Sampling(new Random(7));
        double[] logits = {Double.NEGATIVE_INFINITY, 1e6, -1e6, 1e6, Double.NEGATIVE_INFINITY};
        long[] counts = new long[5];
        for (int i = 0; i < 20_000; i++) {
            counts[decoding.next(logits, 0, 5)]++;
        }
        assertThat(counts[1] + counts[3]).isEqualTo(20_000);
        assertThat(counts[1]).as("seed 7").isBetween(9_600L, 10_400L);
    }

    @Test
    void theSameSeedDrawsTheSameTokens() {
        int[] first = drawn(11);
        assertThat(drawn(11)).isEqualTo(first);
        assertThat(drawn(7_654_321_987L)).isNotEqualTo(first);
    }

    private static int[] drawn(long seed) {
        return Generation.complete(model(1, 0.05), List.of(new int[] {0}), 23, new Decoding.Sampling(new Random(seed)))
                .getFirst()
                .tokens();
    }

    @Test
    void emptyAndTooLongPrefixesAreRefused() {
        assertThatThrownBy(() ->
                        Generation.complete(model(1), List.of(new int[] {1}, new int[0]), 4, new Decoding.Greedy()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("prefix: expected 1 to 4 tokens, got 0");
        assertThatThrownBy(() -> Generation.complete(model(1), List.of(new int[5]), 4, new Decoding.Greedy()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("prefix: expected 1 to 4 tokens, got 5");
        assertThat(Generation.complete(model(1), List.of(), 4, new Decoding.Greedy()))
                .isEmpty();
    }
}
