package org.lemmata.oracle;

import java.math.BigDecimal;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Causal softmax attention of one head with rounded tensors, and its gradients, computed number by number from the
 * definition. Every fused multiply-add and every rounded sum is exact before it is rounded, in decimals if binary64 is
 * not exact.
 *
 * @param scores rounds scores
 * @param exponentials rounds weights, not their quotients by the sum
 * @param sums rounds every product and every sum; null for fused multiply-adds in binary32
 * @param outputs rounds outputs
 * @param gradients rounds gradients, including those of scores
 * @param exp the exponential of binary32 numbers
 * @param scale the factor of inner products
 * @param biases the biases of the distances 0, 1, ...
 */
@SuppressWarnings("ArrayRecordComponent") // It is not compared or printed.
public record ExactRoundedAttention(
        DoubleUnaryOperator scores,
        DoubleUnaryOperator exponentials,
        @Nullable DoubleUnaryOperator sums,
        DoubleUnaryOperator outputs,
        DoubleUnaryOperator gradients,
        UnaryOperator<Float> exp,
        float scale,
        float[] biases) {

    /** The gradients of queries, keys and values, one row per position. */
    public record Gradients(float[][] queries, float[][] keys, float[][] values) {}

    private float addProduct(float sum, float x, float y) {
        double product = (double) x * y; // of binary32 numbers: exact
        if (sums == null) {
            return isExact(product, sum)
                    ? (float) (product + sum)
                    : new BigDecimal(product).add(new BigDecimal(sum)).floatValue();
        }
        return add(sum, (float) sums.applyAsDouble(product));
    }

    private float add(float x, float y) {
        if (sums == null) {
            return x + y;
        }
        if (!isExact(x, y)) {
            throw new IllegalArgumentException("sum: expected one that binary64 holds, got " + x + " + " + y);
        }
        return (float) sums.applyAsDouble((double) x + y);
    }

    /** Whether the sum is exact in binary64. Its rounding error is itself a binary64 number (Knuth, TAOCP 2, 4.2.2). */
    private static boolean isExact(double x, double y) {
        double sum = x + y;
        double part = sum - x;
        return (x - (sum - part)) + (y - part) == 0;
    }

    private float dot(float[] x, float[] y) {
        float sum = 0;
        for (int d = 0; d < x.length; d++) {
            sum = addProduct(sum, x[d], y[d]);
        }
        return sum;
    }

    /** The weights u_i0 ... u_ii of query i, before division by their sum. */
    private float[] weights(float[] query, float[][] keys, int i) {
        float[] weights = new float[i + 1];
        float maximum = Float.NEGATIVE_INFINITY;
        for (int j = 0; j <= i; j++) {
            float score = scale * dot(query, keys[j]);
            if (i - j < biases.length) {
                score += biases[i - j];
            }
            weights[j] = (float) scores.applyAsDouble(score);
            maximum = Math.max(maximum, weights[j]);
        }
        for (int j = 0; j <= i; j++) {
            weights[j] = (float) exponentials.applyAsDouble(exp.apply(weights[j] - maximum));
        }
        return weights;
    }

    private float total(float[] weights) {
        float total = 0;
        for (float weight : weights) {
            total = add(total, weight);
        }
        return total;
    }

    /** The outputs, one row per position. */
    public float[][] forward(float[][] queries, float[][] keys, float[][] values) {
        float[][] all = new float[queries.length][values[0].length];
        for (int i = 0; i < queries.length; i++) {
            float[] weights = weights(queries[i], keys, i);
            float total = total(weights);
            for (int d = 0; d < values[0].length; d++) {
                float sum = 0;
                for (int j = 0; j <= i; j++) {
                    sum = addProduct(sum, weights[j], values[j][d]);
                }
                all[i][d] = (float) outputs.applyAsDouble((double) sum / total);
            }
        }
        return all;
    }

    /** The gradients, to which the rows contribute in ascending order. */
    public Gradients backward(float[][] dOutputs, float[][] queries, float[][] keys, float[][] values) {
        int length = queries.length;
        int width = queries[0].length;
        Gradients gradients =
                new Gradients(new float[length][width], new float[length][width], new float[length][width]);
        for (int i = 0; i < length; i++) {
            float[] weights = weights(queries[i], keys, i);
            float total = total(weights);
            float[] dWeights = new float[i + 1];
            for (int j = 0; j <= i; j++) {
                weights[j] /= total;
                dWeights[j] = dot(dOutputs[i], values[j]);
            }
            float mean = dot(weights, dWeights);
            for (int j = 0; j <= i; j++) {
                float dScore = (float) this.gradients.applyAsDouble(weights[j] * (dWeights[j] - mean));
                for (int d = 0; d < width; d++) {
                    gradients.values[j][d] = addProduct(gradients.values[j][d], weights[j], dOutputs[i][d]);
                    gradients.queries[i][d] = addProduct(gradients.queries[i][d], dScore, keys[j][d]);
                    gradients.keys[j][d] = addProduct(gradients.keys[j][d], dScore, queries[i][d]);
                }
            }
        }
        for (int i = 0; i < length; i++) {
            for (int d = 0; d < width; d++) {
                gradients.queries[i][d] = (float) this.gradients.applyAsDouble(scale * gradients.queries[i][d]);
                gradients.keys[i][d] = (float) this.gradients.applyAsDouble(scale * gradients.keys[i][d]);
                gradients.values[i][d] = (float) this.gradients.applyAsDouble(gradients.values[i][d]);
            }
        }
        return gradients;
    }
}
