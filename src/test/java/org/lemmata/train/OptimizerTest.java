package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.oracle.ExactOptimizer;
import org.lemmata.oracle.ExactOptimizer.State;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.LinearWarmUp;
import org.lemmata.train.Schedule.StepDecay;

class OptimizerTest {

    private static final long SEED = 20260501;

    private static final TestLayout LAYOUT = new TestLayout()
            .matrix("token_embedding", 5, 3)
            .vector("layer.0.attention_norm.gain", 3)
            .matrix("layer.0.query", 3, 4)
            .vector("layer.0.query_bias", 4)
            .matrix("layer.0.key", 3, 4)
            .matrix("unembedding", 5, 3)
            .vector("unembedding_bias", 5);

    private static float[] normal(int size, RandomGenerator random) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    static Stream<UpdateRule> rules() {
        return Stream.of(
                new Sgd(0.05, 0, false, 0.1),
                new Sgd(0.05, 0.9, true, 0.1),
                new Adam(0.01, 0.9, 0.99, 1e-8, 0.1),
                new AdamW(0.01, 0.9, 0.99, 1e-8, 0.1));
    }

    /** A step of the binary64 reference with the rate and the decay of a group. */
    private static State exact(UpdateRule rule, State s, double g, double rateFactor, double decay, long step) {
        return switch (rule) {
            case Sgd r -> ExactOptimizer.sgd(s, g, r.learningRate() * rateFactor, r.momentum(), r.nesterov(), decay);
            case Adam r ->
                ExactOptimizer.adam(
                        s, g, r.learningRate() * rateFactor, r.beta1(), r.beta2(), r.epsilon(), decay, false, step);
            case AdamW r ->
                ExactOptimizer.adam(
                        s, g, r.learningRate() * rateFactor, r.beta1(), r.beta2(), r.epsilon(), decay, true, step);
        };
    }

    /**
     * Compares five steps of every parameter with the reference.
     *
     * @param rateFactors factor of the rule's rate for each view, NaN if it is frozen
     * @param decays weight decay of each view
     * @param maxNorm the norm to which gradients are clipped
     */
    private static void checkSteps(OptimizerOptions options, double[] rateFactors, double[] decays, double maxNorm) {
        var random = new SplittableRandom(SEED);
        var optimizer = new Optimizer(LAYOUT.views(), options, PrecisionPolicy.none(), Kernels.best());
        float[] parameters = normal(LAYOUT.size(), random);
        float[] start = parameters.clone();
        State[] expected = new State[LAYOUT.size()];
        Arrays.setAll(expected, i -> new State(start[i], 0, 0));
        for (int step = 1; step <= 5; step++) {
            float[] gradients = normal(LAYOUT.size(), random);
            double sum = 0;
            for (int v = 0; v < rateFactors.length; v++) {
                for (int i = offset(v); i < offset(v + 1); i++) {
                    sum += Double.isNaN(rateFactors[v]) ? 0 : (double) gradients[i] * gradients[i];
                }
            }
            double scale = Math.min(1, maxNorm / Math.sqrt(sum));
            for (int v = 0; v < rateFactors.length; v++) {
                for (int i = offset(v); i < offset(v + 1); i++) {
                    if (!Double.isNaN(rateFactors[v])) {
                        double rateFactor = rateFactors[v] * options.schedule().factor(step);
                        expected[i] =
                                exact(options.rule(), expected[i], scale * gradients[i], rateFactor, decays[v], step);
                    }
                }
            }
            optimizer.step(parameters, gradients, optimizer.squaredNorm(gradients), step);
            for (int v = 0; v < rateFactors.length; v++) {
                for (int i = offset(v); i < offset(v + 1); i++) {
                    if (Double.isNaN(rateFactors[v])) {
                        assertThat(parameters[i]).as("frozen %d", i).isEqualTo(start[i]);
                    } else {
                        assertThat((double) parameters[i])
                                .as(
                                        "step %d, parameter %d of %s",
                                        step, i, LAYOUT.views().get(v).name())
                                .isCloseTo(expected[i].parameter(), within(3e-6));
                    }
                }
            }
        }
    }

