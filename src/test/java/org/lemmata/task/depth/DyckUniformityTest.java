package org.lemmata.task.depth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.oracle.EnumeratedDyckWords;

/** Every word is drawn equally often: Pearson's chi-square test over all words with a depth in a range. */
class DyckUniformityTest {

    private static final int DRAWS_PER_WORD = 100;
    private static final long FIXED_SEED = 4711;

    /**
     * The level for fixed seeds: a correct sampler fails for one in 10^4 seeds, and a fixed seed always gives the same
     * result.
     */
    private static final double FIXED_LEVEL = 1e-4;

    /** The level for fresh seeds, which is so small that a correct sampler practically never fails. */
    private static final double FRESH_LEVEL = 1e-9;

    /** The probability that a uniform sampler gives counts at least as uneven as those of {@code sampler}. */
    private static double pValue(List<String> words, Function<RandomGenerator, int[]> sampler, RandomGenerator random) {
        Map<String, Integer> places = new HashMap<>();
        words.forEach(word -> places.put(word, places.size()));
        long[] counts = new long[words.size()];
        for (int i = 0; i < DRAWS_PER_WORD * words.size(); i++) {
            String word = DyckWords.text(sampler.apply(random));
            int place = places.getOrDefault(word, -1);
            assertThat(place).as(word).isNotNegative();
            counts[place]++;
        }
        return ChiSquareTest.withDefaults().test(counts).getPValue();
    }

    private static Stream<Function<RandomGenerator, int[]>> samplers(int pairs, int minDepth, int maxDepth) {
        var large = new WordSampler.Counting(pairs, minDepth, maxDepth);
        Stream<Function<RandomGenerator, int[]>> samplers =
                Stream.of(new DyckWords(pairs, minDepth, maxDepth)::sampleIds, large::sample);
        return minDepth == 1 && maxDepth == pairs
                ? Stream.concat(samplers, Stream.of(new WordSampler.Ballot(pairs)::sample))
                : samplers;
    }

    @ParameterizedTest
    @CsvSource({"2,1,2", "3,1,3", "4,1,4", "5,1,5", "6,1,6", "5,2,3", "6,1,3", "6,3,4", "6,4,6", "6,3,3"})
    void everyWordIsDrawnEquallyOften(int pairs, int minDepth, int maxDepth) {
        List<String> words = EnumeratedDyckWords.words(pairs, minDepth, maxDepth);
        samplers(pairs, minDepth, maxDepth).forEach(sampler -> {
            assertThat(pValue(words, sampler, new Random(FIXED_SEED)))
                    .as("seed %d, N %d, depth %d to %d", FIXED_SEED, pairs, minDepth, maxDepth)
                    .isGreaterThan(FIXED_LEVEL);
            long fresh = new SplittableRandom().nextLong();
            assertThat(pValue(words, sampler, new SplittableRandom(fresh)))
                    .as("seed %d, N %d, depth %d to %d", fresh, pairs, minDepth, maxDepth)
                    .isGreaterThan(FRESH_LEVEL);
        });
    }

    /** Tosses a fair coin if both brackets are possible: balanced, but not uniform. */
    private static int[] fairCoin(int pairs, RandomGenerator random) {
        int[] word = new int[2 * pairs];
        int height = 0;
        for (int i = 0; i < word.length; i++) {
            boolean open = height == 0 || (height < word.length - i && random.nextBoolean());
            word[i] = open ? DyckWords.OPEN : DyckWords.CLOSE;
            height += open ? 1 : -1;
        }
        return word;
    }

    /** Uniform, except that one word in a hundred is replaced by the deepest one. */
    private static int[] slightlyDeep(int pairs, RandomGenerator random) {
        int[] word = new DyckWords(pairs).sampleIds(random);
        return random.nextInt(100) > 0 ? word : DyckWords.ids("(".repeat(pairs) + ")".repeat(pairs));
    }

    @Test
    void biasedSamplersAreRefused() {
        for (int pairs = 3; pairs <= 6; pairs++) {
            int n = pairs;
            assertThat(pValue(
                            EnumeratedDyckWords.words(n, 1, n), random -> fairCoin(n, random), new Random(FIXED_SEED)))
                    .as("fair coin, N %d", n)
                    .isLessThan(FRESH_LEVEL);
        }
        assertThat(pValue(
                        EnumeratedDyckWords.words(6, 1, 6), random -> slightlyDeep(6, random), new Random(FIXED_SEED)))
                .isLessThan(FRESH_LEVEL);
    }
}
