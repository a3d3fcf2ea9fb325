package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;
import static org.lemmata.oracle.Refusals.assertRefused;
import static org.lemmata.train.TrainingSetup.ADAM_W;
import static org.lemmata.train.TrainingSetup.afterSteps;
import static org.lemmata.train.TrainingSetup.curve;
import static org.lemmata.train.TrainingSetup.latest;
import static org.lemmata.train.TrainingSetup.withoutClock;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;

/** Runs that are interrupted and resumed from their files. */
class InterruptedTrainingTest {

    @TempDir
    Path temporary;

    /** The process dies. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void twoRunsDoNotShareADirectory() throws IOException {
        Path run = temporary.resolve("shared");
        List<String> refusals = new ArrayList<>();
        TrainingSetup setup = new TrainingSetup();
        setup.listener = afterSteps(progress -> {
            assertMalformed(
                    () -> new TrainingSetup().training().resume(run, refusals::add),
                    run.resolve("curve.jsonl") + ": expected no other run in its directory, got one");
            refusals.add("step " + progress.step());
        });
        setup.training().run(run);
        assertThat(refusals).hasSize(20).contains("step 1", "step 20");
    }

    /**
     * Compares a run that dies with one that does not. It dies in each step for one of the rules, then at random
     * moments, by an exception from the listener before the step's line and checkpoint, or right after either.
     */
    @ParameterizedTest
    @MethodSource("org.lemmata.train.TrainingSetup#rules")
    @Tag("long")
    void interruptionsDoNotChangeABit(UpdateRule rule) throws IOException {
        long seed = ThreadLocalRandom.current().nextLong();
        var random = new SplittableRandom(seed);
        var setup = new TrainingSetup();
        var half = new ParameterGroup("*bias", null, 0.5, null, false);
        setup.optimizer =
                new OptimizerOptions(rule, new LinearWarmUp(4, new CosineDecay(16, 0.1)), List.of(half), false, 1);
        setup.steps = 23;
        setup.evaluateEvery = 4;
        setup.checkpointEvery = 3;
        setup.accumulation = 2;
        // An epoch of 5 examples ends within micro-batches.
        setup.trainingExamples = 5;
        Path straight = temporary.resolve("straight");
        TrainingResult expected = setup.training().run(straight);
        float[] parameters = setup.objective.parameters();
        for (int moment = 0; moment < 3; moment++) {
            for (int first = 1 + TrainingSetup.rules().toList().indexOf(rule); first <= 23; first += 4) {
                Path directory = temporary.resolve("moment" + moment + "first" + first);
                int[] countdown = {0};
                int now = moment;
                setup.listener = new TrainingListener() {
                    private void count(int when) {
                        if (when == now && --countdown[0] == 0) {
                            throw new Killed();
                        }
                    }

                    @Override
                    public void stepped(TrainingListener.Progress progress) {
                        count(0);
                    }

                    @Override
                    public void measured(TrainingListener.CurvePoint point) {
                        count(1);
                    }

                    @Override
                    public void saved(long step) {
                        count(2);
                    }
                };
                countdown[0] = first;
                TrainingResult result = untilItEnds(setup, directory, countdown, random);
                String as = "seed " + seed + ", moment " + moment + ", first " + first;
                assertThat(setup.objective.parameters()).as(as).isEqualTo(parameters);
                assertThat(curve(directory)).as(as).isEqualTo(curve(straight));
                assertThat(withoutClock(result)).as(as).isEqualTo(withoutClock(expected));
                assertThat(latest(directory).arrays().keySet())
                        .isEqualTo(latest(straight).arrays().keySet());
                latest(straight).arrays().forEach((name, array) -> {
                    try {
                        assertThat(latest(directory).arrays().get(name))
                                .as(as + ", " + name)
                                .isEqualTo(array);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
            }
        }
    }

    private static TrainingResult untilItEnds(
            TrainingSetup setup, Path directory, int[] countdown, SplittableRandom random) throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                return attempt == 0 ? setup.training().run(directory) : setup.resume(directory);
            } catch (Killed e) {
                // Sometimes more than the steps between two checkpoints, so that the run makes progress.
                countdown[0] = attempt > 20 ? 0 : random.nextInt(1, 7);
            }
        }
    }

