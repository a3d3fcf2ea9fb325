package org.lemmata.kernel.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.thread.Workers;

class VectorOptimizerStepTest extends OptimizerStepContract {

    private static final long SEED = 20260402;

    @Override
    OptimizerStep optimizerStep() {
        return new VectorOptimizerStep(Workers.caller());
    }

    private static Flat threeSteps(OptimizerStep optimizerStep, UpdateRule rule, int length) {
        Flat flat = new Flat(length, 5, new SplittableRandom(SEED));
        flat.gradients[7] = 1e-42f;
        flat.gradients[8] = Float.NaN;
        flat.gradients[9] = -0f;
        for (int step = 1; step <= 3; step++) {
            flat.step(optimizerStep, 0.75f, rule, step);
        }
        return flat;
    }

    /** For any lanes, and any number of threads, of which each may take any chunk. */
    @ParameterizedTest
    @MethodSource("rules")
    void hasTheBitsOfTheReference(UpdateRule rule) {
        int length = 3 * 32768 + 1234;
        Flat expected = threeSteps(new ScalarOptimizerStep(), rule, length);
        for (int threads : new int[] {1, 2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                Flat actual = threeSteps(new VectorOptimizerStep(workers), rule, length);
                for (int i = 0; i < 3; i++) {
                    assertThat(actual.all().get(i))
                            .as("%s, %d threads, array %d", rule, threads, i)
                            .isEqualTo(expected.all().get(i));
                }
            }
        }
    }

    /** Half a step is a step of the half. */
    @ParameterizedTest
    @MethodSource("rules")
    void aRangeInPartsIsTheRange(UpdateRule rule) {
        Flat whole = new Flat(200, 5, new SplittableRandom(SEED));
        Flat parts = new Flat(200, 5, new SplittableRandom(SEED));
        whole.step(optimizerStep(), 1, rule, 3);
        optimizerStep()
                .step(
                        parts.parameters,
                        parts.firstMoments,
                        parts.secondMoments,
                        parts.gradients,
                        Coefficients.of(rule, 1, 3, 1),
                        5,
                        42);
        optimizerStep()
                .step(
                        parts.parameters,
                        parts.firstMoments,
                        parts.secondMoments,
                        parts.gradients,
                        Coefficients.of(rule, 1, 3, 1),
                        42,
                        205);
        assertThat(parts.parameters).isEqualTo(whole.parameters);
        assertThat(parts.firstMoments).isEqualTo(whole.firstMoments);
        assertThat(parts.secondMoments).isEqualTo(whole.secondMoments);
    }
}
