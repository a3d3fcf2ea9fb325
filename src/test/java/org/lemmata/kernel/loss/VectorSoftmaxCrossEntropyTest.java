package org.lemmata.kernel.loss;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorSoftmaxCrossEntropyTest extends ScalarSoftmaxCrossEntropyTest {

    @Override
    SoftmaxCrossEntropy crossEntropy() {
        return new VectorSoftmaxCrossEntropy(Workers.caller());
    }

    /** Every second row is scored, in chunks of several rows. */
    @ParameterizedTest
    @ValueSource(ints = {3, 61})
    void everyNumberOfThreadsGivesTheSameBits(int columns) {
        int rows = 50;
        SplittableRandom random = new SplittableRandom(3);
        float[] logits = Guarded.uniform(rows * columns, 9, random);
        int[] scoredRows = new int[rows / 2];
        int[] targets = new int[rows / 2];
        for (int k = 0; k < targets.length; k++) {
            scoredRows[k] = 2 * k;
            targets[k] = random.nextInt(columns);
        }
        Threads.assertSameBits(workers -> {
            SoftmaxCrossEntropy crossEntropy = new VectorSoftmaxCrossEntropy(workers, 4 * columns);
            Matrix gradient = Guarded.result(rows, columns);
            double loss =
                    crossEntropy.backward(gradient, Guarded.operand(logits, rows, columns), targets, scoredRows, 0.25);
            return List.of(Guarded.numbers(gradient), Threads.parts(loss));
        });
    }

    /** Rows that end within a vector, with certain targets and others, forward and backward. */
    @Tag("allocation")
    @Test
    void aCallAllocatesNothing() {
        int rows = 16;
        int columns = 3 * Species.FLOAT.length() + 1;
        float[] logits = new float[rows * columns];
        int[] scoredRows = new int[rows];
        int[] targets = new int[rows];
        for (int i = 0; i < rows; i++) {
            scoredRows[i] = i;
            targets[i] = i % columns;
            logits[i * columns + targets[i]] = i;
        }
        Matrix ofLogits = Matrix.of(logits, rows, columns);
        Matrix gradient = Matrix.of(new float[logits.length], rows, columns);
        Allocation.assertNoneWithThreads(workers -> {
            SoftmaxCrossEntropy crossEntropy = new VectorSoftmaxCrossEntropy(workers, 5 * columns);
            return () -> {
                crossEntropy.backward(gradient, ofLogits, targets, scoredRows, 0.25);
                crossEntropy.forward(ofLogits, targets, scoredRows, 0.25);
            };
        });
    }
}
