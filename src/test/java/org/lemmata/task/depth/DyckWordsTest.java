package org.lemmata.task.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.oracle.Draws;
import org.lemmata.oracle.EnumeratedDyckWords;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

class DyckWordsTest {

    private static final long[] CATALAN = {
        1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862, 16796, 58786, 208012, 742900, 2674440, 9694845, 35357670
    };

    static Stream<List<Integer>> windowsUpTo8() {
        return IntStream.rangeClosed(1, 8).boxed().flatMap(pairs -> windows(pairs));
    }

    private static Stream<List<Integer>> windows(int pairs) {
        return IntStream.rangeClosed(1, pairs)
                .boxed()
                .flatMap(minimum ->
                        IntStream.rangeClosed(minimum, pairs).mapToObj(maximum -> List.of(pairs, minimum, maximum)));
    }

    @ParameterizedTest
    @MethodSource("windowsUpTo8")
    void ranksEnumerateEveryWindow(List<Integer> window) {
        var words = new DyckWords(window.get(0), window.get(1), window.get(2));
        List<String> expected = EnumeratedDyckWords.words(window.get(0), window.get(1), window.get(2));

        assertThat(words.count()).isEqualTo(expected.size());
        assertThat(LongStream.range(0, expected.size())
                        .mapToObj(words::wordBits)
                        .map(bits -> DyckWords.text(DyckWords.ids(bits, 2 * window.get(0)))))
                .containsExactlyElementsOf(expected);
        var sampler = new WordSampler.Counting(window.get(0), window.get(1), window.get(2));
        assertThat(sampler.count()).isEqualTo(expected.size());
        assertThat(LongStream.range(0, expected.size())
                        .mapToObj(rank -> DyckWords.text(sampler.word(BigInteger.valueOf(rank)))))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void countsAreCatalanNumbers() {
        for (int pairs = 1; pairs < CATALAN.length; pairs++) {
            assertThat(new DyckWords(pairs).count()).isEqualTo(CATALAN[pairs]);
            assertThat(new WordSampler.Ballot(pairs).count()).isEqualTo(CATALAN[pairs]);
            assertThat(new WordSampler.Counting(pairs, 1, pairs).count()).isEqualTo(CATALAN[pairs]);
        }
        // OEIS A000108
        assertThat(new DyckWords(32).count()).isEqualTo(new BigInteger("55534064877048198"));
        assertThat(new DyckWords(33).count()).isEqualTo(new BigInteger("212336130412243110"));
        assertThat(new WordSampler.Counting(100, 1, 100).count()).isEqualTo(new WordSampler.Ballot(100).count());
    }

    @ParameterizedTest
    @CsvSource({
        "16,1,16",
        "16,1,8",
        "16,9,16",
        "16,13,16",
        "16,4,4",
        "16,16,16",
        "32,1,32",
        "32,20,25",
        "33,1,33",
        "33,7,9",
        "500,1,500",
        "500,1,10",
        "500,40,60",
        "500,200,500",
        "5000,1,5000",
        "3000,2,3"
    })
    void wordsPassTheChecker(int pairs, int minDepth, int maxDepth) {
        long seed = 20241L + pairs;
        var words = new DyckWords(pairs, minDepth, maxDepth);
        var random = new Random(seed);
        for (int i = 0; i < (pairs <= 33 ? 2000 : 20); i++) {
            int[] word = words.sample(random, 2 * pairs).inputs();
            assertThat(words.accepts(word))
                    .as("seed %d, N %d, draw %d: %s", seed, pairs, i, DyckWords.text(word))
                    .isTrue();
            assertThat(DyckWords.isBalanced(word)).isTrue();
            assertThat(DyckWords.depth(word)).isBetween(minDepth, maxDepth);
        }
    }

    @ParameterizedTest
    @CsvSource({"16,1,16", "16,3,5", "40,1,40", "40,3,12"})
    void sameSeedGivesTheSameWords(int pairs, int minDepth, int maxDepth) {
        var words = new DyckWords(pairs, minDepth, maxDepth);
        assertThat(draw(words, 7)).containsExactlyElementsOf(draw(words, 7)).isNotEqualTo(draw(words, 8));
    }

    private static List<String> draw(DyckWords words, long seed) {
        var random = new Random(seed);
        return Stream.generate(() -> DyckWords.text(words.sampleIds(random)))
                .limit(50)
                .toList();
    }

    @Test
    void sampleIsNextTokenPrediction() {
        var example = new DyckWords(1).sample(new Random(1), 2);
        assertThat(example)
                .isEqualTo(new Example(
                        new int[] {DyckWords.OPEN, DyckWords.CLOSE}, new int[] {DyckWords.CLOSE}, new int[] {0}));
    }

    @Test
    void bitsAndIdsAreTheSameDraw() {
        var words = new DyckWords(16, 3, 9);
        for (int seed = 0; seed < 100; seed++) {
            assertThat(DyckWords.ids(words.sampleBits(new Random(seed)), 32))
                    .isEqualTo(words.sampleIds(new Random(seed)));
        }
    }

    @Test
    void checkerAgreesWithDeletingPairsOnEveryString() {
        List<String> all = new ArrayList<>();
        IntStream.rangeClosed(0, 12).forEach(length -> all.addAll(EnumeratedDyckWords.strings(length)));
        for (String string : all) {
            boolean balanced = EnumeratedDyckWords.isBalanced(string);
            int[] ids = DyckWords.ids(string);
            assertThat(DyckWords.isBalanced(ids)).as(string).isEqualTo(balanced);
            if (balanced) {
                assertThat(DyckWords.depth(ids)).as(string).isEqualTo(EnumeratedDyckWords.depth(string));
            }
        }
    }

    @Test
    void prefixesAreThoseOfEnumeratedWords() {
        for (int pairs = 1; pairs <= 5; pairs++) {
            List<String> words = EnumeratedDyckWords.words(pairs, 1, pairs);
            for (int length = 0; length <= 12; length++) {
                for (String string : EnumeratedDyckWords.strings(length)) {
                    assertThat(DyckWords.isPrefix(DyckWords.ids(string), pairs))
                            .as("%s, N = %d", string, pairs)
                            .isEqualTo(words.stream().anyMatch(word -> word.startsWith(string)));
                }
            }
        }
    }

    @Test
    void acceptsExactlyTheWordsOfTheWindow() {
        var words = new DyckWords(5, 2, 3);
        List<String> expected = EnumeratedDyckWords.words(5, 2, 3);
        for (int length = 8; length <= 12; length++) {
            for (String string : EnumeratedDyckWords.strings(length)) {
                assertThat(words.accepts(DyckWords.ids(string))).as(string).isEqualTo(expected.contains(string));
            }
        }
    }

    @Test
    void textAndIdsAreInverse() {
        for (String string : EnumeratedDyckWords.strings(9)) {
            assertThat(DyckWords.text(DyckWords.ids(string))).isEqualTo(string);
        }
        assertThat(DyckWords.ids("()")).containsExactly(DyckWords.BRACKETS.id("("), DyckWords.BRACKETS.id(")"));
        assertThat(DyckWords.ids(0b01, 2)).containsExactly(DyckWords.OPEN, DyckWords.CLOSE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "(()x; position 4: expected '(' or ')', got 'x'",
                "' ()'; position 1: expected '(' or ')', got ' '",
                "()😀; position 3: expected '(' or ')', got '😀'"
            })
    void otherCharactersAreNamedWithTheirPosition(String word, String message) {
        assertRefused(() -> DyckWords.ids(word), message);
    }

    @Test
    void otherIdsAreNamedWithTheirPosition() {
        assertRefused(() -> new DyckWords(1).accepts(0, 2), "position 2: expected id 0 or 1, got 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0;1;1;N: expected at least 1, got 0",
                "-3;1;1;N: expected at least 1, got -3",
                "65537;1;1;N: expected at most 65536, got 65537",
                "4;0;4;minDepth: expected at least 1, got 0",
                "4;5;5;minDepth: expected at most 4, got 5",
                "4;3;2;maxDepth: expected at least 3, got 2",
                "4;1;5;maxDepth: expected at most 4, got 5"
            })
    void emptyWindowsAreRefused(int pairs, int minDepth, int maxDepth, String message) {
        assertRefused(() -> new DyckWords(pairs, minDepth, maxDepth), message);
    }

    @Test
    void tablesBeyondTheMemoryAreRefused() {
        assertThatThrownBy(() -> new DyckWords(65536, 2, 65536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("N, maxDepth: expected counts that fit into half of the memory");
    }

    @Test
    void misuseIsRefused() {
        assertRefused(() -> new DyckWords(4).sample(new Random(1), 6), "length: expected 2N = 8, got 6");
        assertRefused(
                () -> new DyckWords(33).sampleBits(new Random(1)), "N: expected at most 32 for words as bits, got 33");
        assertRefused(() -> new DyckWords(4).wordBits(14), "rank: expected 0 to 14 - 1, got 14");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6, 32, 33})
    void distinctWordsAreDistinct(int pairs) {
        var words = new DyckWords(pairs);
        int wanted = words.count().min(BigInteger.valueOf(500)).intValueExact();
        var distinct = new DistinctWords(words, wanted, Random::new);
        List<String> drawn = texts(distinct);
        assertThat(drawn).hasSize(wanted).doesNotHaveDuplicates().allMatch(EnumeratedDyckWords::isBalanced);
        // The words of draws 0, 1, ... in order, without repetitions.
        var expected = new LinkedHashSet<String>();
        for (long draw = 0; expected.size() < wanted; draw++) {
            expected.add(DyckWords.text(words.sampleIds(new Random(draw))));
        }
        assertThat(drawn).containsExactlyElementsOf(expected);
        for (long draw = 10_000; draw < 10_100; draw++) {
            int[] word = words.sampleIds(new Random(draw));
            assertThat(distinct.contains(word)).isEqualTo(expected.contains(DyckWords.text(word)));
        }
    }

    private static List<String> texts(DistinctWords words) {
        return IntStream.range(0, words.size())
                .mapToObj(i -> DyckWords.text(words.ids(i)))
                .toList();
    }

    /** Compares with the texts of the words. */
    @Test
    void prefixesThatBeginADistinctWordAreCounted() {
        var drawn = new DistinctWords(new DyckWords(6), 20, Random::new);
        List<String> texts = texts(drawn);
        var random = new Random(3);
        var prefixes = new ArrayList<int[]>();
        for (int i = 0; i < 500; i++) {
            prefixes.add(DyckWords.cut(new DyckWords(6).sampleIds(random), 1, random));
        }
        prefixes.add(DyckWords.ids(texts.getFirst()));
        int begun = (int) prefixes.stream()
                .filter(prefix -> texts.stream().anyMatch(text -> text.startsWith(DyckWords.text(prefix))))
                .count();
        assertThat(drawn.begun(prefixes)).isEqualTo(begun).isBetween(100, 490);
        assertThat(drawn.begun(List.of())).isZero();
    }

    @Test
    void distinctPrefixesAreDistinctAndOthersNot() {
        var deep = new DyckWords(6, 5, 6);
        assertThat(PrefixSample.drawDistinct(deep::sampleIds, 5, 40, Random::new))
                .hasSize(40)
                .allMatch(prefix -> DyckWords.isPrefix(prefix, 6) && DyckWords.depth(prefix) >= 5 && prefix.length < 12)
                .extracting(DyckWords::text)
                .doesNotHaveDuplicates();
        assertThat(PrefixSample.draw(deep::sampleIds, 5, 200, Random::new).stream()
                        .map(DyckWords::text)
                        .distinct())
                .hasSizeLessThan(200);
        // "(" to "((((())))", the proper prefixes.
        var one = new DyckWords(5, 5, 5);
        assertThat(PrefixSample.drawDistinct(one::sampleIds, 1, 9, Random::new)).hasSize(9);
        assertRefused(
                () -> PrefixSample.drawDistinct(one::sampleIds, 1, 10, Random::new),
                "distinct prefixes of depth 1: expected 10, found 9 and no other in 1300 draws");
    }

    @Test
    void moreDistinctWordsThanThereAreIsRefused() {
        assertRefused(
                () -> new DistinctWords(new DyckWords(3), 6, Random::new),
                "distinct words: expected 0 to 5, which is all there are, got 6");
        assertThat(texts(new DistinctWords(new DyckWords(3), 5, Random::new)))
                .containsExactlyInAnyOrderElementsOf(EnumeratedDyckWords.words(3, 1, 3));
    }

    @Test
    void distinctWordsAreNoneOfTheOthers() {
        var words = new DyckWords(4);
        var first = new DistinctWords(words, 6, Random::new);
        var second = new DistinctWords(words, 5, Random::new, List.of(first));
        var third = new DistinctWords(words, 3, draw -> new Random(draw + 99), List.of(first, second));
        assertThat(Stream.of(first, second, third).flatMap(drawn -> texts(drawn).stream()))
                .containsExactlyInAnyOrderElementsOf(EnumeratedDyckWords.words(4, 1, 4));
        // The draws continue after those of the first set.
        assertThat(texts(new DistinctWords(words, 11, Random::new)).subList(6, 11))
                .isEqualTo(texts(second));
        assertThatThrownBy(() -> new DistinctWords(words, 4, Random::new, List.of(first, second)))
                .hasMessage("distinct words: expected 0 to 3, which is all there are besides others, got 4");
    }

    /** 400 draws miss one of the five lengths with probability (4/5)^400 = 1e-39. */
    @Test
    void cutsFallWhereverThePrefixIsDeep() {
        int[] word = DyckWords.ids("()((()))()");
        var random = new Random(5);
        assertThat(IntStream.range(0, 400)
                        .mapToObj(i -> DyckWords.cut(word, 3, random))
                        .peek(prefix -> assertThat(prefix).isEqualTo(Arrays.copyOf(word, prefix.length)))
                        .map(prefix -> prefix.length)
                        .distinct()
                        .sorted())
                .containsExactly(5, 6, 7, 8, 9);
        assertRefused(() -> DyckWords.cut(word, 4, random), "depth: expected 1 to 3, got 4");
    }

    @Test
    void otherLengthsKeepTheDepths() {
        Task narrow = new DyckWords(10, 2, 4).ofLength(100).orElseThrow();
        assertThat(narrow.accepts(DyckWords.ids("(((())))".repeat(10) + "()".repeat(10))))
                .isTrue();
        assertThat(narrow.accepts(DyckWords.ids("()".repeat(50)))).isFalse();
        assertThat(narrow.accepts(DyckWords.ids("(".repeat(50) + ")".repeat(50))))
                .isFalse();
        Task all = new DyckWords(10).ofLength(100).orElseThrow();
        assertThat(all.accepts(DyckWords.ids("(".repeat(50) + ")".repeat(50)))).isTrue();
        assertThat(new DyckWords(10, 2, 4).ofLength(4).orElseThrow().accepts(DyckWords.ids("(())")))
                .isTrue();
        assertThat(new DyckWords(10).ofLength(21)).isEmpty();
        assertThat(new DyckWords(10, 2, 4).ofLength(2)).isEmpty();
    }

    /** Every word is drawn equally often: Pearson's chi-square test over all words with a depth in a range. */
    private static final int DRAWS_PER_WORD = 100;

    /** The probability that a uniform sampler gives counts at least as uneven as those of {@code sampler}. */
    private static double pValue(List<String> words, Function<RandomGenerator, int[]> sampler, RandomGenerator random) {
        return Draws.pValue(
                Draws.uniform(words), DRAWS_PER_WORD * words.size(), () -> DyckWords.text(sampler.apply(random)));
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
            assertThat(pValue(words, sampler, new Random(Draws.FIXED_SEED)))
                    .as("seed %d, N %d, depth %d to %d", Draws.FIXED_SEED, pairs, minDepth, maxDepth)
                    .isGreaterThan(Draws.FIXED_LEVEL);
            long fresh = new SplittableRandom().nextLong();
            assertThat(pValue(words, sampler, new SplittableRandom(fresh)))
                    .as("seed %d, N %d, depth %d to %d", fresh, pairs, minDepth, maxDepth)
                    .isGreaterThan(Draws.FRESH_LEVEL);
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
                            EnumeratedDyckWords.words(n, 1, n),
                            random -> fairCoin(n, random),
                            new Random(Draws.FIXED_SEED)))
                    .as("fair coin, N %d", n)
                    .isLessThan(Draws.FRESH_LEVEL);
        }
        assertThat(pValue(
                        EnumeratedDyckWords.words(6, 1, 6),
                        random -> slightlyDeep(6, random),
                        new Random(Draws.FIXED_SEED)))
                .isLessThan(Draws.FRESH_LEVEL);
    }
}
