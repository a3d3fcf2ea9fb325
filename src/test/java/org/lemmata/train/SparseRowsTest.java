package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Objective;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;

/** Steps of only the touched rows of a table have the same bits as steps of all rows. */
class SparseRowsTest {

    private static final long SEED = 20261123;

    /** The smallest table that is updated by rows, plus a row, so that the last chunk is incomplete. */
    private static final int TOKENS = (1 << 15) + 1;

    private static final int WIDTH = 32;

    private static final Architecture REGRESSION =
            Architecture.gpt2(TOKENS, 8, WIDTH, 1, 2, 48, 0.1).withOutput(OutputOptions.regression(true));

    @TempDir
    Path temporary;

    /** An objective without a table of token rows, so that all rows are updated. */
    private record Dense(Objective objective) implements Objective {
        @Override
        public List<ParameterView> layout() {
            return objective.layout();
        }

        @Override
        public float[] parameters() {
            return objective.parameters();
        }

        @Override
        public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
            return objective.gradient(gradients, batch, factor, seed, step);
        }

        @Override
        public double loss(Batch batch) {
            return objective.loss(batch);
        }

        @Override
        public BitSet right(Batch batch) {
            return objective.right(batch);
        }
    }

    /** One of two runs that should have the same result. */
    private static final class Side {
        private final Objective objective;
        private final Optimizer optimizer;
        private final TrainingStep step;

        Side(Architecture architecture, OptimizerOptions options, boolean dense, Workers workers) {
            Kernels kernels = Kernels.best(workers);
            var sparse = new Backpropagation(Parameters.normal(architecture, 0.3, new Random(SEED)), kernels);
            objective = dense ? new Dense(sparse) : sparse;
            optimizer = new Optimizer(objective.layout(), options, PrecisionPolicy.none(), kernels);
            step = new TrainingStep(objective, optimizer, SEED);
        }

        private Map<String, float[]> arrays() {
            var arrays = new TreeMap<>(optimizer.moments());
            arrays.put("parameters", objective.parameters());
            return arrays;
        }

        private void assertSameAs(Side expected, String when) {
            expected.arrays()
                    .forEach((name, array) -> assertThat(Arrays.mismatch(array, arrays().get(name)))
                            .as("first of the %s that differs, %s", name, when)
                            .isEqualTo(-1));
        }
    }

    /**
     * Tokens that occur in all steps, tokens that recur after tens of steps, and tokens that occur once; some are
     * neighbours.
     */
    private static int token(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3);
            case 1 -> TOKENS - 1 - random.nextInt(200);
            case 2 -> 12_345 + 7 * random.nextInt(100);
            default -> random.nextInt(TOKENS);
        };
    }

    private static Example example(RandomGenerator random, boolean regression) {
        int[] ids = random.ints(2 + random.nextInt(7), 0, 1)
                .map(zero -> token(random))
                .toArray();
        return regression ? Example.regression(ids, random.nextFloat()) : Example.nextToken(ids);
    }

    private static List<Batch> microBatches(RandomGenerator random, boolean regression) {
        var examples = new ArrayList<Example>();
        for (int i = 0; i < 5; i++) {
            examples.add(example(random, regression));
        }
        return ExampleStream.batches(examples, 3);
    }

    static List<OptimizerOptions> options() {
        var options = new ArrayList<OptimizerOptions>();
        for (UpdateRule rule : List.of(
                new Sgd(0.05, 0, false, 0),
                new Sgd(0.05, 0, false, 0.1),
                new Sgd(0.05, 0.9, false, 0),
                new Sgd(0.05, 0.9, true, 0.1),
                new Adam(1e-2, 0.9, 0.99, 1e-8, 0.1),
                new AdamW(1e-2, 0.9, 0.99, 1e-8, 0),
                new AdamW(1e-2, 0.9, 0.99, 1e-8, 0.1))) {
            options.add(options(rule));
        }
        var rule = new AdamW(1e-2, 0.9, 0.99, 1e-8, 0.1);
        var thrice = new ParameterGroup("token_embedding", null, 3, null, false);
        options.add(new OptimizerOptions(rule, new ConstantRate(), List.of(), true, Double.POSITIVE_INFINITY));
        options.add(new OptimizerOptions(rule, new ConstantRate(), List.of(thrice), true, Double.POSITIVE_INFINITY));
        options.add(options(
                new Sgd(0.05, 0, false, 0),
                ParameterGroup.of("position_embedding").freeze()));
        return options;
    }

    private static OptimizerOptions options(UpdateRule rule, ParameterGroup... groups) {
        return new OptimizerOptions(rule, new LinearWarmUp(5, new CosineDecay(95, 0.1)), List.of(groups), false, 0.5);
    }

    private static void assertSameSteps(Architecture architecture, OptimizerOptions options, int steps) {
        boolean regression = architecture.output().kind() == OutputOptions.Kind.REGRESSION;
        try (Workers two = Workers.of(2)) {
            var dense = new Side(architecture, options, true, Workers.caller());
            var sparse = new Side(architecture, options, false, two);
            var random = new Random(SEED);
            for (int step = 1; step <= steps; step++) {
                List<Batch> batches = microBatches(random, regression);
                assertThat(sparse.step.run(batches, step)).isEqualTo(dense.step.run(batches, step));
                if (step % 3 == 0) {
                    assertThat(sparse.step.gradientNorm()).isEqualTo(dense.step.gradientNorm());
                }
                if (step == 1 || step == 30 || step == 100) {
                    sparse.step.settle();
                    sparse.assertSameAs(dense, "after step " + step);
                }
            }
            sparse.step.settle();
            sparse.assertSameAs(dense, "at the end");
        }
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("options")
    void stepsOfTouchedRowsHaveTheBitsOfStepsOfAll(OptimizerOptions options) {
        assertSameSteps(REGRESSION, options, 135);
    }

    @Tag("long")
    @Test
    void soTheyHaveBesideAnUnembeddingOfItsOwn() {
        assertSameSteps(
                Architecture.gpt2(TOKENS, 8, WIDTH, 1, 2, 48, 0).withOutput(OutputOptions.nextToken(false)),
                options().getLast(),
                10);
    }

    /** Without a gradient, infinite values become NaN in the next step. */
    @Test
    void infiniteParametersSpreadAlike() {
        OptimizerOptions options = OptimizerOptions.of(new Sgd(0.05, 0, false, 0));
        var dense = new Side(REGRESSION, options, true, Workers.caller());
        var sparse = new Side(REGRESSION, options, false, Workers.caller());
        for (Side side : List.of(dense, sparse)) {
            side.objective.parameters()[20_000 * WIDTH] = Float.POSITIVE_INFINITY;
            for (int step = 1; step <= 3; step++) {
                side.step.run(List.of(Batch.ofExamples(List.of(Example.regression(new int[] {step}, 1)))), step);
            }
            side.step.settle();
        }
        assertThat(dense.objective.parameters()[20_000 * WIDTH]).isNaN();
        sparse.assertSameAs(dense, "at the end");
    }

    /**
     * Checks that the other tests compare two different computations: before settling, an untouched row has postponed
     * steps.
     */
    @Test
    void rowsWithoutGradientsAreLeftAlone() {
        OptimizerOptions options = OptimizerOptions.of(new AdamW(1e-2, 0.9, 0.99, 1e-8, 0.1));
        var side = new Side(REGRESSION, options, false, Workers.caller());
        float[] start = side.objective.parameters().clone();
        side.step.run(List.of(Batch.ofExamples(List.of(Example.regression(new int[] {1}, 1)))), 1);
        float[] parameters = side.objective.parameters();
        assertThat(Arrays.mismatch(start, parameters)).isEqualTo(WIDTH);
        assertThat(Arrays.mismatch(start, 2 * WIDTH, TOKENS * WIDTH, parameters, 2 * WIDTH, TOKENS * WIDTH))
                .isEqualTo(-1);
        side.step.settle();
        assertThat(parameters[5 * WIDTH]).isNotEqualTo(start[5 * WIDTH]);
    }

    /** A tied output has gradients in all rows, and rounding may change all of them. */
    @Test
    void otherModelsPassOverAllRows() {
        Architecture tied = Architecture.gpt2(12, 8, WIDTH, 1, 2, 48, 0);
        assertThat(rows(tied.withOutput(OutputOptions.nextToken(true)), PrecisionPolicy.none()))
                .isNull();
        assertThat(rows(tied.withOutput(OutputOptions.nextToken(false)), PrecisionPolicy.none()))
                .isNotNull();
        assertThat(rows(
                        tied.withOutput(OutputOptions.nextToken(false)),
                        PrecisionPolicy.everything(Rounding.toNearestEven(FloatFormat.BFLOAT16))))
                .isNull();
    }

    private static @Nullable ParameterView rows(Architecture architecture, PrecisionPolicy policy) {
        return new Backpropagation(Parameters.normal(architecture, 1, new Random(SEED)), policy, Kernels.best())
                .rowsOfTokens();
    }

    /** Trains with deaths after some steps; returns the objective with its final parameters and the measurements. */
    private Run train(String name, boolean dense, int... deaths) throws IOException {
        OptimizerOptions options = options().get(6);
        List<Batch> validation = microBatches(new Random(SEED + 1), true);
        var hooked = new ArrayList<Float>();
        var hooks = new TreeMap<String, Function<float[], SortedMap<String, Double>>>();
        hooks.put("sum", parameters -> {
            float sum = 0;
            for (float p : parameters) {
                sum += p;
            }
            hooked.add(sum);
            return new TreeMap<>(Map.of("all", (double) sum));
        });
        var sides = new ArrayList<Side>();
        TrainingResult result = TrainingSetup.untilItEnds(
                temporary.resolve(name),
                death -> {
                    sides.add(new Side(REGRESSION, options, dense, Workers.caller()));
                    return new Training(
                            sides.getLast().objective,
                            sides.getLast().optimizer,
                            new OnlineExamples(random -> example(random, true), SEED, Split.TRAIN),
                            new Evaluation(validation, validation, hooks),
                            new TrainingOptions(SEED, 80, 3, 2, 1, 13, 0, 0, 17, Duration.ZERO),
                            TrainingSetup.dyingAt(death),
                            Map.of());
                },
                deaths);
        return new Run(sides.getLast(), result.validationLoss(), result.testLoss(), hooked.getLast());
    }

    private record Run(Side side, OptionalDouble validationLoss, OptionalDouble testLoss, float hooked) {}

    @Tag("long")
    @Test
    void evaluationCheckpointsAndResumedRunsSeeAllSteps() throws IOException {
        Run dense = train("dense", true);
        for (Run sparse : List.of(train("sparse", false), train("interrupted", false, 20, 33, 60))) {
            sparse.side.assertSameAs(dense.side, "at the end");
            assertThat(sparse.validationLoss).isEqualTo(dense.validationLoss);
            assertThat(sparse.testLoss).isEqualTo(dense.testLoss);
            assertThat(sparse.hooked).isEqualTo(dense.hooked);
        }
    }
}
