package org.lemmata.kernel.softmax;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorSoftmaxTest extends ScalarSoftmaxTest {

    @Override
    Softmax softmax() {
        return new VectorSoftmax(Workers.caller());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 61})
    void everyNumberOfThreadsGivesTheSameBits(int columns) {
        int rows = 40;
        float[] x = Guarded.uniform(rows * columns, 9, new SplittableRandom(7));
        Threads.assertSameBits(workers -> {
            Softmax softmax = new VectorSoftmax(workers, 200);
            Matrix y = Guarded.operand(x, rows, columns);
            softmax.forwardInto(y, y);
            Matrix dx = Guarded.operand(x, rows, columns);
            softmax.backwardInto(dx, dx, y);
            return List.of(Guarded.numbers(y), Guarded.numbers(dx));
        });
    }

    /** Rows of whole vectors, and rows that end within one. */
    @Tag("allocation")
    @ParameterizedTest
    @ValueSource(ints = {64, 61, 5})
    void aCallAllocatesNothing(int columns) {
        int rows = 16;
        Matrix x = Matrix.of(Guarded.uniform(rows * columns, 9, new SplittableRandom(7)), rows, columns);
        Matrix dx = Matrix.of(new float[rows * columns], rows, columns);
        Allocation.assertNoneWithThreads(workers -> {
            Softmax softmax = new VectorSoftmax(workers, 5 * columns);
            return () -> {
                softmax.forwardInto(x, x);
                softmax.backwardInto(dx, x, x);
            };
        });
    }
}
