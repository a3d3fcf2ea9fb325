package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.problem.AttentionProblem;
import org.lemmata.kernel.problem.Expected;

/** Checks of attention against binary64, in units of 2^-23 of the sums of absolute terms. */
final class AttentionCheck {

    /** The step from one checked row to the next. Checking all rows would take longer than the measurement. */
    private static final int CHECKED_ROWS = 31;

    private static final int SETTLED_CALLS = 30;

    /** p of thresholded softmax. */
    private static final int THRESHOLD_BITS = 8;

    private AttentionCheck() {}

    /** Parses a causal problem such as {@code SOFTMAX:4x8x1024x64}: weighting, batch, heads, length, width. */
    static AttentionProblem parse(String text) {
        int colon = text.indexOf(':');
        String[] sizes = text.substring(colon + 1).split("x", -1);
        if (colon < 0 || sizes.length != 4) {
            throw new IllegalArgumentException("attention: expected WEIGHTING:batchxheadsxlengthxwidth, got " + text);
        }
        int heads = Integer.parseInt(sizes[1]);
        int headWidth = Integer.parseInt(sizes[3]);
        AttentionShape.Weighting weighting = AttentionShape.Weighting.valueOf(text.substring(0, colon));
        // With a power of two, the scores stay exact.
        AttentionShape softmax = AttentionShape.softmax(heads, headWidth).withScoreScale(0.125f);
        AttentionShape shape = weighting == AttentionShape.Weighting.THRESHOLDED
                ? softmax.withThreshold(THRESHOLD_BITS)
                : new AttentionShape(weighting, heads, headWidth, softmax.scoreScale());
        return new AttentionProblem(shape, Integer.parseInt(sizes[0]), Integer.parseInt(sizes[2]));
    }

    /**
     * Runs calls until about {@value #SETTLED_CALLS} successive calls have not reduced the least time by over 10%.
     *
     * <p>A vector operation takes up to a thousand times as long before C2 has compiled it. C2 compiles after a number
     * of calls, which JMH's warm-up of a fixed time may not reach on a busy machine.
     */
    static void settle(Runnable call) {
        double fastest = Double.POSITIVE_INFINITY;
        for (int calls = 0; calls < SETTLED_CALLS; calls++) {
            long start = System.nanoTime();
            call.run();
            double nanos = System.nanoTime() - start;
            if (nanos < 0.9 * fastest) {
                fastest = nanos;
                calls = 0;
            }
        }
    }

    /** @throws IllegalStateException if the error exceeds the limit */
    static double checked(double ulps, double limit) {
        if (!(ulps <= limit)) {
            throw new IllegalStateException("expected within " + limit + " ulps of float64, got " + ulps);
        }
        return ulps;
    }

    private static double ulps(double error, double magnitude) {
        return error == 0 ? 0 : error / (magnitude * Math.ulp(1f));
    }

    /**
     * The maximum error of the outputs of a query that sees {@code count} keys from {@code first} on.
     *
     * @param actual outputs of all heads, from {@code at} on
     * @throws IllegalStateException if the error is too large, or NaN
     */
    static double outputUlps(AttentionProblem problem, int query, int first, int count, float[] actual, int at) {
        AttentionShape shape = problem.shape();
        double maxUlps = 0;
        for (int column = 0; column < shape.width(); column += shape.headWidth()) {
            Expected[] outputs = problem.outputs(query, first, count, column);
            for (int d = 0; d < outputs.length; d++) {
                double ulps = outputs[d].ulps(actual[at + column + d]);
                maxUlps = Math.max(maxUlps, checked(ulps, problem.forward().maxUlps()));
            }
        }
        return maxUlps;
    }

    /** The maximum error of the checked outputs of all heads and sequences. */
    static double forwardUlps(AttentionProblem problem, float[] outputs) {
        RaggedOffsets sequences = problem.sequences();
        double maxUlps = 0;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int last = sequences.end(sequence) - 1;
            for (int row = first + sequence % CHECKED_ROWS; row < last; row += CHECKED_ROWS) {
                int at = row * problem.shape().width();
                maxUlps = Math.max(maxUlps, outputUlps(problem, row, first, row - first + 1, outputs, at));
            }
            int at = last * problem.shape().width();
            maxUlps = Math.max(maxUlps, outputUlps(problem, last, first, last - first + 1, outputs, at));
        }
        return maxUlps;
    }

    /**
     * The maximum error of the gradients of the last run, in the last head of the last sequence. They are compared with
     * binary64, in units of 2^-23 of their sums of absolute terms.
     *
     * @throws IllegalStateException if the error is too large, or NaN
     */
    static double backwardUlps(AttentionProblem problem) {
        AttentionShape shape = problem.shape();
        RaggedOffsets sequences = problem.sequences();
        int width = shape.width();
        int headWidth = shape.headWidth();
        int column = width - headWidth;
        int first = sequences.start(sequences.count() - 1);
        int length = sequences.length(sequences.count() - 1);
        // The gradients of queries, keys and values, then their sums of absolute terms, each length x headWidth.
        double[][] sums = new double[6][length * headWidth];
        for (int i = 0; i < length; i++) {
            double[] weights = problem.weights(first + i, first, i + 1, column);
            double[] dWeights = new double[i + 1];
            double mean = 0;
            double meanMagnitude = 0;
            for (int j = 0; j <= i; j++) {
                for (int d = 0; d < headWidth; d++) {
                    double gradient = problem.dOutputs().outputs()[(first + i) * width + column + d];
                    dWeights[j] += gradient * problem.inputs().values()[(first + j) * width + column + d];
                    sums[2][j * headWidth + d] += weights[j] * gradient;
                    sums[5][j * headWidth + d] += weights[j] * Math.abs(gradient);
                }
                mean += weights[j] * dWeights[j];
                meanMagnitude += weights[j] * Math.abs(dWeights[j]);
            }
            for (int j = 0; j <= i && shape.hasScoreGradients(); j++) {
                double dScore = shape.scoreScale() * weights[j] * (dWeights[j] - mean);
                double magnitude = shape.scoreScale() * weights[j] * (Math.abs(dWeights[j]) + meanMagnitude);
                for (int d = 0; d < headWidth; d++) {
                    double key = problem.inputs().keys()[(first + j) * width + column + d];
                    double query = problem.inputs().queries()[(first + i) * width + column + d];
                    sums[0][i * headWidth + d] += dScore * key;
                    sums[1][j * headWidth + d] += dScore * query;
                    sums[3][i * headWidth + d] += magnitude * Math.abs(key);
                    sums[4][j * headWidth + d] += magnitude * Math.abs(query);
                }
            }
        }
        AttentionInputs dInputs = problem.dInputs();
        float[][] actual = {dInputs.queries(), dInputs.keys(), dInputs.values()};
        double maxError = 0;
        for (int array = shape.hasScores() ? 0 : 2; array < 3; array++) {
            for (int at = 0; at < length * headWidth; at++) {
                float gradient = actual[array][(first + at / headWidth) * width + column + at % headWidth];
                double error = Math.abs(gradient - sums[array][at]);
                maxError = Math.max(maxError, ulps(error, sums[3 + array][at]));
            }
        }
        return checked(maxError, problem.backward().maxUlps());
    }
}
