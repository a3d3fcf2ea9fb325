package org.lemmata.kernel.attention;

import java.util.Arrays;
import java.util.Random;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/** Fixed random inputs of one attention, the work that it is, and a float64 computation to check results against. */
final class AttentionProblem {

    private static final long SEED = 20251121;

    /** Every so many rows, and the last, are checked: all of them would take longer than the measurement. */
    private static final int CHECKED_ROWS = 31;

    private static final int SETTLED_CALLS = 30;

    /** p of thresholded softmax. */
    private static final int THRESHOLD_BITS = 8;

    private final AttentionShape shape;
    private final RaggedOffsets sequences;
    private final AttentionInputs inputs;
    private final AttentionOutputs outputs;
    private final AttentionOutputs unsaved;
    private final AttentionOutputs dOutputs;
    private final AttentionInputs dInputs;

    /** Queries and keys are multiples of 1/4: inner products are exact, and float64 finds the same maximum score. */
    AttentionProblem(AttentionShape shape, int batch, int length) {
        int[] lengths = new int[batch];
        Arrays.fill(lengths, length);
        this.shape = shape;
        sequences = RaggedOffsets.ofLengths(lengths);
        int size = sequences.total() * shape.width();
        inputs = AttentionInputs.of(new float[size], new float[size], new float[size]);
        outputs = AttentionOutputs.zeros(sequences, shape);
        unsaved = AttentionOutputs.of(outputs.outputs());
        dOutputs = AttentionOutputs.of(new float[size]);
        dInputs = AttentionInputs.zeros(sequences, shape);
        Random random = new Random(SEED);
        for (int i = 0; i < size; i++) {
            inputs.queries()[i] = (float) Math.rint(4 * random.nextGaussian()) / 4;
            inputs.keys()[i] = (float) Math.rint(4 * random.nextGaussian()) / 4;
            inputs.values()[i] = (float) random.nextGaussian();
            dOutputs.outputs()[i] = (float) random.nextGaussian();
        }
    }

    /** The causal problem of a parameter as {@code SOFTMAX:4x8x1024x64}: weighting, batch, heads, length, width. */
    static AttentionProblem parse(String text) {
        int colon = text.indexOf(':');
        String[] sizes = text.substring(colon + 1).split("x", -1);
        if (colon < 0 || sizes.length != 4) {
            throw new IllegalArgumentException("attention: expected WEIGHTING:batchxheadsxlengthxwidth, got " + text);
        }
        int heads = Integer.parseInt(sizes[1]);
        int headWidth = Integer.parseInt(sizes[3]);
        Weighting weighting = Weighting.valueOf(text.substring(0, colon));
        // A power of two keeps the scores exact.
        AttentionShape softmax = AttentionShape.softmax(heads, headWidth).withScoreScale(0.125f);
        AttentionShape shape = weighting == Weighting.THRESHOLDED
                ? softmax.withThreshold(THRESHOLD_BITS)
                : new AttentionShape(weighting, heads, headWidth, softmax.scoreScale());
        return new AttentionProblem(shape, Integer.parseInt(sizes[0]), Integer.parseInt(sizes[2]));
    }

    /** Forward only: nothing is saved. */
    float[] forward(Attention attention) {
        attention.forward(unsaved, inputs, sequences, shape);
        return unsaved.outputs();
    }

    float[] forwardBackward(Attention attention) {
        attention.forward(outputs, inputs, sequences, shape);
        attention.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        return dInputs.values();
    }

    /**
     * Runs until {@value #SETTLED_CALLS} calls in a row bring no faster one.
     *
     * <p>A vector operation takes a thousand times as long before C2 has compiled it, and that comes after so many
     * calls, which JMH's warm-up of so many milliseconds may not reach on a busy machine.
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

    int tokens() {
        return sequences.total();
    }

    /** Of both causal products; of additions and divisions where attention is uniform. */
    double forwardFlops() {
        if (shape.weighting() == Weighting.UNIFORM) {
            return 2.0 * sequences.total() * shape.width();
        }
        double pairs = 0;
        for (int i = 0; i < sequences.count(); i++) {
            pairs += sequences.length(i) * (sequences.length(i) + 1) / 2.0;
        }
        return 4.0 * shape.width() * pairs;
    }

    /** Five products where forward has two: scores again, dw, dq, dk and dv. Two of them for hardmax: scores and dv. */
    double backwardFlops() {
        return switch (shape.weighting()) {
            case SOFTMAX, THRESHOLDED -> 2.5 * forwardFlops();
            case HARDMAX, UNIFORM -> forwardFlops();
        };
    }

    /** Queries, keys, values and outputs; the last two where attention is uniform. */
    double forwardBytes() {
        return (double) Float.BYTES * sequences.total() * shape.width() * (shape.hasScores() ? 4 : 2);
    }

    /** Those again, read, and the gradients of all four; the gradients of the last two where attention is uniform. */
    double backwardBytes() {
        return forwardBytes() * (shape.hasScores() ? 2 : 1);
    }

    /**
     * The maximum distance of an output of the last run to float64.
     *
     * @throws IllegalStateException if it is above {@code limit}, or NaN
     */
    double checkedError(double limit) {
        return checked("outputs", forwardErrors()[0], limit);
    }

