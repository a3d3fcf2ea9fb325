package org.lemmata.train;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
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

    /** Six sequences with 10 scored positions each, or with a value. */
    private static Batch batch(boolean regression, int length) {
        var random = new Random(length);
        int[] scored = IntStream.range(0, 10).toArray();
        return Batch.ofExamples(Stream.generate(
                        () -> random.ints(length, 0, 300).toArray())
                .map(ids -> regression
                        ? Example.regression(ids, random.nextFloat())
                        : new Example(ids, random.ints(10, 0, 300).toArray(), scored))
                .limit(6)
                .toList());
    }

    /** Batches of two sizes with as many scored rows alternate. */
    private static void assertNothingAllocated(Architecture architecture, boolean regression) {
        List<Batch> batches = List.of(batch(regression, 23), batch(regression, 11));
        OptimizerOptions options = OptimizerOptions.of(new AdamW(1e-4, 0.9, 0.999, 1e-8, 0.1))
                .withSchedule(new LinearWarmUp(3, new CosineDecay(100, 0.1)))
                .withMaxGradientNorm(1);
        Allocation.assertNoneWithThreads(workers -> {
            Kernels kernels = Kernels.best(workers);
            var objective = new Backpropagation(Parameters.normal(architecture, 0.02, new Random(2)), kernels);
            var optimizer = new Optimizer(objective.layout(), options, PrecisionPolicy.none(), kernels);
            var step = new TrainingStep(objective, optimizer, 4);
            long[] t = {0};
            return () -> {
                step.run(batches, ++t[0]);
                step.gradientNorm();
            };
        });
    }

    @Test
    void aStepOfADecoderAllocatesNothing() {
        assertNothingAllocated(DECODER, false);
    }

    @Test
    void aStepOfRegressionAllocatesNothing() {
        Architecture regression = DECODER.withOutput(OutputOptions.regression(true));
        assertNothingAllocated(regression, true);
        assertNothingAllocated(
                regression.withAttention(
                        regression.attention().withIdentities(true).withScores(0.3f, LogLength.NONE, 6)),
                true);
    }
}
