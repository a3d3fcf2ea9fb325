package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.train.TrainingListener.Progress;

/** A run that is created again for each attempt, as in a new process. */
final class TrainingSetup {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    static final UpdateRule ADAM_W = new AdamW(0.03, 0.9, 0.99, 1e-8, 0.01);

    int symbols = 8;
    OptimizerOptions optimizer = OptimizerOptions.of(ADAM_W);
    Kernels kernels = Kernels.best();
    long seed = 17;
    long steps = 20;
    int batchSize = 4;
    int accumulation = 1;
    long curveEvery = 1;
    long evaluateEvery = 5;
    double targetLoss;
    int patience;
    long checkpointEvery;
    Duration checkpointInterval = Duration.ZERO;
    int trainingExamples;
    boolean validated = true;
    Supplier<BigramObjective> objectives = () -> new BigramObjective(symbols);
    TrainingListener listener = new TrainingListener() {};

    /** The objective of the last attempt. */
    BigramObjective objective = new BigramObjective(1);

    ExampleStream stream(Split split) {
        return new OnlineExamples(random -> BigramChain.sample(random, symbols), seed, split);
    }

    Training training() {
        objective = objectives.get();
        ExampleStream train = trainingExamples == 0
                ? stream(Split.TRAIN)
                : new ShuffledExamples(stream(Split.TRAIN).take(trainingExamples), seed, Split.TRAIN);
        var hooks = new TreeMap<String, Function<float[], SortedMap<String, Double>>>();
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
                : new Evaluation(List.of(), List.of(), new TreeMap<>());
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
                        targetLoss,
                        patience,
                        checkpointEvery,
                        checkpointInterval),
                listener,
                Map.of());
    }

    /** Ends a run in a step by an exception, as if the process died. */
    static TrainingListener dyingAt(long death) {
        return afterSteps(progress -> {
            if (progress.step() == death) {
                throw new IllegalStateException("dies");
            }
        });
    }

    static TrainingListener afterSteps(Consumer<Progress> action) {
        return new TrainingListener() {
            @Override
            public void stepped(Progress progress) {
                action.accept(progress);
            }
        };
    }

    /** Runs to the end in {@code directory}; the first attempts die after these steps, and the next one goes on. */
    static TrainingResult untilItEnds(Path directory, LongFunction<Training> dying, int... deaths) throws IOException {
        for (int attempt = 0; ; attempt++) {
            Training training = dying.apply(attempt < deaths.length ? deaths[attempt] : -1);
            try {
                return training.resume(directory, warning -> assertThat(warning).isNull());
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("dies");
            }
        }
    }

    /** Resumes from the last checkpoint, which is intact. */
    TrainingResult resume(Path directory) throws IOException {
        return training().resume(directory, warning -> assertThat(warning).isNull());
    }

    /** The curve without times. */
    static List<JsonNode> curve(Path directory) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (String line : Files.readAllLines(directory.resolve("curve.jsonl"))) {
            ObjectNode node = (ObjectNode) MAPPER.readTree(line);
            assertThat(node.remove("seconds").doubleValue()).isPositive();
            assertThat(node.remove("tokensPerSecond").doubleValue()).isPositive();
            lines.add(node);
        }
        return lines;
    }

    static Checkpoint latest(Path directory) throws IOException {
        Optional<Checkpoint> checkpoint = Checkpoint.readLatest(
                directory.resolve("checkpoints"), warning -> assertThat(warning).isNull());
        return checkpoint.orElseThrow();
    }

    /** The result without times. */
    static TrainingResult withoutClock(TrainingResult result) {
        return new TrainingResult(
                result.steps(),
                result.tokens(),
                result.end(),
                result.trainLoss(),
                result.lowestTrainLoss(),
                result.bestStep(),
                result.validationLoss(),
                result.testLoss(),
                0);
    }

    static Stream<UpdateRule> rules() {
        return Stream.of(
                new Sgd(0.5, 0, false, 1e-3),
                new Sgd(0.1, 0.9, true, 0),
                new Adam(0.03, 0.9, 0.99, 1e-8, 1e-3),
                ADAM_W);
    }
}