    private static int offset(int view) {
        return view == LAYOUT.views().size()
                ? LAYOUT.size()
                : LAYOUT.views().get(view).offset();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void matricesAndTablesAloneAreDecayed(UpdateRule rule) {
        checkSteps(
                OptimizerOptions.of(rule),
                new double[] {1, 1, 1, 1, 1, 1, 1},
                new double[] {0.1, 0, 0.1, 0, 0.1, 0.1, 0},
                Double.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void vectorsAreDecayedWhereThatIsSaid(UpdateRule rule) {
        checkSteps(
                new OptimizerOptions(rule, new ConstantRate(), List.of(), true, Double.POSITIVE_INFINITY),
                new double[] {1, 1, 1, 1, 1, 1, 1},
                new double[] {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1},
                Double.POSITIVE_INFINITY);
    }

    /** The first group that contains a parameter applies; clipping uses the norm of the trained parameters. */
    @ParameterizedTest
    @MethodSource("rules")
    void groupsHaveTheirOwnRatesAndDecays(UpdateRule rule) {
        double rate = switch (rule) {
            case Sgd r -> r.learningRate();
            case Adam r -> r.learningRate();
            case AdamW r -> r.learningRate();
        };
        checkSteps(
                new OptimizerOptions(
                        rule,
                        new LinearWarmUp(2, new StepDecay(1, 0.5)),
                        List.of(
                                ParameterGroup.of("token_*").freeze(),
                                new ParameterGroup("layer.?.query", rate / 4, 2, null, false),
                                new ParameterGroup("layer.*", null, 3, 0.05, false),
                                new ParameterGroup("*bias", null, 0, null, false)),
                        false,
                        2),
                new double[] {Double.NaN, 3, 0.5, 3, 3, 1, 0},
                new double[] {0.1, 0.05, 0.1, 0.05, 0.05, 0.1, 0},
                2);
    }

    @Test
    void neighboursWithOneRuleAreOneRange() {
        var rule = new AdamW(0.01, 0.9, 0.99, 1e-8, 0);
        assertThat(ranges(OptimizerOptions.of(rule))).isEqualTo(1);
        assertThat(ranges(OptimizerOptions.of(new AdamW(0.01, 0.9, 0.99, 1e-8, 0.1))))
                .isEqualTo(6);
        assertThat(ranges(options(rule, ParameterGroup.of("*.key").freeze()))).isEqualTo(2);
        assertThat(ranges(options(rule, new ParameterGroup("*.{query,key}", 1.0, 1, null, false))))
                .isEqualTo(5);
    }

    private static OptimizerOptions options(UpdateRule rule, ParameterGroup... groups) {
        return new OptimizerOptions(rule, new ConstantRate(), List.of(groups), false, Double.POSITIVE_INFINITY);
    }

    private static int ranges(OptimizerOptions options) {
        return new Optimizer(LAYOUT.views(), options, PrecisionPolicy.none(), Kernels.scalar()).ranges();
    }

    @Test
    void hasTheMomentsOfItsRule() {
        assertThat(moments(new Sgd(0.1, 0, false, 0))).isEmpty();
        assertThat(moments(new Sgd(0.1, 0.9, false, 0))).containsExactly("first_moments");
        assertThat(moments(new Adam(0.1, 0.9, 0.9, 1e-8, 0))).containsExactly("first_moments", "second_moments");
    }

    private static Stream<String> moments(UpdateRule rule) {
        var moments = new Optimizer(LAYOUT.views(), OptimizerOptions.of(rule), PrecisionPolicy.none(), Kernels.scalar())
                .moments();
        moments.values().forEach(array -> assertThat(array).hasSize(LAYOUT.size()));
        return moments.keySet().stream();
    }

    @Test
    void refusesGroupsThatMeanNothing() {
        var rule = new Sgd(0.1, 0, false, 0);
        assertRefused(
                () -> ranges(options(rule, ParameterGroup.of("layers.*"))),
                "groups: expected the name of a parameter, or a glob of some, got 'layers.*'; the parameters"
                        + " are token_embedding, layer.0.attention_norm.gain, layer.0.query, layer.0.query_bias,"
                        + " layer.0.key, unembedding, unembedding_bias");
        assertRefused(
                () -> ranges(options(rule, ParameterGroup.of("*").freeze())),
                "groups: expected a parameter that is not frozen, got none");
        assertThatThrownBy(() -> ParameterGroup.of("layer.{a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("names: expected a glob, got 'layer.{a': ")
                .hasMessageNotContaining("\n");
        assertRefused(
                () -> new ParameterGroup("*", -1.0, 1, null, false),
                "rate: expected a finite number of at least 0, got -1.0");
        assertRefused(
                () -> new OptimizerOptions(rule, new ConstantRate(), List.of(), false, 0),
                "maxGradientNorm: expected above 0, got 0.0");
    }
}
