package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.matrix.Matrix;

/** A function of normal numbers, and its gradient. */
public final class ActivationProblem {

    /** {@link Activation.Kind} promises less. */
    private static final double MAX_ULPS = 8;

    private final Activation.Kind kind;
    private final float[] x;
    private final float[] dy;
    private final float[] y;
    private final Matrix ofX;
    private final Matrix ofDy;
    private final Matrix ofY;

    public ActivationProblem(Activation.Kind kind, int length) {
        this.kind = kind;
        SplittableRandom random = new SplittableRandom(1);
        x = Numbers.gaussian(length, random);
        dy = Numbers.gaussian(length, random);
        y = new float[length];
        ofX = Matrix.row(x, 0, length);
        ofDy = Matrix.row(dy, 0, length);
        ofY = Matrix.row(y, 0, length);
    }

    public float[] x() {
        return x;
    }

    public float[] dy() {
        return dy;
    }

    public Workload<Activation> forward() {
        return new Workload<>(
                y,
                activation -> activation.forwardInto(kind, ofY, ofX),
                null,
                MAX_ULPS,
                flops(1, 3, 9),
                8.0 * x.length);
    }

    public Workload<Activation> backward() {
        return new Workload<>(
                y,
                activation -> activation.backwardInto(kind, ofY, ofDy, ofX),
                null,
                MAX_ULPS,
                flops(2, 6, 16),
                12.0 * x.length);
    }

    /** Of the formula, an elementary function counting as one operation. */
    private double flops(int ofOne, int ofGelu, int ofTanhGelu) {
        return (double) x.length
                * switch (kind) {
                    case RELU, COSINE -> ofOne;
                    case GELU -> ofGelu;
                    case TANH_GELU -> ofTanhGelu;
                };
    }
}
