package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.token.Batch;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;

/** The training loop with a decoder and dropout. */
class TransformerTrainingTest {

    private static final int SYMBOLS = 12;

    @TempDir
    Path temporary;

    /** A run of 100 steps, or one that dies after {@code deaths} steps and then is resumed. */
    private float[] train(String name, int threads, int... deaths) throws IOException {
        Path directory = temporary.resolve(name);
        try (Workers workers = Workers.of(threads)) {
            Kernels kernels = Kernels.best(workers);
            for (int attempt = 0; ; attempt++) {
                long death = attempt < deaths.length ? deaths[attempt] : -1;
                Architecture architecture = Architecture.gpt2(SYMBOLS, 10, 32, 2, 2, 64, 0.1);
                var objective = new Backpropagation(
                        Parameters.normal(architecture, 0.05, new PhiloxGenerator(3, -100, 0)), kernels);
                OptimizerOptions options = OptimizerOptions.of(new AdamW(1e-2, 0.9, 0.99, 1e-8, 0.1))
                        .withSchedule(new LinearWarmUp(5, new CosineDecay(95, 0.1)))
                        .withGroups(ParameterGroup.of("position_embedding").freeze())
                        .withMaxGradientNorm(1);
                ExampleStream examples = new OnlineExamples(r -> BigramChain.sample(r, SYMBOLS), 3, Split.TRAIN);
                List<Batch> validation = ExampleStream.batches(
                        new OnlineExamples(r -> BigramChain.sample(r, SYMBOLS), 3, Split.VALIDATION).take(40), 16);
                var training = new Training(
                        objective,
                        new Optimizer(objective.layout(), options, PrecisionPolicy.none(), kernels),
                        examples,
                        new Evaluation(validation, validation, Collections.emptySortedMap()),
                        new TrainingOptions(3, 100, 8, 2, 1, 20, 0, 0, 7, Duration.ZERO),
                        TrainingSetup.dyingAt(death),
                        Map.of());
                try {
                    TrainingResult result = training.resume(
                            directory, warning -> assertThat(warning).isNull());
                    assertThat(result.testLoss().orElseThrow())
                            .isBetween(0.5, BigramChain.crossEntropy(validation, SYMBOLS) + 0.5);
                    return objective.parameters();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("dies");
                }
            }
        }
    }

    @Test
    void neitherThreadsNorInterruptionsChangeABit() throws IOException {
        float[] expected = train("one", 1);
        assertThat(train("interrupted", 2, 3, 8, 30, 31, 66, 100)).isEqualTo(expected);
    }

    @Tag("long")
    @Test
    void norDoThreadsAlone() throws IOException {
        float[] expected = train("one", 1);
        assertThat(train("two", 2)).isEqualTo(expected);
        assertThat(train("four", 4)).isEqualTo(expected);
    }
}
