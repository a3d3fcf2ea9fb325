package org.lemmata.kernel.attention;

import java.util.Arrays;
import java.util.Random;
import org.lemmata.index.RaggedOffsets;

/** Fixed random inputs of one attention, the work that it is, and a float64 computation to check outputs against. */
final class AttentionProblem {

    private static final long SEED = 20251121;

    /** Every so many rows, and the last, are checked: all of them would take longer than the measurement. */
    private static final int CHECKED_ROWS = 31;

    private static final int SETTLED_CALLS = 30;

    private final AttentionShape shape;
    private final RaggedOffsets sequences;
    private final float[] queries;
    private final float[] keys;
    private final float[] values;
    private final float[] outputs;

    /** Queries and keys are multiples of 1/4: inner products are exact, and float64 finds the same greatest score. */
    AttentionProblem(AttentionShape shape, int batch, int length) {
        int[] lengths = new int[batch];
        Arrays.fill(lengths, length);
        this.shape = shape;
        sequences = RaggedOffsets.ofLengths(lengths);
        int size = sequences.total() * shape.width();
        queries = new float[size];
        keys = new float[size];
        values = new float[size];
        outputs = new float[size];
        Random random = new Random(SEED);
        for (int i = 0; i < size; i++) {
            queries[i] = (float) Math.rint(4 * random.nextGaussian()) / 4;
            keys[i] = (float) Math.rint(4 * random.nextGaussian()) / 4;
            values[i] = (float) random.nextGaussian();
        }
    }

    float[] run(Attention attention) {
        attention.forward(
                AttentionOutputs.of(outputs), AttentionInputs.of(queries, keys, values), sequences, shape);
        return outputs;
    }

    /**
     * Runs until {@value #SETTLED_CALLS} calls in a row bring no faster one.
     *
     * <p>A vector operation takes a thousand times as long before C2 has compiled it, and that comes after so many
     * calls, which JMH's warm-up of so many milliseconds may not reach on a busy machine.
     */
    void settle(Attention attention) {
        double fastest = Double.POSITIVE_INFINITY;
        for (int calls = 0; calls < SETTLED_CALLS; calls++) {
            long start = System.nanoTime();
            run(attention);
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
    double flops() {
        if (shape.weighting() == AttentionShape.Weighting.UNIFORM) {
            return 2.0 * sequences.total() * shape.width();
        }
        double pairs = 0;
        for (int i = 0; i < sequences.count(); i++) {
            pairs += sequences.length(i) * (sequences.length(i) + 1) / 2.0;
        }
        return 4.0 * shape.width() * pairs;
    }

    /**
     * The greatest distance of an output of the last run to float64.
     *
     * @throws IllegalStateException if it is above {@code limit}, or NaN
     */
    double checkedError(double limit) {
        double maxError = 0;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int end = sequences.end(sequence);
            for (int row = first + sequence % CHECKED_ROWS; row < end; row += CHECKED_ROWS) {
                maxError = Math.max(maxError, rowError(first, row));
            }
            maxError = Math.max(maxError, rowError(first, end - 1));
        }
        if (!(maxError <= limit)) {
            throw new IllegalStateException("outputs: expected within " + limit + " of float64, got " + maxError);
        }
        return maxError;
    }

    private double rowError(int first, int row) {
        int width = shape.width();
        double maxError = 0;
        for (int column = 0; column < width; column += shape.headWidth()) {
            double[] weights = weights(first, row, column);
            double total = Arrays.stream(weights).sum();
            for (int d = column; d < column + shape.headWidth(); d++) {
                double sum = 0;
                for (int j = first; j <= row; j++) {
                    sum += weights[j - first] * values[j * width + d];
                }
                maxError = Math.max(maxError, Math.abs(outputs[row * width + d] - sum / total));
            }
        }
        return maxError;
    }

    private double[] weights(int first, int row, int column) {
        int width = shape.width();
        double[] scores = new double[row - first + 1];
        for (int j = first; j <= row; j++) {
            for (int d = column; d < column + shape.headWidth(); d++) {
                scores[j - first] += (double) queries[row * width + d] * keys[j * width + d];
            }
            scores[j - first] *= shape.scoreScale();
        }
        double max = Arrays.stream(scores).max().orElseThrow();
        return switch (shape.weighting()) {
            case SOFTMAX ->
                Arrays.stream(scores).map(score -> Math.exp(score - max)).toArray();
            case HARDMAX ->
                Arrays.stream(scores).map(score -> score == max ? 1 : 0).toArray();
            case THRESHOLDED -> throw new IllegalArgumentException("weighting: not measured");
            case UNIFORM -> Arrays.stream(scores).map(score -> 1).toArray();
        };
    }
}
