package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.model.GradientCase.SEED;
import static org.lemmata.model.GradientCase.STEP;
import static org.lemmata.model.GradientCase.batch;
import static org.lemmata.model.GradientCase.gradient;
import static org.lemmata.model.GradientCase.lastBatch;
import static org.lemmata.model.GradientCase.withoutDropout;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.token.Batch;

/** The result of a call does not depend on threads or earlier calls. */
class RepeatedBackpropagationTest {

    /** Wide and long enough that kernels divide their work, with options that sum over tokens in different ways. */
    static Stream<ModelCase> wideCases() {
        Architecture gpt2 = Architecture.gpt2(50, ModelCase.MAX_LENGTH, 64, 2, 4, 256, 0.2);
        return Stream.concat(
                ModelCase.drawn(5)
                        .map(model -> new ModelCase(
                                model.name(), model.seed(), model.architecture().withDropout(0.1))),
                Stream.of(
                        new ModelCase("GPT-2", 1, gpt2),
                        new ModelCase(
                                "identities and score biases",
                                2,
                                gpt2.withAttention(AttentionOptions.softmax(4, 16)
                                        .withScores(0.25f, LogLength.SEEN, 7)
                                        .withIdentities(true))),
                        new ModelCase(
                                "normalized queries and keys",
                                3,
                                gpt2.withAttention(
                                        AttentionOptions.softmax(4, 16).withNormalizedQueriesAndKeys(true)))));
    }

    private static Batch wideBatch(ModelCase model) {
        int[] lengths = new int[48];
        Arrays.setAll(lengths, i -> 7 * i % (ModelCase.MAX_LENGTH + 1));
        return batch(model, lengths);
    }

    private static Batch wideLastBatch(ModelCase model) {
        int[] lengths = new int[96];
        Arrays.setAll(lengths, i -> 1 + 7 * i % ModelCase.MAX_LENGTH);
        return lastBatch(model, lengths);
    }

    @ParameterizedTest
    @MethodSource("wideCases")
    void bitsDoNotDependOnTheNumberOfThreads(ModelCase model) {
        assertSameBits(model, wideBatch(model));
    }

    @ParameterizedTest
    @MethodSource("wideCases")
    void norDoTheyWhereLastRowsAreScored(ModelCase model) {
        assertSameBits(withoutDropout(model), wideLastBatch(model));
    }

    private static void assertSameBits(ModelCase model, Batch batch) {
        Parameters parameters = model.parameters();
        var alone = new Backpropagation(parameters, Kernels.best());
        float[] expected = new float[parameters.values().length];
        double loss = alone.gradient(expected, batch, 0.01, SEED, STEP);
        for (int threads : new int[] {1, 2, 4}) {
            try (Workers workers = Workers.of(threads)) {
                var shared = new Backpropagation(parameters, Kernels.best(workers));
                for (int time = 0; time < 2; time++) {
                    float[] actual = new float[expected.length];
                    assertThat(shared.gradient(actual, batch, 0.01, SEED, STEP)).isEqualTo(loss);
                    assertThat(actual).as("%d threads, %s", threads, model).isEqualTo(expected);
                }
            }
        }
    }

    /** Earlier batches in the working space and earlier parameters do not affect the result. */
    @Tag("long")
    @ParameterizedTest
    @MethodSource("wideCases")
    void nothingIsLeftOfEarlierCalls(ModelCase model) {
        Batch small = batch(model, 5, 0, 1, 9);
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            Parameters parameters = model.parameters();
            var used = new Backpropagation(parameters, kernels);
            float[] values = parameters.values();
            float[] before = values.clone();
            Arrays.fill(values, 0.25f);
            used.loss(small);
            gradient(used, wideBatch(model), 1);
            gradient(used, wideLastBatch(model), 1);
            System.arraycopy(before, 0, values, 0, values.length);
            assertThat(gradient(used, small, 1))
                    .as("%s", model)
                    .isEqualTo(gradient(new Backpropagation(parameters, kernels), small, 1));
        }
    }
}
