package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.model.GradientCase.batch;
import static org.lemmata.model.GradientCase.gradient;
import static org.lemmata.model.GradientCase.lastBatch;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.Threads;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;

/**
 * The loss fused with the output map, compared with that of all outputs at once, which other tests hold to an oracle.
 */
class BlockedBackpropagationTest {

    private static final double FACTOR = 1.0 / 37;

    static Stream<ModelCase> cases() {
        return Stream.concat(
                        ModelCase.alone()
                                .filter(model -> model.architecture().output().tied()
                                        || model.architecture().output().bias()
                                        || model.architecture().dropout() > 0),
                        ModelCase.drawn(4))
                .filter(model -> model.architecture().output().kind() == OutputOptions.Kind.NEXT_TOKEN);
    }

    private static Backpropagation objective(ModelCase model, Kernels kernels, int manyOutputs) {
        Parameters parameters = Parameters.normal(model.architecture(), 0.3, new Random(model.seed()));
        return new Backpropagation(parameters, PrecisionPolicy.none(), kernels, manyOutputs);
    }

    /** More scored rows than two blocks have. */
    private static Batch manyRows(ModelCase model) {
        int[] lengths = new int[60];
        Arrays.setAll(lengths, i -> 1 + 5 * i % ModelCase.MAX_LENGTH);
        Batch batch = batch(model, lengths);
        assertThat(batch.scoredRows().length).isBetween(2 * 256 - 100, 3 * 256);
        return batch;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void blocksHaveTheLossAndTheGradientsOfAllAtOnce(ModelCase model) {
        Backpropagation whole = objective(model, Kernels.best(), Integer.MAX_VALUE);
        Backpropagation blocks = objective(model, Kernels.best(), 0);
        int[] lasts = new int[300];
        Arrays.setAll(lasts, i -> 1 + i % ModelCase.MAX_LENGTH);
        for (Batch batch : new Batch[] {manyRows(model), lastBatch(model, lasts)}) {
            assertThat(blocks.loss(batch)).isCloseTo(whole.loss(batch), within(1e-6 * whole.loss(batch)));
            assertThat(blocks.right(batch)).isEqualTo(whole.right(batch));
            float[] expected = gradient(whole, batch, FACTOR);
            float[] found = gradient(blocks, batch, FACTOR);
            for (ParameterView view : blocks.layout()) {
                double norm = GradientCase.norm(expected, view);
                double difference = 0;
                for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                    difference += Math.pow((double) found[i] - expected[i], 2);
                }
                assertThat(Math.sqrt(difference))
                        .as("%s of %s", view.name(), model)
                        .isLessThanOrEqualTo(2e-5 * norm + 1e-9);
            }
        }
    }

    /** The logits of all 1,024 scored rows take 64 MiB, those of a block 16 MiB. */
    @Test
    void manyOutputsAreComputedInBlocks() {
        for (int outputs : new int[] {Backpropagation.MANY_OUTPUTS, Backpropagation.MANY_OUTPUTS + 1}) {
            var model = new ModelCase("GPT-2", 1, Architecture.gpt2(outputs, ModelCase.MAX_LENGTH, 4, 1, 1, 4, 0));
            Parameters parameters = Parameters.normal(model.architecture(), 0.3, new Random(model.seed()));
            int[] lengths = new int[1024];
            Arrays.fill(lengths, 1);
            Batch batch = lastBatch(model, lengths);
            float[] gradients = new float[parameters.values().length];
            var objective = new Backpropagation(parameters, Kernels.best());
            var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            objective.gradient(gradients, batch, FACTOR, 1, 1);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated > 40 << 20).isEqualTo(outputs == Backpropagation.MANY_OUTPUTS);
        }
    }

    @Test
    void bitsDoNotDependOnThreads() {
        var model = new ModelCase("GPT-2", 1, Architecture.gpt2(997, ModelCase.MAX_LENGTH, 64, 2, 4, 256, 0.1));
        Batch batch = manyRows(model);
        float[] expected = gradient(objective(model, Kernels.best(), 0), batch, FACTOR);
        Threads.assertBits(
                List.of(expected),
                workers -> List.of(gradient(objective(model, Kernels.best(workers), 0), batch, FACTOR)));
    }
}
