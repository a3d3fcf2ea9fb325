package org.lemmata.task.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.claim.Sequences;
import org.lemmata.oracle.Draws;
import org.lemmata.statistic.PearsonChiSquare;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.token.Example;

/** Compares languages with rewriting, samplers with enumeration, and the process with its definition. */
class HierarchyTasksTest {

    private static final long SEED = 11;

    /** Deletes "(t )t" repeatedly; in Shuffle-Dyck for each type separately. */
    private static boolean rewritesToNothing(BracketLanguage language, BracketTokens tokens, int... word) {
        if (language == BracketLanguage.SHUFFLE_DYCK) {
            return IntStream.range(0, tokens.types())
                    .allMatch(type -> rewritesToNothing(
                            BracketLanguage.DYCK,
                            tokens,
                            Arrays.stream(word)
                                    .filter(id -> tokens.type(id) == type)
                                    .toArray()));
        }
        List<Integer> rest = Arrays.stream(word).boxed().collect(Collectors.toCollection(ArrayList::new));
        for (int i = 0; i + 1 < rest.size(); ) {
            if (rest.get(i) < tokens.types() && rest.get(i + 1) == rest.get(i) + tokens.types()) {
                rest.subList(i, i + 2).clear();
                i = 0;
            } else {
                i++;
            }
        }
        return rest.isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void wordsAreWhatRewritesToNothing(BracketLanguage language) {
        for (int types = 1; types <= 3; types++) {
            var tokens = new BracketTokens(types);
            for (int length = 0; length <= (types == 3 ? 5 : 6); length++) {
                for (int[] string : Sequences.every(2 * types, length)) {
                    boolean word = rewritesToNothing(language, tokens, string);
                    assertThat(language.contains(tokens, string))
                            .as("%s, %s", language, tokens.text(string))
                            .isEqualTo(word);
                    assertThat(language.members(tokens, string).get(length)).isEqualTo(word);
                }
            }
        }
    }

    /** A token may follow if some word continues with it; words of 6 brackets cover all prefixes of 3. */
    @ParameterizedTest
    @EnumSource
    void tokensThatMayFollowAreThoseOfSomeWord(BracketLanguage language) {
        var tokens = new BracketTokens(2);
        Map<List<Integer>, BitSet> next = new HashMap<>();
        for (int length = 0; length <= 6; length++) {
            for (int[] string : Sequences.every(4, length)) {
                if (rewritesToNothing(language, tokens, string)) {
                    for (int i = 0; i <= Math.min(length, 2); i++) {
                        List<Integer> prefix =
                                Arrays.stream(string).limit(i).boxed().toList();
                        next.computeIfAbsent(prefix, any -> new BitSet()).set(i < length ? string[i] : tokens.end());
                    }
                }
            }
        }
        for (int length = 0; length <= 2; length++) {
            for (int[] string : Sequences.every(4, length)) {
                assertThat(language.next(tokens, string))
                        .as("%s, %s", language, tokens.text(string))
                        .isEqualTo(
                                next.getOrDefault(Arrays.stream(string).boxed().toList(), new BitSet()));
            }
        }
    }

    private static void assertUniform(UniformWords words, List<int[]> all, BracketTokens tokens) {
        assertThat(words.count().intValueExact()).isEqualTo(all.size());
        List<String> texts = all.stream().map(tokens::text).toList();
        var random = new Random(SEED);
        assertThat(Draws.pValue(Draws.uniform(texts), 200 * all.size(), () -> tokens.text(words.sample(random))))
                .as("seed %d", SEED)
                .isGreaterThan(1e-3);
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 1, 4", "2, 3, 1, 3", "2, 4, 2, 3", "3, 2, 1, 2"})
    void dyckWordsAreUniform(int types, int pairs, int minDepth, int maxDepth) {
        var tokens = new BracketTokens(types);
        List<int[]> all = Sequences.every(2 * types, 2 * pairs).stream()
                .filter(string -> rewritesToNothing(BracketLanguage.DYCK, tokens, string))
                .filter(string -> tokens.depth(string) >= minDepth && tokens.depth(string) <= maxDepth)
                .toList();
        assertUniform(UniformWords.dyck(tokens, pairs, minDepth, maxDepth), all, tokens);
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "2, 2", "2, 3", "3, 2"})
    void shuffleDyckWordsAreUniform(int types, int pairs) {
        var tokens = new BracketTokens(types);
        List<int[]> all = Sequences.every(2 * types, 2 * pairs).stream()
                .filter(string -> rewritesToNothing(BracketLanguage.SHUFFLE_DYCK, tokens, string))
                .toList();
        assertUniform(UniformWords.shuffleDyck(tokens, pairs), all, tokens);
    }

    /** Levenshtein's recurrence. */
    private static int editDistance(int[] from, int[] to) {
        int[][] distances = new int[from.length + 1][to.length + 1];
        for (int i = 0; i <= from.length; i++) {
            for (int j = 0; j <= to.length; j++) {
                if (i == 0 || j == 0) {
                    distances[i][j] = i + j;
                } else {
                    int replaced = distances[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
                    distances[i][j] = Math.min(replaced, 1 + Math.min(distances[i - 1][j], distances[i][j - 1]));
                }
            }
        }
        return distances[from.length][to.length];
    }

    @ParameterizedTest
    @EnumSource
    void nearMissesAreNoWordsAndAsFarAsTheySay(BracketLanguage language) {
        var random = new Random(SEED);
        for (int types : new int[] {1, 2, 4}) {
            var tokens = new BracketTokens(types);
            UniformWords words = language == BracketLanguage.DYCK
                    ? UniformWords.dyck(tokens, 6, 1, 6)
                    : UniformWords.shuffleDyck(tokens, 6);
            Set<NearMiss.Kind> kinds = new HashSet<>();
            NearMiss.Kind[] all = NearMiss.Kind.values();
            for (int draw = 0; draw < 300; draw++) {
                int[] word = words.sample(random);
                NearMiss.Kind kind = all[draw % all.length];
                NearMiss.of(kind, language, tokens, word, random).ifPresent(miss -> {
                    kinds.add(miss.kind());
                    assertThat(rewritesToNothing(language, tokens, miss.brackets()))
                            .isFalse();
                    assertThat(miss.distance())
                            .as("%s of %s: %s", kind, tokens.text(word), tokens.text(miss.brackets()))
                            .isEqualTo(editDistance(word, miss.brackets()));
                });
            }
            assertThat(kinds).hasSize(types == 1 ? 4 : 5);
        }
    }

    /** Computed by hand: r pi and 1 - r; q pi and 1 - q; and the form with Z. */
    @Test
    void probabilitiesAreThoseOfTheDefinitions() {
        var tokens = new BracketTokens(2);
        var dyck = new GenerationProcess(
                BracketLanguage.DYCK, tokens, 0.4, 0.8, List.of(0.3, 0.7), GenerationProcess.uniform(2));
        assertThat(dyck.next()).containsExactly(new double[] {0.24, 0.56, 0, 0, 0, 0.2}, within(1e-15));
        assertThat(dyck.next(0, 1)).containsExactly(new double[] {0.12, 0.28, 0, 0.6, 0, 0}, within(1e-15));
        assertThat(dyck.next(0, 1, 3)).containsExactly(new double[] {0.12, 0.28, 0.6, 0, 0, 0}, within(1e-15));
        var shuffle = new GenerationProcess(
                BracketLanguage.SHUFFLE_DYCK, tokens, 0.4, 0.8, List.of(0.3, 0.7), List.of(0.25, 0.75));
        assertThat(shuffle.next(0, 2)).containsExactly(new double[] {0.24, 0.56, 0, 0, 0, 0.2}, within(1e-15));
        double z = 0.4 + 0.6 * 0.25;
        assertThat(shuffle.next(0))
                .containsExactly(new double[] {0.12 / z, 0.28 / z, 0.15 / z, 0, 0, 0}, within(1e-15));
        assertThat(shuffle.next(0, 1)).containsExactly(new double[] {0.12, 0.28, 0.15, 0.45, 0, 0}, within(1e-15));
    }

    /** Cut off after 4 tokens, the probabilities of all words sum to 1, and draws follow them. */
    @ParameterizedTest
    @EnumSource
    void drawsFollowTheProcess(BracketLanguage language) {
        var tokens = new BracketTokens(2);
        var process = new GenerationProcess(language, tokens, 0.4, 0.8, List.of(0.3, 0.7), List.of(0.25, 0.75));
        Map<String, Double> expected = new HashMap<>();
        spread(process, new int[0], 1, 4, expected);
        assertThat(expected.values().stream().mapToDouble(Double::doubleValue).sum())
                .isCloseTo(1, within(1e-12));
        var random = new Random(SEED);
        assertThat(Draws.pValue(expected, 40_000, () -> tokens.text(process.sample(random, 4))))
                .as("seed %d", SEED)
                .isGreaterThan(1e-3);
    }

    /** The process given that the word ends in time: every word by itself, its law token by token, and draws. */
    @ParameterizedTest
    @CsvSource({"7, true", "6, true", "7, false"})
    void wholeWordsHaveTheLawOfTheProcessGivenThatTheyEnd(int most, boolean start) {
        var tokens = new BracketTokens(2);
        var process = new GenerationProcess(
                BracketLanguage.DYCK, tokens, 0.4, 0.8, List.of(0.3, 0.7), GenerationProcess.uniform(2));
        Map<String, Double> all = new HashMap<>();
        spread(process, new int[0], 1, most, all);
        all.keySet().removeIf(word -> !word.endsWith("<eos>") || (!start && word.equals("<eos>")));
        double mass = all.values().stream().mapToDouble(Double::doubleValue).sum();
        if (start) {
            assertThat(new EndingInTime(process, most, 1).probability()).isCloseTo(mass, within(1e-12));
        }
        var task = new GenerationTask(process, most, start, true);
        List<String> texts = List.copyOf(all.keySet());
        long[] counts = new long[texts.size()];
        double[] probabilities = new double[texts.size()];
        var random = new Random(SEED);
        for (int draw = 0; draw < 40_000; draw++) {
            int[] sequence = task.sample(random, task.defaultLength()).inputs();
            int[] word = Arrays.copyOfRange(sequence, task.given(), sequence.length);
            assertThat(texts).contains(tokens.text(word));
            int index = texts.indexOf(tokens.text(word));
            if (counts[index]++ == 0) {
                double[] law = task.law(sequence);
                double probability = start
                        ? 1
                        : all.entrySet().stream()
                                        .filter(other -> other.getKey().startsWith(tokens.text(word[0]) + " "))
                                        .mapToDouble(Map.Entry::getValue)
                                        .sum()
                                / mass;
                for (int row = 0; row + 1 < sequence.length; row++) {
                    double[] next = Arrays.copyOfRange(law, row * 6, (row + 1) * 6);
                    assertThat(Arrays.stream(next).sum()).isCloseTo(1, within(1e-12));
                    probability *= next[sequence[row + 1]];
                }
                probabilities[index] = probability;
                assertThat(probability).isCloseTo(all.getOrDefault(texts.get(index), 0.0) / mass, within(1e-12));
            }
        }
        for (int i = 0; i < probabilities.length; i++) {
            probabilities[i] = all.getOrDefault(texts.get(i), 0.0) / mass;
        }
        assertThat(PearsonChiSquare.of(counts, probabilities).pValue())
                .as("seed %d", SEED)
                .isGreaterThan(1e-3);
        // It cuts off no word.
        assertThatThrownBy(() -> task.sample(random, task.defaultLength() - 1))
                .hasMessage(
                        "length: expected at least " + task.defaultLength() + ", got " + (task.defaultLength() - 1));
        assertThat(task.sample(random, 100).length()).isLessThanOrEqualTo(task.defaultLength());
    }

    @Test
    void wholeWordsAreNotCutOff() {
        Task task = Tasks.CATALOGUE
                .entry("dyck-generation")
                .create(Map.of("k", "8", "maxLength", "40", "q", "0.6", "whole", "true"));
        var random = new Random(SEED);
        for (int draw = 0; draw < 300; draw++) {
            int[] inputs = task.sample(random, task.defaultLength()).inputs();
            assertThat(inputs.length).isBetween(2, 41);
            assertThat(inputs[inputs.length - 1]).isEqualTo(17);
            assertThat(task.accepts(inputs)).isTrue();
            assertThat(task.accepts(Arrays.copyOf(inputs, inputs.length - 1))).isFalse();
        }
        int[] longer = new int[44];
        Arrays.setAll(longer, i -> i == 0 ? 16 : i == 43 ? 17 : i % 2 == 1 ? 0 : 8);
        assertThat(task.accepts(longer)).isFalse();
        assertThatThrownBy(() ->
                        Tasks.CATALOGUE.entry("dyck-generation").create(Map.of("maxLength", "5000", "whole", "true")))
                .hasMessage("maxLength: expected 1 to 4096, got 5000");
        // Without the start, the empty word is left out, and no other one has 2 tokens.
        assertThatThrownBy(() -> Tasks.CATALOGUE
                        .entry("dyck-generation")
                        .create(Map.of("maxLength", "2", "start", "false", "whole", "true")))
                .hasMessage("maxLength: expected 3 to 4096, got 2");
        assertThat(Tasks.CATALOGUE.entry("dyck-generation").effective(Map.of())).doesNotContainKey("whole");
    }

    /** Nearly all words are empty. */
    @Test
    void withoutTheStartTheSearchForANonemptyWordEnds() {
        Task task = Tasks.CATALOGUE.entry("dyck-generation").create(Map.of("start", "false", "r", "1e-15"));
        assertThatThrownBy(() -> task.sample(new Random(SEED), task.defaultLength()))
                .hasMessage("r: expected one with a nonempty word in 4194304 draws, got 1.0E-15");
    }

    private static void spread(
            GenerationProcess process, int[] prefix, double mass, int left, Map<String, Double> masses) {
        if (left == 0) {
            masses.put(process.tokens().text(prefix), mass);
            return;
        }
        double[] next = process.next(prefix);
        for (int token = 0; token < next.length; token++) {
            if (next[token] > 0) {
                int[] longer = Arrays.copyOf(prefix, prefix.length + 1);
                longer[prefix.length] = token;
                if (token == process.tokens().end()) {
                    masses.put(process.tokens().text(longer), mass * next[token]);
                } else {
                    spread(process, longer, mass * next[token], left - 1, masses);
                }
            }
        }
    }

    @Test
    void examplesBeginWithTheStartAndAreCutOff() {
        Task task = Tasks.CATALOGUE.entry("dyck-generation").create(Map.of("k", "2", "maxLength", "9"));
        var random = new Random(SEED);
        Set<Integer> lengths = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            Example example = task.sample(random, task.defaultLength());
            assertThat(example.inputs()[0]).isEqualTo(4);
            assertThat(example.targets()).hasSize(example.length() - 1);
            lengths.add(example.length());
        }
        assertThat(lengths).contains(2, 10).allMatch(length -> length <= 10);
        assertThat(task.accepts(4, 0, 2, 5)).isTrue();
        assertThat(task.accepts(4, 0, 5)).isFalse();
        assertThat(task.accepts(4, 0, 1)).isTrue();
        assertThat(task.accepts(0, 2, 5)).isFalse();
        assertThat(task.accepts(4, 0, 5, 2)).isFalse();
        assertThat(task.nestingDepth(4, 0, 1, 3, 2, 5)).hasValue(2);
        Task bare = Tasks.CATALOGUE
                .entry("shuffle-dyck-generation")
                .create(Map.of("k", "3", "maxLength", "9", "start", "false"));
        for (int i = 0; i < 100; i++) {
            int[] inputs = bare.sample(random, bare.defaultLength()).inputs();
            assertThat(inputs.length).isBetween(2, 9);
            assertThat(inputs[0]).isLessThan(3);
        }
    }

    /** Each row is the distribution of the process after a prefix, with and without a start. */
    @ParameterizedTest
    @CsvSource({"dyck-generation, true", "dyck-generation, false", "shuffle-dyck-generation, true"})
    void theLawOfASequenceIsThatOfItsPrefixes(String name, boolean start) {
        Task task =
                Tasks.CATALOGUE.entry(name).create(Map.of("k", "3", "maxLength", "40", "start", String.valueOf(start)));
        GenerationTask law = task.generative().orElseThrow();
        GenerationProcess process = ((GenerationTask) task).process();
        int columns = task.vocabulary().size();
        var random = new Random(SEED);
        for (int draw = 0; draw < 100; draw++) {
            int[] sequence = task.sample(random, task.defaultLength()).inputs();
            double[] rows = law.law(sequence);
            assertThat(rows).hasSize((sequence.length - 1) * columns);
            for (int i = 0; i + 1 < sequence.length; i++) {
                int[] prefix = Arrays.copyOfRange(sequence, law.given(), i + 1);
                assertThat(Arrays.copyOfRange(rows, i * columns, (i + 1) * columns))
                        .as("seed %d, draw %d, row %d", SEED, draw, i)
                        .containsExactly(process.next(prefix));
                assertThat(rows[i * columns + sequence[i + 1]]).isPositive();
            }
        }
        assertThat(law.closing()).containsExactly(3, 4, 5);
    }

    /** Half of the strings are words and half are not; lengths are even, and exact if a length is given. */
    @Test
    void stringsToRecognizeAreWordsAndNearMisses() {
        Task task = Tasks.CATALOGUE.entry("dyck-recognition").create(Map.of("k", "2", "maxLength", "12"));
        var tokens = new BracketTokens(2);
        var random = new Random(SEED);
        int words = 0;
        Set<Integer> lengths = new HashSet<>();
        for (int draw = 0; draw < 1000; draw++) {
            Example example = task.sample(random, task.defaultLength());
            int[] string = example.inputs();
            boolean word = rewritesToNothing(BracketLanguage.DYCK, tokens, string);
            assertThat(example.values()).containsExactly(word ? 1 : -1);
            assertThat(task.regression().orElseThrow().value(string)).isEqualTo(word ? 1 : -1);
            words += word ? 1 : 0;
            lengths.add(string.length);
        }
        assertThat(words).isBetween(420, 580);
        assertThat(lengths).containsExactlyInAnyOrder(2, 4, 6, 8, 10, 12);
        Task longer = task.ofLength(50).orElseThrow();
        for (int draw = 0; draw < 50; draw++) {
            assertThat(longer.sample(random, 50).inputs()).hasSize(50);
        }
        assertThat(task.ofLength(7)).isEmpty();
        assertThat(task.accepts(0, 2)).isTrue();
        assertThat(longer.accepts(0, 2)).isFalse();
        assertThatThrownBy(() -> longer.sample(random, 48)).hasMessage("length: expected 50 to 50, got 48");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "q; 1; q: expected a probability between 0 and 1, got 1.0",
                "pi; 0.5,0.6; pi: expected 2 positive numbers, one per type, with sum 1, got [0.5, 0.6]",
                "pi; 1; pi: expected 2 positive numbers, one per type, with sum 1, got [1.0]",
                "maxLength; 1; maxLength: expected an integer from 2 to 65536, got '1'"
            })
    void settingsThatMakeNoProcessAreRefused(String name, String value, String message) {
        assertRefused(() -> Tasks.CATALOGUE.entry("dyck-generation").create(Map.of("k", "2", name, value)), message);
    }

    @Test
    void textsAreReadWithBlanksOrPlainForOneType() {
        assertThat(new BracketTokens(1).ids("(())")).containsExactly(0, 0, 1, 1);
        assertThat(new BracketTokens(1).ids("(1 )1")).containsExactly(0, 1);
        assertThat(new BracketTokens(2).ids(" (2 )2  (1 ")).containsExactly(1, 3, 0);
        assertThat(new BracketTokens(2).ids(" ")).isEmpty();
        assertThatThrownBy(() -> new BracketTokens(2).ids("(1 <eos>"))
                .hasMessage("position 2: expected a bracket, (1 to (2 or )1 to )2, got '<eos>'");
    }
}
