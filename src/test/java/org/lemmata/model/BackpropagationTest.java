package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.model.GradientCase.SEED;
import static org.lemmata.model.GradientCase.STEP;
import static org.lemmata.model.GradientCase.batch;
import static org.lemmata.model.GradientCase.fewRows;
import static org.lemmata.model.GradientCase.gradient;
import static org.lemmata.model.GradientCase.isRegression;
import static org.lemmata.model.GradientCase.lastBatch;
import static org.lemmata.model.GradientCase.norm;
import static org.lemmata.model.GradientCase.withoutDropout;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.Refusals;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

class BackpropagationTest {

    /** The number of elements of a large parameter that are differentiated; of small ones all are. */
    private static final int ELEMENTS = 30;

    /** The number of elements in the tests of other scored rows. */
    private static final int FEW_ELEMENTS = 12;

    /** The number of drawn models in every build. */
    private static final int FEW = 20;

    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.small(FEW)).map(GradientCase::withoutDropout);
    }

    static Stream<ModelCase> more() {
        return ModelCase.small(200).skip(FEW).map(GradientCase::withoutDropout);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("more")
    void soItIsOfMoreModels(ModelCase model) {
        gradientsAreTheDerivativesOfTheLossInBinary64(model);
        theFactorScalesTheSumOfTheLossesAndItsGradient(model);
        gradientsAreAddedToWhatIsThere(model);
        rightAnswersAreTheLikeliestTokensAndNumbersOfTheirValuesSign(model);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("alone")
    void soItIsOfMoreElements(ModelCase model) {
        assertDerivatives(model, fewRows(model), ELEMENTS);
        // Here the last layer also has queries only for the scored rows.
        assertDerivatives(model, lastBatch(model, 9, 3, 1), ELEMENTS);
        for (Batch batch : asManyOthers(model)) {
            assertDerivatives(model, batch, ELEMENTS);
        }
    }

    private static Batch smallBatch(ModelCase model) {
        return batch(model, 4, 0, 1, 7);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rightAnswersAreTheLikeliestTokensAndNumbersOfTheirValuesSign(ModelCase model) {
        Batch batch = batch(model, 4, 0, 1, 7, 20, 20);
        Parameters parameters = model.parameters();
        double[] outputs = new ReferenceTransformer(parameters.widen()).logits(batch);
        int columns = model.architecture().outputs();
        boolean regression = isRegression(model);
        var right = new BitSet();
        for (int i = 0; i < batch.scoredRows().length; i++) {
            int from = batch.scoredRows()[i] * columns;
            double[] row = Arrays.copyOfRange(outputs, from, from + columns);
            double most = Arrays.stream(row).max().orElseThrow();
            right.set(i, regression ? row[0] * batch.values()[i] > 0 : row[batch.targets()[i]] == most);
        }
        assertThat(new Backpropagation(parameters, Kernels.best()).right(batch)).isEqualTo(right);
    }

    /**
     * In binary32, an element of a parameter's gradient may have an error of 5e-5 times the gradient's norm. If
     * cancellation makes the gradient small, as for a key bias, which does not change softmax, a tenth of the norm of
     * all gradients replaces its norm.
     *
     * <p>Over 90,000 elements of these models the largest error is 1.9e-5 of that, in a model whose norms of three
     * columns magnify rounding errors of their inputs; in all other models it is 4.5e-6. The differences are accurate
     * to 1e-9.
     */
    @ParameterizedTest
    @MethodSource("cases")
    void gradientsAreTheDerivativesOfTheLossInBinary64(ModelCase model) {
        assertDerivatives(model, smallBatch(model), ELEMENTS);
    }

    static Stream<ModelCase> alone() {
        return ModelCase.alone().map(GradientCase::withoutDropout);
    }

    @ParameterizedTest
    @MethodSource("alone")
    void soTheyAreWhereFewRowsAreScored(ModelCase model) {
        assertDerivatives(model, fewRows(model), FEW_ELEMENTS);
    }

    /** There are as many scored rows as sequences, but not the last row of each. */
    private static List<Batch> asManyOthers(ModelCase model) {
        if (isRegression(model)) {
            // Scores only last rows.
            return List.of();
        }
        int[] ids = model.sequence(9, new Random(model.seed()));
        int[] others = model.sequence(3, new Random(model.seed() + 1));
        var earlier = new Example(ids, new int[] {1}, new int[] {7});
        var two = new Example(ids, new int[] {1, 0}, new int[] {2, 8});
        return List.of(
                Batch.ofExamples(List.of(earlier, new Example(others, new int[] {0}, new int[] {1}))),
                Batch.ofExamples(List.of(two, new Example(others, new int[0], new int[0]))));
    }

    private static void assertDerivatives(ModelCase model, Batch batch, int most) {
        double factor = 1.0 / batch.scoredRows().length;
        Parameters parameters = model.parameters();
        float[] scalar = gradient(new Backpropagation(parameters, Kernels.scalar()), batch, factor);
        float[] best = gradient(new Backpropagation(parameters, Kernels.best()), batch, factor);
        CentralDifferences exact = ExactLoss.of(parameters.widen(), batch);
        var random = new Random(model.seed());
        double whole = norm(scalar);
        int checked = 0;
        int kinks = 0;
        for (ParameterView view : model.architecture().layout()) {
            double tolerance = 5e-5 * Math.max(norm(scalar, view), 0.1 * whole);
            int[] elements = view.size() <= most
                    ? IntStream.range(0, view.size()).toArray()
                    : random.ints(most, 0, view.size()).toArray();
            for (int element : elements) {
                int i = view.offset() + element;
                double derivative = exact.derivative(i, 1e-7 * whole);
                checked++;
                if (Double.isNaN(derivative)) {
                    kinks++;
                    continue;
                }
                assertThat((double) scalar[i])
                        .as("scalar: %s[%d] of %s", view.name(), element, model)
                        .isCloseTo(derivative, within(tolerance));
                assertThat((double) best[i])
                        .as("best: %s[%d] of %s", view.name(), element, model)
                        .isCloseTo(derivative, within(tolerance));
            }
        }
        assertThat(kinks).as("kinks of %d elements, %s", checked, model).isLessThanOrEqualTo(1 + checked / 200);
    }

    /** The factor is a power of two, so that every product with it is exact. */
    @ParameterizedTest
    @MethodSource("cases")
    void theFactorScalesTheSumOfTheLossesAndItsGradient(ModelCase model) {
        Batch batch = smallBatch(model);
        Parameters parameters = model.parameters();
        double mean = ExactLoss.of(parameters.widen(), batch).f().getAsDouble();
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            var objective = new Backpropagation(parameters, kernels);
            float[] once = gradient(objective, batch, 1);
            float[] scaled = new float[once.length];
            double loss = objective.gradient(scaled, batch, -4, SEED, STEP);
            for (int i = 0; i < once.length; i++) {
                assertThat(scaled[i]).as("parameter %d of %s", i, model).isEqualTo(once[i] * -4);
            }
            assertThat(loss)
                    .as("%s", model)
                    .isCloseTo(-4 * mean * batch.scoredRows().length, within(1e-5 * Math.abs(loss)));
            assertThat(objective.loss(batch)).as("%s", model).isCloseTo(mean, within(1e-5 * mean));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gradientsAreAddedToWhatIsThere(ModelCase model) {
        Batch batch = smallBatch(model);
        Parameters parameters = model.parameters();
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            var objective = new Backpropagation(parameters, kernels);
            float[] alone = gradient(objective, batch, 1);
            float[] before = new float[alone.length];
            var random = new Random(model.seed());
            for (ParameterView view : model.architecture().layout()) {
                double size = norm(alone, view) / Math.sqrt(view.size());
                for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                    before[i] = (float) (size * random.nextGaussian());
                }
            }
            float[] after = before.clone();
            objective.gradient(after, batch, 1, SEED, STEP);
            for (ParameterView view : model.architecture().layout()) {
                double tolerance = 1e-6 * Math.max(norm(alone, view), 1e-2 * norm(alone));
                for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                    assertThat((double) after[i] - before[i])
                            .as("%s at %d of %s", view.name(), i, model)
                            .isCloseTo(alone[i], within(tolerance));
                }
            }
        }
    }

    @Test
    void withoutScoredRowsThereIsNothingToLearn() {
        for (boolean regression : new boolean[] {false, true}) {
            Architecture architecture = Architecture.gpt2(5, 9, 8, 1, 2, 16, 0.1)
                    .withOutput(regression ? OutputOptions.regression(true) : OutputOptions.nextToken(true));
            var parameters = Parameters.normal(architecture, 0.1, new Random(1));
            for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
                var objective = new Backpropagation(parameters, kernels);
                for (Batch batch : List.of(Batch.of(List.of(new int[] {1, 2, 3})), Batch.of(List.of()))) {
                    float[] gradients = new float[parameters.values().length];
                    Arrays.fill(gradients, 3);
                    assertThat(objective.gradient(gradients, batch, 1, SEED, STEP))
                            .isZero();
                    assertThat(gradients).containsOnly(3);
                    assertThat(objective.loss(batch)).isNaN();
                }
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Architecture nextToken = Architecture.gpt2(5, 4, 8, 1, 2, 16, 0);
        Architecture regression = nextToken.withOutput(OutputOptions.regression(true));
        Batch tokens = Batch.ofExamples(List.of(Example.nextToken(1, 2, 3)));
        Batch numbers = Batch.ofExamples(List.of(Example.regression(new int[] {1, 2, 3}, 0.5f)));
        assertRefused(nextToken, numbers, "batch: expected targets for NEXT_TOKEN, got values");
        assertRefused(regression, tokens, "batch: expected values for REGRESSION, got targets");
        assertRefused(
                nextToken,
                Batch.ofExamples(List.of(Example.nextToken(1, 5, 3))),
                "batch: expected tokens below 5, got 5 at 1");
        assertRefused(
                nextToken,
                Batch.ofExamples(List.of(new Example(new int[] {1, 2}, new int[] {5}, new int[] {1}))),
                "targets[0]: expected an id from 0 to 4, got 5");
        assertRefused(
                nextToken,
                Batch.ofExamples(List.of(Example.nextToken(0, 1, 2, 3, 4))),
                "batch: expected at most 4 tokens per sequence, got 5 in sequence 0");
        int count = nextToken.parameterCount();
        Refusals.assertRefused(
                () -> objective(nextToken).gradient(new float[count + 1], tokens, 1, SEED, STEP),
                "gradients: expected " + count + " elements, got " + (count + 1));
    }

    /** After an allocation fails, the arrays do not count as large enough. */
    @Test
    void aBatchThatIsTooLargeIsRefusedAndLeavesASmallerOneItsRoom() {
        Architecture architecture = Architecture.gpt2(5, 8, 1, 1, 1, 1 << 20, 0);
        var objective = objective(architecture);
        List<Example> examples = IntStream.range(0, 256)
                .mapToObj(i -> Example.nextToken(0, 1, 2, 3, 4, 0, 1, 2))
                .toList();
        Refusals.assertRefused(
                () -> objective.loss(Batch.ofExamples(examples)),
                "batch: expected fewer than 2^31 activations at any one place, got 2048 rows of 1048576");
        assertThat(objective.loss(Batch.ofExamples(examples.subList(0, 1)))).isFinite();
    }

    private static Backpropagation objective(Architecture architecture) {
        return new Backpropagation(Parameters.normal(architecture, 0.1, new Random(1)), Kernels.best());
    }

    private static void assertRefused(Architecture architecture, Batch batch, String message) {
        float[] gradients = new float[architecture.parameterCount()];
        Refusals.assertRefused(() -> objective(architecture).gradient(gradients, batch, 1, SEED, STEP), message);
        assertThat(gradients).containsOnly(0);
        Refusals.assertRefused(() -> objective(architecture).loss(batch), message);
    }

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

    private static final double FACTOR = 1.0 / 37;

    static Stream<ModelCase> withOutputMaps() {
        return Stream.concat(
                        ModelCase.alone()
                                .filter(model -> model.architecture().output().tied()
                                        || model.architecture().output().bias()
                                        || model.architecture().dropout() > 0),
                        ModelCase.drawn(4))
                .filter(model -> model.architecture().output().kind() == OutputOptions.Kind.NEXT_TOKEN);
    }

    /** The loss fused with the output map; that of all outputs at once is compared with an oracle. */
    private static Backpropagation blocked(ModelCase model, Kernels kernels, int manyOutputs) {
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
    @MethodSource("withOutputMaps")
    void blocksHaveTheLossAndTheGradientsOfAllAtOnce(ModelCase model) {
        Backpropagation whole = blocked(model, Kernels.best(), Integer.MAX_VALUE);
        Backpropagation blocks = blocked(model, Kernels.best(), 0);
        int[] lasts = new int[300];
        Arrays.setAll(lasts, i -> 1 + i % ModelCase.MAX_LENGTH);
        for (Batch batch : new Batch[] {manyRows(model), lastBatch(model, lasts)}) {
            assertThat(blocks.loss(batch)).isCloseTo(whole.loss(batch), within(1e-6 * whole.loss(batch)));
            assertThat(blocks.right(batch)).isEqualTo(whole.right(batch));
            float[] expected = gradient(whole, batch, FACTOR);
            float[] found = gradient(blocks, batch, FACTOR);
            for (ParameterView view : blocks.layout()) {
                double norm = norm(expected, view);
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
    void bitsOfBlocksDoNotDependOnThreads() {
        var model = new ModelCase("GPT-2", 1, Architecture.gpt2(997, ModelCase.MAX_LENGTH, 64, 2, 4, 256, 0.1));
        Batch batch = manyRows(model);
        float[] expected = gradient(blocked(model, Kernels.best(), 0), batch, FACTOR);
        Threads.assertBits(
                List.of(expected),
                workers -> List.of(gradient(blocked(model, Kernels.best(workers), 0), batch, FACTOR)));
    }
}
