package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.file.SafeTensorsWriter;
import org.lemmata.model.file.TensorContent;
import org.lemmata.model.file.Weights;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

/** Commands that use trained weights: complete, logits, evaluate, and train from them. */
class SavedModelTest {

    /** Configurations of small models, one for each kind of output. */
    private static final Map<String, String> CONFIGURATIONS =
            Map.of("words", """
                steps: 20
                batch: 8
                task: {name: dyck-words, settings: {N: 4, maxDepth: 3}}
                data: {start: true, validation: 13, test: 9}
                model: {width: 16, layers: 2, attention: {heads: 2}, dropout: 0.1}
                evaluation: {every: 5, completions: 5, deeper: 4, also-sampled: true, accuracy: true, spectrum: 2,
                  position-clusters: 2, contexts: {deep: "(("}}
                """, "rounded", """
                steps: 4
                batch: 8
                task: {name: dyck-words, settings: {N: 4}}
                data: {train: 12, distinct: true, validation: 2, test: 0}
                model: {width: 16, layers: 1}
                evaluation: {completions: 5, unseen: true, decoding: sampled}
                precision: {format: bfloat16, mode: Stochastic, seed: 3}
                """, "numbers", """
                steps: 4
                task: {name: simple-task, settings: {length: 8}}
                data: {validation: 20, test: 10}
                model: {width: 8, layers: 1, positions: {kind: none}, output: {kind: regression}}
                evaluation: {lengths: [20], tolerance: 0.1, attention: 12, sequences: 4, accuracy: true}
                """, "network", """
                epochs: 2
                task: {name: aba-abb, settings: {alphabet: 20, heldOut: 20}}
                data: {train: 16, validation: 10, test: 10}
                model: {kind: mlp, width: 4, layers: 1, output: {kind: regression}}
                evaluation: {accuracy: true, last: true}
                """, "questions", """
                steps: 2
                task: {name: boolean-expressions, settings: {variables: 1, k: 1, q: 1, window: 16}}
                data: {validation: 5, test: 5}
                model: {width: 8, layers: 1}
                evaluation: {questions: 3, answer-loss: true}
                """, "process", """
                steps: 2
                task: {name: dyck-generation, settings: {k: 2, maxLength: 8}}
                data: {validation: 5, test: 5}
                model: {width: 8, layers: 1, positions: {kind: none}}
                evaluation: {law-lengths: [4, 8], sequences: 3}
                """);

    @TempDir
    private static Path runs;

    @TempDir
    private Path directory;

    @BeforeAll
    static void train() throws IOException {
        for (Map.Entry<String, String> one : CONFIGURATIONS.entrySet()) {
            Path yaml = Files.writeString(runs.resolve(one.getKey() + ".yaml"), one.getValue());
            CommandLineRun.clean("train %s --out %s", yaml, run(one.getKey()));
        }
    }

    private static String run(String name) {
        return runs.resolve(name).toString();
    }

    static JsonNode answer(String line, String... command) throws IOException {
        return CommandLineRun.withInput(line + "\n", command).clean().json();
    }

    static double[] numbers(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .mapToDouble(JsonNode::doubleValue)
                .toArray();
    }

    private static void assertRefused(String message, String line, Object... words) {
        CommandLineRun.lineWithInput("()\n", line, words).refused(message.replace("RUNS", runs.toString()));
    }

