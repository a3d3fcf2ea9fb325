package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.dataset.DataSet;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;
import org.lemmata.token.Example;
import org.lemmata.train.OnlineExamples;
import org.lemmata.train.Split;

/** Data sets whose splits share no examples, and splits of prefixes. */
class DistinctDataSetTest {

    @TempDir
    Path directory;

    /** Generates a data set in {@code name}; returns its manifest, which the command prints. */
    private JsonNode generate(String name, String words) throws IOException {
        return CommandLineRun.line("generate --json --out %s %s", path(name), words)
                .clean()
                .json();
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private static List<Example> firstOnes(Task task, long seed, Split split, int count, Set<Example> others) {
        return new OnlineExamples(random -> task.sample(random, task.defaultLength()), seed, split)
                .takeDistinct(count, others::contains);
    }

    /** All 42 words of five pairs, and so many Boolean expressions that independent draws would repeat some. */
    @ParameterizedTest
    @CsvSource({
        "dyck-words, N=5, 25, 9, 8, 0, jsonl",
        "dyck-words, N=5, 25, 9, 8, 0, tok",
        "dyck-words, N=5, 25, 9, 8, 0, txt",
        "dyck-words, N=40, 25, 9, 8, 0, txt",
        "boolean-expressions, window=0 -p k=1 -p q=1 -p variables=2 -p heldOut=2, 47, 9, 8, 7, jsonl",
        "boolean-expressions, window=3 -p k=1 -p q=1 -p variables=3 -p heldOut=2, 3, 1, 2, 0, tok",
    })
    void noExampleStandsTwice(
            String name, String settings, int train, int validation, int test, int outOfSample, String format)
            throws IOException {
        String words = String.format(
                Locale.ROOT,
                "%s -p %s -n %d --validation %d --test %d --out-of-sample %d --format %s --seed 7 --distinct",
                name,
                settings,
                train,
                validation,
                test,
                outOfSample,
                format);
        JsonNode manifest = generate("a", words);
        assertThat(manifest.get("distinct").asBoolean()).isTrue();
        DataSet set = DataSet.open(directory.resolve("a"));
        Set<Example> seen = new HashSet<>();
        Map<String, Integer> sizes =
                Map.of("train", train, "validation", validation, "test", test, "outOfSample", outOfSample);
        for (String split : set.splits()) {
            int size = sizes.getOrDefault(split, 0);
            assertThat(set.examples(split)).hasSize(size).allMatch(seen::add);
            JsonNode described = manifest.get("splits").get(split);
            assertThat(described.get("examples").asInt()).isEqualTo(size);
            assertThat(described.get("distinct").asInt()).isEqualTo(size);
            assertThat(described.get("inEarlierSplits").asInt()).isZero();
        }
        assertThat(seen).hasSize(train + validation + test + outOfSample);
        Task task = Tasks.CATALOGUE.entry(name).create(set.settings());
        List<Example> trained = firstOnes(task, 7, Split.TRAIN, train, Set.of());
        assertThat(set.examples("train")).as("what is trained on").isEqualTo(trained);
        assertThat(set.examples("test")).isEqualTo(firstOnes(task, 7, Split.TEST, test, new HashSet<>(trained)));
        assertThat(generate("b", words)).isEqualTo(manifest);
        for (String split : set.splits()) {
            String file = manifest.get("splits").get(split).get("file").asText();
            assertThat(directory.resolve("b").resolve(file))
                    .hasSameBinaryContentAs(directory.resolve("a").resolve(file));
        }
    }

    @Test
    void plainSplitsShareWhatTheManifestSays() throws IOException {
        JsonNode manifest = generate("a", "dyck-words -p N=4 -n 9 --validation 20 --test 6 --format txt");
        assertThat(manifest.get("distinct").asBoolean()).isFalse();
        List<String> seen = new ArrayList<>();
        for (String split : List.of("train", "test", "validation")) {
            List<String> lines = Files.readAllLines(directory.resolve("a").resolve(split + ".txt"));
            JsonNode described = manifest.get("splits").get(split);
            assertThat(described.get("distinct").asLong())
                    .isEqualTo(lines.stream().distinct().count());
            assertThat(described.get("inEarlierSplits").asLong())
                    .isEqualTo(lines.stream().filter(seen::contains).count());
            seen.addAll(lines);
        }
        assertThat(seen).hasSize(35).allMatch(word -> DyckWords.isBalanced(DyckWords.ids(word)));
    }

    private static int depth(String prefix) {
        return DyckWords.depth(DyckWords.ids(prefix));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " --distinct"})
    void prefixesAreDeepAndCanBeCompleted(String distinct) throws IOException {
        JsonNode manifest = generate(
                "a",
                "dyck-words -p N=6 -p maxDepth=5 -n 100 --prefixes 60 --prefix-depth 4 --seed 3 --format txt"
                        + distinct);
        List<String> prefixes = Files.readAllLines(directory.resolve("a/prefixes.txt"));
        assertThat(prefixes)
                .hasSize(60)
                .allMatch(prefix ->
                        DyckWords.isPrefix(DyckWords.ids(prefix), 6) && depth(prefix) >= 4 && prefix.length() < 12)
                .anyMatch(prefix -> depth(prefix) == 6);
        var deep = new DyckWords(6, 4, 6);
        List<int[]> drawn = distinct.isEmpty()
                ? PrefixSample.draw(deep::sampleIds, 4, 60, draw -> new PhiloxGenerator(3, -102, draw))
                : PrefixSample.drawDistinct(deep::sampleIds, 4, 60, draw -> new PhiloxGenerator(3, -102, draw));
        assertThat(prefixes).isEqualTo(drawn.stream().map(DyckWords::text).toList());
        JsonNode described = manifest.requiredAt("/splits/prefixes");
        assertThat(described.get("distinct").asLong())
                .isEqualTo(prefixes.stream().distinct().count());
        assertThat(described.get("distinct").asInt() == 60).isEqualTo(!distinct.isEmpty());
        List<String> words = Files.readAllLines(directory.resolve("a/train.txt"));
        assertThat(described.get("beginTraining").asLong())
                .isEqualTo(prefixes.stream()
                        .filter(prefix -> words.stream().anyMatch(word -> word.startsWith(prefix)))
                        .count())
                .isBetween(1L, 59L);
        assertThat(described.requiredAt("/depths/6").asLong())
                .isEqualTo(
                        prefixes.stream().filter(prefix -> depth(prefix) == 6).count());
        assertThat(described.get("are").asText()).startsWith("proper prefixes at least 4 deep of words of 6 pairs");
        CommandLineRun run = CommandLineRun.line(
                        "run dyck-completion -p word=((((((%s --input %s", "))))))", path("a/prefixes.txt"))
                .clean();
        assertThat(run.outLines()).hasSize(60).allMatch(line -> line.contains("\"balanced\":true"));
    }

