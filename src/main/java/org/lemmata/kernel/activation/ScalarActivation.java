package org.lemmata.kernel.activation;

import org.lemmata.kernel.elementary.VectorCos;
import org.lemmata.kernel.elementary.VectorSin;

/** The reference: one element after the other, by the scalar forms of the functions. */
public final class ScalarActivation implements Activation {

    @Override
    public void forwardInto(Kind kind, float[] y, int yOffset, float[] x, int xOffset, int length) {
        Activation.check(y, yOffset, x, xOffset, length);
        for (int i = 0; i < length; i++) {
            y[yOffset + i] = value(kind, x[xOffset + i]);
        }
    }

    @Override
    public void backwardInto(
            Kind kind, float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        Activation.check(dx, dxOffset, dy, dyOffset, x, xOffset, length);
        for (int i = 0; i < length; i++) {
            dx[dxOffset + i] = gradient(kind, dy[dyOffset + i], x[xOffset + i]);
        }
    }

    static float value(Kind kind, float x) {
        return switch (kind) {
            case RELU -> x <= 0 ? 0 : x;
            case GELU -> Gelu.value(x);
            case TANH_GELU -> TanhGelu.value(x);
            case COSINE -> VectorCos.cos(x);
        };
    }

    static float gradient(Kind kind, float dy, float x) {
        return switch (kind) {
            case RELU -> x <= 0 ? 0 : dy;
            case GELU -> dy * Gelu.slope(x);
            case TANH_GELU -> dy * TanhGelu.slope(x);
            case COSINE -> -(dy * VectorSin.sin(x));
        };
    }
}
