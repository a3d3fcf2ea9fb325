package org.lemmata.construct.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.Construction;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;
import org.lemmata.token.Vocabulary;

class SequenceMemorizerTest {

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static Vocabulary tokens(int count) {
        return new Vocabulary(
                IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0; -0.5; -9; sequence: expected at least 2 tokens, got 1",
                "03; -0.5; -99; sequence: expected tokens from 0 to 2, got 3",
                "01; 0; 9; gamma: expected a finite number other than 0, got 0.0",
                "01; NaN; 9; gamma: expected a finite number other than 0, got NaN",
                "01; -0.5; 9; v: expected a finite number with v * gamma above 0, got v = 9.0 with gamma = -0.5",
                "01; -0.5; NaN; v: expected a finite number with v * gamma above 0, got v = NaN with gamma = -0.5",
                "01; -0.5; -Infinity; v: expected a finite number with v * gamma above 0, got v = -Infinity with"
                        + " gamma = -0.5"
            })
    void whatNeitherResultSpeaksOfIsRefused(String word, double gamma, double v, String message) {
        int[] ids = word.chars().map(c -> c - '0').toArray();
        double[][] embedding = {{1, 0}, {0, 1}, {-1, 0}};
        assertRefused(() -> new SequenceMemorizerByOneHotEmbedding(tokens(3), ids, gamma, v), message);
        assertRefused(() -> new SequenceMemorizerByProjection(tokens(3), embedding, ids, gamma, v), message);
    }

