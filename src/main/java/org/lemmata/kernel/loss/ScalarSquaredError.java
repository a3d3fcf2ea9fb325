package org.lemmata.kernel.loss;

import org.lemmata.kernel.matrix.Matrix;

/** The scalar reference: differences and squares in binary64, summed in ascending order. */
public final class ScalarSquaredError implements SquaredError {

    @Override
    public double forward(Matrix y, Matrix targets, double factor) {
        SquaredError.check(y, y, targets);
        double sum = 0;
        for (int i = 0; i < y.rows() * y.columns(); i++) {
            double difference = difference(y, targets, i);
            sum += difference * difference;
        }
        return factor * sum;
    }

    private static double difference(Matrix y, Matrix targets, int i) {
        return (double) y.array()[y.offset() + i] - targets.array()[targets.offset() + i];
    }

    @Override
    public double backward(Matrix dy, Matrix y, Matrix targets, double factor) {
        SquaredError.check(dy, y, targets);
        double loss = forward(y, targets, factor);
        for (int i = 0; i < y.rows() * y.columns(); i++) {
            dy.array()[dy.offset() + i] = (float) (2 * factor * difference(y, targets, i));
        }
        return loss;
    }
}
