package org.lemmata.oracle;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * Attention in binary64, row by row from its formulas; its gradients in closed form; and a bound of the errors of
 * binary32.
 *
 * <p>With u = 2^-24 the unit roundoff of binary32, a score is off by at most delta = (D + X + 8) u times the sum of its
 * absolute terms, D and X being the widths of head and tokens (Higham, Accuracy and Stability of Numerical Algorithms,
 * section 3.1, whatever the order). So a weight exp(f (s - m)), f = ln n or 1, is off by a factor within 1 +- theta,
 * theta = expm1(2 f delta + 320 u + 4 u |log-sum-exp|) + 8 u: the difference and its factors are rounded while it is
 * above -104, and the exponential is good to 2 ulps. Of w = u / sum u, 2 theta / (1 - theta) is the relative error,
 * apart from the sums; whatever underflows is added. Where rounding decides whether a weight is zeroed, the weight
 * itself is its error. Errors of weights are then carried through the sums to first order, absolute values throughout.
 */
public final class ExactAttention {

    /** How scores become weights. */
    public enum Weights {
        SOFTMAX,
        UNIFORM,
        HARDMAX,
        THRESHOLDED
    }

    /** The number by whose logarithm scores are multiplied: none, the positions that a query sees, or the length. */
    public enum LogLength {
        NONE,
        SEEN,
        SEQUENCE
    }

    /** Sizes and options; identityWidth, biasSpan and thresholdBits are 0 if the option is not used. */
    @SuppressWarnings("ArrayRecordComponent") // Options are not compared or printed.
    public record Options(
            Weights weights,
            boolean causal,
            int heads,
            int headWidth,
            int identityWidth,
            double scale,
            LogLength logLength,
            int biasSpan,
            int thresholdBits,
            int[] lengths) {

        private int width() {
            return heads * headWidth;
        }

        private int total() {
            return Arrays.stream(lengths).sum();
        }
    }

    /** The inputs, row by row; or gradients with respect to them. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Inputs(
            double[] queries,
            double[] keys,
            double[] values,
            double[] tokens,
            double[] keyQueryIdentities,
            double[] valueOutputIdentities,
            double[] scoreBiases) {

        public List<double[]> arrays() {
            return List.of(queries, keys, values, tokens, keyQueryIdentities, valueOutputIdentities, scoreBiases);
        }

        private static Inputs zeros(Options options) {
            int size = options.total() * options.width();
            return new Inputs(
                    new double[size],
                    new double[size],
                    new double[size],
                    new double[options.total() * options.identityWidth],
                    new double[options.heads],
                    new double[options.heads],
                    new double[options.heads * options.biasSpan]);
        }
    }

    /** The outputs; or gradients with respect to them. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Outputs(double[] outputs, double[] identityOutputs) {

        private static Outputs zeros(Options options) {
            return new Outputs(
                    new double[options.total() * options.width()], new double[options.total() * options.identityWidth]);
        }
    }

    /** A result, and the maximum error of each number in binary32; infinite if unknown. */
    public record Bounded<T>(T exact, T tolerance) {}

    private static final double UNIT_ROUNDOFF = 0x1p-24;

    /** The maximum error of a few dozen operations with subnormal results. */
    private static final double UNDERFLOW = 64 * Float.MIN_NORMAL;

    private final Options options;
    private final Inputs inputs;

    private ExactAttention(Options options, Inputs inputs) {
        this.options = options;
        this.inputs = inputs;
    }

