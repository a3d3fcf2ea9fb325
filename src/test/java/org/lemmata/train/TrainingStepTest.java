package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

class TrainingStepTest {

    private static final int SYMBOLS = 6;

    private static List<Example> examples(int n) {
        return new OnlineExamples(random -> BigramChain.sample(random, SYMBOLS), 11, Split.TRAIN).take(n);
    }

    private static TrainingStep step(BigramObjective objective, OptimizerOptions options) {
        return new TrainingStep(
                objective, new Optimizer(objective.layout(), options, PrecisionPolicy.none(), Kernels.best()), 4);
    }

    /** With a rate of 1 and no momentum, a step from 0 is minus the gradient of the mean over all rows. */
    @Test
    void everyRowCountsTheSameHoweverExamplesAreSplit() {
        List<Example> examples = examples(8);
        var whole = new BigramObjective(SYMBOLS);
        double loss =
                step(whole, OptimizerOptions.of(new Sgd(1, 0, false, 0))).run(List.of(Batch.ofExamples(examples)), 1);
        assertThat(loss).isCloseTo(Math.log(SYMBOLS), within(1e-12));
        for (int size : new int[] {1, 2, 3, 5}) {
            var split = new BigramObjective(SYMBOLS);
            TrainingStep step = step(split, OptimizerOptions.of(new Sgd(1, 0, false, 0)));
            assertThat(step.run(ExampleStream.batches(examples, size), 1)).isCloseTo(loss, within(1e-12));
            for (int i = 0; i < whole.parameters().length; i++) {
                assertThat(split.parameters()[i])
                        .as("micro-batches of %d, parameter %d", size, i)
                        .isCloseTo(whole.parameters()[i], within(1e-6f));
            }
        }
    }

    /** Compares the gradient of the mean with central differences of the mean loss. */
    @Test
    void aStepGoesDownTheGradientOfTheMeanLoss() {
        Batch batch = Batch.ofExamples(examples(5));
        var objective = new BigramObjective(SYMBOLS);
        TrainingStep step = step(objective, OptimizerOptions.of(new Sgd(1, 0, false, 0)));
        step.run(List.of(batch), 1);
        double sum = 0;
        for (int i = 0; i < objective.parameters().length; i++) {
            var probe = new BigramObjective(SYMBOLS);
            probe.parameters()[i] = 0.01f;
            double above = probe.loss(batch);
            probe.parameters()[i] = -0.01f;
            double slope = (above - probe.loss(batch)) / 0.02;
            assertThat((double) objective.parameters()[i]).as("parameter %d", i).isCloseTo(-slope, within(1e-5));
            sum += slope * slope;
        }
        assertThat(step.gradientNorm()).isCloseTo(Math.sqrt(sum), within(1e-5));
    }

    @Test
    void gradientsDoNotGoOnIntoTheNextStep() {
        Batch batch = Batch.ofExamples(examples(5));
        var objective = new BigramObjective(SYMBOLS);
        TrainingStep step = step(objective, OptimizerOptions.of(new Sgd(0, 0, false, 0)));
        step.run(List.of(batch), 1);
        double norm = step.gradientNorm();
        step.run(List.of(batch), 2);
        assertThat(step.gradientNorm()).isEqualTo(norm);
    }

    @Test
    void everyMicroBatchHasRandomNumbersOfItsOwn() {
        List<Long> steps = new ArrayList<>();
        var objective = new BigramObjective(SYMBOLS) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                assertThat(seed).isEqualTo(4);
                steps.add(step);
                return super.gradient(gradients, batch, factor, seed, step);
            }
        };
        TrainingStep step = step(objective, OptimizerOptions.of(new Sgd(1, 0, false, 0)));
        for (int t = 1; t <= 3; t++) {
            step.run(ExampleStream.batches(examples(4), 2), t);
        }
        assertThat(steps).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void refusesAStepWithoutAnythingToLearn() {
        TrainingStep step = step(new BigramObjective(SYMBOLS), OptimizerOptions.of(new Sgd(1, 0, false, 0)));
        assertRefused(
                () -> step.run(List.of(Batch.ofExamples(List.of(Example.nextToken(1)))), 7),
                "examples: expected scored positions at step 7, got none");
    }

    /** The loss, and with clipping also the gradient, is checked before anything is changed. */
    @Test
    void whatIsNotFiniteChangesNothing() {
        Batch batch = Batch.ofExamples(examples(5));
        var badLoss = new BigramObjective(SYMBOLS) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                return Double.POSITIVE_INFINITY;
            }
        };
        assertThatThrownBy(() -> step(badLoss, OptimizerOptions.of(new Sgd(1, 0, false, 1)))
                        .run(List.of(batch), 12))
                .isInstanceOf(DivergenceException.class)
                .hasMessage("step 12: expected a finite training loss, got Infinity");
        var badGradient = new BigramObjective(SYMBOLS) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                gradients[3] = Float.NaN;
                return 1;
            }
        };
        assertThatThrownBy(() -> step(
                                badGradient,
                                new OptimizerOptions(
                                        new Sgd(1, 0, false, 1), new Schedule.ConstantRate(), List.of(), false, 1))
                        .run(List.of(batch), 13))
                .isInstanceOf(DivergenceException.class)
                .hasMessage("step 13: expected a finite gradient norm, got NaN");
        assertThat(badLoss.parameters()).containsOnly(0);
        assertThat(badGradient.parameters()).containsOnly(0);
    }
}
