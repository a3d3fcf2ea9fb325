package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.lemmata.kernel.loss.SquaredError;
import org.lemmata.kernel.matrix.Matrix;

/** Half the squared error of numbers from -1 to 1. */
public final class SquaredErrorProblem {

    private final int count;
    private final Matrix y;
    private final Matrix targets;
    private final Matrix dy;

    public SquaredErrorProblem(int count) {
        this.count = count;
        SplittableRandom random = new SplittableRandom(1);
        y = Numbers.uniform(1, count, -1, 1, random);
        targets = Numbers.uniform(1, count, -1, 1, random);
        dy = Matrix.of(new float[count], 1, count);
    }

    private double difference(int i) {
        return (double) y.get(0, i) - targets.get(0, i);
    }

    public Workload<SquaredError> forward() {
        return loss(squaredError -> squaredError.forward(y, targets, 0.5));
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
                _ -> Expected.of(count, i -> 0.5 * difference(i) * difference(i)),
                128,
                3.0 * count,
                8.0 * count);
    }

    private double runBackward(SquaredError squaredError) {
        return squaredError.backward(dy, y, targets, 0.5);
    }

    public Workload<SquaredError> backward() {
        return new Workload<>(
                dy.array(), this::runBackward, i -> Expected.inUlps(difference(i)), 1, 5.0 * count, 12.0 * count);
    }
}
