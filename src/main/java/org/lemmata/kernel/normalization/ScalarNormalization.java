package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;

/** The scalar reference: computes rows in binary64, and sums over rows in binary32, in ascending order. */
public final class ScalarNormalization implements Normalization {

    @Override
    public void forward(
            Matrix y, @Nullable Matrix statistics, Matrix x, GainAndShift weights, Kind kind, float epsilon) {
        Normalization.checkForward(y, statistics, x, weights, kind, epsilon);
        for (int i = 0; i < x.rows() && x.columns() > 0; i++) {
            forwardRow(y, statistics, x, weights.gain(), weights.shift(), kind, epsilon, i);
        }
    }

    static void forwardRow(
            Matrix y,
            @Nullable Matrix statistics,
            Matrix x,
            @Nullable Matrix gain,
            @Nullable Matrix shift,
            Kind kind,
            float epsilon,
            int i) {
        int columns = x.columns();
        int from = x.start(i);
        double mean = kind == Kind.LAYER ? sum(x.array(), from, columns) / columns : 0;
        double reciprocal = 1 / Math.sqrt(sumOfSquares(x.array(), from, columns, mean) / columns + epsilon);
        if (statistics != null) {
            int at = statistics.start(i);
            statistics.array()[at] = (float) reciprocal;
            if (kind == Kind.LAYER) {
                statistics.array()[at + 1] = (float) mean;
                statistics.array()[at + 2] = (float) (mean - (float) mean);
            }
        }
        for (int j = 0; j < columns; j++) {
            double normalized = (x.array()[from + j] - mean) * reciprocal;
            double scaled = gain == null ? normalized : gain.get(0, j) * normalized;
            y.array()[y.start(i) + j] = (float) (shift == null ? scaled : scaled + shift.get(0, j));
        }
    }

    private static double sum(float[] x, int from, int count) {
        double sum = 0;
        for (int j = from; j < from + count; j++) {
            sum += x[j];
        }
        return sum;
    }

    private static double sumOfSquares(float[] x, int from, int count, double mean) {
        double sum = 0;
        for (int j = from; j < from + count; j++) {
            double difference = x[j] - mean;
            sum += difference * difference;
        }
        return sum;
    }

    @Override
    public void backward(
            Matrix dx, GainAndShift dweights, Matrix dy, Matrix statistics, Matrix x, GainAndShift weights, Kind kind) {
        Normalization.checkBackward(dx, dweights, dy, statistics, x, weights, kind);
        int columns = x.columns();
        Matrix dgain = dweights.gain();
        Matrix dshift = dweights.shift();
        Matrix gain = weights.gain();
        for (int i = 0; i < x.rows(); i++) {
            double reciprocal = statistics.get(i, 0);
            double mean = kind == Kind.LAYER ? (double) statistics.get(i, 1) + statistics.get(i, 2) : 0;
            double sum = 0;
            double product = 0;
            for (int j = 0; j < columns; j++) {
                float gradient = dy.get(i, j);
                double normalized = (x.get(i, j) - mean) * reciprocal;
                double scaled = gain == null ? gradient : (double) gain.get(0, j) * gradient;
                sum += scaled;
                product += scaled * normalized;
                if (dgain != null) {
                    dgain.array()[dgain.offset() + j] += (float) (gradient * normalized);
                }
                if (dshift != null) {
                    dshift.array()[dshift.offset() + j] += gradient;
                }
            }
            double center = kind == Kind.LAYER ? sum / columns : 0;
            for (int j = 0; j < columns; j++) {
                float gradient = dy.get(i, j);
                double normalized = (x.get(i, j) - mean) * reciprocal;
                double scaled = gain == null ? gradient : (double) gain.get(0, j) * gradient;
                dx.array()[dx.start(i) + j] =
                        (float) (reciprocal * (scaled - normalized * (product / columns) - center));
            }
        }
    }
}
