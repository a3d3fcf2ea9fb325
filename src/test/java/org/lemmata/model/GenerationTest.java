package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

class GenerationTest {

    private static final Architecture ARCHITECTURE = Architecture.gpt2(7, ModelCase.MAX_LENGTH, 12, 1, 3, 21, 0);
    private static final Decoding GREEDY = new Decoding.Greedy();

    private static Transformer model(long seed) {
        return model(seed, 0.7);
    }

    private static Transformer model(long seed, double deviation) {
        return new Transformer(Parameters.normal(ARCHITECTURE, deviation, new Random(seed)), Kernels.scalar());
    }

    @Test
    void greedyTakesTheLargestLogitAndOfEqualOnesTheFirst() {
        assertThat(GREEDY.next(new double[] {9, 1, 3, 3, 9}, 1, 3)).isEqualTo(1);
        assertThat(GREEDY.next(new double[] {-1, -2}, 0, 2)).isZero();
        assertThat(GREEDY.next(new double[] {Double.NEGATIVE_INFINITY, -1e300}, 0, 2))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void raggedPrefixesAreCompletedAsIfAlone(long seed) {
        Transformer model = model(seed);
        List<int[]> prefixes =
                List.of(new int[] {0}, new int[] {1, 2, 3, 4}, new int[] {5}, new int[9], new int[] {4, 4});
        List<Generation> together = Generation.complete(model, prefixes, 9, GREEDY);
        for (int i = 0; i < prefixes.size(); i++) {
            Generation generation = together.get(i);
            Generation alone = Generation.complete(model, List.of(prefixes.get(i)), 9, GREEDY)
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
    void everyTokenIsTheLargestLogitOfItsContext(long seed) {
        Transformer model = model(seed);
        Generation generation = Generation.complete(model, List.of(new int[] {3, 1}), 12, GREEDY)
                .getFirst();
        double[] all = model.logits(Batch.of(List.of(generation.tokens())));
        int columns = ARCHITECTURE.vocabularySize();
        for (int i = 2; i < 12; i++) {
            double[] logits = Arrays.copyOfRange(all, (i - 1) * columns, i * columns);
            assertThat(generation.logits().get(i - 2))
                    .as("seed %d, token %d", seed, i)
                    .isEqualTo(logits);
            int token = generation.tokens()[i];
            assertThat(logits[token]).isEqualTo(Arrays.stream(logits).max().orElseThrow());
        }
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

    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(20))
                .filter(model -> model.architecture().output().kind() == OutputOptions.Kind.NEXT_TOKEN);
    }

    /** Tokens and logits agree to the bit, for every option and every decoding. */
    @ParameterizedTest
    @MethodSource("cases")
    void aCacheChangesNoTokenAndNoLogit(ModelCase model) {
        int length = ModelCase.MAX_LENGTH;
        Random random = new Random(model.seed());
        List<int[]> prefixes = IntStream.of(1, 5, length, 2, length - 1, 1)
                .mapToObj(prefix -> model.sequence(prefix, random))
                .toList();
        IntSet end = IntSet.of(model.architecture().vocabularySize() - 1);
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            var transformer = new Transformer(model.parameters(), kernels);
            for (int decoding = 0; decoding < 4; decoding++) {
                List<Generation> expected =
                        Generation.complete(transformer, prefixes, length, decoding(decoding), end, 0);
                assertSame(
                        Generation.complete(transformer, prefixes, length, decoding(decoding), end), expected, model);
                if (IncrementalForward.isExact(transformer)) {
                    // The memory of one prefix, and of two.
                    long bytes = IncrementalForward.bytesOfSequence(model.architecture(), length - 1);
                    for (long most : new long[] {1, 2 * bytes, 1 << 20}) {
                        assertSame(
                                Generation.complete(transformer, prefixes, length, decoding(decoding), end, most),
                                expected,
                                model);
                    }
                }
            }
        }
    }

    private static Decoding decoding(int number) {
        return switch (number) {
            case 0 -> GREEDY;
            case 1 -> new Decoding.Sampling(new Random(5));
            case 2 -> new Decoding.Sampling(new Random(5), 0.5, 3);
            default -> new Decoding.Sampling(new Random(5), 3, Decoding.Sampling.ALL);
        };
    }

    private static void assertSame(List<Generation> actual, List<Generation> expected, ModelCase model) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i).tokens())
                    .as("%s", model)
                    .isEqualTo(expected.get(i).tokens());
            assertThat(actual.get(i).logits()).hasSameSizeAs(expected.get(i).logits());
            for (int t = 0; t < actual.get(i).logits().size(); t++) {
                assertThat(actual.get(i).logits().get(t))
                        .as("%s: prefix %d, token %d", model, i, t)
                        .isEqualTo(expected.get(i).logits().get(t));
            }
        }
    }

    /** The model in binary64, a rounded one and one without mask have no cache and recompute. */
    @Test
    void modelsWithoutCacheCompleteToo() {
        Architecture causal = ARCHITECTURE.withFeedForward(null).withNormalization(NormalizationOptions.none());
        Architecture open = causal.withAttention(causal.attention().withMask(Mask.NONE));
        Parameters parameters = Parameters.normal(causal, 0.7, new Random(2));
        List<LanguageModel> models = List.of(
                new ReferenceTransformer(parameters.widen()),
                new Transformer(
                        parameters,
                        PrecisionPolicy.tensors(Rounding.toNearestEven(FloatFormat.BFLOAT16)),
                        Kernels.best()),
                new Transformer(new Parameters(open, parameters.values()), Kernels.best()));
        for (LanguageModel model : models) {
            Generation generation = Generation.complete(model, List.of(new int[] {3, 1}), 9, GREEDY)
                    .getFirst();
            for (int t = 2; t < 9; t++) {
                double[] all = model.logits(Batch.of(List.of(Arrays.copyOf(generation.tokens(), t))));
                double[] last = Arrays.copyOfRange(all, all.length - ARCHITECTURE.vocabularySize(), all.length);
                assertThat(generation.logits().get(t - 2)).as("token %d", t).isEqualTo(last);
                assertThat(generation.tokens()[t]).isEqualTo(GREEDY.next(last, 0, last.length));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theTokenThatEndsIsAppendedAndNoneAfterIt(long seed) {
        Transformer model = model(seed);
        List<int[]> prefixes = List.of(new int[] {0}, new int[] {1, 2, 3, 4}, new int[] {5}, new int[] {4, 4});
        List<Generation> endless = Generation.complete(model, prefixes, 12, GREEDY);
        boolean ended = false;
        for (int end = 0; end < ARCHITECTURE.vocabularySize(); end++) {
            List<Generation> generations = Generation.complete(model, prefixes, 12, GREEDY, IntSet.of(end));
            for (int i = 0; i < prefixes.size(); i++) {
                int[] tokens = endless.get(i).tokens();
                int length = prefixes.get(i).length;
                while (length < 12 && tokens[length++] != end) {
                    // Ends at the first appended end token; end tokens in the prefix do not count.
                }
                ended |= length < 12;
                assertThat(generations.get(i).tokens())
                        .as("seed %d, end %d, prefix %d", seed, end, i)
                        .isEqualTo(Arrays.copyOf(tokens, length));
                assertThat(generations.get(i).logits()).hasSize(length - prefixes.get(i).length);
            }
        }
        assertThat(ended).as("seed %d", seed).isTrue();
    }

    /** The draws for a prefix depend only on its index in the list. */
    @Test
    void whatIsDrawnForAPrefixDoesNotHangOnTheOthers() {
        Transformer model = model(1, 0.05);
        List<int[]> some = List.of(new int[] {1, 2}, new int[] {3}, new int[] {4, 5, 0});
        List<int[]> others = List.of(new int[20], new int[] {3}, new int[] {1});
        int[] first = Generation.complete(model, some, 21, new Decoding.Sampling(new Random(9)))
                .get(1)
                .tokens();
        int[] second = Generation.complete(model, others, 21, new Decoding.Sampling(new Random(9)))
                .get(1)
                .tokens();
        assertThat(second).isEqualTo(first);
        List<int[]> same = List.of(new int[] {3}, new int[] {3});
        List<Generation> twice = Generation.complete(model, same, 21, new Decoding.Sampling(new Random(9)));
        assertThat(twice.get(0).tokens()).isNotEqualTo(twice.get(1).tokens());
    }

    /**
     * The probabilities are 1/10, 2/10, 3/10 and 4/10. Temperature 1/2 squares and normalizes them; top-k keeps the two
     * largest.
     */
    @Test
    void temperatureAndTopKChangeTheLaw() {
        double[] logits = {9, Math.log(1), Math.log(4), Math.log(3), Math.log(2), 9};
        checkLaw(new Decoding.Sampling(new Random(30)), logits, 1, 4, 3, 2);
        checkLaw(new Decoding.Sampling(new Random(31), 0.5, 4), logits, 1, 16, 9, 4);
        checkLaw(new Decoding.Sampling(new Random(32), 0.5, Decoding.Sampling.ALL), logits, 1, 16, 9, 4);
        checkLaw(new Decoding.Sampling(new Random(33), 1, 2), logits, 0, 4, 3, 0);
        checkLaw(new Decoding.Sampling(new Random(34), 0.5, 3), logits, 0, 16, 9, 4);
        checkLaw(new Decoding.Sampling(new Random(35), 1, 1), logits, 0, 1, 0, 0);
    }

    /** Four logits with offset 1. */
    private static void checkLaw(Decoding decoding, double[] logits, double... weights) {
        long[] counts = new long[4];
        for (int i = 0; i < 200_000; i++) {
            counts[decoding.next(logits, 1, 4)]++;
        }
        int[] kept = IntStream.range(0, 4).filter(i -> weights[i] > 0).toArray();
        assertThat(Arrays.stream(kept).mapToLong(i -> counts[i]).sum())
                .as("%s: %s", decoding, Arrays.toString(counts))
                .isEqualTo(200_000);
        if (kept.length > 1) {
            double p = ChiSquareTest.withDefaults()
                    .test(
                            Arrays.stream(kept).mapToDouble(i -> weights[i]).toArray(),
                            Arrays.stream(kept).mapToLong(i -> counts[i]).toArray())
                    .getPValue();
            assertThat(p).as("%s: %s", decoding, Arrays.toString(counts)).isGreaterThan(1e-4);
        }
    }

    /** Of equal logits, the first ones are among the k largest. */
    @Test
    void tiesForTheLastPlaceGoToTheSmallestIds() {
        double[] logits = {1, 2, 1, 3, 1, 2};
        boolean[] drawn = new boolean[6];
        var decoding = new Decoding.Sampling(new Random(41), 10, 4);
        for (int i = 0; i < 10_000; i++) {
            drawn[decoding.next(logits, 0, 6)] = true;
        }
        assertThat(drawn).containsExactly(true, true, false, true, false, true);
    }

    /** Infinite logits have equal weights, and a remainder from rounding never selects a token without weight. */
    @Test
    void extremeLogitsAreDrawnByTheirWeight() {
        double inf = Double.POSITIVE_INFINITY;
        var decoding = new Decoding.Sampling(new Random(43));
        for (int i = 0; i < 1000; i++) {
            assertThat(decoding.next(new double[] {0, inf, -inf, inf, 5}, 0, 5)).isIn(1, 3);
        }
        assertThat(new Decoding.Sampling(new LastNumber()).next(new double[] {0.1, 0.2, 0.3, -inf}, 0, 4))
                .isEqualTo(2);
    }

    /** Returns 1 instead of a number below 1, to imitate rounding errors of the sums. */
    private static final class LastNumber extends Random {
        private static final long serialVersionUID = 1;

        @Override
        public double nextDouble() {
            return 1;
        }
    }

    @Test
    void settingsThatMakeNoLawAreRefused() {
        assertRefused(
                () -> new Decoding.Sampling(new Random(1), 0, 1),
                "temperature: expected a finite number above 0, got 0.0");
        assertRefused(
                () -> new Decoding.Sampling(new Random(1), Double.NaN, 1),
                "temperature: expected a finite number above 0, got NaN");
        assertRefused(() -> new Decoding.Sampling(new Random(1), 1, 0), "topK: expected at least 1, got 0");
    }

    @Test
    void lengthsAndModelsThatDoNotFitAreRefused() {
        for (int length : new int[] {0, ModelCase.MAX_LENGTH + 2}) {
            assertRefused(
                    () -> Generation.complete(model(1), List.of(new int[1]), length, GREEDY),
                    "length: expected 1 to 24, got " + length);
        }
        Architecture regression = ARCHITECTURE.withOutput(OutputOptions.regression(false));
        var model = new Transformer(Parameters.normal(regression, 1, new Random(1)), Kernels.best());
        assertRefused(
                () -> Generation.complete(model, List.of(new int[1]), 4, GREEDY),
                "model: expected one that gives logits of the next token, got REGRESSION");
        for (int length : new int[] {1, 4}) {
            assertRefused(
                    () -> Generation.complete(model(1), List.of(new int[] {99}), length, GREEDY),
                    "tokens: expected 0 to " + (ARCHITECTURE.vocabularySize() - 1) + ", got 99");
        }
    }

    /**
     * The last token needs no position, because the model does not read it, so a full context can also be completed.
     */
    @Test
    void aContextOfAllPositionsHasOneTokenMore() {
        int length = ModelCase.MAX_LENGTH;
        List<int[]> contexts =
                List.of(new ModelCase("", 4, ARCHITECTURE).sequence(length, new Random(4)), new int[] {2});
        for (LanguageModel model :
                List.of(model(1), new ReferenceTransformer(model(1).parameters().widen()))) {
            for (Generation generation : Generation.complete(model, contexts, length + 1, GREEDY)) {
                int[] read = Arrays.copyOf(generation.tokens(), length);
                double[] last = model.lastLogits(Batch.of(List.of(read)));
                assertThat(generation.tokens()).hasSize(length + 1);
                assertThat(generation.tokens()[length]).isEqualTo(GREEDY.next(last, 0, last.length));
            }
        }
    }

    @Test
    void emptyAndTooLongPrefixesAreRefused() {
        assertRefused(
                () -> Generation.complete(model(1), List.of(new int[] {1}, new int[0]), 4, GREEDY),
                "prefix: expected 1 to 4 tokens, got 0");
        assertRefused(
                () -> Generation.complete(model(1), List.of(new int[5]), 4, GREEDY),
                "prefix: expected 1 to 4 tokens, got 5");
        assertThat(Generation.complete(model(1), List.of(), 4, GREEDY)).isEmpty();
    }
}
