package org.lemmata.kernel.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.SameNumbers.assertSameNumbers;

import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorSoftmaxCrossEntropyTest extends SoftmaxCrossEntropyContract {

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
        float[] logits = new float[rows * columns];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) random.nextDouble(-9, 9);
        }
        int[] scoredRows = new int[rows / 2];
        int[] targets = new int[rows / 2];
        for (int k = 0; k < targets.length; k++) {
            scoredRows[k] = 2 * k;
            targets[k] = random.nextInt(columns);
        }
        float[] expected = new float[logits.length];
        double loss = 0;
        for (int threads : new int[] {1, 2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                SoftmaxCrossEntropy crossEntropy = new VectorSoftmaxCrossEntropy(workers, 4 * columns);
                float[] gradient = new float[logits.length];
                double actual = crossEntropy.backward(
                        Matrix.of(gradient, rows, columns),
                        Matrix.of(logits, rows, columns),
                        targets,
                        scoredRows,
                        0.25);
                if (threads == 1) {
                    expected = gradient;
                    loss = actual;
                }
                assertThat(actual).as("%d threads", threads).isEqualTo(loss);
                assertSameNumbers(gradient, expected, "%d threads", threads);
            }
        }
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
        SoftmaxCrossEntropy crossEntropy = crossEntropy();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        // Until everything is compiled, vectors are boxed: one call without any is what is waited for.
        long allocated = Long.MAX_VALUE;
        for (int call = 0; call < 200_000 && allocated > 0; call++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            crossEntropy.backward(gradient, ofLogits, targets, scoredRows, 0.25);
            crossEntropy.forward(ofLogits, targets, scoredRows, 0.25);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).isZero();
    }
}
