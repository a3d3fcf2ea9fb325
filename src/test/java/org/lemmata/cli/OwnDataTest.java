package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.dataset.DataSet;
import org.lemmata.token.Example;

/** Training and evaluation, by split and length, on a user's data set with a manifest written by hand. */
class OwnDataTest {

    private static final Path EXAMPLE = Path.of("docs/examples/own-data");

    private static final String MANIFEST =
            "{\"vocabulary\": [\"a\", \"b\", \"c\", \"d\", \"=\"], \"splits\": {\"train\": {}, \"test\": {}}}";

    @TempDir
    private Path directory;

    private Path data;

    @BeforeEach
    void writeReverses() throws IOException {
        data = Files.createDirectory(directory.resolve("reverse"));
        write("manifest.json", MANIFEST);
        write("train.jsonl", reverses(40, 3));
        write("test.jsonl", reverses(12, 4));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(data.resolve(name), text);
    }

    /** Reversed words, in the format of reverse.py. */
    private static String reverses(int count, int longest) {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int seed = i;
            List<String> word = IntStream.rangeClosed(0, i % longest)
                    .mapToObj(j -> "\"" + "abcd".charAt((seed * 7 + j * (seed % 3 + 1)) % 4) + "\"")
                    .toList();
            List<String> target = word.reversed();
            Stream<String> input = Stream.of(
                            word.stream(), Stream.of("\"=\""), target.stream().limit(word.size() - 1))
                    .flatMap(part -> part);
            text.append("{\"input\": ")
                    .append(input.toList())
                    .append(", \"target\": ")
                    .append(target)
                    .append(", \"position\": ")
                    .append(IntStream.range(word.size(), 2 * word.size())
                            .boxed()
                            .toList())
                    .append("}\n");
        }
        return text.toString();
    }

    private String[] train(String out, String... more) {
        String line = "train %s --out %s task.file=%s model.width=8 model.layers=1 schedule.warm-up=1 steps=4 batch=8"
                .formatted(EXAMPLE.resolve("reverse.yaml"), directory.resolve(out), data);
        return Stream.concat(Stream.of(line.split(" ")), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void trainsWithTheManifestsSymbolsAndMeasuresBySplitAndLength() throws IOException {
        CommandLineRun.of(train("run", "evaluation.by-length=true")).clean();
        JsonNode result = CommandLineRun.of("evaluate", directory.resolve("run").toString(), "--json")
                .clean()
                .json();
        assertThat(result.get("task").asText()).isEqualTo("data");
        String weights = Files.readString(directory.resolve("run/config.json"));
        assertThat(weights).contains("\"vocab_size\" : 5");
        JsonNode stored = CommandLineRun.json(directory.resolve("run/result.json"));
        assertThat(result.get("measured")).isEqualTo(stored.get("measured"));
        CommandLineRun table = CommandLineRun.clean("evaluate %s --data %s", directory.resolve("run"), data);
        JsonNode json = CommandLineRun.clean("evaluate %s --data %s --json", directory.resolve("run"), data)
                .json();
        assertThat(json.get("measured")).isEqualTo(stored.get("measured"));
        assertThat(table.out()).doesNotContain("counted on");
        List<String> rows = table.outLines().stream()
                .filter(line -> line.matches("(train|test) +(all|\\d+) .*"))
                .map(line -> line.replaceFirst("^(\\w+) +(\\w+) +(\\w+) .*", "$1 $2 $3"))
                .toList();
        assertThat(rows)
                .containsExactly(("train all 40, train 2 14, train 4 13, train 6 13, test all 12, test 2 3, test 4 3, "
                                + "test 6 3, test 8 3")
                        .split(", ", -1));
        // With one letter, its copy is its reverse.
        assertThat(json.requiredAt("/measured/copy/test.2").doubleValue()).isEqualTo(1);
        assertThat(json.requiredAt("/measured/loss/test").doubleValue())
                .isEqualTo(json.get("testLoss").doubleValue(), within(1e-6));
        assertThat(CommandLineRun.lineWithInput("a b =\n", "logits %s", directory.resolve("run"))
                        .clean()
                        .json()
                        .get("logits"))
                .hasSize(5);
    }

    @Test
    void aSetWithoutTrainingExamplesIsEvaluatedAndNotTrainedOn() throws IOException {
        CommandLineRun.of(train("run")).clean();
        Path longer = Files.createDirectory(directory.resolve("longer"));
        Files.writeString(longer.resolve("manifest.json"), MANIFEST.replace("\"train\": {}, \"test\"", "\"long\""));
        Files.writeString(longer.resolve("long.jsonl"), reverses(4, 2));
        assertThat(CommandLineRun.clean("evaluate %s --data %s", directory.resolve("run"), longer)
                        .out())
                .contains("longLoss", "long              4        2")
                .endsWith("majority, position: counted on each split itself: the data set has no split train\n");
        CommandLineRun.of(train("other", "task.file=" + longer))
                .refused("split: expected one of long in " + longer + ", got 'train'");
        CommandLineRun.of(train("other", "task.file=" + longer, "data.train=0"))
                .refusedWith("data.train: expected at least 1 training example, got 0");
        Files.writeString(longer.resolve("manifest.json"), MANIFEST.replace("\"a\", \"b\"", "\"b\", \"a\""));
        CommandLineRun.line("evaluate %s --data %s", directory.resolve("run"), longer)
                .refused(longer + ": vocabulary: expected that of the model, a b c d =, got b a c d =");
    }

    @Test
    void aTaskOfOursThatTheManifestNamesHasItsSymbols() throws IOException {
        for (String task : List.of("copying", "reverse")) {
            write("manifest.json", MANIFEST.replaceFirst("\\{", "{\"task\": \"" + task + "\", "));
            CommandLineRun run = trainOn("{file: " + data + "}", "run-" + task);
            if (task.equals("reverse")) {
                assertThat(run.clean().out()).startsWith("train: 4 steps");
            } else {
                assertThat(run.refusal())
                        .endsWith("task.file: expected the 1200 symbols of the task copying, which the manifest names,"
                                + " got 5");
                CommandLineRun.of(train("data")).clean();
            }
        }
        write(
                "manifest.json",
                MANIFEST.replaceFirst("\\{", "{\"task\": \"dyck-words\", \"settings\": {\"N\": \"some\"}, "));
        trainOn("{file: " + data + "}", "run-settings")
                .refusedWith(": line ", ": task.file: N: expected ", ", got 'some'");
        assertThat(trainOn("{name: data}", "none").refusal())
                .endsWith("task.file: expected the directory of a data set, got nothing");
        assertThat(CommandLineRun.of(train("none", "task.settings.N=4")).refusal())
                .endsWith("task.settings: expected none with a file, which names its task, got one");
    }

    /** A run begins with a random example, which may have no answers. */
    @Test
    void allAnswersAreTokensOrAllAreNumbers() throws IOException {
        write("manifest.json", "{\"vocabulary\": [\"a\", \"b\"], \"splits\": {\"train\": {}}}");
        String number = "{\"input\": [\"a\", \"b\"], \"value\": [1], \"position\": [1]}\n";
        String none = number.replace("[1]", "[]");
        String token = number.replace("\"value\": [1]", "\"target\": [\"a\"]");
        Path config = Files.writeString(directory.resolve("x.yaml"), """
            task: {name: data, file: %s}
            steps: 1
            data: {validation: 0}
            model: {width: 8, layers: 1, output: {kind: regression}}
            """.formatted(data));
        for (int seed = 1; seed <= 6; seed++) {
            Path out = directory.resolve("run" + seed);
            write("train.jsonl", number + token);
            CommandLineRun.line("train %s --out %s seed=%s", config, out, seed)
                    .refused(config + ": line 1: task: expected answers that are all tokens or all numbers, got both");
            assertThat(out).doesNotExist();
            write("train.jsonl", number + none + none);
            CommandLineRun.clean("train %s --out %s seed=%s", config, out, seed);
        }
    }

    @Test
    void anExampleLongerThanTheTasksIsRefusedBeforeTheRun() throws IOException {
        write("manifest.json", """
            {"task": "dyck-words", "settings": {"N": "1"}, "format": "tok", "vocabulary": ["(", ")"],
              "splits": {"train": {"file": "train.tok"}}}
            """);
        write("train.tok", "( )\n".repeat(20) + "( ( ) )\n");
        assertThat(trainOn("{file: " + data + "}", "long").refusal())
                .endsWith("line 3: model.max-length: expected at least 4, the length of the longest example, got 2");
        assertThat(directory.resolve("long")).doesNotExist();
    }

    private CommandLineRun trainOn(String task, String out) throws IOException {
        Path config = Files.writeString(
                directory.resolve("x.yaml"), "task: " + task + "\nsteps: 4\nmodel: {width: 8, layers: 1}\n");
        return CommandLineRun.line("train %s --out %s", config, directory.resolve(out));
    }

    @Test
    void theExampleOfTheDocumentsWritesSuchADataSet() throws IOException, InterruptedException {
        String script = Files.readString(EXAMPLE.resolve("reverse.py"));
        assertThat(script).contains("\"train\", 2000, 8", "\"test\", 400, 12");
        Path small = Files.writeString(
                directory.resolve("small.py"),
                script.replace("2000, 8", "50, 4").replace("400, 12", "20, 6"));
        Path written = Files.createDirectory(directory.resolve("written"));
        Process python;
        try {
            python = new ProcessBuilder("python3", small.toString())
                    .directory(written.toFile())
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no python3");
            throw e;
        }
        assertThat(python.waitFor()).isZero();
        assertThat(Files.readAllLines(written.resolve("train.jsonl"))).hasSize(50);
        for (Example example : DataSet.open(written).examples("test")) {
            int[] word = Arrays.copyOf(example.inputs(), example.length() / 2);
            int[] target = example.targets();
            assertThat(target).hasSameSizeAs(word);
            assertThat(example.inputs()[word.length]).isEqualTo(4);
            for (int i = 0; i < word.length; i++) {
                assertThat(target[i]).isEqualTo(word[word.length - 1 - i]);
                // The expected token is the next input.
                assertThat(i == 0 ? 4 : target[i - 1]).isEqualTo(example.inputs()[word.length + i]);
                assertThat(example.scoredPositions()[i]).isEqualTo(word.length + i);
            }
        }
        CommandLineRun.of(train("run", "task.file=" + written)).clean();
    }

    @Test
    void whatIsWrongIsOneLine() throws IOException {
        String good = reverses(1, 1);
        write("test.jsonl", good + good.replace("\"=\"", "\"?\""));
        CommandLineRun.of(train("bad"))
                .refused(data.resolve("test.jsonl")
                        + ": line 2: input[1]: expected a symbol of the manifest's vocabulary, got '?'");
        assertThat(directory.resolve("bad")).doesNotExist();
        write("test.jsonl", "");
        CommandLineRun.of(train("bad"))
                .refused(data.resolve("test.jsonl") + ": expected at least one example, one per line, got none");
        write("manifest.json", "{\"splits\": {}}");
        CommandLineRun.of(train("bad"))
                .refused(data.resolve("manifest.json")
                        + ": vocabulary: expected an array, got nothing: the field is absent");
        Files.delete(data.resolve("manifest.json"));
        CommandLineRun.of(train("bad"))
                .refusedWith(data.resolve("manifest.json").toString());
    }
}
