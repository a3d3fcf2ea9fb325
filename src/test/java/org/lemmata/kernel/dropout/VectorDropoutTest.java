package org.lemmata.kernel.dropout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.thread.Workers;

class VectorDropoutTest extends DropoutContract {

    @Override
    Dropout dropout() {
        return new VectorDropout(Workers.caller());
    }

    /** For any lanes, and any number of threads, of which each may take any chunk. */
    @Test
    void hasTheBitsOfTheReference() {
        int length = 3 * 32768 + 1234;
        float[] inputs = random(length, new SplittableRandom(1));
        float[] expected = new float[length];
        new ScalarDropout().forward(expected, 0, inputs, 0, length, 0.3, STREAM);
        for (int threads : new int[] {1, 2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                float[] actual = new float[length];
                new VectorDropout(workers).forward(actual, 0, inputs, 0, length, 0.3, STREAM);
                assertThat(actual).as("%d threads", threads).isEqualTo(expected);
            }
        }
    }

    /** Several chunks and a rest. */
    @Tag("allocation")
    @Test
    void aCallAllocatesNothing() {
        float[] x = new float[70_001];
        Allocation.assertNoneWithThreads(workers -> {
            Dropout dropout = new VectorDropout(workers);
            return () -> {
                dropout.forward(x, 0, x, 0, x.length, 0.5, STREAM);
                dropout.backward(x, 0, x, 0, 100, 0.5, STREAM);
            };
        });
    }
}
