package org.lemmata.kernel.loss;

import java.util.Arrays;
import org.lemmata.kernel.matrix.Matrix;

/** The scalar reference: evaluates the formula of each row in binary64, with sums in ascending order. */
public final class ScalarSoftmaxCrossEntropy implements SoftmaxCrossEntropy {

    @Override
    public double forward(Matrix z, int[] targets, int[] scoredRows, double factor) {
        SoftmaxCrossEntropy.check(z, targets, scoredRows);
        float[] logits = z.array();
        int columns = z.columns();
        double loss = 0;
        for (int k = 0; k < targets.length; k++) {
            int from = z.start(scoredRows[k]);
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
    public double backward(Matrix dz, Matrix z, int[] targets, int[] scoredRows, double factor) {
        dz.require("dlogits", z.rows(), z.columns());
        SoftmaxCrossEntropy.check(z, targets, scoredRows);
        float[] dlogits = dz.array();
        float[] logits = z.array();
        int columns = z.columns();
        double loss = 0;
        int next = 0;
        for (int i = 0; i < z.rows(); i++) {
            int to = dz.start(i);
            if (next == scoredRows.length || scoredRows[next] != i) {
                Arrays.fill(dlogits, to, to + columns, 0);
                continue;
            }
            int target = targets[next];
            int from = z.start(i);
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