    /**
     * The maximum distance of an output of the last run to float64, in units of 2^-23 of its sum of absolute terms.
     *
     * @throws IllegalStateException if it is above {@code limit}, or NaN
     */
    double checkedForwardUlps(double limit) {
        return checked("outputs, in ulps", forwardErrors()[1], limit);
    }

    private static double checked(String what, double error, double limit) {
        if (!(error <= limit)) {
            throw new IllegalStateException(what + ": expected within " + limit + " of float64, got " + error);
        }
        return error;
    }

    /** The maximum error, absolute and in ulps. */
    private double[] forwardErrors() {
        double[] errors = new double[2];
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int end = sequences.end(sequence);
            for (int row = first + sequence % CHECKED_ROWS; row < end; row += CHECKED_ROWS) {
                addRowErrors(errors, first, row);
            }
            addRowErrors(errors, first, end - 1);
        }
        return errors;
    }

    private void addRowErrors(double[] errors, int first, int row) {
        int width = shape.width();
        for (int column = 0; column < width; column += shape.headWidth()) {
            double[] weights = weights(first, row, column);
            for (int d = column; d < column + shape.headWidth(); d++) {
                double sum = 0;
                double magnitude = 0;
                for (int j = first; j <= row; j++) {
                    double term = weights[j - first] * inputs.values()[j * width + d];
                    sum += term;
                    magnitude += Math.abs(term);
                }
                double error = Math.abs(outputs.outputs()[row * width + d] - sum);
                errors[0] = greater(errors[0], error);
                errors[1] = greater(errors[1], ulps(error, magnitude));
            }
        }
    }

    /** Normalized. */
    private double[] weights(int first, int row, int column) {
        int width = shape.width();
        double[] scores = new double[row - first + 1];
        for (int j = first; j <= row; j++) {
            for (int d = column; d < column + shape.headWidth(); d++) {
                scores[j - first] += (double) inputs.queries()[row * width + d] * inputs.keys()[j * width + d];
            }
            scores[j - first] *= shape.scoreScale();
        }
        double max = Arrays.stream(scores).max().orElseThrow();
        double minimum = shape.weighting() == Weighting.THRESHOLDED ? Math.scalb(1.0, -shape.thresholdBits()) : 0;
        for (int j = 0; j < scores.length; j++) {
            double exponential = Math.exp(scores[j] - max);
            scores[j] = switch (shape.weighting()) {
                case SOFTMAX -> exponential;
                // No score lies where binary32 and binary64 disagree: they are multiples of 1/128, the limit is not.
                case THRESHOLDED -> exponential <= minimum ? 0 : exponential;
                case HARDMAX -> scores[j] == max ? 1 : 0;
                case UNIFORM -> 1;
            };
        }
        double sum = Arrays.stream(scores).sum();
        return Arrays.stream(scores).map(weight -> weight / sum).toArray();
    }

    private static double greater(double a, double b) {
        return a > b ? a : b;
    }

    private static double ulps(double error, double magnitude) {
        return error == 0 ? 0 : error / (magnitude * Math.ulp(1f));
    }

    /**
     * The maximum distance of a gradient of the last run to float64 in the last head of the last sequence, in units of
     * 2^-23 of its sum of absolute terms.
     *
     * @throws IllegalStateException if it is above {@code limit}, or NaN
     */
    double checkedBackwardUlps(double limit) {
        int width = shape.width();
        int headWidth = shape.headWidth();
        int column = width - headWidth;
        int first = sequences.start(sequences.count() - 1);
        int length = sequences.length(sequences.count() - 1);
        // Gradients of queries, keys and values, then their sums of absolute terms: length x headWidth each.
        double[][] sums = new double[6][length * headWidth];
        for (int i = 0; i < length; i++) {
            double[] weights = weights(first, first + i, column);
            double[] dWeights = new double[i + 1];
            double mean = 0;
            double meanMagnitude = 0;
            for (int j = 0; j <= i; j++) {
                for (int d = 0; d < headWidth; d++) {
                    double gradient = dOutputs.outputs()[(first + i) * width + column + d];
                    dWeights[j] += gradient * inputs.values()[(first + j) * width + column + d];
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
                    double key = inputs.keys()[(first + j) * width + column + d];
                    double query = inputs.queries()[(first + i) * width + column + d];
                    sums[0][i * headWidth + d] += dScore * key;
                    sums[1][j * headWidth + d] += dScore * query;
                    sums[3][i * headWidth + d] += magnitude * Math.abs(key);
                    sums[4][j * headWidth + d] += magnitude * Math.abs(query);
                }
            }
        }
        float[][] actual = {dInputs.queries(), dInputs.keys(), dInputs.values()};
        double maxError = 0;
        for (int array = shape.hasScores() ? 0 : 2; array < 3; array++) {
            for (int at = 0; at < length * headWidth; at++) {
                float gradient = actual[array][(first + at / headWidth) * width + column + at % headWidth];
                double error = Math.abs(gradient - sums[array][at]);
                maxError = greater(maxError, ulps(error, sums[3 + array][at]));
            }
        }
        return checked("gradients, in ulps", maxError, limit);
    }
}
