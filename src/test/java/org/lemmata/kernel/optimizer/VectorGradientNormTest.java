package org.lemmata.kernel.optimizer;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.thread.Workers;

class VectorGradientNormTest extends ScalarGradientNormTest {

    @Override
    GradientNorm gradientNorm() {
        return new VectorGradientNorm(Workers.caller());
    }

    @Test
    void hasTheBitsOfTheReference() {
        for (int length : new int[] {300_001, 70_000, 5}) {
            float[] gradients = gradients(length, 5, new SplittableRandom(SEED));
            double expected = new ScalarGradientNorm().squaredNorm(0, gradients, 5, 5 + length);
            Threads.assertBits(
                    List.of(Threads.parts(expected)),
                    workers -> List.of(
                            Threads.parts(new VectorGradientNorm(workers).squaredNorm(0, gradients, 5, 5 + length))));
        }
    }
}
