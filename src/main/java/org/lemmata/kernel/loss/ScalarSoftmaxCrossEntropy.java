package org.lemmata.kernel.loss;

import java.util.Arrays;
import org.lemmata.kernel.elementary.Extents;

/** The reference: each row by its formula in binary64, sums in ascending order. */
public final class ScalarSoftmaxCrossEntropy implements SoftmaxCrossEntropy {

    @Override
    public double forward(
            float[] logits,
            int offset,
            int stride,
            int[] targets,
            int[] scoredRows,
            double factor,
            int rows,
            int columns) {
        SoftmaxCrossEntropy.check(logits, offset, stride, targets, scoredRows, rows, columns);
        double loss = 0;
        for (int k = 0; k < targets.length; k++) {
            int from = offset + scoredRows[k] * stride;
            float max = maximum(logits, from, columns);
            loss += loss(others(logits, from, targets[k], columns, max), logits[from + targets[k]], max);
        }
        return factor * loss;
    }

    private static float maximum(float[] logits, int from, int columns) {
        float max = Float.NEGATIVE_INFINITY;
        for (int j = from; j < from + columns; j++) {
            max = Math.max(max, logits[j]);
        }
        return max;
    }

    /** sum_(j != target) exp(z_j - max). */
    private static double others(float[] logits, int from, int target, int columns, float max) {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            sum += j == target ? 0 : Math.exp((double) logits[from + j] - max);
        }
        return sum;
    }

    private static double loss(double others, float logit, float max) {
        double distance = (double) max - logit;
        return distance + (logit == max ? Math.log1p(others) : Math.log(others + Math.exp(-distance)));
    }

    @Override
    public double backward(
            float[] dlogits,
            int dlogitsOffset,
            int dlogitsStride,
            float[] logits,
            int offset,
            int stride,
            int[] targets,
            int[] scoredRows,
            double factor,
            int rows,
            int columns) {
        Extents.checkMatrix("dlogits", dlogits, dlogitsOffset, dlogitsStride, rows, columns);
        SoftmaxCrossEntropy.check(logits, offset, stride, targets, scoredRows, rows, columns);
        double loss = 0;
        int next = 0;
        for (int i = 0; i < rows; i++) {
            int to = dlogitsOffset + i * dlogitsStride;
            if (next == scoredRows.length || scoredRows[next] != i) {
                Arrays.fill(dlogits, to, to + columns, 0);
                continue;
            }
            int target = targets[next];
            int from = offset + i * stride;
            float max = maximum(logits, from, columns);
            float logit = logits[from + target];
            double others = others(logits, from, target, columns, max);
            double sum = others + Math.exp((double) logit - max);
            loss += loss(others, logit, max);
            for (int j = 0; j < columns; j++) {
                double numerator = j == target ? -others : Math.exp((double) logits[from + j] - max);
                dlogits[to + j] = (float) (factor * (numerator / sum));
            }
            next++;
        }
        return factor * loss;
    }
}
