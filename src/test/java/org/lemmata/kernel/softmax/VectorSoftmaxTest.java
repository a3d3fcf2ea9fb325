package org.lemmata.kernel.softmax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.SameNumbers.assertSameNumbers;

import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorSoftmaxTest extends SoftmaxContract {

    @Override
    Softmax softmax() {
        return new VectorSoftmax(Workers.caller());
    }

    private static float[] random(int length) {
        SplittableRandom random = new SplittableRandom(7);
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-9, 9);
        }
        return x;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 61})
    void everyNumberOfThreadsGivesTheSameBits(int columns) {
        int rows = 40;
        float[] x = random(rows * columns);
        float[] expected = x.clone();
        new VectorSoftmax(Workers.caller())
                .forwardInto(Matrix.of(expected, rows, columns), Matrix.of(expected, rows, columns));
        float[] gradient = new float[x.length];
        new VectorSoftmax(Workers.caller())
                .backwardInto(
                        Matrix.of(gradient, rows, columns),
                        Matrix.of(x, rows, columns),
                        Matrix.of(expected, rows, columns));
        for (int threads : new int[] {1, 2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                Softmax softmax = new VectorSoftmax(workers, 200);
                float[] y = x.clone();
                softmax.forwardInto(Matrix.of(y, rows, columns), Matrix.of(y, rows, columns));
                assertSameNumbers(y, expected, "y, %d threads", threads);
                float[] dx = x.clone();
                softmax.backwardInto(
                        Matrix.of(dx, rows, columns), Matrix.of(dx, rows, columns), Matrix.of(y, rows, columns));
                assertSameNumbers(dx, gradient, "dx, %d threads", threads);
            }
        }
    }

    /** Rows of whole vectors, and rows that end within one. */
    @Tag("allocation")
    @ParameterizedTest
    @ValueSource(ints = {64, 61, 5})
    void aCallAllocatesNothing(int columns) {
        int rows = 16;
        Matrix x = Matrix.of(random(rows * columns), rows, columns);
        Matrix dx = Matrix.of(new float[rows * columns], rows, columns);
        Softmax softmax = softmax();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        // Until everything is compiled, vectors are boxed: one call without any is what is waited for.
        long allocated = Long.MAX_VALUE;
        for (int call = 0; call < 200_000 && allocated > 0; call++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            softmax.forwardInto(x, x);
            softmax.backwardInto(dx, x, x);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).isZero();
    }
}
