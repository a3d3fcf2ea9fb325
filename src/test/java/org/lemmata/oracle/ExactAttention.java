package org.lemmata.oracle;

/**
 * Causal attention in binary64, row by row as the formula reads, with a bound of the error that binary32 may make.
 *
 * <p>With u = 2^-24 the unit roundoff of binary32 and D the head width, a score is off by at most delta = (D + 3) u
 * |scale| sum_d |q_d k_d| (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1, whatever the order), so
 * a weight exp(s - m) is off by a factor within 1 +- theta, theta = expm1(2 delta + 104 u) + 4 u: the difference is
 * rounded once, matters while it is above -104, and the exponential is good to 2 ulp. Two sums of n terms add 2 (n + 2)
 * u. So the output is within (2 theta / (1 - theta) + 2 (n + 4) u) sum_j u_j |v_j| / sum_j u_j, and what underflows.
 */
public final class ExactAttention {

    /** How scores become weights. */
    public enum Weights {
        SOFTMAX,
        UNIFORM,
        HARDMAX
    }

    /** Outputs, and for each by how much a binary32 result may differ; infinite where the bound says nothing. */
    @SuppressWarnings("ArrayRecordComponent") // Read element by element; nobody compares or prints results.
    public record Result(double[] outputs, double[] tolerances) {}

    private static final double UNIT_ROUNDOFF = 0x1p-24;

    private ExactAttention() {}

    /** The outputs for sequences of {@code lengths} rows, one after the other, of heads * headWidth columns. */
    public static Result forward(
            Weights weights,
            int heads,
            int headWidth,
            double scale,
            int[] lengths,
            float[] queries,
            float[] keys,
            float[] values) {
        int width = heads * headWidth;
        int total = 0;
        for (int length : lengths) {
            total += length;
        }
        Result result = new Result(new double[total * width], new double[total * width]);
        int first = 0;
        for (int length : lengths) {
            for (int row = first; row < first + length; row++) {
                for (int head = 0; head < heads; head++) {
                    int column = head * headWidth;
                    forwardRow(result, weights, row, first, column, headWidth, width, scale, queries, keys, values);
                }
            }
            first += length;
        }
        return result;
    }

    private static void forwardRow(
            Result result,
            Weights weights,
            int row,
            int first,
            int column,
            int headWidth,
            int width,
            double scale,
            float[] queries,
            float[] keys,
            float[] values) {
        int count = row - first + 1;
        double[] u = new double[count];
        double delta = 0;
        double max = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < count && weights != Weights.UNIFORM; j++) {
            double magnitude = 0;
            for (int d = 0; d < headWidth; d++) {
                double product = (double) queries[row * width + column + d] * keys[(first + j) * width + column + d];
                u[j] += product;
                magnitude += Math.abs(product);
            }
            u[j] *= scale;
            max = Math.max(max, u[j]);
            if (Double.isFinite(magnitude)) {
                delta = Math.max(delta, (headWidth + 3) * UNIT_ROUNDOFF * Math.abs(scale) * magnitude);
            }
        }
        double sum = 0;
        for (int j = 0; j < count; j++) {
            u[j] = switch (weights) {
                case SOFTMAX -> Math.exp(u[j] - max);
                case UNIFORM -> 1;
                case HARDMAX -> Double.isNaN(max) ? Double.NaN : u[j] == max ? 1 : 0;
            };
            sum += u[j];
        }
        double theta = weights == Weights.SOFTMAX ? Math.expm1(2 * delta + 104 * UNIT_ROUNDOFF) + 4 * UNIT_ROUNDOFF : 0;
        double relative =
                theta < 1 ? 2 * theta / (1 - theta) + 2 * (count + 4) * UNIT_ROUNDOFF : Double.POSITIVE_INFINITY;
        for (int d = 0; d < headWidth; d++) {
            double weighted = 0;
            double magnitude = 0;
            double greatest = 0;
            for (int j = 0; j < count; j++) {
                double value = values[(first + j) * width + column + d];
                weighted += u[j] * value;
                magnitude += u[j] * Math.abs(value);
                greatest = Math.max(greatest, Math.abs(value));
            }
            int at = row * width + column + d;
            result.outputs[at] = weighted / sum;
            result.tolerances[at] =
                    relative * magnitude / sum + 2 * count * (Float.MIN_NORMAL * greatest + Float.MIN_VALUE);
        }
    }
}
