package org.lemmata.kernel.activation;

import org.lemmata.kernel.elementary.ScalarSine;
import org.lemmata.kernel.matrix.Matrix;

/** The scalar reference: computes one element at a time. */
public final class ScalarActivation implements Activation {

    @Override
    public void forwardInto(Kind kind, Matrix y, Matrix x) {
        Activation.check(y, x);
        for (int i = 0; i < y.rows() * y.columns(); i++) {
            y.array()[y.offset() + i] = value(kind, x.array()[x.offset() + i]);
        }
    }

    @Override
    public void backwardInto(Kind kind, Matrix dx, Matrix dy, Matrix x) {
        Activation.check(dx, dy, x);
        for (int i = 0; i < dx.rows() * dx.columns(); i++) {
            dx.array()[dx.offset() + i] = gradient(kind, dy.array()[dy.offset() + i], x.array()[x.offset() + i]);
        }
    }

    static float value(Kind kind, float x) {
        return switch (kind) {
            case RELU -> x <= 0 ? 0 : x;
            case GELU -> ScalarGelu.value(x);
            case TANH_GELU -> ScalarTanhGelu.value(x);
            case COSINE -> ScalarSine.cos(x);
        };
    }

    static float gradient(Kind kind, float dy, float x) {
        return switch (kind) {
            case RELU -> x <= 0 ? 0 : dy;
            case GELU -> dy * ScalarGelu.slope(x);
            case TANH_GELU -> dy * ScalarTanhGelu.slope(x);
            case COSINE -> -(dy * ScalarSine.sin(x));
        };
    }
}
