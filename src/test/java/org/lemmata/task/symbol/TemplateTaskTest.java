package org.lemmata.task.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.ReferenceValues.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.statistic.PearsonChiSquare;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.token.Example;

class TemplateTaskTest {

    private static final long SEED = 31;

    private static TemplateTask task(String name, String... settings) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            given.put(settings[i], settings[i + 1]);
        }
        return (TemplateTask) Tasks.CATALOGUE.entry(name).create(given);
    }

    private static List<String> words(Task task, int... ids) {
        return Arrays.stream(ids).mapToObj(task.vocabulary()::symbol).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "same-different, 2",
        "aba-abb, 2",
        "aabb-abab, 2",
        "real-programs, 2",
        "symbolic-programs, 4",
        "copying, 1",
        "word-problem, 4",
        "real-word-problem, 3",
        "majority, 2",
        "random-templates, 2"
    })
    void splitsShareNoSymbol(String name, int wildcards) {
        TemplateTask training = task(name, "alphabet", "40", "heldOut", "20");
        Task validation = training.validation();
        Task test = training.test();
        Set<String> seen = new HashSet<>();
        int all = 0;
        for (Task split : List.of(training, validation, test)) {
            seen.addAll(split.symbols());
            all += split.symbols().size();
            assertThat(split.vocabulary()).isEqualTo(training.vocabulary());
            var random = new Random(SEED);
            for (int draw = 0; draw < 50; draw++) {
                int[] ids = split.sample(random, split.defaultLength()).inputs();
                assertThat(split.accepts(ids)).as("seed %d, %d", SEED, draw).isTrue();
                for (Task other : List.of(training, validation, test)) {
                    assertThat(other.symbols().equals(split.symbols()) || !other.accepts(ids))
                            .as("seed %d: %s", SEED, words(split, ids))
                            .isTrue();
                }
            }
        }
        assertThat(all).isEqualTo(80).isEqualTo(seen.size());
        assertThat(training.outOfSample().orElseThrow().symbols()).isEqualTo(test.symbols());
    }

    @Test
    void templatesAndPairsOfSymbolsAreUniform() {
        Task task = task("aba-abb", "alphabet", "5");
        var random = new Random(SEED);
        long[] counts = new long[2 * 5 * 5];
        for (int draw = 0; draw < 40_000; draw++) {
            int[] ids = task.sample(random, 4).inputs();
            counts[25 * (ids[0] == ids[2] ? 1 : 0) + 5 * (ids[0] - 1) + ids[1] - 1]++;
        }
        long[] possible = Arrays.stream(counts).filter(count -> count > 0).toArray();
        assertThat(possible).as("pairs that differ").hasSize(40);
        double[] uniform = new double[40];
        Arrays.fill(uniform, 1.0 / 40);
        assertThat(PearsonChiSquare.of(possible, uniform).pValue())
                .as("seed %d", SEED)
                .isGreaterThan(1e-4);
    }

    @ParameterizedTest
    @CsvSource({"same-different, 0, 1", "aba-abb, 0, 2", "aabb-abab, 0, 1", "real-programs, 0, 10"})
    void labelsAreOneWhereTwoPositionsAreEqualElseMinusOne(String name, int position, int other) {
        Task task = task(name);
        var random = new Random(SEED);
        int equal = 0;
        for (int draw = 0; draw < 200; draw++) {
            Example example = task.test().sample(random, task.defaultLength());
            boolean isEqual = example.inputs()[position] == example.inputs()[other];
            assertThat(example.values()).as("%s", example).containsExactly(isEqual ? 1 : -1);
            equal += isEqual ? 1 : 0;
        }
        assertThat(equal).as("seed %d", SEED).isBetween(60, 140);
    }

    @Test
    void labelsAreThoseOfTheTemplates() {
        Task programs = task("symbolic-programs");
        Task majority = task("majority", "length", "5");
        var random = new Random(SEED);
        for (int draw = 0; draw < 200; draw++) {
            Example program = programs.sample(random, programs.defaultLength());
            List<String> words = words(programs, program.inputs());
            String printed = words.get(words.indexOf("print") + 2);
            String value = words.get(words.indexOf(printed) + 3);
            assertThat(words(programs, program.targets())).as("%s", words).containsExactly(value);
            assertThat(words.getLast()).isEqualTo(")");
            Task problem = task("word-problem");
            Example question = problem.sample(random, problem.defaultLength());
            assertThat(question.targets()).as("%s", question).containsExactly(question.inputs()[4]);
            Example votes = majority.sample(random, 6);
            int[] ids = votes.inputs();
            long same = Arrays.stream(ids, 1, 5).filter(id -> id == ids[0]).count();
            assertThat(votes.values()).as("%s", votes).containsExactly(same > 2 ? 1 : -1);
        }
        Example copy = task("copying").sample(random, 1);
        assertThat(copy.targets()).isEqualTo(copy.inputs());
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void randomTemplatesAreDistinctWithStandardizedLabels(String disjoint) {
        TemplateTask task =
                task("random-templates", "templates", "6", "tokens", "2", "disjoint", disjoint, "draw", "5");
        assertThat(new HashSet<>(task.templates())).hasSize(6);
        Set<Double> labels = new HashSet<>();
        var random = new Random(SEED);
        for (int draw = 0; draw < 500; draw++) {
            labels.add((double) task.sample(random, 6).values()[0]);
        }
        assertThat(labels).hasSize(6);
        assertThat(labels.stream().mapToDouble(y -> y).sum()).isBetween(-1e-6, 1e-6);
        assertThat(labels.stream().mapToDouble(y -> y * y).sum()).isBetween(6 - 1e-5, 6 + 1e-5);
        boolean everyPair = true;
        for (Template one : task.templates()) {
            for (Template other : task.templates()) {
                everyPair &= one.equals(other) || one.isDisjointFrom(other);
            }
        }
        assertThat(everyPair || disjoint.equals("false")).isTrue();
    }

    @Test
    void noiseHasItsStandardDeviation() {
        Task task = task("same-different", "noise", "0.5");
        var random = new Random(SEED);
        double squares = 0;
        for (int draw = 0; draw < 20_000; draw++) {
            Example example = task.sample(random, 3);
            int[] ids = example.inputs();
            double noise = example.values()[0] - (ids[0] == ids[1] ? 1 : -1);
            squares += noise * noise;
        }
        assertThat(squares / 20_000).as("seed %d", SEED).isBetween(0.24, 0.26);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "real-templates; templates; 1 $a $b | -1 $b $a; a string that matches numbers 1 and 2",
                "real-templates; templates; one $a $b; expected a finite number of binary32 as the label, got 'one'",
                "real-templates; templates; NaN $a $b; expected a finite number of binary32 as the label, got 'NaN'",
                "real-templates; templates; 1e39 $a $b; expected a finite number of binary32 as the label, got '1e39'",
                "real-templates; templates; 1; labels, each with a template after a blank",
                "symbolic-templates; templates; $c $a $b; a label among the wildcards [$a, $b], got '$c'",
                "aba-abb; alphabet; 1; alphabet: expected at least 2, got 1",
                "symbolic-programs; heldOut; 3; heldOut: expected at least 4, got 3",
                "aba-abb; noise; -1; noise: expected a finite number from 0",
                "aba-abb; noise; 1e39; noise: expected a finite number from 0 to 1.0E30, got 1.0E39",
                "majority; length; 1; length: expected an integer from 2 to 16",
                "random-templates; wildcards; 0; wildcards: expected an integer from 1",
                "random-templates; length; 1; templates: expected at most",
            })
    void whatIsNoTaskIsRefused(String name, String setting, String value, String message) {
        assertThatThrownBy(() -> Tasks.CATALOGUE
                        .entry(name)
                        .create(
                                message.contains("at most")
                                        ? Map.of(setting, value, "wildcards", "1")
                                        : Map.of(setting, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    /** Lower-case letters are wildcards, upper-case letters regular tokens, as in the vectors. */
    private static Template template(String letters) {
        return new Template(letters.chars()
                .map(letter -> letter >= 'a' ? -1 - (letter - 'a') : letter - 'A')
                .toArray());
    }

    private static int[] string(String letters) {
        return letters.chars().map(letter -> letter - 'A').toArray();
    }

    /** A literal implementation of definition 3.1, by a map from symbols to tokens. */
    private static boolean matchesByDefinition(int[] symbols, int[] string) {
        Map<Integer, Integer> substitution = new HashMap<>();
        for (int i = 0; i < symbols.length; i++) {
            if (symbols[i] >= 0
                    ? string[i] != symbols[i]
                    : substitution.getOrDefault(symbols[i], string[i]) != string[i]) {
                return false;
            }
            if (symbols[i] < 0) {
                substitution.put(symbols[i], string[i]);
            }
        }
        return substitution.values().stream().distinct().count() == substitution.size()
                && Arrays.stream(symbols).noneMatch(symbol -> symbol >= 0 && substitution.containsValue(symbol));
    }

    /**
     * All templates of length 3 over two regular tokens and three wildcards, tested with all strings over five tokens.
     */
    @Test
    void matchingAndDisjointnessAreThoseOfAllStrings() {
        List<int[]> symbols = triples(-3);
        List<int[]> strings = triples(0);
        List<BitSet> matching = new ArrayList<>();
        for (int[] template : symbols) {
            var matches = new BitSet();
            for (int i = 0; i < strings.size(); i++) {
                matches.set(i, matchesByDefinition(template, strings.get(i)));
                assertThat(new Template(template).matches(strings.get(i)))
                        .as("%s, %s", Arrays.toString(template), Arrays.toString(strings.get(i)))
                        .isEqualTo(matches.get(i));
            }
            matching.add(matches);
        }
        int disjoint = 0;
        for (int i = 0; i < symbols.size(); i++) {
            for (int j = 0; j < symbols.size(); j++) {
                boolean common = matching.get(i).intersects(matching.get(j));
                assertThat(new Template(symbols.get(i)).isDisjointFrom(new Template(symbols.get(j))))
                        .as("%s, %s", Arrays.toString(symbols.get(i)), Arrays.toString(symbols.get(j)))
                        .isEqualTo(!common);
                disjoint += common ? 0 : 1;
            }
        }
        assertThat(disjoint).isBetween(1_000, 14_000);
    }

    /** All triples of the five numbers from {@code least} on. */
    private static List<int[]> triples(int least) {
        return IntStream.range(0, 125)
                .mapToObj(code -> new int[] {least + code % 5, least + code / 5 % 5, least + code / 25})
                .toList();
    }

    @Test
    void matchingAndDisjointnessAreThoseOfTheVectors() {
        JsonNode vectors = read("symbol-matching");
        assertThat(vectors.get("matching")).hasSizeGreaterThan(4);
        for (JsonNode one : vectors.get("matching")) {
            assertThat(template(one.get("template").asText())
                            .matches(string(one.get("string").asText())))
                    .as("%s", one)
                    .isEqualTo(one.get("matches").asBoolean());
        }
        for (JsonNode one : vectors.get("disjoint")) {
            Template first = template(one.get("z1").asText());
            Template second = template(one.get("z2").asText());
            boolean disjoint = one.get("disjoint").asBoolean();
            assertThat(first.isDisjointFrom(second)).as("%s", one).isEqualTo(disjoint);
            assertThat(second.isDisjointFrom(first)).as("%s", one).isEqualTo(disjoint);
        }
    }

    @Test
    void templatesOfOtherLengthsAreDisjoint() {
        assertThat(template("ab").isDisjointFrom(template("aba"))).isTrue();
        assertThat(template("ab").matches(string("XYZ"))).isFalse();
    }
}
