package org.lemmata.kernel.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.SplittableRandom;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorSquaredErrorTest extends ScalarSquaredErrorTest {

    @Override
    SquaredError squaredError() {
        return new VectorSquaredError(Workers.caller());
    }

    @Test
    void everyNumberOfThreadsGivesTheSameBits() {
        int count = 5 * (1 << 16) + 77;
        float[] y = Guarded.uniform(count, 1, new SplittableRandom(1));
        float[] targets = Guarded.uniform(count, 1, new SplittableRandom(2));
        Matrix ofY = Matrix.row(y, 0, count);
        Matrix ofTargets = Matrix.row(targets, 0, count);
        float[] expected = new float[count];
        double loss = squaredError().backward(Matrix.row(expected, 0, count), ofY, ofTargets, 0.5);
        float[] differences = new float[count];
        for (int i = 0; i < count; i++) {
            differences[i] = y[i] - targets[i];
        }
        assertThat(expected).isEqualTo(differences);
        assertThat(loss).isCloseTo(new ScalarSquaredError().forward(ofY, ofTargets, 0.5), withinPercentage(1e-3));
        Threads.assertBits(List.of(expected, Threads.parts(loss), Threads.parts(loss)), workers -> {
            SquaredError squaredError = new VectorSquaredError(workers);
            float[] dy = new float[count];
            double backward = squaredError.backward(Matrix.row(dy, 0, count), ofY, ofTargets, 0.5);
            double forward = squaredError.forward(ofY, ofTargets, 0.5);
            return List.of(dy, Threads.parts(backward), Threads.parts(forward));
        });
    }

    @Tag("allocation")
    @Test
    void aCallAllocatesNothing() {
        int count = 1000;
        // After stores of 4 lanes, as in packing, the compiler no longer knows the class of other stores.
        float[] four = new float[4];
        for (int i = 0; i < 20_000; i++) {
            FloatVector.broadcast(FloatVector.SPECIES_128, i).intoArray(four, 0);
        }
        Matrix y = Matrix.row(Guarded.uniform(count, 1, new SplittableRandom(3)), 0, count);
        Matrix targets = Matrix.row(Guarded.uniform(count, 1, new SplittableRandom(4)), 0, count);
        Matrix dy = Matrix.row(new float[count], 0, count);
        Allocation.assertNoneWithThreads(workers -> {
            SquaredError squaredError = new VectorSquaredError(workers);
            return () -> squaredError.backward(dy, y, targets, 0.5);
        });
    }
}
