package org.lemmata.kernel.loss;

import org.lemmata.kernel.elementary.Extents;

/** The reference: differences and squares in binary64, summed in ascending order. */
public final class ScalarSquaredError implements SquaredError {

    @Override
    public double forward(float[] y, int yOffset, float[] targets, int targetsOffset, double factor, int count) {
        SquaredError.check(y, yOffset, targets, targetsOffset, count);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            double difference = (double) y[yOffset + i] - targets[targetsOffset + i];
            sum += difference * difference;
        }
        return factor * sum;
    }

    @Override
    public double backward(
            float[] dy,
            int dyOffset,
            float[] y,
            int yOffset,
            float[] targets,
            int targetsOffset,
            double factor,
            int count) {
        Extents.checkVector("dy", dy, dyOffset, count);
        double loss = forward(y, yOffset, targets, targetsOffset, factor, count);
        for (int i = 0; i < count; i++) {
            dy[dyOffset + i] = (float) (2 * factor * ((double) y[yOffset + i] - targets[targetsOffset + i]));
        }
        return loss;
    }
}
