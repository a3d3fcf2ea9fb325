package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;

/** The reference: each element by its formula in binary64, sums in ascending order, rounded where it is stored. */
public final class ScalarNormalization implements Normalization {

    @Override
    public void forward(
            float[] y,
            int yOffset,
            int yStride,
            float @Nullable [] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            float @Nullable [] shift,
            int shiftOffset,
            Kind kind,
            float epsilon,
            int rows,
            int columns) {
        Normalization.checkForward(
                y,
                yOffset,
                yStride,
                statistics,
                statisticsOffset,
                x,
                xOffset,
                xStride,
                gain,
                gainOffset,
                shift,
                shiftOffset,
                kind,
                epsilon,
                rows,
                columns);
        if (columns == 0) {
            return;
        }
        for (int i = 0; i < rows; i++) {
            int from = xOffset + i * xStride;
            double mean = kind == Kind.LAYER ? sum(x, from, columns) / columns : 0;
            double reciprocal = 1 / Math.sqrt(sumOfSquares(x, from, columns, mean) / columns + epsilon);
            if (statistics != null) {
                int at = statisticsOffset + i * kind.statistics();
                statistics[at] = (float) reciprocal;
                if (kind == Kind.LAYER) {
                    statistics[at + 1] = (float) mean;
                    statistics[at + 2] = (float) (mean - (float) mean);
                }
            }
            for (int j = 0; j < columns; j++) {
                double normalized = (x[from + j] - mean) * reciprocal;
                double scaled = gain == null ? normalized : gain[gainOffset + j] * normalized;
                y[yOffset + i * yStride + j] = (float) (shift == null ? scaled : scaled + shift[shiftOffset + j]);
            }
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
            float[] dx,
            int dxOffset,
            int dxStride,
            float @Nullable [] dgain,
            int dgainOffset,
            float @Nullable [] dshift,
            int dshiftOffset,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            Kind kind,
            int rows,
            int columns) {
        Normalization.checkBackward(
                dx,
                dxOffset,
                dxStride,
                dgain,
                dgainOffset,
                dshift,
                dshiftOffset,
                dy,
                dyOffset,
                dyStride,
                statistics,
                statisticsOffset,
                x,
                xOffset,
                xStride,
                gain,
                gainOffset,
                kind,
                rows,
                columns);
        for (int i = 0; i < rows; i++) {
            int at = statisticsOffset + i * kind.statistics();
            double reciprocal = statistics[at];
            double mean = kind == Kind.LAYER ? (double) statistics[at + 1] + statistics[at + 2] : 0;
            double sum = 0;
            double product = 0;
            for (int j = 0; j < columns; j++) {
                float gradient = dy[dyOffset + i * dyStride + j];
                double normalized = (x[xOffset + i * xStride + j] - mean) * reciprocal;
                double scaled = gain == null ? gradient : (double) gain[gainOffset + j] * gradient;
                sum += scaled;
                product += scaled * normalized;
                if (dgain != null) {
                    dgain[dgainOffset + j] += (float) (gradient * normalized);
                }
                if (dshift != null) {
                    dshift[dshiftOffset + j] += gradient;
                }
            }
            double center = kind == Kind.LAYER ? sum / columns : 0;
            for (int j = 0; j < columns; j++) {
                float gradient = dy[dyOffset + i * dyStride + j];
                double normalized = (x[xOffset + i * xStride + j] - mean) * reciprocal;
                double scaled = gain == null ? gradient : (double) gain[gainOffset + j] * gradient;
                dx[dxOffset + i * dxStride + j] =
                        (float) (reciprocal * (scaled - normalized * (product / columns) - center));
            }
        }
    }
}