    @Test
    void prefixesAreCompletedToWordsOfTheTask() throws IOException {
        CommandLineRun run =
                CommandLineRun.withInput("((\n\n( ) (\n<start> ((\n(x\n()()()()(\n", "complete", run("words"));
        assertThat(run.refusal())
                .isEqualTo("lemmata: input: line 5: token: expected one of ( ) <start>, got 'x'; 1 more rejected");
        List<JsonNode> answers = run.answers();
        assertThat(answers).hasSize(6);
        for (JsonNode answer : answers.subList(0, 4)) {
            assertThat(answer.properties().stream().map(Map.Entry::getKey))
                    .containsExactly("input", "completion", "balanced", "probabilities");
            String completion = answer.get("completion").textValue();
            String given = answer.get("input").textValue().replaceAll("<start>| ", "");
            assertThat(completion).hasSize(8).startsWith(given);
            assertThat(answer.get("balanced").booleanValue())
                    .isEqualTo(DyckWords.isBalanced(DyckWords.ids(completion)));
            assertThat(DoubleStream.of(numbers(answer.get("probabilities"))))
                    .hasSize(8 - given.length())
                    .allMatch(probability -> probability > 1.0 / 3 && probability < 1);
        }
        assertThat(answers.get(3).get("completion")).isEqualTo(answers.get(0).get("completion"));
        assertThat(answers.get(5).get("error").textValue()).isEqualTo("prefix: expected at most 8 tokens, got 9");
        assertThat(CommandLineRun.withInput("((\n", "complete", run("words") + "/weights.safetensors"))
                .isEqualTo(CommandLineRun.withInput("((\n", "complete", run("words")));
    }

    /** Each token is the most probable one, according to the logits of the tokens before it. */
    @Test
    void completionsAreGreedy() throws IOException {
        Parameters parameters = Weights.read(runs.resolve("words/weights.safetensors"));
        var model = new Transformer(parameters, Kernels.best());
        List<Integer> ids = new ArrayList<>(List.of(2, 0));
        while (ids.size() < 9) {
            double[] logits = model.lastLogits(
                    Batch.of(List.of(ids.stream().mapToInt(id -> id).toArray())));
            ids.add(logits[0] >= logits[1] ? 0 : 1);
        }
        assertThat(answer("(", "complete", run("words")).get("completion").textValue())
                .isEqualTo(
                        DyckWords.text(ids.stream().skip(1).mapToInt(id -> id).toArray()));
    }

    @Test
    void whatIsDrawnFollowsFromSeedAndLine() throws IOException {
        String lines = "(\n(\n(\n(\n(\n(\n";
        String[] sampled = {"complete", run("words"), "--sample", "--seed", "7"};
        CommandLineRun one = CommandLineRun.withInput(lines, sampled).clean();
        assertThat(CommandLineRun.withInput(lines, sampled).clean()).isEqualTo(one);
        List<String> completions = one.answers().stream()
                .map(answer -> answer.get("completion").textValue())
                .toList();
        assertThat(completions.stream().distinct()).hasSizeGreaterThan(1);
        assertThat(CommandLineRun.withInput("()\n(\n", sampled)
                        .clean()
                        .answers()
                        .getLast()
                        .get("completion")
                        .textValue())
                .isEqualTo(completions.get(1));
        assertThat(completed(lines, "--sample --seed 8")).isNotEqualTo(one.out());
        assertThat(completed(lines, "--temperature 1e-9")).isEqualTo(completed(lines, ""));
    }

    private static String completed(String lines, String options) {
        return CommandLineRun.lineWithInput(lines, "complete %s %s", run("words"), options)
                .clean()
                .out();
    }

    @Test
    void otherTasksSayWhetherTheirAnswersAreRight() throws IOException {
        JsonNode question = answer("p0 & true =", "complete", run("questions"));
        assertThat(question.get("completion").textValue()).startsWith("p0 & true = ");
        JsonNode answered = answer("p0 & true = p0 <end>", "complete", run("questions"), "--length", "6");
        assertThat(answered.get("completion").textValue()).isEqualTo("p0 & true = p0 <end>");
        assertThat(answered.get("right").booleanValue()).isTrue();
        assertThat(answered.get("equal").booleanValue()).isTrue();
        assertThat(answer("p0 & true = ~ p0 <end>", "complete", run("questions"), "--length", "7")
                        .get("right")
                        .booleanValue())
                .isFalse();
        JsonNode process = answer("(1 (2 )2 )1 <eos>", "complete", run("process"), "--length", "5");
        assertThat(process.get("accepted").booleanValue()).isTrue();
        assertThat(answer("(1 )2 )1 <eos>", "complete", run("process"), "--length", "4")
                        .get("accepted")
                        .booleanValue())
                .isFalse();
        assertThat(answer("(1", "complete", run("process"), "--length", "30")
                        .get("completion")
                        .textValue())
                .as("without positions there may be more tokens than in training")
                .startsWith("(1 ");
    }