    @Test
    void prefixesComeAloneAndAsObjects() throws IOException {
        JsonNode manifest = generate("a", "dyck-words -p N=6 -n 0 --prefixes 20 --prefix-depth 4 --seed 3");
        assertThat(manifest.get("splits").properties().stream().map(Map.Entry::getKey))
                .containsExactly("prefixes");
        DataSet set = DataSet.open(directory.resolve("a"));
        assertThat(set.examples("prefixes")).hasSize(20).allMatch(example -> example.scoredPositions().length == 0);
        generate("b", "dyck-words -p N=6 -n 0 --prefixes 20 --prefix-depth 4 --seed 3 --format txt");
        Stream<String> texts = set.examples("prefixes").stream().map(example -> DyckWords.text(example.inputs()));
        assertThat(texts).containsExactlyElementsOf(Files.readAllLines(directory.resolve("b/prefixes.txt")));
    }

    @Test
    void theManifestHasEverySettingInForce() throws IOException {
        String draws = "boolean-expressions -p window=0 -p k=1 -p variables=2 -p heldOut=1 -n 3 -p q=2";
        assertThat(generate("a", draws).requiredAt("/settings/heldOutDepth").asText())
                .isEqualTo("2");
        assertThat(generate("b", draws + " -p heldOutDepth=1")
                        .requiredAt("/settings/heldOutDepth")
                        .asText())
                .isEqualTo("1");
        assertThat(generate("c", "dyck-words -p N=3 -n 1")
                        .requiredAt("/settings/maxDepth")
                        .asText())
                .isEqualTo("3");
    }
}
