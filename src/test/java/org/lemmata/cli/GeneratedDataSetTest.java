package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.dataset.DataSet;
import org.lemmata.file.LockedFile;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.token.Example;

/** Data sets that {@code generate} writes can be read and trained on. */
class GeneratedDataSetTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "tok"})
    void comesBackAsItWasDrawn(String format) throws IOException {
        CommandLineRun.line("generate dyck-words -p N=5 -n 20 --test 7 --format %s --out %s", format, directory)
                .clean();
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
        CommandLineRun run = CommandLineRun.line(
                        "generate boolean-expressions -p window=0 -p k=2 -p q=1 -p variables=2 -p heldOut=3 -n 300"
                                + " --test 200 --out-of-sample 100 --format %s --json --out %s",
                        format, directory)
                .clean();
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
        CommandLineRun run = CommandLineRun.line("generate dyck-words -n 20 --test 7 --prefixes 3 --out %s", directory)
                .clean();
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
        CommandLineRun.line(command + " --out %s", directory).clean();
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
        CommandLineRun run = CommandLineRun.line(
                        "generate %s -p %s -n 300 --test 50 --format %s --json --out %s", name, setting, format, data)
                .clean();
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
        CommandLineRun trained = CommandLineRun.line("train %s --json --out %s", config, directory.resolve("run"))
                .clean();
        assertThat(trained.json().get("testLoss").asDouble()).isPositive();
    }

    @Test
    void symbolsOfTheSplitsAreDisjointAndTheLabelsComeBack() throws IOException {
        CommandLineRun run = generateTemplates("symbolic-programs", "jsonl");
        assertThat(run.code()).as(run.err()).isZero();
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
        CommandLineRun run = generateTemplates("same-different", "tok");
        assertThat(run.code()).as(run.err()).isZero();
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
        CommandLineRun run = CommandLineRun.line(
                        "generate boolean-expressions -p window=512 -n 4 --json --out %s", directory)
                .clean();
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
}