    @Test
    void logitsAreThoseOfTheModel() throws IOException {
        Parameters parameters = Weights.read(runs.resolve("words/weights.safetensors"));
        var model = new Transformer(parameters, Kernels.best());
        double[] expected = model.logits(Batch.of(List.of(new int[] {2, 0, 0, 1})));
        JsonNode rows = answer("(()", "logits", run("words"), "--each").get("logits");
        assertThat(rows).hasSize(4);
        for (int t = 0; t < 4; t++) {
            assertThat(numbers(rows.get(t))).containsExactly(expected[3 * t], expected[3 * t + 1], expected[3 * t + 2]);
        }
        assertThat(answer("(()", "logits", run("words")).get("logits")).isEqualTo(rows.get(3));
        Rounding bfloat16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        var rounded = new Transformer(parameters, PrecisionPolicy.tensors(bfloat16), Kernels.best());
        assertThat(numbers(answer("(()", "logits", run("words"), "--format", "bfloat16")
                        .get("logits")))
                .containsExactly(rounded.lastLogits(Batch.of(List.of(new int[] {2, 0, 0, 1}))));
        var exact = new ReferenceTransformer(parameters.widen());
        assertThat(numbers(answer("(()", "logits", run("words"), "--format", "binary64")
                        .get("logits")))
                .containsExactly(exact.lastLogits(Batch.of(List.of(new int[] {2, 0, 0, 1}))));
    }

    @Test
    void regressionHasValuesAndTargetsAtEveryLength() throws IOException {
        JsonNode answer = answer("0 0 1 2", "logits", run("numbers"));
        assertThat(answer.properties().stream().map(Map.Entry::getKey)).containsExactly("input", "value", "target");
        assertThat(answer.get("target").doubleValue()).isEqualTo(Math.sin(1.0 / 3));
        JsonNode each = answer("0012".repeat(10), "logits", run("numbers"), "--each");
        assertThat(each.get("values")).hasSize(40);
        assertThat(each.get("values").get(3)).isEqualTo(answer.get("value"));
        JsonNode network = answer("a1 a2 a1 [CLS]", "logits", run("network"));
        assertThat(network.get("value").isNumber()).isTrue();
    }

    /** Without options, a model runs in the precision of its training run. */
    @Test
    void aRunThatRoundsIsRounded() throws IOException {
        JsonNode own = answer("((", "logits", run("rounded")).get("logits");
        JsonNode none =
                answer("((", "logits", run("rounded"), "--format", "none").get("logits");
        assertThat(own).isNotEqualTo(none);
        assertThat(DoubleStream.of(numbers(own)))
                .allMatch(logit -> Math.scalb(logit, 7 - Math.getExponent(logit)) % 1 == 0);
        assertThat(DoubleStream.of(numbers(none)))
                .anyMatch(logit -> Math.scalb(logit, 7 - Math.getExponent(logit)) % 1 != 0);
    }

    /** All losses and measures of result.json, except those of training, are equal to the last bit. */
    @ParameterizedTest
    @ValueSource(strings = {"words", "rounded", "numbers", "network", "questions", "process"})
    void theEvaluationIsThatOfTheRun(String name) throws IOException {
        JsonNode trained = CommandLineRun.json(runs.resolve(name + "/result.json"));
        JsonNode evaluated =
                CommandLineRun.of("evaluate", run(name), "--json").clean().json();
        List<String> kept = List.of(
                "task", "parameters", "validationLoss", "testLoss", "testAccuracy", "testInTraining", "measured");
        for (String key : kept) {
            assertThat(evaluated.path(key)).as(key).isEqualTo(trained.path(key));
        }
        assertThat(evaluated.get("validationLoss").isNumber()).isTrue();
        assertThat(evaluated.get("measured").isEmpty()).isEqualTo(name.equals("network"));
        assertThat(CommandLineRun.clean("evaluate %s threads=2 --json", run(name))
                        .out())
                .contains("\"validationLoss\" : " + trained.get("validationLoss"));
    }

