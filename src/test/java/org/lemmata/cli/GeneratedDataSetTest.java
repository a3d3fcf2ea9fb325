package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.token.Example;

/** What {@code generate} writes can be trained on. */
class GeneratedDataSetTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"jsonl", "tok"})
    void comesBackAsItWasDrawn(String format) throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "generate",
                "dyck-words",
                "-p",
                "N=5",
                "-n",
                "20",
                "--test",
                "7",
                "--format",
                format,
                "--out",
                directory.toString());
        assertThat(run.code()).as(run.err()).isZero();
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
        CommandLineRun run = CommandLineRun.of(
                "generate",
                "boolean-expressions",
                "-p",
                "window=0",
                "-p",
                "k=2",
                "-p",
                "q=1",
                "-p",
                "variables=2",
                "-p",
                "heldOut=3",
                "-n",
                "300",
                "--test",
                "200",
                "--out-of-sample",
                "100",
                "--format",
                format,
                "--json",
                "--out",
                directory.toString());
        assertThat(run.code()).as(run.err()).isZero();
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
        JsonNode splits = JsonMapper.builder().build().readTree(run.out()).get("splits");
        long repeated = set.examples("test").stream().filter(train::contains).count();
        assertThat(repeated).isPositive();
        assertThat(splits.get("test").get("inEarlierSplits").asLong()).isEqualTo(repeated);
        assertThat(splits.get("test").get("questions").get("inEarlierSplits").asLong())
                .isEqualTo(repeated);
        assertThat(splits.get("test").get("answers").get("whole").asInt()).isEqualTo(200);
        assertThat(splits.get("test").get("answers").get("inEarlierSplits").asInt())
                .isGreaterThan(190);
        assertThat(splits.get("outOfSample")
                        .get("answers")
                        .get("inEarlierSplits")
                        .asInt())
                .isZero();
        assertThat(splits.get("outOfSample").get("answers").get("distinct").asInt())
                .isLessThanOrEqualTo(3);
        assertThat(splits.get("train").get("depths").get("1").asInt()).isEqualTo(300);
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
        CommandLineRun run = CommandLineRun.of(
                "generate",
                name,
                "-p",
                setting,
                "-n",
                "300",
                "--test",
                "50",
                "--format",
                format,
                "--json",
                "--out",
                data.toString());
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode lengths = JsonMapper.builder()
                .build()
                .readTree(run.out())
                .get("splits")
                .get("train")
                .get("lengths");
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
        CommandLineRun trained = CommandLineRun.of(
                "train",
                config.toString(),
                "--json",
                "--out",
                directory.resolve("run").toString());
        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(trained.out())
                        .get("testLoss")
                        .asDouble())
                .isPositive();
    }

    @Test
    void symbolsOfTheSplitsAreDisjointAndTheLabelsComeBack() throws IOException {
        CommandLineRun run = generateTemplates("symbolic-programs", "jsonl");
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode splits = JsonMapper.builder().build().readTree(run.out()).get("splits");
        assertThat(splits.get("train").get("symbols").asText()).isEqualTo("a1 to a9");
        assertThat(splits.get("validation").get("symbols").asText()).isEqualTo("v1 to v5");
        assertThat(splits.get("test").get("symbols").asText()).isEqualTo("t1 to t5");
        assertThat(splits.get("outOfSample").get("symbols").asText()).isEqualTo("t1 to t5");
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
        CommandLineRun run = generateTemplates("copying", "tok");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("lemmata: --format: expected jsonl for answers that are not the next token, got tok"
                        + System.lineSeparator());
        assertThat(directory).isEmptyDirectory();
    }

    private CommandLineRun generateTemplates(String name, String format) {
        return CommandLineRun.of(
                "generate",
                name,
                "-p",
                "alphabet=9",
                "-p",
                "heldOut=5",
                "-n",
                "20",
                "--validation",
                "20",
                "--test",
                "20",
                "--out-of-sample",
                "20",
                "--format",
                format,
                "--json",
                "--out",
                directory.toString());
    }

    @Test
    void windowsCountTheQuestionsInThem() throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "generate",
                "boolean-expressions",
                "-p",
                "window=512",
                "-n",
                "4",
                "--json",
                "--out",
                directory.toString());
        assertThat(run.code()).as(run.err()).isZero();
        Task task = Tasks.CATALOGUE.entry("boolean-expressions").create(Map.of());
        List<Example> examples = DataSet.open(directory).examples("train");
        assertThat(examples).allMatch(example -> task.accepts(example.inputs()) && example.length() == 512);
        JsonNode train =
                JsonMapper.builder().build().readTree(run.out()).get("splits").get("train");
        assertThat(train.get("questions").get("whole").asInt())
                .isEqualTo(examples.stream()
                        .mapToInt(example -> task.questions()
                                .orElseThrow()
                                .exercises(example.inputs())
                                .size())
                        .sum())
                .isGreaterThan(4);
    }
}