    /** Row i of a sequence for one head; it sees the first {@code seen} rows of the sequence. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Row(
            int head, int first, int i, int length, int seen, double factor, double[] weights, double[] errors) {

        int query() {
            return first + i;
        }

        int key(int j) {
            return first + j;
        }
    }

    private void forEachRow(Consumer<Row> action) {
        int first = 0;
        for (int length : options.lengths) {
            for (int head = 0; head < options.heads; head++) {
                for (int i = 0; i < length; i++) {
                    action.accept(row(head, first, i, length));
                }
            }
            first += length;
        }
    }

    private Row row(int head, int first, int i, int length) {
        int seen = options.causal ? i + 1 : length;
        double factor = switch (options.logLength) {
            case NONE -> 1;
            case SEEN -> Math.log(seen);
            case SEQUENCE -> Math.log(length);
        };
        double[] u = new double[seen];
        double[] errors = new double[seen];
        Row row = new Row(head, first, i, length, seen, factor, u, errors);
        if (options.weights == Weights.UNIFORM) {
            Arrays.fill(u, 1.0 / seen);
            return row;
        }
        double delta = 0;
        for (int j = 0; j < seen; j++) {
            u[j] = score(row, j);
            double magnitude = scoreMagnitude(row, j);
            if (Double.isFinite(magnitude)) {
                delta = Math.max(delta, (options.headWidth + options.identityWidth + 8) * UNIT_ROUNDOFF * magnitude);
            }
        }
        double max = Arrays.stream(u).reduce(Double.NEGATIVE_INFINITY, Math::max);
        double ambiguous = 0;
        for (int j = 0; j < seen; j++) {
            double gap = max - u[j];
            double weight = options.weights == Weights.HARDMAX
                    ? Double.isNaN(max) ? Double.NaN : u[j] == max ? 1 : 0
                    : Math.exp(factor * (u[j] - max));
            u[j] = weight;
            if (options.weights == Weights.THRESHOLDED) {
                double bits = gap * factor / Math.log(2) - options.thresholdBits;
                u[j] = bits >= -1e-12 ? 0 : weight;
                if (Math.abs(bits) <= (2 * delta + 4 * UNIT_ROUNDOFF * gap) * factor / Math.log(2)) {
                    errors[j] = weight;
                    ambiguous += weight;
                }
            }
        }
        double sum = Arrays.stream(u).sum();
        double logSum = factor * max + Math.log(sum);
        double theta = options.weights == Weights.HARDMAX
                ? 0
                : Math.expm1(2 * factor * delta + (320 + 4 * Math.abs(logSum)) * UNIT_ROUNDOFF) + 8 * UNIT_ROUNDOFF;
        double relative = theta < 1 ? 2 * theta / (1 - theta) + 2 * ambiguous / sum : Double.POSITIVE_INFINITY;
        for (int j = 0; j < seen; j++) {
            u[j] /= sum;
            errors[j] = errors[j] / sum + (u[j] == 0 ? 0 : u[j] * relative) + Float.MIN_NORMAL;
        }
        return row;
    }

    private double score(Row row, int j) {
        return score(row, j, x -> x);
    }

    private double scoreMagnitude(Row row, int j) {
        return score(row, j, Math::abs);
    }

    /** The score with a function applied to each factor and term. */
    private double score(Row row, int j, DoubleUnaryOperator part) {
        double sum = 0;
        for (int d = 0; d < options.headWidth; d++) {
            double product = inputs.queries[at(row.query(), row.head, d)] * inputs.keys[at(row.key(j), row.head, d)];
            sum += part.applyAsDouble(product);
        }
        for (int d = 0; d < options.identityWidth; d++) {
            double product = inputs.keyQueryIdentities[row.head] * token(row.query(), d) * token(row.key(j), d);
            sum += part.applyAsDouble(product);
        }
        return part.applyAsDouble(options.scale) * sum + part.applyAsDouble(bias(row, j));
    }

    private double bias(Row row, int j) {
        int distance = row.i - j;
        return distance < 0 || distance >= options.biasSpan
                ? 0
                : inputs.scoreBiases[row.head * options.biasSpan + distance];
    }

    /** The index of column d of a head in a row. */
    private int at(int row, int head, int d) {
        return row * options.width() + head * options.headWidth + d;
    }

    private double token(int row, int d) {
        return inputs.tokens[row * options.identityWidth + d];
    }

    /** The product of a bound and a magnitude; 0 if the magnitude is 0, even for an infinite bound. */
    private static double times(double bound, double magnitude) {
        return magnitude == 0 ? 0 : bound * Math.abs(magnitude);
    }