    @Test
    void aDataSetIsEvaluatedSplitBySplit() throws IOException {
        String data = directory.resolve("data").toString();
        CommandLineRun.clean("generate dyck-words -p N=4 -n 30 --validation 12 --test 7 --prefixes 50 --out %s", data);
        Path out = directory.resolve("run");
        Path yaml = Files.writeString(directory.resolve("x.yaml"), """
            steps: 4
            batch: 8
            task: {file: %s}
            model: {width: 8, layers: 1}
            """.formatted(data));
        CommandLineRun.clean("train %s --out %s", yaml, out);
        JsonNode trained = CommandLineRun.json(out.resolve("result.json"));
        for (String[] command : new String[][] {
            {"evaluate", out.toString(), "--json"}, {"evaluate", out.toString(), "--data", data, "--json"}
        }) {
            JsonNode evaluated = CommandLineRun.of(command).clean().json();
            assertThat(evaluated.get("validationLoss")).isEqualTo(trained.get("validationLoss"));
            assertThat(evaluated.get("testLoss")).isEqualTo(trained.get("testLoss"));
            assertThat(evaluated.has("trainLoss")).isEqualTo(command.length > 3);
        }
        CommandLineRun other = CommandLineRun.clean("evaluate %s --data %s", run("words"), data);
        assertThat(other.outLines().stream().map(line -> line.replaceFirst(" .*", "")))
                .contains("trainLoss", "validationLoss", "testLoss", "testAccuracy", "completions.deeper", "split");
        // The model reads a start token. A prefix of one token is not an example of what follows this token.
        assertThat(other.out()).doesNotContain("prefixes");
        // Weights without the configuration of a run are enough.
        Path alone = Files.copy(out.resolve("weights.safetensors"), directory.resolve("alone.safetensors"));
        assertThat(CommandLineRun.clean("evaluate %s --data %s batch=8", alone, data)
                        .outLines())
                .filteredOn(line -> line.contains("Loss"))
                .hasSize(3);
        assertThat(CommandLineRun.clean("evaluate %s task.name=dyck-words task.settings.N=4", alone)
                        .outLines())
                .hasSize(2);
        assertRefused(
                alone + ": expected task.name=..., or --data, for weights without the config.yaml of a run, got"
                        + " neither",
                "evaluate %s",
                alone);
    }

    @Test
    void anotherTaskOrPrecisionIsEvaluated() throws IOException {
        CommandLineRun own = CommandLineRun.of("evaluate", run("numbers")).clean();
        CommandLineRun longer = CommandLineRun.of("evaluate", run("numbers"), "task.settings.length=40")
                .clean();
        assertThat(longer.outLines()).hasSameSizeAs(own.outLines()).isNotEqualTo(own.outLines());
        CommandLineRun rounded =
                CommandLineRun.clean("evaluate %s --format ocp_e4m3 evaluation.attention=0", run("numbers"));
        assertThat(rounded.outLines().getFirst()).isNotEqualTo(own.outLines().getFirst());
        CommandLineRun.clean(
                "evaluate %s task.name=shuffle-dyck-generation task.settings.k=2 task.settings.maxLength=12",
                run("process"));
    }

