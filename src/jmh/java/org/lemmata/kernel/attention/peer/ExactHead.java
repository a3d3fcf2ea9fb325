package org.lemmata.kernel.attention.peer;

/**
 * One head of one sequence in binary64: o = softmax(scale q kᵀ, causal) v, and the gradients of q, k and v for the
 * gradient do of o. All are length x width.
 */
final class ExactHead {

    private final int width;
    final double[] outputs;
    final double[] dQueries;
    final double[] dKeys;
    final double[] dValues;

    ExactHead(double[] queries, double[] keys, double[] values, double[] dOutputs, int length, double scale) {
        width = queries.length / length;
        outputs = new double[queries.length];
        dQueries = new double[queries.length];
        dKeys = new double[queries.length];
        dValues = new double[queries.length];
        double[] weights = new double[length];
        for (int i = 0; i < length; i++) {
            weigh(weights, queries, keys, i, scale);
            // delta = sum_j w_ij <do_i, v_j> = <do_i, o_i>, where w_ij are the weights.
            double delta = 0;
            for (int d = 0; d < width; d++) {
                double sum = 0;
                for (int j = 0; j <= i; j++) {
                    sum += weights[j] * values[j * width + d];
                }
                outputs[i * width + d] = sum;
                delta += sum * dOutputs[i * width + d];
            }
            for (int j = 0; j <= i; j++) {
                double dScore = scale * weights[j] * (dot(dOutputs, i, values, j) - delta);
                for (int d = 0; d < width; d++) {
                    dQueries[i * width + d] += dScore * keys[j * width + d];
                    dKeys[j * width + d] += dScore * queries[i * width + d];
                    dValues[j * width + d] += weights[j] * dOutputs[i * width + d];
                }
            }
        }
    }

    private void weigh(double[] weights, double[] queries, double[] keys, int i, double scale) {
        double max = Double.NEGATIVE_INFINITY;
        for (int j = 0; j <= i; j++) {
            weights[j] = scale * dot(queries, i, keys, j);
            max = Math.max(max, weights[j]);
        }
        double total = 0;
        for (int j = 0; j <= i; j++) {
            weights[j] = Math.exp(weights[j] - max);
            total += weights[j];
        }
        for (int j = 0; j <= i; j++) {
            weights[j] /= total;
        }
    }

    private double dot(double[] left, int i, double[] right, int j) {
        double sum = 0;
        for (int d = 0; d < width; d++) {
            sum += left[i * width + d] * right[j * width + d];
        }
        return sum;
    }
}
