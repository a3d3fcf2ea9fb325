package org.lemmata.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

/** The allocation of a whole step on a batch: gradients, their norm, and the optimizer. */
@Tag("allocation")
class StepAllocationTest {

    private static Batch batch(boolean regression) {
        var random = new Random(1);
        List<Example> examples = new ArrayList<>();
        for (int length : new int[] {32, 7, 0, 1, 29}) {
            int[] ids = random.ints(length, 0, 5).toArray();
            if (!regression) {
                examples.add(Example.nextToken(ids));
            } else if (length > 0) {
                examples.add(Example.regression(ids, random.nextFloat()));
            }
        }
        return Batch.ofExamples(examples);
    }

    private static void assertNothingAllocated(Architecture architecture, Batch batch) {
        Allocation.assertNoneWithThreads(workers -> {
            Kernels kernels = Kernels.best(workers);
            Parameters parameters = Parameters.normal(architecture, 0.02, new Random(2));
            var objective = new Backpropagation(parameters, kernels);
            OptimizerOptions options =
                    OptimizerOptions.of(new AdamW(1e-4, 0.9, 0.999, 1e-8, 0.1)).withMaxGradientNorm(1);
            var optimizer = new Optimizer(architecture.layout(), options, PrecisionPolicy.none(), kernels);
            float[] gradients = new float[parameters.values().length];
            long[] step = {0};
            return () -> {
                step[0]++;
                Arrays.fill(gradients, 0);
                objective.gradient(gradients, batch, 1.0 / batch.scoredRows().length, 1, step[0]);
                optimizer.step(parameters.values(), gradients, optimizer.squaredNorm(gradients), step[0]);
            };
        });
    }

    @Test
    void aStepOfADecoderAllocatesNothing() {
        assertNothingAllocated(Architecture.gpt2(5, 32, 40, 2, 2, 80, 0), batch(false));
    }

    @Test
    void aStepOfRegressionAllocatesNothing() {
        Architecture architecture = Architecture.gpt2(5, 32, 40, 2, 2, 80, 0);
        assertNothingAllocated(architecture.withOutput(OutputOptions.regression(true)), batch(true));
        assertNothingAllocated(
                architecture
                        .withOutput(OutputOptions.regression(true))
                        .withAttention(
                                architecture.attention().withIdentities(true).withScores(0.3f, LogLength.NONE, 6)),
                batch(true));
    }
}