    @Test
    void trainingGoesOnFromWeights() throws IOException {
        Path out = directory.resolve("run");
        // So small a step does not change any weight.
        CommandLineRun.clean(
                "train %s.yaml steps=1 optimizer.learning-rate=1e-30 --from %s --out %s",
                run("words"), run("words"), out);
        assertThat(out.resolve("weights.safetensors"))
                .hasSameBinaryContentAs(runs.resolve("words/weights.safetensors"));
        assertThat(Files.readString(out.resolve("config.yaml"))).contains("from: " + run("words"));
        // Another task; without a section model, the model of the weights is used.
        Path yaml = Files.writeString(directory.resolve("x.yaml"), """
            steps: 2
            task: {name: dyck-words, settings: {N: 3}}
            data: {start: true}
            """);
        Path other = directory.resolve("other");
        CommandLineRun.clean("train %s --from %s --out %s", yaml, run("words"), other);
        assertThat(Weights.read(other.resolve("weights.safetensors")).architecture())
                .isEqualTo(
                        Weights.read(runs.resolve("words/weights.safetensors")).architecture());
        CommandLineRun.clean("train %s --out %s --resume", other.resolve("config.yaml"), other);
        Path network = directory.resolve("network");
        CommandLineRun.clean(
                "train %s.yaml optimizer.learning-rate=1e-30 --from %s --out %s",
                run("network"), run("network"), network);
        assertThat(network.resolve("weights.safetensors"))
                .hasSameBinaryContentAs(runs.resolve("network/weights.safetensors"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        words   | words   | model.width=32    | weights with width=32, as model says, got width=16
        words   | words   | model.attention.heads=4 | weights with heads=4, as model says, got heads=2
        words   | words   | model.feed-forward.activation=relu | weights with activation=RELU, as model says, got activation=GELU
        words   | words   | model.positions.kind=none | weights with kind=NONE, as model says, got kind=TABLE
        words   | words   | task.settings.N=5 | weights with maxLength=11, as model says, got maxLength=9
        words   | words   | model.feed-forward.hidden=0 | weights with feedForward=null, as model says, got hidden=64
        words   | words   | data.start=false  | weights for the 2 symbols of the task, got 3
        words   | network | model.width=16    | the weights of a transformer, got those of an mlp
        network | words   | model.width=4     | the weights of an mlp, got those of a transformer
        network | network | model.width=5     | weights with width=5, as model says, got width=4
        """)
    void weightsThatDoNotFitAreRefused(String config, String weights, String override, String message) {
        assertRefused(
                "command line: initialization.from: expected " + message + " in RUNS/" + weights
                        + "/weights.safetensors",
                "train %s.yaml %s --from %s --out %s",
                run(config),
                override,
                run(weights),
                directory.resolve("run"));
        assertThat(directory.resolve("run")).doesNotExist();
    }

    /** RUNS stands for the directory of the runs. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        complete RUNS/none | RUNS/none: expected a file of weights, or the directory of a run, got none
        complete RUNS/numbers | RUNS/numbers/weights.safetensors: expected a model of next tokens, got a regression model; lemmata logits prints its value
        complete RUNS/network | RUNS/network/weights.safetensors: expected a transformer, got an mlp
        complete RUNS/words --seed 3 | --seed: expected --sample or --temperature with it, got none
        complete RUNS/words --length 12 | --length: expected 1 to 9, got 12
        complete RUNS/words --temperature -1 | temperature: expected a finite number above 0, got -1.0
        evaluate RUNS/words task.settings.N=5 | command line: initialization.from: expected at least 11 positions for the sequences of the task, got 9 in RUNS/words/weights.safetensors
        """)
    void whatCannotBeAnsweredIsRefusedInOneLine(String line, String message) {
        assertRefused(message, line.replace("RUNS", runs.toString()));
    }

    @Test
    void whatIsNoModelIsRefusedInOneLine() throws IOException {
        Path killed = directory.resolve("killed");
        Files.createDirectories(killed.resolve("checkpoints"));
        assertRefused(
                killed + ": expected weights.safetensors, or model.safetensors, in this directory, got a"
                        + " run that has not ended; train --resume continues it",
                "logits %s",
                killed);
        Path foreign = directory.resolve("foreign.safetensors");
        SafeTensorsWriter.write(
                foreign, Map.of(), List.of(new TensorContent("a", LongList.of(1L), new float[] {1}, 0)));
        assertRefused(
                foreign
                        + ": header: expected lemmata.architecture in the metadata, or the tensors of a GPT-2 as"
                        + " Hugging Face names them, got neither",
                "evaluate %s task.name=dyck-words",
                foreign);
    }
}
