package org.lemmata.kernel.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.thread.Workers;

class VectorGradientNormTest extends GradientNormContract {

    @Override
    GradientNorm gradientNorm() {
        return new VectorGradientNorm(Workers.caller());
    }

    /** For any lanes, and any number of threads, of which each may take any chunk. */
    @Test
    void hasTheBitsOfTheReference() {
        for (int length : new int[] {300_001, 70_000, 5}) {
            float[] gradients = gradients(length, 5, new SplittableRandom(SEED));
            double expected = new ScalarGradientNorm().squaredNorm(gradients, 5, 5 + length);
            for (int threads : new int[] {1, 2, 3, 8}) {
                try (Workers workers = Workers.of(threads)) {
                    assertThat(new VectorGradientNorm(workers).squaredNorm(gradients, 5, 5 + length))
                            .as("%d threads, length %d", threads, length)
                            .isEqualTo(expected);
                }
            }
        }
    }
}
