package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.model.GradientCase.gradient;
import static org.lemmata.model.GradientCase.norm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.Refusals;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

class MultilayerPerceptronTest {

    private static final long SEED = 31;

    static Stream<MultilayerPerceptronOptions> options() {
        List<MultilayerPerceptronOptions> options = new ArrayList<>();
        for (Activation.Kind activation : Activation.Kind.values()) {
            for (int layers = 1; layers <= 3; layers++) {
                options.add(new MultilayerPerceptronOptions(5, 3, 7, layers, activation));
            }
        }
        options.add(new MultilayerPerceptronOptions(1, 1, 1, 1, Activation.Kind.GELU));
        options.add(new MultilayerPerceptronOptions(2, 6, 33, 2, Activation.Kind.RELU));
        options.addAll(options.stream()
                .map(of -> new MultilayerPerceptronOptions(
                        of.vocabularySize(), of.length(), of.width(), of.layers(), of.activation(), true))
                .toList());
        return options.stream();
    }

    private static RandomGenerator random() {
        return new SplittableRandom(SEED);
    }

    /** Tokens repeat within and between sequences; sequence 1 has no answer. */
    private static Batch batch(MultilayerPerceptronOptions options, int count) {
        RandomGenerator random = random();
        List<Example> examples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] ids = IntStream.range(0, options.length())
                    .map(t -> random.nextInt(options.vocabularySize()))
                    .toArray();
            examples.add(
                    i == 1
                            ? new Example(ids, new int[0], new int[0])
                            : Example.regression(ids, (float) random.nextGaussian()));
        }
        return Batch.ofExamples(examples);
    }

    private static int[] answered(MultilayerPerceptronOptions options, Batch batch) {
        return Arrays.stream(batch.scoredRows())
                .map(row -> row / options.length())
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("options")
    void outputsAreThoseOfTheFormulaInBinary64(MultilayerPerceptronOptions options) {
        float[] parameters = options.draw(random());
        Batch batch = batch(options, 9);
        double[] expected = ExactMultilayerPerceptron.outputs(options, Guarded.widened(parameters), batch);
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            float[] actual = new MultilayerPerceptron(options, parameters, kernels).outputs(batch);
            assertThat(actual).hasSameSizeAs(expected);
            for (int i = 0; i < expected.length; i++) {
                assertThat((double) actual[i]).as("%s, output %d", options, i).isCloseTo(expected[i], within(2e-6));
            }
        }
    }

    /**
     * The error is at most 1e-5 of the norm of a parameter's gradient, or of a tenth of the norm of all gradients if
     * that is larger.
     */
    @ParameterizedTest
    @MethodSource("options")
    void gradientsAreTheDerivativesOfTheLossInBinary64(MultilayerPerceptronOptions options) {
        float[] parameters = options.draw(random());
        double[] wide = Guarded.widened(parameters);
        Batch batch = batch(options, 9);
        int[] rows = answered(options, batch);
        var exact = new CentralDifferences(
                wide, () -> ExactLoss.mean(ExactMultilayerPerceptron.outputs(options, wide, batch), 1, rows, batch));
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            var objective = new MultilayerPerceptron(options, parameters, kernels);
            float[] gradients = new float[parameters.length];
            double loss = objective.gradient(gradients, batch, 1.0 / rows.length, 0, 1);
            assertThat(loss).isCloseTo(exact.f().getAsDouble(), within(1e-5 * loss));
            assertThat(objective.loss(batch)).isCloseTo(loss, within(1e-7 * loss));
            double whole = norm(gradients);
            int kinks = 0;
            for (ParameterView view : options.layout()) {
                double norm = norm(gradients, view);
                for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                    double derivative = exact.derivative(i, 1e-7 * whole);
                    if (Double.isNaN(derivative)) {
                        kinks++;
                        continue;
                    }
                    assertThat((double) gradients[i])
                            .as("%s at %d of %s", view.name(), i, options)
                            .isCloseTo(derivative, within(1e-5 * Math.max(norm, 0.1 * whole)));
                }
            }
            assertThat(kinks).as("%s", options).isLessThanOrEqualTo(1);
        }
    }

    /** A power of two scales exactly; gradients are added to existing values. */
    @ParameterizedTest
    @MethodSource("options")
    void theFactorScalesAndGradientsAreAdded(MultilayerPerceptronOptions options) {
        Batch batch = batch(options, 9);
        var objective = new MultilayerPerceptron(options, options.draw(random()), Kernels.best());
        float[] once = gradient(objective, batch, 1);
        float[] scaled = gradient(objective, batch, -4);
        float[] twice = once.clone();
        objective.gradient(twice, batch, 1, 0, 1);
        double tolerance = 1e-6 * norm(once);
        for (int i = 0; i < once.length; i++) {
            assertThat(scaled[i]).isEqualTo(-4 * once[i]);
            assertThat((double) twice[i]).isCloseTo(2.0 * once[i], within(tolerance));
        }
    }

    @Test
    void bitsDoNotDependOnTheNumberOfThreads() {
        var options = new MultilayerPerceptronOptions(100, 4, 128, 3, Activation.Kind.GELU);
        float[] parameters = options.draw(random());
        Batch batch = batch(options, 300);
        float[] expected = gradient(new MultilayerPerceptron(options, parameters, Kernels.best()), batch, 0.01);
        for (int threads : new int[] {1, 2, 4}) {
            try (Workers workers = Workers.of(threads)) {
                var objective = new MultilayerPerceptron(options, parameters, Kernels.best(workers));
                assertThat(gradient(objective, batch, 0.01)).isEqualTo(expected);
                gradient(objective, batch(options, 7), 0.01);
                assertThat(gradient(objective, batch, 0.01)).as("again").isEqualTo(expected);
            }
        }
    }

    /** In the first map, only rows of tokens that occur at their position have a gradient. */
    @Test
    void tokensThatDoNotOccurHaveNoGradient() {
        var options = new MultilayerPerceptronOptions(4, 2, 8, 2, Activation.Kind.COSINE);
        var objective = new MultilayerPerceptron(options, options.draw(random()), Kernels.best());
        Batch batch = Batch.ofExamples(
                List.of(Example.regression(new int[] {3, 1}, 1), Example.regression(new int[] {0, 1}, -1)));
        assertThat(rowsWithGradients(objective, batch)).containsExactly(0, 3, 4 + 1);
    }

    /** Answers of both signs, some of which are correct. */
    @ParameterizedTest
    @MethodSource("options")
    void rightAnswersHaveTheSignOfTheValue(MultilayerPerceptronOptions options) {
        Batch batch = batch(options, 30);
        float[] parameters = options.draw(random());
        double[] outputs = ExactMultilayerPerceptron.outputs(options, Guarded.widened(parameters), batch);
        int[] answered = answered(options, batch);
        var right = new BitSet();
        IntStream.range(0, answered.length)
                .filter(i -> Math.signum(outputs[answered[i]]) == Math.signum(batch.values()[i]))
                .forEach(right::set);
        assertThat(new MultilayerPerceptron(options, parameters, Kernels.best()).right(batch))
                .isEqualTo(right);
        assertThat(right.cardinality()).isBetween(1, 28);
    }

    /** For unseen tokens, the network sees only by X Xᵀ which are equal, so the rows of pairs have gradients. */
    @Test
    void pairsOfEqualTokensHaveAGradient() {
        var options = new MultilayerPerceptronOptions(4, 2, 8, 1, Activation.Kind.COSINE, true);
        var objective = new MultilayerPerceptron(options, options.draw(random()), Kernels.best());
        Batch distinct = Batch.ofExamples(List.of(Example.regression(new int[] {3, 1}, 1)));
        Batch equal = Batch.ofExamples(List.of(Example.regression(new int[] {2, 2}, 1)));
        assertThat(rowsWithGradients(objective, distinct)).containsExactly(3, 4 + 1, 8, 8 + 3);
        assertThat(rowsWithGradients(objective, equal)).containsExactly(2, 4 + 2, 8, 8 + 1, 8 + 2, 8 + 3);
    }

    private static List<Integer> rowsWithGradients(MultilayerPerceptron objective, Batch batch) {
        float[] gradients = gradient(objective, batch, 1);
        ParameterView first = objective.layout().getFirst();
        return IntStream.range(0, first.rows())
                .filter(row -> norm(gradients, row * first.columns(), (row + 1) * first.columns()) > 0)
                .boxed()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsDrawnIsNormalAndOfOrderOne(boolean incidence) {
        var options = new MultilayerPerceptronOptions(40, 5, 64, 3, Activation.Kind.RELU, incidence);
        float[] parameters = options.draw(random());
        assertThat(options.draw(random())).isEqualTo(parameters);
        for (ParameterView view : options.layout()) {
            double n = view.size();
            double variance = Math.pow(norm(parameters, view), 2) / n;
            double expected = view.layer() != 0 ? 1.0 / 64 : incidence ? 1.0 / 10 : 1.0 / 5;
            assertThat(variance / expected).as(view.name()).isCloseTo(1, within(5 * Math.sqrt(2 / n)));
        }
        assertThat(options.layout().stream().map(ParameterView::name))
                .containsExactly("layer.0.first", "layer.1.first", "layer.2.first", "unembedding");
    }

    @Test
    void withoutAnswersThereIsNothingToLearn() {
        var options = new MultilayerPerceptronOptions(4, 2, 8, 2, Activation.Kind.RELU);
        var objective = new MultilayerPerceptron(options, options.draw(random()), Kernels.best());
        for (Batch batch : List.of(Batch.of(List.of()), Batch.of(List.of(new int[] {1, 2})))) {
            float[] gradients = new float[options.parameterCount()];
            Arrays.fill(gradients, 2);
            assertThat(objective.gradient(gradients, batch, 1, 0, 1)).isZero();
            assertThat(gradients).containsOnly(2);
            assertThat(objective.loss(batch)).isNaN();
            assertThat(objective.outputs(batch)).hasSize(batch.sequences().count());
        }
    }

    /** The product of the output and the value is below the least number of binary32. */
    @Test
    void smallNumbersAreRightIfTheirSignsAreEqual() {
        var options = new MultilayerPerceptronOptions(1, 1, 1, 1, Activation.Kind.RELU);
        var model = new MultilayerPerceptron(options, new float[] {1, 1e-30f}, Kernels.best());
        Batch batch = Batch.ofExamples(
                List.of(Example.regression(new int[] {0}, 1e-30f), Example.regression(new int[] {0}, -1e-30f)));
        assertThat(model.right(batch)).isEqualTo(BitSet.valueOf(new long[] {0b01}));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        var options = new MultilayerPerceptronOptions(4, 2, 8, 2, Activation.Kind.RELU);
        int count = options.parameterCount();
        Refusals.assertRefused(
                () -> new MultilayerPerceptron(options, new float[count - 1], Kernels.best()),
                "parameters: expected " + count + " elements, got " + (count - 1));
        Refusals.assertRefused(
                () -> new MultilayerPerceptronOptions(4, 0, 8, 2, Activation.Kind.RELU),
                "length: expected at least 1, got 0");
        Refusals.assertRefused(
                () -> new MultilayerPerceptronOptions(1 << 16, 1 << 10, 1 << 10, 1, Activation.Kind.RELU),
                "parameters: expected at most 2147483647, got 68719477760");
        assertRefused(
                options,
                Example.regression(new int[] {1}, 1),
                "batch: expected 2 tokens per sequence, got 1 in sequence 0");
        assertRefused(options, Example.regression(new int[] {1, 4}, 1), "batch: expected tokens below 4, got 4 at 1");
        assertRefused(
                options,
                new Example(new int[] {1, 2}, new int[] {3}, new int[] {1}),
                "batch: expected values for REGRESSION, got targets");
        assertRefused(
                options,
                new Example(new int[] {1, 2}, new int[0], new float[] {3}, new int[] {0}),
                "batch: expected values at the last of 2 positions, got one at 0 of sequence 0");
    }

    private static void assertRefused(MultilayerPerceptronOptions options, Example example, String message) {
        var objective = new MultilayerPerceptron(options, options.draw(random()), Kernels.best());
        Batch batch = Batch.ofExamples(List.of(example));
        float[] gradients = new float[options.parameterCount()];
        Refusals.assertRefused(() -> objective.gradient(gradients, batch, 1, 0, 1), message);
        assertThat(gradients).containsOnly(0);
        Refusals.assertRefused(() -> objective.loss(batch), message);
        Refusals.assertRefused(
                () -> objective.gradient(new float[1], batch, 1, 0, 1),
                "gradients: expected " + options.parameterCount() + " elements, got 1");
    }
}