    /** Lines that a killed process wrote after its last checkpoint, even half a line. */
    @Test
    void theCurveIsCutBackToTheCheckpoint() throws IOException {
        var setup = new TrainingSetup();
        setup.steps = 6;
        Path directory = temporary.resolve("run");
        setup.training().run(directory);
        List<JsonNode> curve = curve(directory);
        Path file = directory.resolve("curve.jsonl");
        Files.writeString(file, "{\"step\":7,\"tok", StandardOpenOption.APPEND);
        setup.resume(directory);
        assertThat(curve(directory)).isEqualTo(curve);
        Files.writeString(file, "{}\n");
        assertThatThrownBy(() -> setup.resume(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("curve.jsonl: expected the curve up to the checkpoint, of ")
                .hasMessageEndingWith(" bytes, got 3");
    }

    @Test
    void aCurveThatIsNotTheCheckpointsIsRefused() throws IOException {
        var setup = new TrainingSetup();
        setup.steps = 6;
        Path directory = temporary.resolve("run");
        setup.training().run(directory);
        Path file = directory.resolve("curve.jsonl");
        byte[] whole = Files.readAllBytes(file);
        byte[] garbage = new byte[whole.length];
        new SplittableRandom(7).nextBytes(garbage);
        byte[] oneBit = whole.clone();
        oneBit[whole.length / 2] ^= 1;
        for (byte[] altered : List.of(garbage, oneBit)) {
            Files.write(file, altered);
            assertThatThrownBy(() -> setup.resume(directory))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file + ": expected the curve of the checkpoint, with the checksum ")
                    .hasMessageEndingWith(": it was altered after it was written");
            assertThat(file).hasBinaryContent(altered);
        }
        Files.delete(file);
        assertThatThrownBy(() -> setup.resume(directory)).isInstanceOf(IOException.class);
        assertThat(file).doesNotExist();
        Files.write(file, whole);
        setup.resume(directory);
        assertThat(file).hasBinaryContent(whole);
    }

    @Test
    void aRunCanGoOnForLonger() throws IOException {
        var setup = new TrainingSetup();
        setup.steps = 10;
        Path once = temporary.resolve("once");
        setup.training().run(once);
        float[] parameters = setup.objective.parameters();
        Path twice = temporary.resolve("twice");
        setup.steps = 5;
        setup.training().run(twice);
        setup.steps = 10;
        setup.resume(twice);
        assertThat(setup.objective.parameters()).isEqualTo(parameters);
        assertThat(curve(twice)).isEqualTo(curve(once));
    }

    @Test
    void anotherRunsFilesAreRefused() throws IOException {
        var setup = new TrainingSetup();
        setup.steps = 3;
        Path directory = temporary.resolve("run");
        setup.training().run(directory);
        assertRefused(
                () -> setup.training().run(directory),
                "directory: expected one without a run (resume the run, or move it), got " + directory
                        + " with curve.jsonl");
        setup.seed = 18;
        assertRefused(
                () -> setup.training().resume(directory, warning -> {}),
                "checkpoint of step 3: expected setting.seed 18, got 17");
        setup.seed = 17;
        setup.optimizer = new OptimizerOptions(ADAM_W, new ConstantRate(), List.of(), false, 3);
        assertThatThrownBy(() -> setup.training().resume(directory, warning -> {}))
                .hasMessageContaining("maxGradientNorm=3.0], got OptimizerOptions[");
        setup.optimizer = OptimizerOptions.of(ADAM_W);
        setup.symbols = 9;
        assertRefused(
                () -> setup.training().resume(directory, warning -> {}),
                "checkpoint of step 3: expected 90 numbers of parameters, got 72");
        Checkpoint whole = latest(directory);
        var state = new TreeMap<>(whole.state());
        state.put("position", "far");
        Checkpoint.write(directory.resolve("checkpoints"), new Checkpoint(4, state, whole.arrays()));
        assertRefused(
                () -> setup.training().resume(directory, warning -> {}),
                "checkpoint of step 4: expected the number position, got 'far'");
    }
}
