package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;
import org.lemmata.train.TrainingResult.End;

class TrainingTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final UpdateRule ADAM_W = new AdamW(0.03, 0.9, 0.99, 1e-8, 0.01);

    @TempDir
    Path temporary;

    /** The process dies. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A run that is made anew for each attempt, as a new process would. */
    private static final class Setup {
        int symbols = 8;
        OptimizerOptions optimizer = OptimizerOptions.of(ADAM_W);
        Kernels kernels = Kernels.best();
        long seed = 17;
        long steps = 20;
        int batchSize = 4;
        int accumulation = 1;
        long curveEvery = 1;
        long evaluateEvery = 5;
        EarlyStopping earlyStopping = EarlyStopping.NEVER;
        long checkpointEvery;
        Duration checkpointInterval = Duration.ZERO;
        int trainingExamples;
        boolean validated = true;
        Supplier<BigramObjective> objectives = () -> new BigramObjective(symbols);
        TrainingListener listener = TrainingListener.SILENT;

        /** The objective of the last attempt. */
        BigramObjective objective = new BigramObjective(1);

        private ExampleStream stream(Split split) {
            return new OnlineExamples(random -> BigramChain.sample(random, symbols), seed, split);
        }

        Training training() {
            objective = objectives.get();
            ExampleStream train = trainingExamples == 0
                    ? stream(Split.TRAIN)
                    : new ShuffledExamples(stream(Split.TRAIN).take(trainingExamples), seed, Split.TRAIN);
            var hooks = new TreeMap<String, EvaluationHook>();
            hooks.put("weights", parameters -> {
                var sums = new TreeMap<String, Double>();
                sums.put("first", (double) parameters[0]);
                sums.put("undefined", Double.NaN);
                return sums;
            });
            Evaluation evaluation = validated
                    ? new Evaluation(
                            ExampleStream.batches(stream(Split.VALIDATION).take(50), 16),
                            ExampleStream.batches(stream(Split.TEST).take(200), 64),
                            hooks)
                    : Evaluation.none();
            return new Training(
                    objective,
                    new Optimizer(objective.layout(), optimizer, PrecisionPolicy.none(), kernels),
                    train,
                    evaluation,
                    new TrainingOptions(
                            seed,
                            steps,
                            batchSize,
                            accumulation,
                            curveEvery,
                            evaluateEvery,
                            earlyStopping,
                            checkpointEvery,
                            checkpointInterval),
                    listener,
                    Map.of());
        }
    }

    /** The curve without what the clock says. */
    private static List<JsonNode> curve(Path directory) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (String line : Files.readAllLines(directory.resolve("curve.jsonl"))) {
            ObjectNode node = (ObjectNode) MAPPER.readTree(line);
            assertThat(node.remove("seconds").doubleValue()).isPositive();
            assertThat(node.remove("tokensPerSecond").doubleValue()).isPositive();
            lines.add(node);
        }
        return lines;
    }

    private static Checkpoint latest(Path directory) throws IOException {
        Optional<Checkpoint> checkpoint = Checkpoint.readLatest(
                directory.resolve("checkpoints"), warning -> assertThat(warning).isNull());
        return checkpoint.orElseThrow();
    }

    @Test
    void twoRunsDoNotShareADirectory() throws IOException {
        Path run = temporary.resolve("shared");
        List<String> refusals = new ArrayList<>();
        Setup setup = new Setup();
        setup.listener = new TrainingListener() {
            @Override
            public void stepped(Progress progress) {
                assertThatThrownBy(() -> new Setup().training().resume(run, refusals::add))
                        .hasMessage(run.resolve("curve.jsonl") + ": expected no other run in its directory, got one");
                refusals.add("step " + progress.step());
            }
        };
        setup.training().run(run);
        assertThat(refusals).hasSize(20).contains("step 1", "step 20");
    }

    @Test
    void learnsAChain() throws IOException {
        var setup = new Setup();
        setup.steps = 300;
        setup.batchSize = 16;
        setup.accumulation = 2;
        setup.evaluateEvery = 50;
        setup.optimizer = OptimizerOptions.of(ADAM_W).withSchedule(new LinearWarmUp(20, new CosineDecay(280, 0.01)));
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

    static Stream<UpdateRule> rules() {
        return Stream.of(
                new Sgd(0.5, 0, false, 1e-3),
                new Sgd(0.1, 0.9, true, 0),
                new Adam(0.03, 0.9, 0.99, 1e-8, 1e-3),
                ADAM_W);
    }

    /** More than two chunks of the optimizer's kernels. */
    @ParameterizedTest
    @MethodSource("rules")
    void threadsDoNotChangeABit(UpdateRule rule) throws IOException {
        List<float[]> parameters = new ArrayList<>();
        List<List<JsonNode>> curves = new ArrayList<>();
        for (int threads : new int[] {1, 2, 4}) {
            try (Workers workers = Workers.of(threads)) {
                var setup = new Setup();
                setup.symbols = 300;
                setup.steps = 6;
                setup.accumulation = 2;
                setup.optimizer = OptimizerOptions.of(rule).withMaxGradientNorm(0.05);
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

    /**
     * A run that dies, in each step for one of the rules, and at random moments after that, against one that does not:
     * a death is an exception from the listener, before the step's line and checkpoint, or right after either.
     */
    @ParameterizedTest
    @MethodSource("rules")
    void interruptionsDoNotChangeABit(UpdateRule rule) throws IOException {
        long seed = ThreadLocalRandom.current().nextLong();
        var random = new SplittableRandom(seed);
        var setup = new Setup();
        setup.optimizer = OptimizerOptions.of(rule)
                .withSchedule(new LinearWarmUp(4, new CosineDecay(16, 0.1)))
                .withGroups(ParameterGroup.of("*bias").withRateFactor(0.5))
                .withMaxGradientNorm(1);
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
            for (int first = 1 + rules().toList().indexOf(rule); first <= 23; first += 4) {
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
                    public void stepped(Progress progress) {
                        count(0);
                    }

                    @Override
                    public void measured(CurvePoint point) {
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

    private static TrainingResult untilItEnds(Setup setup, Path directory, int[] countdown, SplittableRandom random)
            throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                return attempt == 0
                        ? setup.training().run(directory)
                        : setup.training()
                                .resume(
                                        directory,
                                        warning -> assertThat(warning).isNull());
            } catch (Killed e) {
                // More than the steps between two checkpoints, now and then: the run gets on.
                countdown[0] = attempt > 20 ? 0 : random.nextInt(1, 7);
            }
        }
    }

    private static TrainingResult withoutClock(TrainingResult result) {
        return new TrainingResult(
                result.steps(),
                result.tokens(),
                result.end(),
                result.trainLoss(),
                result.bestStep(),
                result.validationLoss(),
                result.testLoss(),
                0);
    }

    /** What a process that was killed had written behind its last checkpoint, even half a line. */
    @Test
    void theCurveIsCutBackToTheCheckpoint() throws IOException {
        var setup = new Setup();
        setup.steps = 6;
        Path directory = temporary.resolve("run");
        setup.training().run(directory);
        List<JsonNode> curve = curve(directory);
        Path file = directory.resolve("curve.jsonl");
        Files.writeString(file, "{\"step\":7,\"tok", StandardOpenOption.APPEND);
        setup.training().resume(directory, warning -> assertThat(warning).isNull());
        assertThat(curve(directory)).isEqualTo(curve);
        Files.writeString(file, "{}\n");
        assertThatThrownBy(() -> setup.training()
                        .resume(directory, warning -> assertThat(warning).isNull()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("curve.jsonl: expected the curve up to the checkpoint, of ")
                .hasMessageEndingWith(" bytes, got 3");
    }

    @Test
    void aRunCanGoOnForLonger() throws IOException {
        var setup = new Setup();
        setup.steps = 10;
        Path once = temporary.resolve("once");
        setup.training().run(once);
        float[] parameters = setup.objective.parameters();
        Path twice = temporary.resolve("twice");
        setup.steps = 5;
        setup.training().run(twice);
        setup.steps = 10;
        setup.training().resume(twice, warning -> assertThat(warning).isNull());
        assertThat(setup.objective.parameters()).isEqualTo(parameters);
        assertThat(curve(twice)).isEqualTo(curve(once));
    }

    @Test
    void anotherRunsFilesAreRefused() throws IOException {
        var setup = new Setup();
        setup.steps = 3;
        Path directory = temporary.resolve("run");
        setup.training().run(directory);
        assertThatThrownBy(() -> setup.training().run(directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("directory: expected one without a run, to be resumed or moved, got " + directory
                        + " with curve.jsonl");
        setup.seed = 18;
        assertThatThrownBy(() -> setup.training().resume(directory, warning -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("checkpoint of step 3: expected setting.seed 18, got 17");
        setup.seed = 17;
        setup.optimizer = OptimizerOptions.of(ADAM_W).withMaxGradientNorm(3);
        assertThatThrownBy(() -> setup.training().resume(directory, warning -> {}))
                .hasMessageContaining("maxGradientNorm=3.0], got OptimizerOptions[");
        setup.optimizer = OptimizerOptions.of(ADAM_W);
        setup.symbols = 9;
        assertThatThrownBy(() -> setup.training().resume(directory, warning -> {}))
                .hasMessage("checkpoint of step 3: expected 90 numbers of parameters, got 72");
        Checkpoint whole = latest(directory);
        var state = new TreeMap<>(whole.state());
        state.put("position", "far");
        Checkpoint.write(directory.resolve("checkpoints"), new Checkpoint(4, state, whole.arrays()));
        assertThatThrownBy(() -> setup.training().resume(directory, warning -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("checkpoint of step 4: expected the number position, got 'far'");
    }

    @Test
    void anInterruptionSavesNoParametersOfNaN() throws IOException {
        var setup = new Setup();
        setup.checkpointEvery = 2;
        setup.curveEvery = 1000;
        setup.evaluateEvery = 0;
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                double loss = super.gradient(gradients, batch, factor, seed, step);
                if (step == 5) {
                    gradients[5] = Float.NaN;
                }
                return loss;
            }
        };
        setup.listener = new TrainingListener() {
            private long step;

            @Override
            public void stepped(Progress progress) {
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
        var setup = new Setup();
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
                            setup.training()
                                    .resume(
                                            directory,
                                            warning -> assertThat(warning).isNull());
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

    /** The loss of a step is that of the parameters before it. */
    @Test
    void noCheckpointHoldsParametersOfNaN() throws IOException {
        var setup = new Setup();
        setup.checkpointEvery = 2;
        setup.curveEvery = 1000;
        setup.evaluateEvery = 0;
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                double loss = super.gradient(gradients, batch, factor, seed, step);
                if (step == 6) {
                    gradients[5] = Float.NaN;
                }
                return loss;
            }
        };
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

    @Test
    void stopsWhereTheTrainingLossIsBelowItsTarget() throws IOException {
        var setup = new Setup();
        setup.steps = 500;
        setup.trainingExamples = 1;
        setup.earlyStopping = new EarlyStopping(0.8, 0);
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
        TrainingResult again = setup.training()
                .resume(directory, warning -> assertThat(warning).isNull());
        assertThat(withoutClock(again)).isEqualTo(withoutClock(result));
    }

    /**
     * Validation losses 5, 3, 4, 2, 2, 6 at steps 2, 4, ..., 12: with a patience of 2 the run ends at 12 with those of
     * 8.
     */
    @Test
    void stopsWhenPatienceIsAtItsEndAndKeepsTheBest() throws IOException {
        double[] losses = {5, 3, 4, 2, 2, 6, 1};
        var setup = new Setup();
        setup.evaluateEvery = 2;
        setup.curveEvery = 3;
        setup.earlyStopping = new EarlyStopping(0, 2);
        Map<Long, float[]> parametersAfter = new TreeMap<>();
        int[] evaluation = {0};
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double loss(Batch batch) {
                // Three full batches and a last one of two examples; then, once, the test.
                return evaluation[0] / 4 < losses.length ? losses[evaluation[0]++ / 4] : 0;
            }
        };
        setup.listener = new TrainingListener() {
            @Override
            public void stepped(Progress progress) {
                parametersAfter.put(
                        progress.step(), setup.objective.parameters().clone());
            }
        };
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
        TrainingResult again = setup.training()
                .resume(directory, warning -> assertThat(warning).isNull());
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
        var setup = new Setup();
        setup.steps = 4;
        setup.checkpointInterval = Duration.ofNanos(1);
        List<Long> saved = new ArrayList<>();
        List<Progress> progress = new ArrayList<>();
        setup.listener = new TrainingListener() {
            @Override
            public void saved(long step) {
                saved.add(step);
            }

            @Override
            public void stepped(Progress step) {
                progress.add(step);
            }
        };
        setup.training().run(temporary.resolve("each"));
        assertThat(saved).containsExactly(1L, 2L, 3L, 4L);
        saved.clear();
        setup.checkpointInterval = Duration.ofDays(1);
        setup.training().run(temporary.resolve("last"));
        assertThat(saved).containsExactly(4L);
        assertThat(progress.stream().map(Progress::step)).containsExactly(1L, 2L, 3L, 4L, 1L, 2L, 3L, 4L);
        assertThat(progress.getLast().secondsLeft()).isZero();
        assertThat(progress.getFirst().secondsLeft()).isPositive();
        assertThat(progress).allMatch(step -> step.tokensPerSecond() > 0 && step.steps() == 4);
    }

    @Test
    void runsWithoutFilesAndWithoutValidation() throws IOException {
        var setup = new Setup();
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
        var setup = new Setup();
        setup.validated = false;
        setup.earlyStopping = new EarlyStopping(0, 3);
        assertThatThrownBy(setup::training).hasMessage("patience: expected validation examples with it, got none");
        setup.steps = 0;
        assertThatThrownBy(setup::training).hasMessage("steps: expected at least 1, got 0");
        assertThatThrownBy(() -> new EarlyStopping(Double.NaN, 0))
                .hasMessage("targetLoss: expected at least 0, got NaN");
        assertThatThrownBy(() -> new EarlyStopping(0, -1)).hasMessage("patience: expected at least 0, got -1");
        Batch unscored = Batch.ofExamples(List.of(Example.nextToken(1)));
        assertThatThrownBy(() -> new Evaluation(List.of(unscored), List.of(), new TreeMap<>()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("validation: expected scored positions, got none");
    }
}
