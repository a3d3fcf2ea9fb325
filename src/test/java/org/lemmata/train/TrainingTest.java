package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;
import static org.lemmata.train.TrainingSetup.ADAM_W;
import static org.lemmata.train.TrainingSetup.afterSteps;
import static org.lemmata.train.TrainingSetup.curve;
import static org.lemmata.train.TrainingSetup.latest;
import static org.lemmata.train.TrainingSetup.withoutClock;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;
import org.lemmata.train.TrainingResult.End;

class TrainingTest {

    @TempDir
    Path temporary;

    @Test
    void learnsAChain() throws IOException {
        var setup = new TrainingSetup();
        setup.steps = 300;
        setup.batchSize = 16;
        setup.accumulation = 2;
        setup.evaluateEvery = 50;
        var schedule = new LinearWarmUp(20, new CosineDecay(280, 0.01));
        setup.optimizer = new OptimizerOptions(ADAM_W, schedule, List.of(), false, Double.POSITIVE_INFINITY);
        TrainingResult result = setup.training().run(temporary.resolve("run"));
        List<Batch> test = ExampleStream.batches(setup.stream(Split.TEST).take(200), 64);
        assertThat(result.end()).isEqualTo(End.STEPS);
        assertThat(result.steps()).isEqualTo(300);
        assertThat(result.testLoss().orElseThrow()).isCloseTo(BigramChain.crossEntropy(test, 8), within(0.01));
        assertThat(result.validationLoss().orElseThrow()).isBetween(0.7, 1.2);
        List<JsonNode> curve = curve(temporary.resolve("run"));
        assertThat(curve).hasSize(300);
        assertThat(curve.getFirst().get("trainLoss").doubleValue()).isCloseTo(Math.log(8), within(1e-12));
        assertThat(curve.getFirst().get("learningRate").doubleValue()).isCloseTo(0.03 / 21, within(1e-15));
        assertThat(curve.getFirst().get("gradientNorm").doubleValue()).isPositive();
        assertThat(curve.getFirst().has("validationLoss")).isFalse();
        assertThat(curve.getFirst().has("measured")).isFalse();
        JsonNode last = curve.getLast();
        assertThat(last.get("step").longValue()).isEqualTo(300);
        assertThat(last.get("tokens").longValue()).isEqualTo(result.tokens()).isBetween(300L * 32 * 5, 300L * 32 * 6);
        assertThat(last.get("validationLoss").doubleValue())
                .isBetween(result.validationLoss().orElseThrow(), 2.0);
        assertThat(last.at("/measured/weights/first").doubleValue()).isNotZero();
        assertThat(last.at("/measured/weights/undefined").textValue()).isEqualTo("NaN");
    }

    /** More than two chunks of the optimizer's kernels. */
    @ParameterizedTest
    @MethodSource("org.lemmata.train.TrainingSetup#rules")
    void threadsDoNotChangeABit(UpdateRule rule) throws IOException {
        List<float[]> parameters = new ArrayList<>();
        List<List<JsonNode>> curves = new ArrayList<>();
        for (int threads : new int[] {1, 2, 4}) {
            try (Workers workers = Workers.of(threads)) {
                var setup = new TrainingSetup();
                setup.symbols = 300;
                setup.steps = 6;
                setup.accumulation = 2;
                setup.optimizer = new OptimizerOptions(rule, new ConstantRate(), List.of(), false, 0.05);
                setup.kernels = Kernels.best(workers);
                Path directory = temporary.resolve("threads" + threads);
                setup.training().run(directory);
                parameters.add(setup.objective.parameters());
                curves.add(curve(directory));
            }
        }
        for (int i = 1; i < 3; i++) {
            assertThat(parameters.get(i)).isEqualTo(parameters.getFirst());
            assertThat(curves.get(i)).isEqualTo(curves.getFirst());
        }
    }

    @Test
    void stopsWhereTheTrainingLossIsBelowItsTarget() throws IOException {
        var setup = new TrainingSetup();
        setup.steps = 500;
        setup.trainingExamples = 1;
        setup.targetLoss = 0.8;
        Path directory = temporary.resolve("run");
        TrainingResult result = setup.training().run(directory);
        assertThat(result.end()).isEqualTo(End.TARGET_LOSS);
        assertThat(result.steps()).isBetween(2L, 499L);
        List<JsonNode> curve = curve(directory);
        assertThat(curve.getLast().get("step").longValue()).isEqualTo(result.steps());
        assertThat(curve.getLast().get("trainLoss").doubleValue())
                .isEqualTo(result.trainLoss())
                .isLessThan(0.8);
        assertThat(curve.getLast().has("validationLoss")).isTrue();
        assertThat(curve.subList(0, curve.size() - 1))
                .allMatch(line -> line.get("trainLoss").doubleValue() >= 0.8);
        assertThat(latest(directory).step()).isEqualTo(result.steps());
        TrainingResult again = setup.resume(directory);
        assertThat(withoutClock(again)).isEqualTo(withoutClock(result));
    }