    /** The outputs for sequences of {@code lengths} rows, one after the other. */
    public static Bounded<Outputs> forward(Options options, Inputs inputs) {
        Bounded<Outputs> result = new Bounded<>(Outputs.zeros(options), Outputs.zeros(options));
        ExactAttention attention = new ExactAttention(options, inputs);
        attention.forEachRow(row -> attention.forwardRow(result, row));
        return result;
    }

    private void forwardRow(Bounded<Outputs> result, Row row) {
        for (int d = 0; d < options.headWidth; d++) {
            double sum = 0;
            double tolerance = 0;
            double maximum = 0;
            for (int j = 0; j < row.seen; j++) {
                double value = inputs.values[at(row.key(j), row.head, d)];
                sum += row.weights[j] * value;
                tolerance += sumError(row, j, value);
                maximum = Math.max(maximum, Math.abs(value));
            }
            int at = at(row.query(), row.head, d);
            result.exact.outputs[at] = sum;
            result.tolerance.outputs[at] = tolerance + 2 * row.seen * (Float.MIN_NORMAL * maximum + Float.MIN_VALUE);
        }
        double identity = options.identityWidth > 0 ? inputs.valueOutputIdentities[row.head] : 0;
        for (int d = 0; d < options.identityWidth; d++) {
            int at = row.query() * options.identityWidth + d;
            for (int j = 0; j < row.seen; j++) {
                double value = identity * token(row.key(j), d);
                result.exact.identityOutputs[at] += row.weights[j] * value;
                result.tolerance.identityOutputs[at] +=
                        sumError(row, j, value) + options.heads * UNIT_ROUNDOFF * row.weights[j] * Math.abs(value);
            }
            result.tolerance.identityOutputs[at] += UNDERFLOW;
        }
    }

    /** The error of one term of a weighted average. */
    private static double sumError(Row row, int j, double value) {
        return times(row.errors[j] + 2 * (row.seen + 6) * UNIT_ROUNDOFF * row.weights[j], value);
    }

    /** The gradients of sum (do o) + sum (dz z), in closed form. */
    public static Bounded<Inputs> backward(Options options, Inputs inputs, Outputs dOutputs) {
        Bounded<Inputs> result = new Bounded<>(Inputs.zeros(options), Inputs.zeros(options));
        ExactAttention attention = new ExactAttention(options, inputs);
        attention.forEachRow(row -> attention.backwardRow(result, dOutputs, row));
        return result;
    }

