package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.lemmata.kernel.loss.SquaredError;
import org.lemmata.kernel.matrix.Matrix;

/** Half the squared error of numbers from -1 to 1. */
public final class SquaredErrorProblem {

    private final int count;
    private final float[] y;
    private final float[] targets;
    private final float[] dy;
    private final Matrix ofY;
    private final Matrix ofTargets;
    private final Matrix ofDy;

    public SquaredErrorProblem(int count) {
        this.count = count;
        SplittableRandom random = new SplittableRandom(1);
        y = Numbers.uniform(count, -1, 1, random);
        targets = Numbers.uniform(count, -1, 1, random);
        dy = new float[count];
        ofY = Matrix.row(y, 0, count);
        ofTargets = Matrix.row(targets, 0, count);
        ofDy = Matrix.row(dy, 0, count);
    }

    private double difference(int i) {
        return (double) y[i] - targets[i];
    }

    public Workload<SquaredError> forward() {
        return loss(squaredError -> squaredError.forward(ofY, ofTargets, 0.5));
    }

    /** The loss that the backward pass returns. */
    public Workload<SquaredError> lossOfBackward() {
        return loss(this::runBackward);
    }

    private Workload<SquaredError> loss(ToDoubleFunction<SquaredError> call) {
        float[] written = new float[1];
        return new Workload<>(
                written,
                squaredError -> written[0] = (float) call.applyAsDouble(squaredError),
                _ -> Sum.of(count, i -> 0.5 * difference(i) * difference(i)),
                128,
                3.0 * count,
                8.0 * count);
    }

    private double runBackward(SquaredError squaredError) {
        return squaredError.backward(ofDy, ofY, ofTargets, 0.5);
    }

    public Workload<SquaredError> backward() {
        return new Workload<>(dy, this::runBackward, i -> Sum.inUlps(difference(i)), 1, 5.0 * count, 12.0 * count);
    }
}
