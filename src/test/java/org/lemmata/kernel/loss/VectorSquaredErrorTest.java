package org.lemmata.kernel.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.SplittableRandom;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorSquaredErrorTest extends SquaredErrorContract {

    @Override
    SquaredError squaredError() {
        return new VectorSquaredError(Workers.caller());
    }

    private static float[] random(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
    }

    @Test
    void everyNumberOfThreadsGivesTheSameBits() {
        int count = 5 * (1 << 16) + 77;
        float[] y = random(count, 1);
        float[] targets = random(count, 2);
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
        for (int threads : new int[] {2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                SquaredError squaredError = new VectorSquaredError(workers);
                float[] dy = new float[count];
                assertThat(squaredError.backward(Matrix.row(dy, 0, count), ofY, ofTargets, 0.5))
                        .as("%d threads", threads)
                        .isEqualTo(loss);
                assertThat(squaredError.forward(ofY, ofTargets, 0.5)).isEqualTo(loss);
                assertThat(dy).as("%d threads", threads).isEqualTo(expected);
            }
        }
    }

    @Tag("allocation")
    @Test
    void aCallAllocatesNothing() {
        int count = 1000;
        // Once 4 lanes were stored, as packing does, the compiler no longer knows which class is stored elsewhere.
        float[] four = new float[4];
        for (int i = 0; i < 20_000; i++) {
            FloatVector.broadcast(FloatVector.SPECIES_128, i).intoArray(four, 0);
        }
        Matrix y = Matrix.row(random(count, 3), 0, count);
        Matrix targets = Matrix.row(random(count, 4), 0, count);
        Matrix dy = Matrix.row(new float[count], 0, count);
        Allocation.assertNoneWithThreads(workers -> {
            SquaredError squaredError = new VectorSquaredError(workers);
            return () -> squaredError.backward(dy, y, targets, 0.5);
        });
    }
}
