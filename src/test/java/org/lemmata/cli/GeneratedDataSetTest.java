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
import org.lemmata.file.LockedFile;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;
import org.lemmata.token.Example;
import org.lemmata.train.OnlineExamples;
import org.lemmata.train.Split;

/**
 * Data sets that {@code generate} writes can be read and trained on. Their splits may share no examples, or be of
 * prefixes.
 */
class GeneratedDataSetTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "tok"})
    void comesBackAsItWasDrawn(String format) throws IOException {
        CommandLineRun.clean("generate dyck-words -p N=5 -n 20 --test 7 --format %s --out %s", format, directory);
        Task task = Tasks.CATALOGUE.entry("dyck-words").create(Map.of("N", "5"));
        DataSet set = DataSet.open(directory);
        assertThat(set.vocabulary()).isEqualTo(task.vocabulary());
        assertThat(set.examples("test")).hasSize(7);
        List<Example> examples = set.examples("train");
        assertThat(examples).hasSize(20).allMatch(example -> task.accepts(example.inputs()));
        assertThat(examples).allMatch(example -> example.equals(Example.nextToken(example.inputs())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "tok"})
    void equalitiesComeBackWithWhatTheyShare(String format) throws IOException {
        CommandLineRun run = CommandLineRun.clean(
                "generate boolean-expressions -p window=0 -p k=2 -p q=1 -p variables=2 -p heldOut=3 -n 300"
                        + " --test 200 --out-of-sample 100 --format %s --json --out %s",
                format, directory);
        Task task = Tasks.CATALOGUE
                .entry("boolean-expressions")
                .create(Map.of("window", "0", "k", "2", "q", "1", "variables", "2", "heldOut", "3"));
        DataSet set = DataSet.open(directory);
        assertThat(set.vocabulary()).isEqualTo(task.vocabulary());
        assertThat(set.splits()).containsExactlyInAnyOrder("train", "test", "outOfSample");
        assertThat(set.examples("train")).hasSize(300).allMatch(example -> task.accepts(example.inputs()));
        Task outside = task.outOfSample().orElseThrow();
        assertThat(set.examples("outOfSample")).hasSize(100).allMatch(example -> outside.accepts(example.inputs()));
        Set<Example> train = new HashSet<>(set.examples("train"));
        JsonNode splits = run.json().get("splits");
        long repeated = set.examples("test").stream().filter(train::contains).count();
        assertThat(repeated).isPositive();
        assertThat(splits.requiredAt("/test/inEarlierSplits").asLong()).isEqualTo(repeated);
        assertThat(splits.requiredAt("/test/questions/inEarlierSplits").asLong())
                .isEqualTo(repeated);
        assertThat(splits.requiredAt("/test/answers/whole").asInt()).isEqualTo(200);
        assertThat(splits.requiredAt("/test/answers/inEarlierSplits").asInt()).isGreaterThan(190);
        assertThat(splits.requiredAt("/outOfSample/answers/inEarlierSplits").asInt())
                .isZero();
        assertThat(splits.requiredAt("/outOfSample/answers/distinct").asInt()).isLessThanOrEqualTo(3);
        assertThat(splits.requiredAt("/train/depths/1").asInt()).isEqualTo(300);
    }

    @Test
    void theSizesOfTheSplitsArePrinted() {
        CommandLineRun run =
                CommandLineRun.clean("generate dyck-words -n 20 --test 7 --prefixes 3 --out %s", directory);
        assertThat(run.outLines())
                .containsExactly(
                        "dyck-words: 20 train, 7 test, 3 prefixes written to " + directory + " with manifest.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"generate dyck-words -n 3", "tokenize README.md"})
    void aDirectoryIsFilledByOneCommandOnly(String command) throws IOException {
        Path lock = directory.resolve(".lock");
        try (var _ = LockedFile.open(lock).orElseThrow()) {
            CommandLineRun.line(command + " --out %s", directory)
                    .refused("--out: expected no other command that writes into " + directory + ", got one");
        }
        assertThat(lock).as("as after a killed command").exists();
        CommandLineRun.clean(command + " --out %s", directory);
        assertThat(lock).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "jsonl, simple-task, omega=3",
        "tok, simple-task, omega=3",
        "jsonl, mod-p-task, period=3",
        "tok, mod-p-task, period=3"
    })
    void numbersComeBackAndAreTrainedOn(String format, String name, String setting) throws IOException {
        Path data = directory.resolve("data");
        CommandLineRun run = CommandLineRun.clean(
                "generate %s -p %s -n 300 --test 50 --format %s --json --out %s", name, setting, format, data);
        JsonNode lengths = run.json().requiredAt("/splits/train/lengths");
        assertThat(lengths.size()).isEqualTo(name.equals("simple-task") ? 16 : 14);
        Task task = Tasks.CATALOGUE
                .entry(name)
                .create(Map.of(
                        setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1)));
        List<Example> examples = DataSet.open(data).examples("train");
        assertThat(examples).hasSize(300).allMatch(example -> task.accepts(example.inputs()));
        for (Example example : examples) {
            double value = task.regression().orElseThrow().value(example.inputs());
            assertThat(example).isEqualTo(Example.regression(example.inputs(), (float) value));
        }
        Path config = directory.resolve("run.yaml");
        Files.writeString(config, """
            steps: 2
            task: {file: %s}
            model: {width: 4, layers: 1, output: {kind: regression}}
            data: {validation: 0}
            """.formatted(data));
        CommandLineRun trained = CommandLineRun.clean("train %s --json --out %s", config, directory.resolve("run"));
        assertThat(trained.json().get("testLoss").asDouble()).isPositive();
    }

    @Test
    void symbolsOfTheSplitsAreDisjointAndTheLabelsComeBack() throws IOException {
        CommandLineRun run = generateTemplates("symbolic-programs", "jsonl").clean();
        JsonNode splits = run.json().get("splits");
        assertThat(splits.requiredAt("/train/symbols").asText()).isEqualTo("a1 to a9");
        assertThat(splits.requiredAt("/validation/symbols").asText()).isEqualTo("v1 to v5");
        assertThat(splits.requiredAt("/test/symbols").asText()).isEqualTo("t1 to t5");
        assertThat(splits.requiredAt("/outOfSample/symbols").asText()).isEqualTo("t1 to t5");
        Task task = Tasks.CATALOGUE.entry("symbolic-programs").create(Map.of("alphabet", "9", "heldOut", "5"));
        DataSet set = DataSet.open(directory);
        assertThat(set.vocabulary()).isEqualTo(task.vocabulary());
        Map<String, Task> sources = Map.of("train", task, "validation", task.validation(), "test", task.test());
        for (Map.Entry<String, Task> source : sources.entrySet()) {
            assertThat(set.examples(source.getKey())).hasSize(20).allSatisfy(example -> {
                assertThat(source.getValue().accepts(example.inputs())).isTrue();
                assertThat(source.getValue().symbols())
                        .contains(task.vocabulary().symbol(example.targets()[0]));
            });
        }
    }

    @Test
    void numbersOfTemplatesComeBackFromTokens() throws IOException {
        generateTemplates("same-different", "tok").clean();
        assertThat(DataSet.open(directory).examples("test")).hasSize(20).allSatisfy(example -> {
            int[] ids = example.inputs();
            assertThat(example).isEqualTo(Example.regression(ids, ids[0] == ids[1] ? 1 : -1));
        });
    }

    @Test
    void anAnswerThatStandsNowhereIsNotLost() {
        assertThat(generateTemplates("copying", "tok").refusal())
                .isEqualTo(
                        "lemmata: --format: expected jsonl for answers other than the next token at each position, got"
                                + " tok");
        assertThat(directory).isEmptyDirectory();
        // The parity is the next token, but the other tokens are not answers.
        CommandLineRun.line("generate parity -p bits=4 -p subset=1,2 -n 3 --format tok --out %s", directory)
                .refused("--format: expected jsonl for answers other than the next token at each position, got tok");
    }

    private CommandLineRun generateTemplates(String name, String format) {
        return CommandLineRun.line(
                "generate %s -p alphabet=9 -p heldOut=5 -n 20 --validation 20 --test 20 --out-of-sample 20 --format %s"
                        + " --json --out %s",
                name, format, directory);
    }

    @Test
    void windowsCountTheQuestionsInThem() throws IOException {
        CommandLineRun run =
                CommandLineRun.clean("generate boolean-expressions -p window=512 -n 4 --json --out %s", directory);
        Task task = Tasks.CATALOGUE.entry("boolean-expressions").create(Map.of());
        List<Example> examples = DataSet.open(directory).examples("train");
        assertThat(examples).allMatch(example -> task.accepts(example.inputs()) && example.length() == 512);
        JsonNode train = run.json().requiredAt("/splits/train");
        assertThat(train.requiredAt("/questions/whole").asInt())
                .isEqualTo(examples.stream()
                        .mapToInt(example -> task.questions()
                                .orElseThrow()
                                .exercises(example.inputs())
                                .size())
                        .sum())
                .isGreaterThan(4);
    }

    /** Generates a data set in {@code name}; returns its manifest, which the command prints. */
    private JsonNode generate(String name, String words) throws IOException {
        return CommandLineRun.clean("generate --json --out %s %s", path(name), words)
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
        CommandLineRun run = CommandLineRun.clean(
                "run dyck-completion -p word=((((((%s --input %s", "))))))", path("a/prefixes.txt"));
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
