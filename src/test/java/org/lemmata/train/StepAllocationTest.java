package org.lemmata.train;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.MultilayerPerceptron;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.Objective;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;

/** The allocation of a whole step on a batch: gradients, their norm, and the optimizer. */
@Tag("allocation")
class StepAllocationTest {

    private static final Architecture DECODER = Architecture.gpt2(300, 32, 64, 2, 4, 256, 0);

    /** Sequences of equal length with 10 scored positions each, or with a value. */
    private static Batch batch(boolean regression, int count, int length) {
        var random = new Random(length);
        int[] scored = IntStream.range(0, 10).toArray();
        return Batch.ofExamples(Stream.generate(
                        () -> random.ints(length, 0, 300).toArray())
                .map(ids -> regression
                        ? Example.regression(ids, random.nextFloat())
                        : new Example(ids, random.ints(10, 0, 300).toArray(), scored))
                .limit(count)
                .toList());
    }

    /** Two batches alternate. */
    private static void assertNothingAllocated(Function<Kernels, Objective> objectives, Batch... batches) {
        List<Batch> both = List.of(batches);
        var options = new OptimizerOptions(
                new AdamW(1e-4, 0.9, 0.999, 1e-8, 0.1),
                new LinearWarmUp(3, new CosineDecay(100, 0.1)),
                List.of(),
                false,
                1);
        Allocation.assertNoneWithThreads(workers -> {
            Kernels kernels = Kernels.best(workers);
            Objective objective = objectives.apply(kernels);
            var optimizer = new Optimizer(objective.layout(), options, PrecisionPolicy.none(), kernels);
            var step = new TrainingStep(objective, optimizer, 4);
            long[] t = {0};
            return () -> {
                step.run(both, ++t[0]);
                step.gradientNorm();
            };
        });
    }

    private static Function<Kernels, Objective> transformer(Architecture architecture) {
        return kernels -> new Backpropagation(Parameters.normal(architecture, 0.02, new Random(2)), kernels);
    }

    @Test
    void aStepOfADecoderAllocatesNothing() {
        assertNothingAllocated(transformer(DECODER), batch(false, 6, 23), batch(false, 6, 11));
    }

    static List<Architecture> regressions() {
        Architecture regression = DECODER.withOutput(OutputOptions.regression(true));
        return List.of(
                regression,
                regression.withAttention(
                        regression.attention().withIdentities(true).withScores(0.3f, LogLength.NONE, 6)),
                // A table that is updated by rows.
                Architecture.gpt2((1 << 15) + 1, 32, 32, 1, 2, 48, 0).withOutput(OutputOptions.regression(true)));
    }

    @ParameterizedTest
    @MethodSource("regressions")
    void aStepOfRegressionAllocatesNothing(Architecture architecture) {
        assertNothingAllocated(transformer(architecture), batch(true, 6, 23), batch(true, 6, 11));
    }

    @Test
    void aStepOfAPerceptronAllocatesNothing() {
        var options = new MultilayerPerceptronOptions(300, 4, 128, 3, Activation.Kind.GELU);
        assertNothingAllocated(
                kernels -> new MultilayerPerceptron(options, options.draw(new Random(2)), kernels),
                batch(true, 200, 4),
                batch(true, 63, 4));
    }
}
