package org.lemmata.kernel.dropout;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.thread.Workers;

class VectorDropoutTest extends ScalarDropoutTest {

    @Override
    Dropout dropout() {
        return new VectorDropout(Workers.caller());
    }

    @Test
    void hasTheBitsOfTheReference() {
        int length = 3 * 32768 + 1234;
        float[] inputs = random(length, new SplittableRandom(1));
        Threads.assertBits(
                results(new ScalarDropout(), inputs), workers -> results(new VectorDropout(workers), inputs));
    }

    private static List<float[]> results(Dropout dropout, float[] inputs) {
        float[] y = new float[inputs.length];
        dropout.forward(y, 0, inputs, 0, y.length, 0.3, STREAM);
        return List.of(y);
    }

    /** Several chunks and an incomplete one. */
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
