package org.lemmata.kernel.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.kernel.Guarded.SENTINEL;
import static org.lemmata.kernel.Guarded.assertWithin;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.oracle.ExactOptimizer;
import org.lemmata.oracle.ExactOptimizer.State;

/** Tests of the scalar {@link OptimizerStep}, which those of other implementations inherit. */
class ScalarOptimizerStepTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260401;

    /** 2^-24: the relative error of one rounding. */
    private static final double UNIT = 0x1p-24;

    OptimizerStep optimizerStep() {
        return new ScalarOptimizerStep();
    }

    static Stream<UpdateRule> rules() {
        return Stream.of(
                new Sgd(0.1, 0, false, 0),
                new Sgd(0.1, 0, false, 0.01),
                new Sgd(0.01, 0.9, false, 1e-4),
                new Sgd(0.01, 0.9, true, 1e-4),
                new Adam(1e-3, 0.9, 0.999, 1e-8, 0),
                new Adam(1e-3, 0.9, 0.95, 1e-8, 0.1),
                new AdamW(1e-3, 0.9, 0.999, 1e-8, 0.01),
                new AdamW(3e-4, 0.9, 0.95, 1e-6, 0.1),
                new AdamW(1e-3, 0, 0, 1e-8, 0));
    }

    /** Parameters, moments and gradients between sentinels. */
    static final class Flat {

        final float[] parameters;
        final float[] firstMoments;
        final float[] secondMoments;
        final float[] gradients;
        final int from;
        final int to;

        Flat(int length, int from, RandomGenerator random) {
            this.from = from;
            this.to = from + length;
            parameters = poisoned(to + 3);
            firstMoments = poisoned(to + 3);
            secondMoments = poisoned(to + 3);
            gradients = poisoned(to + 3);
            for (int i = from; i < to; i++) {
                parameters[i] = (float) random.nextDouble(-2, 2);
                // Many orders of magnitude, as in gradients.
                gradients[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextDouble(-6, 2)));
                firstMoments[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextDouble(-6, 2)));
                secondMoments[i] = (float) Math.pow(10, random.nextDouble(-10, 4));
            }
        }

        private static float[] poisoned(int length) {
            float[] x = new float[length];
            Arrays.fill(x, SENTINEL);
            return x;
        }

        State state(int i) {
            return new State(parameters[i], firstMoments[i], secondMoments[i]);
        }

        List<float[]> all() {
            return List.of(parameters, firstMoments, secondMoments, gradients);
        }

        void step(OptimizerStep optimizerStep, float scale, UpdateRule rule, long step) {
            Coefficients by = Coefficients.of(rule, 1, step, scale);
            optimizerStep.step(parameters, firstMoments, secondMoments, gradients, by, from, to);
        }

        /** Makes a step for a part of the arrays, without scaling gradients. */
        void step(OptimizerStep optimizerStep, UpdateRule rule, long step, int first, int end) {
            Coefficients by = Coefficients.of(rule, 1, step, 1);
            optimizerStep.step(parameters, firstMoments, secondMoments, gradients, by, first, end);
        }
    }

    private static State exact(State state, double gradient, UpdateRule rule, long step) {
        return switch (rule) {
            case Sgd(double rate, double momentum, boolean nesterov, double decay) ->
                ExactOptimizer.sgd(state, gradient, rate, (float) momentum, nesterov, decay);
            case Adam(double rate, double beta1, double beta2, double epsilon, double decay) ->
                ExactOptimizer.adam(state, gradient, rate, (float) beta1, (float) beta2, epsilon, decay, false, step);
            case AdamW(double rate, double beta1, double beta2, double epsilon, double decay) ->
                ExactOptimizer.adam(state, gradient, rate, (float) beta1, (float) beta2, epsilon, decay, true, step);
        };
    }

    /** Steps once and compares each parameter and its moments with binary64. */
    private void check(String name, int length, int from, float scale, UpdateRule rule, long step, long seed) {
        Flat before = new Flat(length, from, new SplittableRandom(seed));
        Flat after = new Flat(length, from, new SplittableRandom(seed));
        after.step(optimizerStep(), scale, rule, step);
        assertThat(after.gradients).as("%s: gradients", name).isEqualTo(before.gradients);
        for (int i = from; i < from + length; i++) {
            checkElement(name + ": element " + i, before, after, i, scale, rule, step);
        }
        for (float[] array : List.of(after.parameters, after.firstMoments, after.secondMoments)) {
            float[] surroundings = array.clone();
            Arrays.fill(surroundings, from, from + length, SENTINEL);
            assertThat(surroundings).as("%s: surroundings", name).containsOnly(SENTINEL);
        }
        if (rule.moments() < 2) {
            assertThat(after.secondMoments).as("%s: no second moments", name).isEqualTo(before.secondMoments);
        }
        if (rule.moments() < 1) {
            assertThat(after.firstMoments).as("%s: no first moments", name).isEqualTo(before.firstMoments);
        }
    }

    /**
     * A step with absolute values has no cancellation, so it computes the sum of absolute terms. m and v have at most 4
     * and 7 roundings, each of at most u = 2^-24 of that sum. The change d of a parameter has 8 more than m and half of
     * v, which may have lost accuracy by cancellation in g; p - d has one more, of u |p - d|.
     */
    private static void checkElement(
            String name, Flat before, Flat after, int i, float scale, UpdateRule rule, long step) {
        double gradient = (double) scale * before.gradients[i];
        State old = new State(before.parameters[i], before.firstMoments[i], before.secondMoments[i]);
        State size = new State(Math.abs(old.parameter()), Math.abs(old.first()), old.second());
        State exact = exact(old, gradient, rule, step);
        State sums = exact(size, Math.abs(gradient), rule, step);
        double loss = rule.moments() < 2 ? 1 : sums.second() / exact.second();
        if (rule.moments() > 0) {
            assertWithin(after.firstMoments[i], exact.first(), 4 * UNIT * sums.first(), () -> name + ", first moment");
        }
        if (rule.moments() > 1) {
            assertWithin(
                    after.secondMoments[i], exact.second(), 7 * UNIT * sums.second(), () -> name + ", second moment");
        }
        double change = (size.parameter() - sums.parameter()) * Math.sqrt(loss);
        double bound = UNIT * Math.abs(exact.parameter()) + (12 + 4 * loss) * UNIT * change;
        assertWithin(after.parameters[i], exact.parameter(), bound, () -> name + ", parameter");
    }

    @ParameterizedTest
    @MethodSource("rules")
    void everyLengthUpToTwiceTheLanes(UpdateRule rule) {
        for (int length = 0; length <= 2 * LANES + 1; length++) {
            long seed = SEED + length;
            check(rule + ", seed " + seed + ", length " + length, length, length % 5, 1, rule, 1 + length, seed);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void primesPowersOfTwoAndTheSizeOfAChunk(UpdateRule rule) {
        for (int length : new int[] {97, 257, 1009, 1024, 32767, 32768, 32769, 65536 + 37}) {
            check(rule + ", seed " + SEED + ", length " + length, length, 3, 0.5f, rule, 100, SEED);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void freshSeeds(UpdateRule rule) {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            int length = random.nextInt(300);
            long step = 1 + (long) Math.pow(10, random.nextDouble(7));
            float scale = random.nextFloat();
            long inner = random.nextLong();
            String name = rule + ", seed " + seed + ", run " + i + ", length " + length + ", step " + step;
            check(name, length, random.nextInt(20), scale, rule, step, inner);
        }
    }

    /** The gradients of sum_i a_i (p_i - c_i)^2 / 2. */
    private static void quadratic(Flat flat, float[] curvatures, float[] centres) {
        for (int i = flat.from; i < flat.to; i++) {
            flat.gradients[i] = curvatures[i - flat.from] * (flat.parameters[i] - centres[i - flat.from]);
        }
    }

    /** A hundred steps down a quadratic stay close to a hundred steps in binary64. */
    @ParameterizedTest
    @MethodSource("rules")
    void followsTheTrajectoryInBinary64(UpdateRule rule) {
        int length = LANES + 3;
        SplittableRandom random = new SplittableRandom(SEED);
        Flat flat = new Flat(length, 2, random);
        float[] curvatures = new float[length];
        float[] centres = new float[length];
        State[] exact = new State[length];
        for (int i = 0; i < length; i++) {
            curvatures[i] = (float) random.nextDouble(0.1, 4);
            // Far away, so that no gradient changes sign, at which Adam without inertia jumps.
            centres[i] = (float) random.nextDouble(20, 30);
            exact[i] = new State(flat.parameters[i + 2], 0, 0);
        }
        Arrays.fill(flat.firstMoments, 0);
        Arrays.fill(flat.secondMoments, 0);
        for (int step = 1; step <= 100; step++) {
            quadratic(flat, curvatures, centres);
            flat.step(optimizerStep(), 1, rule, step);
            for (int i = 0; i < length; i++) {
                double gradient = curvatures[i] * (exact[i].parameter() - centres[i]);
                exact[i] = exact(exact[i], gradient, rule, step);
            }
        }
        for (int i = 0; i < length; i++) {
            int element = i;
            assertWithin(flat.parameters[i + 2], exact[i].parameter(), 2e-5, () -> rule + ", element " + element);
        }
    }

    private float[] run(UpdateRule rule, float start, float curvature, float gradient, int steps) {
        Flat flat = new Flat(1, 0, new SplittableRandom(SEED));
        flat.parameters[0] = start;
        flat.firstMoments[0] = 0;
        flat.secondMoments[0] = 0;
        for (int step = 1; step <= steps; step++) {
            flat.gradients[0] = curvature * flat.parameters[0] + gradient;
            flat.step(optimizerStep(), 1, rule, step);
        }
        return new float[] {flat.parameters[0], flat.firstMoments[0], flat.secondMoments[0]};
    }

    private static void expectClose(float actual, double expected) {
        assertWithin(actual, expected, 1e-5 * Math.abs(expected), () -> "closed form");
    }

    /** p_t = (1 - eta a)^t p_0 on a p^2 / 2; a weight decay adds to a. */
    @Test
    void gradientDescentContractsAQuadratic() {
        expectClose(run(new Sgd(0.1, 0, false, 0), 3, 0.5f, 0, 100)[0], 3 * Math.pow(0.95, 100));
        expectClose(run(new Sgd(0.1, 0, false, 0.25), 3, 0.25f, 0, 100)[0], 3 * Math.pow(0.95, 100));
    }

    /** p_t = p_0 - eta g sum_s (1 - mu^s) / (1 - mu), s = 1 ... t; with Nesterov s = 2 ... t + 1. */
    @Test
    void momentumGathersAConstantGradient() {
        double sum = 0;
        for (int s = 1; s <= 50; s++) {
            sum += (1 - Math.pow(0.9, s)) / (1 - 0.9);
        }
        expectClose(run(new Sgd(0.01, 0.9, false, 0), 2, 0, 0.5f, 50)[0], 2 - 0.01 * 0.5 * sum);
        sum += (1 - Math.pow(0.9, 51)) / (1 - 0.9) - 1;
        expectClose(run(new Sgd(0.01, 0.9, true, 0), 2, 0, 0.5f, 50)[0], 2 - 0.01 * 0.5 * sum);
    }

    /** With a constant gradient, both corrected moments are exact means, and each step is eta sign(g). */
    @ParameterizedTest
    @ValueSource(floats = {1e-3f, -1e-3f, 0.7f, -40})
    void adamMovesByTheLearningRate(float gradient) {
        for (UpdateRule rule : List.of(
                new Adam(0.01, 0.9, 0.999, 0, 0), new AdamW(0.01, 0.9, 0.999, 0, 0), new Adam(0.01, 0, 0, 0, 0))) {
            expectClose(run(rule, 5, 0, gradient, 100)[0], 5 - 0.01 * 100 * Math.signum(gradient));
        }
    }

    /** m_t = (1 - beta1^t) g, v_t = (1 - beta2^t) g^2. */
    @Test
    void momentsOfAConstantGradient() {
        float[] state = run(new AdamW(0.01, 0.9, 0.95, 1e-8, 0), 5, 0, 0.5f, 30);
        expectClose(state[1], (1 - Math.pow(0.9, 30)) * 0.5);
        expectClose(state[2], (1 - Math.pow(0.95, 30)) * 0.25);
    }

    /** p_t = (1 - eta lambda)^t p_0 without gradients: the decay of AdamW does not pass through the moments. */
    @Test
    void decoupledDecayIsGeometric() {
        float[] state = run(new AdamW(0.01, 0.9, 0.999, 1e-8, 0.5), 5, 0, 0, 100);
        expectClose(state[0], 5 * Math.pow(1 - 0.005, 100));
        assertThat(state[1]).isZero();
        assertThat(state[2]).isZero();
        // The decay of Adam does: it is part of the gradient.
        expectClose(run(new Adam(0.01, 0.9, 0.999, 0, 0.5), 5, 0, 0, 1)[0], 5 - 0.01);
    }

    /** A value that is not finite affects only its own element. */
    @ParameterizedTest
    @MethodSource("rules")
    void specialGradientsStayInTheirPlace(UpdateRule rule) {
        float[] specials = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MAX_VALUE};
        for (float special : specials) {
            for (int place : new int[] {0, LANES - 1, LANES, LANES + 2}) {
                Flat plain = new Flat(LANES + 3, 1, new SplittableRandom(SEED));
                Flat flat = new Flat(LANES + 3, 1, new SplittableRandom(SEED));
                flat.gradients[1 + place] = special;
                plain.step(optimizerStep(), 1, rule, 1);
                flat.step(optimizerStep(), 1, rule, 1);
                float p = flat.parameters[1 + place];
                if (Float.isNaN(special) || (rule.moments() == 2 && Float.isInfinite(special))) {
                    assertThat(p).as("%s, %s", rule, special).isNaN();
                } else if (rule.moments() < 2) {
                    assertThat(Math.abs(p)).as("%s, %s", rule, special).isGreaterThan(1e30f);
                }
                flat.parameters[1 + place] = plain.parameters[1 + place];
                assertThat(flat.parameters).as("%s, %s", rule, special).isEqualTo(plain.parameters);
            }
        }
    }

    /** A gradient whose square overflows stops its parameter, as the interface says. */
    @Test
    void aHugeGradientStopsItsParameter() {
        float[] state = run(new AdamW(0.01, 0.9, 0.999, 1e-8, 0), 5, 0, 1e30f, 3);
        assertThat(state).startsWith(5f).endsWith(Float.POSITIVE_INFINITY);
    }

    @Test
    void zeroAndTinyGradients() {
        assertThat(run(new AdamW(0.01, 0.9, 0.999, 1e-8, 0), 5, 0, 0, 3)[0]).isEqualTo(5);
        assertThat(run(new AdamW(0.01, 0.9, 0.999, 0, 0), 5, 0, 0, 1)[0]).isNaN();
        assertThat(run(new AdamW(0.01, 0.9, 0.999, 1e-8, 0), 5, 0, Float.MIN_VALUE, 3)[0])
                .isEqualTo(5);
        assertThat(run(new Sgd(1, 0, false, 0), 0, 0, Float.MIN_VALUE, 3)[0]).isEqualTo(-3 * Float.MIN_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"4, 1", "0.25, 1", "9, 0.6666666", "1e60, 2e-30", "NaN, NaN", "Infinity, 0"})
    void clippingScale(double squaredNorm, float expected) {
        float scale = OptimizerStep.clippingScale(squaredNorm, 2);
        if (Float.isNaN(expected)) {
            assertThat(scale).isNaN();
        } else {
            assertThat(Math.abs(scale - expected)).isLessThanOrEqualTo(1e-6f * expected);
        }
    }

    @Test
    void anInfiniteMaximumNormClipsOnlyInfiniteGradients() {
        assertThat(OptimizerStep.clippingScale(1e300, Double.POSITIVE_INFINITY)).isEqualTo(1);
        assertThat(OptimizerStep.clippingScale(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY))
                .isZero();
    }

    @Test
    void refusesWhatItCannotDo() {
        AdamW rule = new AdamW(1e-3, 0.9, 0.999, 1e-8, 0);
        float[] four = new float[4];
        float[] three = new float[3];
        OptimizerStep optimizerStep = optimizerStep();
        assertRefused(
                () -> optimizerStep.step(four, four, four, four, Coefficients.of(rule, 1, 0, 1), 0, 4),
                "step: expected at least 1, got 0");
        assertRefused(
                () -> optimizerStep.step(four, four, four, four, Coefficients.of(rule, 1, 1, 1), 3, 2),
                "from, to: expected from <= to, got 3, 2");
        assertRefused(
                () -> optimizerStep.step(three, four, four, four, Coefficients.of(rule, 1, 1, 1), 1, 4),
                "parameters: expected 3 elements within 3, got offset 1");
        assertThatThrownBy(() -> optimizerStep.step(four, three, four, four, Coefficients.of(rule, 1, 1, 1), 1, 4))
                .hasMessageStartingWith("first: ");
        assertThatThrownBy(() -> optimizerStep.step(four, four, three, four, Coefficients.of(rule, 1, 1, 1), 1, 4))
                .hasMessageStartingWith("second: ");
        assertThatThrownBy(() -> optimizerStep.step(four, four, four, three, Coefficients.of(rule, 1, 1, 1), -1, 3))
                .hasMessageStartingWith("parameters: ");
        assertThatThrownBy(() -> optimizerStep.step(four, four, four, three, Coefficients.of(rule, 1, 1, 1), 1, 4))
                .hasMessageStartingWith("gradients: ");
        assertRefused(() -> OptimizerStep.clippingScale(1, 0), "maxNorm: expected above 0, got 0.0");
    }

    @Test
    void arraysThatARuleDoesNotHaveMayBeEmpty() {
        float[] parameters = {1};
        float[] gradients = {2};
        optimizerStep()
                .step(
                        parameters,
                        new float[0],
                        new float[0],
                        gradients,
                        Coefficients.of(new Sgd(0.5, 0, false, 0), 1, 1, 1),
                        0,
                        1);
        assertThat(parameters).containsExactly(0);
        optimizerStep()
                .step(
                        parameters,
                        new float[1],
                        new float[0],
                        gradients,
                        Coefficients.of(new Sgd(0.5, 0.9, false, 0), 1, 1, 1),
                        0,
                        1);
        assertThat(parameters).containsExactly(-1);
    }
}