    /**
     * Validation losses 5, 3, 4, 2, 2, 6 at steps 2, 4, ..., 12: with a patience of 2 the run ends at 12 with the
     * parameters of 8.
     */
    @Test
    void stopsWhenPatienceIsAtItsEndAndKeepsTheBest() throws IOException {
        double[] losses = {5, 3, 4, 2, 2, 6, 1};
        var setup = new TrainingSetup();
        setup.evaluateEvery = 2;
        setup.curveEvery = 3;
        setup.patience = 2;
        Map<Long, float[]> parametersAfter = new TreeMap<>();
        int[] evaluation = {0};
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double loss(Batch batch) {
                // Three full batches and a last one of two examples for validation; the test runs once at the end.
                return evaluation[0] / 4 < losses.length ? losses[evaluation[0]++ / 4] : 0;
            }
        };
        setup.listener = afterSteps(progress -> parametersAfter.put(
                progress.step(), setup.objective.parameters().clone()));
        Path directory = temporary.resolve("run");
        TrainingResult result = setup.training().run(directory);
        assertThat(result.end()).isEqualTo(End.PATIENCE);
        assertThat(result.steps()).isEqualTo(12);
        assertThat(result.bestStep()).isEqualTo(8);
        assertThat(result.validationLoss()).hasValue(2);
        assertThat(setup.objective.parameters()).isEqualTo(parametersAfter.get(8L));
        assertThat(latest(directory).arrays().get("parameters")).isEqualTo(parametersAfter.get(12L));
        assertThat(latest(directory).arrays().get("best_parameters")).isEqualTo(parametersAfter.get(8L));
        assertThat(curve(directory).stream().map(line -> line.get("step").intValue()))
                .containsExactly(2, 3, 4, 6, 8, 9, 10, 12);
        TrainingResult again = setup.resume(directory);
        assertThat(again.steps()).isEqualTo(12);
        assertThat(again.end()).isEqualTo(End.PATIENCE);
    }

    @Test
    void validationCountsEveryRow() {
        List<Example> examples = new OnlineExamples(random -> BigramChain.sample(random, 8), 1, Split.TEST).take(10);
        var objective = new BigramObjective(8);
        for (int i = 0; i < 72; i++) {
            objective.parameters()[i] = i % 5;
        }
        double whole = objective.loss(Batch.ofExamples(examples));
        assertThat(Evaluation.loss(objective, ExampleStream.batches(examples, 3)))
                .isCloseTo(whole, within(1e-12));
        examples = new ArrayList<>(examples);
        examples.add(Example.nextToken(1));
        assertThat(Evaluation.loss(objective, ExampleStream.batches(examples, 1)))
                .isCloseTo(whole, within(1e-12));
    }

    @Test
    void savesByTheClockToo() throws IOException {
        var setup = new TrainingSetup();
        setup.steps = 4;
        setup.checkpointInterval = Duration.ofNanos(1);
        List<Long> saved = new ArrayList<>();
        List<TrainingListener.Progress> progress = new ArrayList<>();
        setup.listener = new TrainingListener() {
            @Override
            public void saved(long step) {
                saved.add(step);
            }

            @Override
            public void stepped(TrainingListener.Progress step) {
                progress.add(step);
            }
        };
        setup.training().run(temporary.resolve("each"));
        assertThat(saved).containsExactly(1L, 2L, 3L, 4L);
        saved.clear();
        setup.checkpointInterval = Duration.ofDays(1);
        setup.training().run(temporary.resolve("last"));
        assertThat(saved).containsExactly(4L);
        assertThat(progress.stream().map(TrainingListener.Progress::step))
                .containsExactly(1L, 2L, 3L, 4L, 1L, 2L, 3L, 4L);
        assertThat(progress).as("too early to tell").allMatch(step -> Double.isNaN(step.secondsLeft()));
        assertThat(progress).allMatch(step -> step.tokensPerSecond() > 0 && step.steps() == 4);
    }

    @Test
    void runsWithoutFilesAndWithoutValidation() throws IOException {
        var setup = new TrainingSetup();
        setup.validated = false;
        TrainingResult result = setup.training().run();
        float[] parameters = setup.objective.parameters();
        assertThat(result.validationLoss()).isEmpty();
        assertThat(result.testLoss()).isEmpty();
        assertThat(result.bestStep()).isEqualTo(20);
        Path directory = temporary.resolve("run");
        setup.training().run(directory);
        assertThat(setup.objective.parameters()).isEqualTo(parameters);
        assertThat(latest(directory).arrays().keySet())
                .containsExactlyInAnyOrder("parameters", "first_moments", "second_moments");
    }

    @Test
    void refusesOptionsThatMeanNothing() {
        var setup = new TrainingSetup();
        setup.validated = false;
        setup.patience = 3;
        assertRefused(setup::training, "patience: expected validation examples with it, got none");
        setup.steps = 0;
        assertRefused(setup::training, "steps: expected at least 1, got 0");
        setup.steps = 1;
        setup.targetLoss = Double.NaN;
        assertRefused(setup::training, "targetLoss: expected at least 0, got NaN");
        setup.targetLoss = 0;
        setup.patience = -1;
        assertRefused(setup::training, "patience: expected at least 0, got -1");
        Batch unscored = Batch.ofExamples(List.of(Example.nextToken(1)));
        assertRefused(
                () -> new Evaluation(List.of(unscored), List.of(), new TreeMap<>()),
                "validation: expected scored positions, got none");
    }

    /** A run whose gradients have a NaN in one step, which only the next loss reveals. */
    private static TrainingSetup spoiledIn(long spoiled) {
        var setup = new TrainingSetup();
        setup.checkpointEvery = 2;
        setup.curveEvery = 1000;
        setup.evaluateEvery = 0;
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                double loss = super.gradient(gradients, batch, factor, seed, step);
                if (step == spoiled) {
                    gradients[5] = Float.NaN;
                }
                return loss;
            }
        };
        return setup;
    }

    @Test
    void anInterruptionSavesNoParametersOfNaN() throws IOException {
        TrainingSetup setup = spoiledIn(5);
        setup.listener = new TrainingListener() {
            private long step;

            @Override
            public void stepped(TrainingListener.Progress progress) {
                step = progress.step();
            }

            @Override
            public boolean wantsToStop() {
                return step == 5;
            }
        };
        Path directory = temporary.resolve("run");
        assertThatThrownBy(() -> setup.training().run(directory))
                .isInstanceOf(DivergenceException.class)
                .hasMessage(
                        "step 5: expected a finite norm of the parameters, got NaN; the last checkpoint is of step 4");
        assertThat(latest(directory).step()).isEqualTo(4);
    }

    @Test
    void aLossOfNaNStopsTheRunAndKeepsTheCheckpoint() throws IOException {
        var setup = new TrainingSetup();
        setup.checkpointEvery = 4;
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                double loss = super.gradient(gradients, batch, factor, seed, step);
                return step == 11 ? Double.NaN : loss;
            }
        };
        Path directory = temporary.resolve("run");
        for (int attempt = 0; attempt < 2; attempt++) {
            boolean resumed = attempt > 0;
            assertThatThrownBy(() -> {
                        if (resumed) {
                            setup.resume(directory);
                        } else {
                            setup.training().run(directory);
                        }
                    })
                    .isInstanceOf(DivergenceException.class)
                    .hasMessage("step 11: expected a finite training loss, got NaN; the last checkpoint is of step 8")
                    .extracting(e -> ((DivergenceException) e).step())
                    .isEqualTo(11L);
            assertThat(latest(directory).step()).isEqualTo(8);
        }
        assertThatThrownBy(() -> setup.training().run())
                .hasMessage("step 11: expected a finite training loss, got NaN; no checkpoint");
    }

    /** The loss of a step is computed with the parameters before the step. */
    @Test
    void noCheckpointHoldsParametersOfNaN() throws IOException {
        TrainingSetup setup = spoiledIn(6);
        Path directory = temporary.resolve("run");
        assertThatThrownBy(() -> setup.training().run(directory))
                .isInstanceOf(DivergenceException.class)
                .hasMessage(
                        "step 6: expected a finite norm of the parameters, got NaN; the last checkpoint is of step 4");
        assertThat(latest(directory).step()).isEqualTo(4);
        setup.steps = 6;
        setup.validated = false;
        assertThatThrownBy(() -> setup.training().run())
                .isInstanceOf(DivergenceException.class)
                .hasMessage("step 6: expected a finite gradient norm, got NaN; no checkpoint");
    }
}
