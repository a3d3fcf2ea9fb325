package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.Random;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * Causal attention of sequences of equal length, on normally distributed numbers. Queries and keys are multiples of
 * 1/4, so that inner products are exact, and the maximum score is at the same key in binary32 and binary64.
 */
public final class AttentionProblem {

    private static final long SEED = 20251121;

    /**
     * The limit of errors of outputs; the next is for gradients. Rounding errors of binary32 are well below both
     * limits; a number from a wrong row exceeds them.
     */
    private static final double MAX_OUTPUT_ULPS = 64;

    private static final double MAX_GRADIENT_ULPS = 256;

    private final AttentionShape shape;
    private final RaggedOffsets sequences;
    private final AttentionInputs inputs;

    /** The outputs, with the saved values that the backward pass reads. */
    private final AttentionOutputs saved;

    private final AttentionOutputs unsaved;
    private final AttentionOutputs dOutputs;
    private final AttentionInputs dInputs;

    public AttentionProblem(AttentionShape shape, int batch, int length) {
        this.shape = shape;
        int[] lengths = new int[batch];
        Arrays.fill(lengths, length);
        sequences = RaggedOffsets.ofLengths(lengths);
        Random random = new Random(SEED);
        int size = sequences.total() * shape.width();
        inputs = AttentionInputs.of(quarters(size, random), quarters(size, random), Numbers.gaussian(size, random));
        saved = AttentionOutputs.zeros(sequences, shape);
        unsaved = AttentionOutputs.of(saved.outputs());
        dOutputs = AttentionOutputs.of(Numbers.gaussian(size, random));
        dInputs = AttentionInputs.zeros(sequences, shape);
    }

    private static float[] quarters(int length, Random random) {
        float[] x = Numbers.gaussian(length, random);
        for (int i = 0; i < length; i++) {
            x[i] = (float) Math.rint(4 * x[i]) / 4;
        }
        return x;
    }

    public AttentionShape shape() {
        return shape;
    }

    public RaggedOffsets sequences() {
        return sequences;
    }

    public AttentionInputs inputs() {
        return inputs;
    }

    public AttentionOutputs dOutputs() {
        return dOutputs;
    }

    public AttentionInputs dInputs() {
        return dInputs;
    }

    /** The outputs of the last call of {@link #forward}. */
    public float[] written() {
        return unsaved.outputs();
    }

    /** The forward pass only; nothing is saved. */
    public Workload<Attention> forward() {
        int headWidth = shape.headWidth();
        return new Workload<>(
                unsaved.outputs(),
                attention -> attention.forward(unsaved, inputs, sequences, shape),
                at -> {
                    int row = at / shape.width();
                    int first = row - row % sequences.length(0);
                    int column = at % shape.width();
                    return outputs(row, first, row - first + 1, column - column % headWidth)[column % headWidth];
                },
                MAX_OUTPUT_ULPS,
                forwardFlops(),
                forwardBytes());
    }

    /** The forward pass, then the backward pass with the saved values. The result is the gradient of the values. */
    public Workload<Attention> forwardAndBackward() {
        return new Workload<>(
                dInputs.values(),
                attention -> {
                    attention.forward(saved, inputs, sequences, shape);
                    runBackward(attention);
                },
                null,
                MAX_GRADIENT_ULPS,
                forwardFlops() + backwardFlops(),
                forwardBytes() + backwardBytes());
    }

    /**
     * The backward pass, with the saved values of the last {@link #forwardAndBackward}. The result is all gradients.
     */
    public Workload<Attention> backward() {
        int size = dInputs.values().length;
        float[] gradients = new float[3 * size];
        return new Workload<>(
                gradients,
                attention -> {
                    runBackward(attention);
                    // Copying takes a small part of the time.
                    System.arraycopy(dInputs.queries(), 0, gradients, 0, size);
                    System.arraycopy(dInputs.keys(), 0, gradients, size, size);
                    System.arraycopy(dInputs.values(), 0, gradients, 2 * size, size);
                },
                null,
                MAX_GRADIENT_ULPS,
                backwardFlops(),
                backwardBytes());
    }

    private void runBackward(Attention attention) {
        attention.backward(dInputs, dOutputs, saved, inputs, sequences, shape);
    }

    /** The operations of both causal products. In uniform attention, the additions and divisions. */
    private double forwardFlops() {
        double length = sequences.length(0);
        double pairs = sequences.count() * length * (length + 1) / 2;
        return shape.hasScores() ? 4.0 * shape.width() * pairs : 2.0 * sequences.total() * shape.width();
    }

    /**
     * The operations of five products (scores again, dw, dq, dk and dv), while the forward pass has two. Hardmax has
     * two products: scores and dv.
     */
    private double backwardFlops() {
        return switch (shape.weighting()) {
            case SOFTMAX, THRESHOLDED -> 2.5 * forwardFlops();
            case HARDMAX, UNIFORM -> forwardFlops();
        };
    }

    /** The bytes of queries, keys, values and outputs. In uniform attention, only those of values and outputs. */
    private double forwardBytes() {
        return (double) Float.BYTES * sequences.total() * shape.width() * (shape.hasScores() ? 4 : 2);
    }

    /**
     * The bytes of the arrays of the forward pass and of all four gradients. In uniform attention, only the gradients
     * of values and outputs are counted.
     */
    private double backwardBytes() {
        return forwardBytes() * (shape.hasScores() ? 2 : 1);
    }

    /**
     * The outputs of one head for a query that sees {@code count} keys from {@code first} on.
     *
     * @param column the first column of the head
     */
    public Expected[] outputs(int query, int first, int count, int column) {
        double[] weights = weights(query, first, count, column);
        Expected[] outputs = new Expected[shape.headWidth()];
        for (int d = 0; d < outputs.length; d++) {
            int at = first * shape.width() + column + d;
            outputs[d] = Expected.of(count, j -> weights[j] * inputs.values()[at + j * shape.width()]);
        }
        return outputs;
    }

    /** The normalized weights of the keys, in one head. */
    public double[] weights(int query, int first, int count, int column) {
        int width = shape.width();
        double[] scores = new double[count];
        for (int j = 0; j < count; j++) {
            for (int d = column; d < column + shape.headWidth(); d++) {
                scores[j] += (double) inputs.queries()[query * width + d] * inputs.keys()[(first + j) * width + d];
            }
            scores[j] *= shape.scoreScale();
        }
        double max = Arrays.stream(scores).max().orElseThrow();
        double minimum = shape.weighting() == Weighting.THRESHOLDED ? Math.scalb(1.0, -shape.thresholdBits()) : 0;
        for (int j = 0; j < count; j++) {
            double exponential = Math.exp(scores[j] - max);
            scores[j] = switch (shape.weighting()) {
                case SOFTMAX -> exponential;
                // Binary32 and binary64 agree, because scores are multiples of 1/128 and the limit is not.
                case THRESHOLDED -> exponential <= minimum ? 0 : exponential;
                case HARDMAX -> scores[j] == max ? 1 : 0;
                case UNIFORM -> 1;
            };
        }
        double sum = Arrays.stream(scores).sum();
        return Arrays.stream(scores).map(weight -> weight / sum).toArray();
    }
}
