package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.feedforward.FeedForward;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.feedforward.FeedForwardWeights;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;

/** A feed-forward layer with biases and GELU. The backward pass reads the values saved by the forward pass. */
public final class FeedForwardProblem {

    /** The limit of errors. Rounding errors of binary32 are well below it; a number from a wrong index exceeds it. */
    private static final double MAX_ULPS = 256;

    private final FeedForwardShape shape;
    private final float[] parameters;
    private final float[] x;
    private final float[] dy;
    private final float[] y;

    /** The gradients of the parameters, then of x. */
    private final float[] gradients;

    private final Matrix ofX;
    private final Matrix ofDy;
    private final FeedForwardWeights weights;
    private final FeedForwardSaved saved;

    public FeedForwardProblem(int rows, int width, int hidden) {
        shape = new FeedForwardShape(width, hidden, width, Activation.Kind.GELU);
        SplittableRandom random = new SplittableRandom(1);
        double scale = 1 / Math.sqrt(width);
        parameters = Numbers.uniform(secondBias() + width, -scale, scale, random);
        x = Numbers.uniform(rows * width, -1, 1, random);
        dy = Numbers.uniform(rows * width, -1, 1, random);
        y = new float[x.length];
        gradients = new float[parameters.length + x.length];
        ofX = Matrix.of(x, rows, width);
        ofDy = Matrix.of(dy, rows, width);
        weights = weights(parameters);
        saved = new FeedForwardSaved(Matrix.of(new float[rows * hidden], rows, hidden), null);
    }

    private FeedForwardWeights weights(float[] array) {
        int width = shape.inputs();
        return new FeedForwardWeights(
                Matrix.of(array, width, shape.hidden()),
                Matrix.row(array, firstBias(), shape.hidden()),
                GainAndShift.NONE,
                Matrix.of(array, secondWeights(), shape.hidden(), width, width),
                Matrix.row(array, secondBias(), width));
    }

    /** The offset of b1 in the array of parameters; W1 is at 0. */
    public int firstBias() {
        return shape.inputs() * shape.hidden();
    }

    public int secondWeights() {
        return firstBias() + shape.hidden();
    }

    public int secondBias() {
        return secondWeights() + shape.hidden() * shape.inputs();
    }

    public float[] parameters() {
        return parameters;
    }

    public float[] x() {
        return x;
    }

    public float[] dy() {
        return dy;
    }

    /** The operations of the products only. */
    private double flops() {
        return 4.0 * x.length * shape.hidden();
    }

    /** The bytes of {@code numbersOfRow} numbers per row, and of {@code passes} reads or writes per parameter. */
    private double bytes(double numbersOfRow, int passes) {
        return 4.0 * (numbersOfRow * x.length / shape.inputs() + (double) passes * parameters.length);
    }

    public Workload<FeedForward> forward() {
        Matrix ofY = Matrix.of(y, ofX.rows(), ofX.columns());
        return new Workload<>(
                y,
                feedForward -> feedForward.forward(ofY, saved, ofX, weights, shape),
                null,
                MAX_ULPS,
                flops(),
                bytes(2 * shape.inputs(), 1));
    }

    public Workload<FeedForward> backward() {
        Matrix dx = Matrix.of(gradients, parameters.length, ofX.rows(), ofX.columns(), ofX.columns());
        FeedForwardWeights dweights = weights(gradients);
        return new Workload<>(
                () -> Arrays.fill(gradients, 0, parameters.length, 0),
                gradients,
                feedForward -> feedForward.backward(dx, dweights, ofDy, saved, ofX, weights, shape),
                null,
                MAX_ULPS,
                2 * flops(),
                bytes(3 * shape.inputs() + shape.hidden(), 3));
    }
}