    private void backwardRow(Bounded<Inputs> result, Outputs dOutputs, Row row) {
        int seen = row.seen;
        double[] dWeights = new double[seen];
        double[] magnitudes = new double[seen];
        double mean = 0;
        double meanMagnitude = 0;
        double meanError = 0;
        // Sums are at most over positions, rows and heads.
        double summing = (row.length + options.total() + 2 * options.heads + 8) * UNIT_ROUNDOFF;
        double inner = (options.headWidth + options.identityWidth + 8) * UNIT_ROUNDOFF;
        for (int j = 0; j < seen; j++) {
            for (int d = 0; d < options.headWidth; d++) {
                double gradient = dOutputs.outputs[at(row.query(), row.head, d)];
                int value = at(row.key(j), row.head, d);
                dWeights[j] += gradient * inputs.values[value];
                magnitudes[j] += Math.abs(gradient * inputs.values[value]);
                result.exact.values[value] += row.weights[j] * gradient;
                result.tolerance.values[value] +=
                        times(row.errors[j] + 2 * summing * row.weights[j], gradient) + UNDERFLOW;
            }
            double product = 0;
            double productMagnitude = 0;
            for (int d = 0; d < options.identityWidth; d++) {
                double gradient = dOutputs.identityOutputs[row.query() * options.identityWidth + d];
                double token = token(row.key(j), d);
                product += gradient * token;
                productMagnitude += Math.abs(gradient * token);
                double identity = inputs.valueOutputIdentities[row.head];
                int at = row.key(j) * options.identityWidth + d;
                result.exact.tokens[at] += identity * row.weights[j] * gradient;
                result.tolerance.tokens[at] +=
                        times(row.errors[j] + 2 * summing * row.weights[j], identity * gradient) + UNDERFLOW;
            }
            if (options.identityWidth > 0) {
                dWeights[j] += inputs.valueOutputIdentities[row.head] * product;
                magnitudes[j] += Math.abs(inputs.valueOutputIdentities[row.head]) * productMagnitude;
                result.exact.valueOutputIdentities[row.head] += row.weights[j] * product;
                result.tolerance.valueOutputIdentities[row.head] +=
                        times(row.errors[j] + 2 * (summing + inner) * row.weights[j], productMagnitude) + UNDERFLOW;
            }
            mean += row.weights[j] * dWeights[j];
            meanMagnitude += row.weights[j] * magnitudes[j];
            meanError += times(row.errors[j] + (summing + inner) * row.weights[j], magnitudes[j]);
        }
        if (options.weights == Weights.UNIFORM || options.weights == Weights.HARDMAX) {
            return;
        }
        for (int j = 0; j < seen; j++) {
            double dScore = row.factor * row.weights[j] * (dWeights[j] - mean);
            double magnitude = magnitudes[j] + meanMagnitude;
            double error = row.factor
                    * (times(row.errors[j] + (inner + 6 * UNIT_ROUNDOFF) * row.weights[j], magnitude)
                            + row.weights[j] * meanError);
            double summed = error + 2 * summing * row.factor * row.weights[j] * magnitude;
            backwardScore(result, row, j, dScore, summed, inner * row.factor * row.weights[j] * magnitude);
        }
    }

    /** Adds the gradients that depend on the gradient of one score. */
    private void backwardScore(Bounded<Inputs> result, Row row, int j, double dScore, double error, double innerError) {
        double scale = options.scale;
        for (int d = 0; d < options.headWidth; d++) {
            int query = at(row.query(), row.head, d);
            int key = at(row.key(j), row.head, d);
            result.exact.queries[query] += scale * dScore * inputs.keys[key];
            result.tolerance.queries[query] += times(error, scale * inputs.keys[key]) + UNDERFLOW;
            result.exact.keys[key] += scale * dScore * inputs.queries[query];
            result.tolerance.keys[key] += times(error, scale * inputs.queries[query]) + UNDERFLOW;
        }
        int distance = row.i - j;
        if (distance >= 0 && distance < options.biasSpan) {
            int at = row.head * options.biasSpan + distance;
            result.exact.scoreBiases[at] += dScore;
            result.tolerance.scoreBiases[at] += error + UNDERFLOW;
        }
        for (int d = 0; d < options.identityWidth; d++) {
            double mine = token(row.query(), d);
            double other = token(row.key(j), d);
            result.exact.keyQueryIdentities[row.head] += scale * dScore * mine * other;
            result.tolerance.keyQueryIdentities[row.head] +=
                    times(error + innerError, scale * mine * other) + UNDERFLOW;
            double factor = scale * inputs.keyQueryIdentities[row.head];
            int at = row.query() * options.identityWidth + d;
            int otherAt = row.key(j) * options.identityWidth + d;
            result.exact.tokens[at] += factor * dScore * other;
            result.tolerance.tokens[at] += times(error, factor * other) + UNDERFLOW;
            result.exact.tokens[otherAt] += factor * dScore * mine;
            result.tolerance.tokens[otherAt] += times(error, factor * mine) + UNDERFLOW;
        }
    }

    /** sum (do o) + sum (dz z), whose derivatives are the gradients. */
    public static double loss(Options options, Inputs inputs, Outputs dOutputs) {
        Outputs outputs = forward(options, inputs).exact;
        return dot(outputs.outputs, dOutputs.outputs) + dot(outputs.identityOutputs, dOutputs.identityOutputs);
    }

    private static double dot(double[] x, double[] y) {
        return IntStream.range(0, x.length).mapToDouble(i -> x[i] * y[i]).sum();
    }
}