    @Test
    void lemma51NeedsMoreThanItsLeastValueWeight() {
        int[] word = {0, 1, 1};
        double minimum = 3 * Math.log(6);
        assertRefused(
                () -> new SequenceMemorizerByOneHotEmbedding(tokens(2), word, 1, 5),
                "v: expected v * gamma above n ln(nt) = " + minimum + " (lemma 5.1), got v = 5.0 with gamma = 1.0");
        assertRefused(
                () -> new SequenceMemorizerByOneHotEmbedding(tokens(3), word, 1e-320),
                "gamma: expected one with a finite v, got 1.0E-320");
        assertThat(new SequenceMemorizerByOneHotEmbedding(tokens(2), word, 1, 6).failureBound())
                .isCloseTo(6 * Math.exp(-2), within(1e-15));
        assertThat(SequenceMemorizerByOneHotEmbedding.valueWeight(tokens(2), word, 1, 1))
                .isEqualTo(6);
        assertThat(SequenceMemorizerByOneHotEmbedding.valueWeight(tokens(2), word, -0.5, 1))
                .isEqualTo(-11);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 0.5, -1.7, 3})
    void withoutVTheLeastIntegerThatFailsAtMostOnceInAThousandIsTaken(double gamma) {
        int[] word = {2, 0, 1, 1, 2, 2};
        double[][] embedding = {{2, 0}, {0, 3}, {-2, 1}};
        var oneHot = new SequenceMemorizerByOneHotEmbedding(tokens(3), word, gamma);
        assertThat(oneHot.failureBound()).isLessThanOrEqualTo(1e-3);
        assertThat(Math.abs(oneHot.v())).isEqualTo(Math.floor(6 * Math.log(18e3) / Math.abs(gamma)) + 1);
        var projected = new SequenceMemorizerByProjection(tokens(3), embedding, word, gamma);
        // |E_3|² = 5 against E_2 E_3ᵀ = 3.
        assertThat(projected.gap()).isEqualTo(2);
        assertThat(projected.failureBound()).isLessThanOrEqualTo(1e-3);
        assertThat(Math.abs(projected.v())).isEqualTo(Math.floor(3 * Math.log(18e3) / Math.abs(gamma)) + 1);
    }

    @Test
    void anEmbeddingThatFitsNoVocabularyIsRefused() {
        int[] word = {0, 1};
        assertRefused(
                () -> new SequenceMemorizerByProjection(tokens(2), new double[][] {{1}}, word, 1, 1),
                "E: expected a row of at least 1 column for each of 2 tokens, got 1 rows");
        assertRefused(
                () -> new SequenceMemorizerByProjection(tokens(2), new double[][] {{1}, {1, 2}}, word, 1, 1),
                "E: expected rows of 1 finite numbers, got one of 2: [1.0, 2.0]");
        assertRefused(
                () -> new SequenceMemorizerByProjection(tokens(2), new double[][] {{1}, {Double.NaN}}, word, 1, 1),
                "E: expected rows of 1 finite numbers, got one of 1: [NaN]");
        assertRefused(
                () -> new SequenceMemorizerByProjection(tokens(2), new double[][] {{1}, {1}}, word, 1),
                "E: expected one with |E_i|² above every E_i E_jᵀ, got a minimum difference of 0.0");
    }

    @Test
    void aProjectionThatIsTooNarrowIsRefused() {
        assertThat(RandomProjection.minWidth(300, 0.5)).isEqualTo(274);
        assertThat(RandomProjection.minWidth(1, 0.5)).isEqualTo(1);
        assertRefused(
                () -> RandomProjection.draw(9, 110, 0.5, random(1)),
                "d: expected at least 111 columns for 9 tokens and epsilon = 0.5, got 110");
        assertRefused(() -> RandomProjection.draw(1, 10, 0.5, random(1)), "tokens: expected at least 2, got 1");
        assertRefused(() -> RandomProjection.minWidth(3, 1), "epsilon: expected a number within (0, 1), got 1.0");
        assertRefused(() -> RandomProjection.minWidth(0, 0.5), "points: expected at least 1, got 0");
    }

    /** |E_i|² and |E_i - E_j|² by their definitions. */
    @Test
    void aProjectionKeepsNormsAndDistances() {
        RandomProjection projection = RandomProjection.draw(40, 571, 0.25, random(7));
        double[][] embedding = projection.embedding();
        double maximum = 0;
        double gap = Double.POSITIVE_INFINITY;
        for (int i = 0; i < 40; i++) {
            maximum = Math.max(maximum, Math.abs(square(embedding[i], new double[571]) - 1));
            for (int j = 0; j < 40; j++) {
                if (i != j) {
                    double distance = square(embedding[i], embedding[j]);
                    maximum = Math.max(maximum, Math.abs(distance / 2 - 1));
                    double product =
                            (square(embedding[i], new double[571]) + square(embedding[j], new double[571]) - distance)
                                    / 2;
                    gap = Math.min(gap, square(embedding[i], new double[571]) - product);
                }
            }
        }
        assertThat(maximum).isLessThanOrEqualTo(0.25).isGreaterThan(0.1);
        assertThat(RandomProjection.distortion(embedding)).isCloseTo(maximum, within(1e-12));
        assertThat(RandomProjection.gap(embedding))
                .isCloseTo(gap, within(1e-12))
                .isGreaterThanOrEqualTo(0.5);
        assertThat(Arrays.stream(embedding).flatMapToDouble(Arrays::stream))
                .allMatch(element -> element * 0x1p12 == Math.rint(element * 0x1p12));
        assertThat(RandomProjection.draw(40, 571, 0.25, random(7)).embedding()).isDeepEqualTo(embedding);
        assertThat(projection.draws()).isEqualTo(1);
    }

    /** The only distance is exact, but nothing distinguishes the first token from the second. */
    @Test
    void normsAreLookedAtBesideDistances() {
        double[][] embedding = {{0, 0}, {1, 1}};
        assertThat(RandomProjection.distortion(embedding)).isEqualTo(1);
        assertThat(RandomProjection.gaps(embedding)).containsExactly(0, 2);
        assertThat(RandomProjection.gap(embedding)).isZero();
        assertThat(RandomProjection.distortion(new double[][] {{1, 0}, {0, 1}, {-1, 0}}))
                .isEqualTo(1);
        assertThat(RandomProjection.gaps(new double[][] {{1, 0}, {0, 1}, {-1, 0}}))
                .containsExactly(1, 1, 1);
    }

    /** Two tokens at the smallest width: only some draws preserve their distances. */
    @Test
    void aDrawThatIsOffIsRepeated() {
        RandomGenerator random = random(3);
        int draws = 0;
        for (int i = 0; i < 200; i++) {
            RandomProjection projection = RandomProjection.draw(2, RandomProjection.minWidth(3, 0.9), 0.9, random);
            draws += projection.draws();
            assertThat(RandomProjection.distortion(projection.embedding())).isLessThanOrEqualTo(0.9);
        }
        assertThat(draws).isBetween(201, 600);
    }

    private static double square(double[] x, double[] y) {
        return IntStream.range(0, x.length)
                .mapToDouble(i -> (x[i] - y[i]) * (x[i] - y[i]))
                .sum();
    }

    /** Every greedy choice along the sequence is correct in the demanded format, with and without rounded sums. */
    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 0.5, 0.25})
    void theBitsDemandedAreEnoughForEveryChoice(double gamma) {
        RandomGenerator random = random(11);
        boolean fewerFail = false;
        for (int trial = 0; trial < 12; trial++) {
            int count = random.nextInt(2, 9);
            int[] word = random.ints(random.nextInt(2, 20), 0, count).toArray();
            double[][] embedding = RandomProjection.draw(count, RandomProjection.minWidth(count + 1, 0.4), 0.4, random)
                    .embedding();
            List<Construction> constructions = List.of(
                    new SequenceMemorizerByOneHotEmbedding(tokens(count), word, gamma),
                    new SequenceMemorizerByProjection(tokens(count), embedding, word, gamma));
            for (Construction construction : constructions) {
                assertThat(construction.model(Kernels.best())).isInstanceOf(Transformer.class);
                assertThat(departures(construction.model(Kernels.best()), word)).isZero();
                assertThat(departures(new ReferenceTransformer(construction.build()), word))
                        .isZero();
                for (boolean sums : new boolean[] {false, true}) {
                    int demanded = sums
                            ? construction.demand().sumBits()
                            : construction.demand().tensorBits();
                    for (int p = 2; p <= 24; p++) {
                        int departures = departures(DyckCompleterTest.rounded(construction, p, sums), word);
                        fewerFail |= departures > 0;
                        assertThat(departures == 0 || p < demanded)
                                .as("%s, gamma %s, sums %s, p %d of %d", construction, gamma, sums, p, demanded)
                                .isTrue();
                    }
                }
            }
        }
        assertThat(fewerFail).isTrue();
    }

    /** The number of prefixes of the sequence after which greedy decoding departs from it. */
    private static int departures(LanguageModel model, int[] word) {
        double[] logits = model.logits(Batch.of(List.of(word)));
        int columns = logits.length / word.length;
        int departures = 0;
        for (int r = 1; r < word.length; r++) {
            departures += new Decoding.Greedy().next(logits, (r - 1) * columns, columns) == word[r] ? 0 : 1;
        }
        return departures;
    }

    /** 0.3 and 1.3 are not binary fractions, so binary32 cannot represent the positions. */
    @Test
    void aGammaThatBinary32DoesNotHoldRunsInBinary64() {
        var construction = new SequenceMemorizerByOneHotEmbedding(tokens(3), new int[] {0, 1, 2, 0}, 0.3);
        assertThat(construction.model(Kernels.best())).isInstanceOf(ReferenceTransformer.class);
        assertThatThrownBy(() -> construction.model(Rounding.toNearestEven(FloatFormat.BINARY32), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("format: expected at least 5");
    }
}
