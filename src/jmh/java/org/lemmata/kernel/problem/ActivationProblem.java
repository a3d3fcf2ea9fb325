package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.matrix.Matrix;

/** An activation function of normally distributed numbers, and its gradient. */
public final class ActivationProblem {

    /** A limit above the error bounds of {@link Activation.Kind}. */
    private static final double MAX_ULPS = 8;

    private final Activation.Kind kind;
    private final Matrix x;
    private final Matrix dy;
    private final Matrix y;

    public ActivationProblem(Activation.Kind kind, int length) {
        this.kind = kind;
        SplittableRandom random = new SplittableRandom(1);
        x = Matrix.of(Numbers.gaussian(length, random), 1, length);
        dy = Matrix.of(Numbers.gaussian(length, random), 1, length);
        y = Matrix.of(new float[length], 1, length);
    }

    public float[] x() {
        return x.array();
    }

    public float[] dy() {
        return dy.array();
    }

    public Workload<Activation> forward() {
        return new Workload<>(
                y.array(),
                activation -> activation.forwardInto(kind, y, x),
                null,
                MAX_ULPS,
                flops(1, 3, 9),
                8.0 * x.columns());
    }

    public Workload<Activation> backward() {
        return new Workload<>(
                y.array(),
                activation -> activation.backwardInto(kind, y, dy, x),
                null,
                MAX_ULPS,
                flops(2, 6, 16),
                12.0 * x.columns());
    }

    /** The operations of the formula. An elementary function counts as one. */
    private double flops(int ofOne, int ofGelu, int ofTanhGelu) {
        return (double) x.columns()
                * switch (kind) {
                    case RELU, COSINE -> ofOne;
                    case GELU -> ofGelu;
                    case TANH_GELU -> ofTanhGelu;
                };
    }
}
