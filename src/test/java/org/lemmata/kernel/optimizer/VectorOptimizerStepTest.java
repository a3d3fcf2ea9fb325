package org.lemmata.kernel.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.thread.Workers;

class VectorOptimizerStepTest extends ScalarOptimizerStepTest {

    private static final long SEED = 20260402;

    @Override
    OptimizerStep optimizerStep() {
        return new VectorOptimizerStep(Workers.caller());
    }

    private static List<float[]> threeSteps(OptimizerStep optimizerStep, UpdateRule rule, int length) {
        Flat flat = new Flat(length, 5, new SplittableRandom(SEED));
        flat.gradients[7] = 1e-42f;
        flat.gradients[8] = Float.NaN;
        flat.gradients[9] = -0f;
        for (int step = 1; step <= 3; step++) {
            flat.step(optimizerStep, 0.75f, rule, step);
        }
        return flat.all();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void hasTheBitsOfTheReference(UpdateRule rule) {
        int length = 3 * 32768 + 1234;
        Threads.assertBits(
                threeSteps(new ScalarOptimizerStep(), rule, length),
                workers -> threeSteps(new VectorOptimizerStep(workers), rule, length));
    }

    /** Half a step is a step of the half. */
    @ParameterizedTest
    @MethodSource("rules")
    void aRangeInPartsIsTheRange(UpdateRule rule) {
        Flat whole = new Flat(200, 5, new SplittableRandom(SEED));
        Flat parts = new Flat(200, 5, new SplittableRandom(SEED));
        whole.step(optimizerStep(), 1, rule, 3);
        parts.step(optimizerStep(), rule, 3, 5, 42);
        parts.step(optimizerStep(), rule, 3, 42, 205);
        assertThat(parts.parameters).isEqualTo(whole.parameters);
        assertThat(parts.firstMoments).isEqualTo(whole.firstMoments);
        assertThat(parts.secondMoments).isEqualTo(whole.secondMoments);
    }
}
