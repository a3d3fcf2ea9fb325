package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.model.RoundedTransformerTest.BFLOAT16;
import static org.lemmata.model.RoundedTransformerTest.BLOCKS;
import static org.lemmata.model.RoundedTransformerTest.STOCHASTIC;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.ScalarQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.oracle.ExactCrossEntropy;
import org.lemmata.random.RandomStream;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

class RoundedBackpropagationTest {

    private static final long SEED = 7;
    private static final long STEP = 3;

    /** Each option separately, without dropout, whose random numbers the oracle does not have. */
    static Stream<ModelCase> cases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(12))
                .map(model -> new ModelCase(
                        model.name(), model.seed(), model.architecture().withDropout(0)));
    }

    private static Batch batch(ModelCase model) {
        var random = new SplittableRandom(model.seed());
        boolean regression = model.architecture().output().kind() == OutputOptions.Kind.REGRESSION;
        return Batch.ofExamples(Stream.of(4, 9, 1, 6)
                .map(length -> {
                    int[] inputs = model.sequence(length, random);
                    int[] scored = IntStream.range(0, length)
                            .filter(i -> i == 0 || random.nextInt(3) > 0)
                            .toArray();
                    return regression
                            ? Example.regression(inputs, random.nextFloat())
                            : new Example(inputs, model.sequence(scored.length, random), scored);
                })
                .toList());
    }

    private static float[] gradient(Backpropagation objective, Batch batch) {
        float[] gradients = new float[objective.parameters().length];
        objective.gradient(gradients, batch, 1.0 / batch.scoredRows().length, SEED, STEP);
        return gradients;
    }

    /** Derivatives of the mean loss with respect to outputs, rounded to binary32 like those of the kernels. */
    private static double[][] lossDerivatives(double[][] outputs, Batch batch, int sequence) {
        double[][] derivatives = new double[outputs.length][outputs.length == 0 ? 0 : outputs[0].length];
        int scored = batch.scoredRows().length;
        int start = batch.sequences().start(sequence);
        for (int k = 0; k < scored; k++) {
            int t = batch.scoredRows()[k] - start;
            if (t < 0 || t >= outputs.length) {
                continue;
            }
            if (batch.values().length > 0) {
                derivatives[t][0] = (float) (2 * (outputs[t][0] - batch.values()[k]) / scored);
                continue;
            }
            double[] gradient = ExactCrossEntropy.gradient(outputs[t], batch.targets()[k]);
            Arrays.setAll(derivatives[t], v -> (float) (gradient[v] / scored));
        }
        return derivatives;
    }

    private static float[] expected(ModelCase model, PrecisionPolicy policy, Batch batch) {
        Parameters parameters = model.parameters();
        List<int[]> sequences = new ArrayList<>();
        for (int i = 0; i < batch.sequences().count(); i++) {
            sequences.add(Arrays.copyOfRange(
                    batch.ids(), batch.sequences().start(i), batch.sequences().end(i)));
        }
        Map<String, double[]> gradients = RoundedTransformerTest.oracle(parameters, policy, true)
                .gradients(sequences, (sequence, outputs) -> lossDerivatives(outputs, batch, sequence));
        float[] flat = new float[parameters.values().length];
        for (ParameterView view : model.architecture().layout()) {
            double[] gradient = Objects.requireNonNull(gradients.get(view.name()));
            float factor =
                    RoundedTransformerTest.identityFactor(model.architecture().attention(), view.role());
            for (int i = 0; i < view.size(); i++) {
                flat[view.offset() + i] = (float) (factor * gradient[i]);
            }
        }
        return flat;
    }

    private static double distance(float[] a, float[] b) {
        double squares = 0;
        double norm = 0;
        for (int i = 0; i < a.length; i++) {
            squares += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
            norm += (double) b[i] * b[i];
        }
        return Math.sqrt(squares / norm);
    }

    /** The ordinary SIMD backward pass computes means from the outputs, which after rounding do not fit its weights. */
    @Test
    void blocksAtOutputsHaveTheGradientsOfTheScalarKernels() {
        PrecisionPolicy policy = PrecisionPolicy.only(
                PrecisionSite.OUTPUTS, TensorRounding.parse("int4", Rounding.Mode.TIES_TO_EVEN, true, false));
        ModelCase model = ModelCase.drawn(12)
                .map(drawn -> new ModelCase(drawn.name(), drawn.seed(), Architecture.gpt2(7, 16, 12, 2, 2, 20, 0)))
                .findFirst()
                .orElseThrow();
        Batch batch = batch(model);
        float[] lanes = gradient(new Backpropagation(model.parameters(), policy, Kernels.best()), batch);
        float[] scalar = gradient(new Backpropagation(model.parameters(), policy, Kernels.scalar()), batch);
        assertThat(distance(lanes, scalar)).isLessThan(1e-4);
    }

    private static double distance(ModelCase model, PrecisionPolicy policy) {
        Batch batch = batch(model);
        float[] actual = gradient(new Backpropagation(model.parameters(), policy, Kernels.best()), batch);
        return distance(actual, expected(model, policy, batch));
    }

    /**
     * Policies with the largest error of a gradient relative to its norm. With rounded sums, attention rounds its
     * gradients at each step to 2^-9, which the oracle does not; other errors are those of binary32.
     */
    static Stream<Arguments> policies() {
        PrecisionPolicy tensors = PrecisionPolicy.tensors(BFLOAT16);
        return Stream.concat(
                Stream.of(
                                PrecisionSite.WEIGHTS,
                                PrecisionSite.EMBEDDINGS,
                                PrecisionSite.NORMS,
                                PrecisionSite.QUERIES_KEYS_VALUES,
                                PrecisionSite.OUTPUTS,
                                PrecisionSite.RESIDUAL,
                                PrecisionSite.FEED_FORWARD,
                                PrecisionSite.LOGITS)
                        .map(site -> Arguments.of(PrecisionPolicy.only(site, BFLOAT16), 2e-6)),
                Stream.of(
                        Arguments.of(PrecisionPolicy.only(PrecisionSite.GRADIENTS, BFLOAT16), 5e-5),
                        Arguments.of(PrecisionPolicy.only(PrecisionSite.SCORES, BFLOAT16), 1e-5),
                        Arguments.of(PrecisionPolicy.only(PrecisionSite.EXPONENTIALS, BFLOAT16), 1e-5),
                        Arguments.of(PrecisionPolicy.only(PrecisionSite.SUMS, BFLOAT16), 2e-2),
                        Arguments.of(tensors, 6e-3),
                        Arguments.of(tensors.with(PrecisionSite.GRADIENTS, BFLOAT16), 6e-3),
                        Arguments.of(
                                PrecisionPolicy.everything(BFLOAT16).with(PrecisionSite.GRADIENTS, BFLOAT16), 3e-2)));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void gradientsGoStraightThroughRoundings(PrecisionPolicy policy, double tolerance) {
        // The best of three draws, because binary32 sometimes rounds to another neighbour than binary64.
        cases().forEach(model -> assertThat(RoundedTransformerTest.draws(model))
                .as("%s, %s", policy.label(), model)
                .anyMatch(draw -> distance(draw, policy) <= tolerance));
    }

    /** Most gradients agree to the last bit, because rounding to 8 bits hides most differences in later bits. */
    @Test
    void roundedGradientsHaveTheBitsOfTheDefinition() {
        PrecisionPolicy policy = PrecisionPolicy.only(PrecisionSite.GRADIENTS, BFLOAT16);
        long alike = cases().filter(model -> distance(model, policy) == 0).count();
        assertThat(alike).isGreaterThan(cases().count() / 2);
    }

    @Test
    void withoutAPolicyTheBitsAreThoseOfTheKernels() {
        Stream.concat(ModelCase.alone(), ModelCase.drawn(12)).forEach(model -> {
            Batch batch = batch(model);
            assertThat(gradient(new Backpropagation(model.parameters(), PrecisionPolicy.none(), Kernels.best()), batch))
                    .as("%s", model)
                    .isEqualTo(gradient(new Backpropagation(model.parameters(), Kernels.best()), batch));
        });
    }

    /** Weights are rounded in each call, with the random words of its step; {@code loss} uses those of step 0. */
    @ParameterizedTest
    @MethodSource("weightRoundings")
    void weightsAloneGiveTheGradientAtTheRoundedWeights(TensorRounding rounding) {
        cases().forEach(model -> {
            Batch batch = batch(model);
            PrecisionPolicy policy = PrecisionPolicy.only(PrecisionSite.WEIGHTS, rounding);
            var objective = new Backpropagation(model.parameters(), policy, Kernels.best());
            for (int change = 0; change < 2; change++) {
                objective.parameters()[0] += change;
                float[] before = objective.parameters().clone();
                Parameters rounded = rounded(model.architecture(), before, policy, rounding, STEP);
                assertThat(gradient(objective, batch))
                        .as("%s", model)
                        .isEqualTo(gradient(new Backpropagation(rounded, Kernels.best()), batch));
                assertThat(objective.loss(batch))
                        .as("%s", model)
                        .isEqualTo(new Backpropagation(
                                        rounded(model.architecture(), before, policy, rounding, 0), Kernels.best())
                                .loss(batch));
                assertThat(objective.parameters()).isEqualTo(before);
            }
        });
    }

    static Stream<TensorRounding> weightRoundings() {
        return Stream.of(BFLOAT16, STOCHASTIC, BLOCKS);
    }

    /** The parameters with their weights rounded element by element, or in blocks along the rows of each matrix. */
    static Parameters rounded(
            Architecture architecture, float[] values, PrecisionPolicy policy, TensorRounding rounding, long step) {
        float[] rounded = values.clone();
        List<ParameterRole> roles = List.of(ParameterRole.values());
        for (ParameterView view : architecture.layout()) {
            RandomStream stream = policy.stream(PrecisionSite.WEIGHTS, view.layer(), roles.indexOf(view.role()), step);
            Matrix matrix = Matrix.of(rounded, view.offset(), view.rows(), view.columns(), view.columns());
            new ScalarQuantization().round(matrix, matrix, rounding, stream);
        }
        return new Parameters(architecture, rounded);
    }

    /** Checks every parameter, also if gradients of several batches are added. */
    @Test
    void gradientsOfParametersAreNumbersOfTheirFormat() {
        PrecisionPolicy policy = PrecisionPolicy.only(PrecisionSite.GRADIENTS, BFLOAT16);
        cases().forEach(model -> {
            var objective = new Backpropagation(model.parameters(), policy, Kernels.best());
            Batch batch = batch(model);
            float[] gradients = gradient(objective, batch);
            float[] once = gradients.clone();
            objective.gradient(gradients, batch, 1.0 / batch.scoredRows().length, SEED, STEP + 1);
            for (int i = 0; i < gradients.length; i++) {
                assertThat(once[i]).isEqualTo(BFLOAT16.round(once[i]));
                assertThat(gradients[i]).isEqualTo(2 * once[i]);
            }
        });
    }

    @Tag("long")
    @Test
    void theBitsAreTheSameForEveryNumberOfThreadsAndDependOnTheStep() {
        PrecisionPolicy stochastic = PrecisionPolicy.everything(STOCHASTIC).with(PrecisionSite.GRADIENTS, STOCHASTIC);
        Map<Boolean, Integer> same = new HashMap<>();
        ModelCase.alone().forEach(model -> {
            Batch batch = batch(model);
            var alone = new Backpropagation(model.parameters(), stochastic, Kernels.best());
            float[] expected = gradient(alone, batch);
            assertThat(gradient(alone, batch)).as("%s", model).isEqualTo(expected);
            for (int threads : new int[] {2, 4}) {
                try (Workers workers = Workers.of(threads)) {
                    var shared = new Backpropagation(model.parameters(), stochastic, Kernels.best(workers));
                    assertThat(gradient(shared, batch))
                            .as("%d threads, %s", threads, model)
                            .isEqualTo(expected);
                }
            }
            float[] other = new float[expected.length];
            alone.gradient(other, batch, 1.0 / batch.scoredRows().length, SEED, STEP + 1);
            same.merge(Arrays.equals(other, expected), 1, Integer::sum);
        });
        assertThat(same).containsOnlyKeys(false);
    }

    /** A scaled loss preserves gradients that binary16 would round to 0. */
    @Test
    void aScaledLossKeepsSmallGradients() {
        ModelCase model = cases().filter(one -> one.architecture().attention().weighting() == Weighting.SOFTMAX)
                .findFirst()
                .orElseThrow();
        Batch batch = batch(model);
        Rounding binary16 = Rounding.toNearestEven(FloatFormat.BINARY16);
        PrecisionPolicy policy = PrecisionPolicy.only(PrecisionSite.GRADIENTS, binary16);
        float[] exact = gradient(new Backpropagation(model.parameters(), Kernels.best()), batch);
        double factor = 0x1p-20 / batch.scoredRows().length;
        float[] lost = new float[exact.length];
        new Backpropagation(model.parameters(), policy, Kernels.best()).gradient(lost, batch, factor, SEED, STEP);
        float[] kept = new float[exact.length];
        new Backpropagation(model.parameters(), policy, Kernels.best())
                .gradient(kept, batch, 0x1p20 * factor, SEED, STEP);
        for (int i = 0; i < exact.length; i++) {
            lost[i] *= 0x1p20f;
        }
        assertThat(distance(kept, exact)).isLessThan(2e-3);
        assertThat(distance(lost, exact)).isGreaterThan(0.1);
    }
}
