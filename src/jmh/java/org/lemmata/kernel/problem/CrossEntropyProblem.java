package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.lemmata.kernel.loss.SoftmaxCrossEntropy;
import org.lemmata.kernel.matrix.Matrix;

/** Cross-entropy of rows of logits from -8 to 8, with all rows scored. */
public final class CrossEntropyProblem {

    /** The limit of the errors of the loss and of the gradient. */
    private static final double MAX_ULPS = 128;

    private final int columns;
    private final Matrix logits;
    private final Matrix dlogits;
    private final int[] targets;
    private final int[] scoredRows;
    private final double[] probabilities;

    public CrossEntropyProblem(int rows, int columns) {
        this.columns = columns;
        SplittableRandom random = new SplittableRandom(1);
        logits = Numbers.uniform(rows, columns, -8, 8, random);
        dlogits = Matrix.of(new float[rows * columns], rows, columns);
        targets = random.ints(rows, 0, columns).toArray();
        scoredRows = new int[rows];
        Arrays.setAll(scoredRows, i -> i);
        probabilities = SoftmaxProblem.probabilities(logits.array(), columns);
    }

    public Workload<SoftmaxCrossEntropy> forward() {
        return loss(crossEntropy -> crossEntropy.forward(logits, targets, scoredRows, 1));
    }

    /** The loss that the backward pass returns. */
    public Workload<SoftmaxCrossEntropy> lossOfBackward() {
        return loss(this::runBackward);
    }

    private Workload<SoftmaxCrossEntropy> loss(ToDoubleFunction<SoftmaxCrossEntropy> call) {
        float[] written = new float[1];
        return new Workload<>(
                written,
                crossEntropy -> written[0] = (float) call.applyAsDouble(crossEntropy),
                _ -> Expected.of(targets.length, i -> -Math.log(probabilities[i * columns + targets[i]])),
                MAX_ULPS,
                5.0 * probabilities.length,
                4.0 * probabilities.length);
    }

    private double runBackward(SoftmaxCrossEntropy crossEntropy) {
        return crossEntropy.backward(dlogits, logits, targets, scoredRows, 1);
    }

    public Workload<SoftmaxCrossEntropy> backward() {
        return new Workload<>(
                dlogits.array(),
                this::runBackward,
                at -> Expected.of(probabilities[at] - (at % columns == targets[at / columns] ? 1 : 0)),
                MAX_ULPS,
                5.0 * probabilities.length,
                8.0 * probabilities.length);
    }
}
