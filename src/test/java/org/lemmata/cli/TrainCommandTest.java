package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.model.Architecture;
import org.lemmata.model.Parameters;
import org.lemmata.model.file.Weights;

class TrainCommandTest {

    private static final String TINY = """
        seed: 5
        steps: 30
        batch: 4
        task: {name: dyck-words, settings: {N: 4}}
        data: {validation: 8, test: 8}
        model: {width: 8, layers: 1, dropout: 0.1}
        evaluation: {every: 10, completions: 5, deeper: 3}
        checkpoint: {every: 7}
        """;

    @TempDir
    private Path directory;

    private Path config(String yaml) throws IOException {
        return Files.writeString(directory.resolve("x.yaml"), yaml);
    }

    private CommandLineRun train(Path config, Path out, String... words) {
        return CommandLineRun.line("train %s --out %s %s", config, out, String.join(" ", words));
    }

    @Test
    void aRunLeavesItsFiles() throws IOException {
        Path out = directory.resolve("run");
        CommandLineRun run = train(config(TINY), out, "--json").clean();
        try (var files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "config.yaml curve.jsonl checkpoints weights.safetensors config.json result.json"
                                    .split(" ", -1));
        }
        JsonNode result = CommandLineRun.json(out.resolve("result.json"));
        assertThat(run.out()).isEqualTo(Files.readString(out.resolve("result.json")));
        assertThat(result.properties().stream().map(entry -> entry.getKey()))
                .containsExactly(
                        ("task vocabulary parameters end steps tokens trainLoss bestStep validationLoss testLoss "
                                        + "measured seconds weights environment")
                                .split(" ", -1));
        assertThat(result.get("end").textValue()).isEqualTo("steps");
        assertThat(result.get("steps").intValue()).isEqualTo(30);
        assertThat(result.get("tokens").intValue()).isEqualTo(30 * 4 * 8);
        assertThat(result.get("vocabulary").toString()).isEqualTo("[\"(\",\")\"]");
        assertThat(result.at("/measured/completions/inSample").doubleValue()).isBetween(0.0, 1.0);
        assertThat(result.at("/measured/completions/deeper").isNumber()).isTrue();
        assertThat(result.at("/environment/commit").isTextual()).isTrue();
        Parameters parameters = Weights.read(out.resolve("weights.safetensors"));
        assertThat(parameters.architecture()).isEqualTo(Architecture.gpt2(2, 8, 8, 1, 1, 32, 0.1));
        assertThat(result.get("parameters").intValue()).isEqualTo(parameters.values().length);
        assertThat(Files.readAllLines(out.resolve("curve.jsonl"))).hasSize(3);
        assertThat(run.errLines())
                .hasSize(3)
                .allMatch(line -> line.matches(
                        "train: step [123]0: validation loss [0-9.]+, completions deeper [0-9.]+, completions inSample"
                                + " [0-9.]+"));
    }

    /** Of the 13 words of depth up to 3, 8 are for training, and 3 others for the test. */
    @Test
    void whatATrainingSetSharesIsSaid() throws IOException {
        Path out = directory.resolve("run");
        CommandLineRun run = train(
                        config(TINY),
                        out,
                        "task.settings.maxDepth=3",
                        "data.train=8",
                        "data.distinct=true",
                        "data.test=3",
                        "data.validation=2",
                        "evaluation.unseen=true")
                .clean();
        assertThat(CommandLineRun.json(out.resolve("result.json"))
                        .get("testInTraining")
                        .toString())
                .isEqualTo("0");
        assertThat(run.out()).contains(", test words in training 0; ");
        assertThat(run.errLines())
                .hasSize(3)
                .allMatch(line -> line.matches(
                        ".*, completions deeper [0-9.]+, completions deeperInTraining \\d+, completions inSample"
                                + " [0-9.]+, completions unseen [0-9.]+, completions unseenInTraining \\d+"));
    }

    @Test
    void theEffectiveConfigurationAndOtherThreadsGiveTheSameBits() throws IOException {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        train(config(TINY), one, "threads=1", "model.width=16").clean();
        train(one.resolve("config.yaml"), two, "threads=2").clean();
        assertThat(two.resolve("weights.safetensors")).hasSameBinaryContentAs(one.resolve("weights.safetensors"));
        assertThat(Files.readString(two.resolve("config.yaml")))
                .isEqualTo(Files.readString(one.resolve("config.yaml")).replace("threads: 1", "threads: 2"));
        assertThat(Files.readString(one.resolve("config.yaml")))
                .contains("width: 16")
                .contains("train: online");
    }

    @Test
    void sequencesThatDoNotFitAreRefusedBeforeTheRun() throws IOException {
        Path config = config("""
            steps: 2
            task: {name: simple-task, settings: {minLength: 15}}
            model: {kind: mlp, width: 8, layers: 1, output: {kind: regression}}
            """);
        Path out = directory.resolve("run");
        train(config, out)
                .refused(config + ": line 3: model.kind: expected transformer for sequences of 15 to 16 tokens, got"
                        + " mlp, which reads 16");
        assertThat(out).doesNotExist();
        train(config, out, "task.settings.minLength=16").clean();
    }

    @Test
    void anotherSeedGivesOtherWeights() throws IOException {
        Path one = directory.resolve("one");
        Path two = directory.resolve("two");
        train(config(TINY), one).clean();
        train(config(TINY), two, "seed=6").clean();
        assertThat(Files.mismatch(one.resolve("weights.safetensors"), two.resolve("weights.safetensors")))
                .isNotEqualTo(-1);
    }

    @Test
    void aRunIsResumedWithItsOwnConfigurationAlone() throws IOException {
        Path out = directory.resolve("run");
        train(config(TINY), out).clean();
        assertThat(train(config(TINY), out, "--resume", "optimizer.learning-rate=0.5", "threads=2")
                        .refusal())
                .isEqualTo("lemmata: --resume: optimizer.learning-rate: expected 0.001 as in "
                        + out.resolve("config.yaml")
                        + ", got 0.5; the settings of the run are in " + out.resolve("config.yaml"));
        byte[] weights = Files.readAllBytes(out.resolve("weights.safetensors"));
        train(config(TINY), out, "--resume", "threads=2").clean();
        assertThat(Files.readAllBytes(out.resolve("weights.safetensors"))).isEqualTo(weights);
        assertThat(train(config(TINY), out).err())
                .contains("--out: expected a directory that is new or empty, got " + out
                        + " with the config.yaml of a run");
    }

    /** The configuration of a directory is that of its weights. */
    @RepeatedTest(5)
    void ofTwoRunsInOneDirectoryOneIsRejected() throws Exception {
        Path config = config(TINY);
        Path out = directory.resolve("run");
        var start = new CountDownLatch(2);
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            var runs = new ArrayList<Future<CommandLineRun>>();
            for (int i = 1; i <= 2; i++) {
                String seed = "seed=" + i;
                runs.add(executor.submit(() -> {
                    start.countDown();
                    start.await();
                    return train(config, out, seed, "steps=1");
                }));
            }
            List<Integer> codes =
                    List.of(runs.get(0).get().code(), runs.get(1).get().code());
            assertThat(codes).containsExactlyInAnyOrder(0, 2);
            assertThat(Files.readString(out.resolve("config.yaml"))).contains("seed: " + (codes.indexOf(0) + 1) + "\n");
        }
    }

    @Test
    void resumeStartsWhatNeverBegan() throws IOException {
        Path out = directory.resolve("run");
        train(config(TINY), out, "--resume").clean();
        assertThat(out.resolve("weights.safetensors")).exists();
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Files.writeString(foreign.resolve("a.txt"), "a");
        assertThat(train(config(TINY), foreign, "--resume").err())
                .isEqualTo("lemmata: --resume: expected the directory of a run, got " + foreign + " without config.yaml"
                        + System.lineSeparator());
    }

    /** The command that an interrupted run proposes names its own config.yaml, which may have been edited since. */
    @Test
    void aRunIsNotResumedWithItsConfigurationEdited() throws IOException {
        Path out = directory.resolve("run");
        train(config(TINY), out).clean();
        Path own = out.resolve("config.yaml");
        Files.writeString(own, Files.readString(own).replace("dropout: 0.1", "dropout: 0.3"));
        assertThat(train(own, out, "--resume").err())
                .isEqualTo("lemmata: checkpoint of step 30: expected description.model.dropout 0.3, got 0.1"
                        + System.lineSeparator());
    }

    @Test
    void resumeClearsAwayWhatKilledWritersLeft() throws IOException {
        Path out = Files.createDirectory(directory.resolve("run"));
        String end = ".6f0a1c62-8b1f-4f0a-9d3a-0123456789ab.part";
        Files.writeString(out.resolve(".config.yaml" + end), "se");
        train(config(TINY), out, "--resume").clean();
        Files.writeString(out.resolve(".weights.safetensors" + end), "x");
        train(config(TINY), out, "--resume").clean();
        try (var files = Files.list(out)) {
            assertThat(files.filter(file -> file.toString().endsWith(".part"))).isEmpty();
        }
    }

    @Test
    void aStepThatIsTooLargeIsRefusedInOneLine() throws IOException {
        assertThat(train(
                                config(TINY),
                                directory.resolve("run"),
                                "model.width=1",
                                "model.feed-forward.hidden=1000000",
                                "batch=300")
                        .refusal())
                .isEqualTo("lemmata: batch: expected fewer than 2^31 activations at any one place, got 2400 rows of"
                        + " 1000000");
    }

    @Test
    void aRunThatDivergesNamesTheStepAndKeepsTheLastCheckpoint() throws IOException {
        Path out = directory.resolve("run");
        CommandLineRun run = train(
                        config(TINY),
                        out,
                        "optimizer.kind=sgd",
                        "optimizer.learning-rate=3e4",
                        "model.normalization.placement=none",
                        "checkpoint.every=1",
                        "evaluation.every=0")
                .exits(2);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err())
                .matches("lemmata: step \\d+: expected a finite .*, got .*; the last checkpoint is of"
                        + " step \\d+\\R");
        assertThat(out.resolve("weights.safetensors")).doesNotExist();
        assertThat(out.resolve("checkpoints")).isNotEmptyDirectory();
    }

    /** The run has too many steps to end by itself; a signal stops it, and it prints how to continue. */
    @Test
    void aRequestToEndWritesACheckpointAndTheRunEndsWithTheSameBits() throws IOException, InterruptedException {
        Path undisturbed = directory.resolve("undisturbed");
        Path out = directory.resolve("run");
        Path config = config(TINY.replace("steps: 30", "steps: 4000")
                .replace("every: 10", "every: 500")
                .replace("every: 7", "every: 0"));
        train(config, undisturbed).clean();

        List<String> options = List.of("--enable-native-access=ALL-UNNAMED");
        List<String> command = List.of("train", config.toString(), "--out", out.toString());
        try (ChildJvm child = ChildJvm.start(directory, List.of(), options, command)) {
            child.await(() -> out.resolve("curve.jsonl").toFile().length() > 0);
            child.process().destroy();
            assertThat(child.exitCode()).as("%s", child.errorLines()).isEqualTo(130);
            assertThat(child.errorLines().getLast())
                    .matches("train: stopped after step \\d+ with a checkpoint; continue with: lemmata train"
                            + " '.*config.yaml' --out '.*run' --resume");
        }
        assertThat(out.resolve("weights.safetensors")).doesNotExist();
        assertThat(out.resolve("checkpoints")).isNotEmptyDirectory();

        train(out.resolve("config.yaml"), out, "--resume").clean();
        assertThat(out.resolve("weights.safetensors"))
                .hasSameBinaryContentAs(undisturbed.resolve("weights.safetensors"));
    }
}
