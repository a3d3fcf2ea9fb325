package org.lemmata.kernel.activation;

import static org.lemmata.kernel.activation.Gelu.D1;
import static org.lemmata.kernel.activation.Gelu.D2;
import static org.lemmata.kernel.activation.Gelu.D3;
import static org.lemmata.kernel.activation.Gelu.D4;
import static org.lemmata.kernel.activation.Gelu.D5;
import static org.lemmata.kernel.activation.Gelu.N1;
import static org.lemmata.kernel.activation.Gelu.N2;
import static org.lemmata.kernel.activation.Gelu.N3;
import static org.lemmata.kernel.activation.Gelu.N4;
import static org.lemmata.kernel.activation.Gelu.PHI_0;
import static org.lemmata.kernel.activation.TanhGelu.A;
import static org.lemmata.kernel.activation.TanhGelu.A_HIGH;
import static org.lemmata.kernel.activation.TanhGelu.A_LOW;
import static org.lemmata.kernel.activation.TanhGelu.C_HIGH;
import static org.lemmata.kernel.activation.TanhGelu.C_LOW;
import static org.lemmata.kernel.activation.TanhGelu.THREE_C;

import org.lemmata.kernel.elementary.ScalarExp;
import org.lemmata.kernel.elementary.ScalarSine;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The scalar reference: computes one element at a time, with the same bits as {@link Gelu} and {@link TanhGelu}. It
 * uses only the constants of these classes, so it needs no Vector API.
 */
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
            case GELU -> gelu(x);
            case TANH_GELU -> tanhGelu(x);
            case COSINE -> ScalarSine.cos(x);
        };
    }

    static float gradient(Kind kind, float dy, float x) {
        return switch (kind) {
            case RELU -> x <= 0 ? 0 : dy;
            case GELU -> dy * geluSlope(x);
            case TANH_GELU -> dy * tanhGeluSlope(x);
            case COSINE -> -(dy * ScalarSine.sin(x));
        };
    }

    private static float gelu(float x) {
        float t = Math.min(Math.abs(x), Gelu.MAX_T);
        float exponential = geluExponential(t);
        float ratio = geluRatio(t);
        return x < 0 ? -(t * ratio * exponential) : x * (1 - exponential * ratio);
    }

    private static float geluSlope(float x) {
        float t = Math.min(Math.abs(x), Gelu.MAX_T);
        float exponential = geluExponential(t);
        float tail = exponential * geluRatio(t);
        float density = exponential * PHI_0;
        return x < 0 ? Math.fma(-t, density, tail) : Math.fma(t, density, 1 - tail);
    }

    private static float geluExponential(float t) {
        float square = t * t;
        float low = Math.fma(t, t, -square);
        return ScalarExp.exp(square * -0.5f, low * -0.5f);
    }

    private static float geluRatio(float t) {
        float n = Math.fma(t, N4, N3);
        n = Math.fma(n, t, N2);
        n = Math.fma(n, t, N1);
        n = Math.fma(n, t, 0.5f);
        float d = Math.fma(t, D5, D4);
        d = Math.fma(d, t, D3);
        d = Math.fma(d, t, D2);
        d = Math.fma(d, t, D1);
        d = Math.fma(d, t, 1);
        return n / d;
    }

    private static float tanhGelu(float x) {
        float t = Math.min(Math.abs(x), TanhGelu.MAX_T);
        float exponential = tanhGeluExponential(t);
        float inverse = 1 / (exponential + 1);
        return x < 0 ? -(t * inverse * exponential) : x * inverse;
    }

    private static float tanhGeluSlope(float x) {
        float t = Math.min(Math.abs(x), TanhGelu.MAX_T);
        float exponential = tanhGeluExponential(t);
        float inverse = 1 / (exponential + 1);
        float tail = exponential * inverse;
        float density = Math.fma(t * t, THREE_C, A) * (tail * inverse);
        return x < 0 ? Math.fma(-t, density, tail) : Math.fma(t, density, inverse);
    }

    private static float tanhGeluExponential(float t) {
        float square = t * t;
        float squareLow = Math.fma(t, t, -square);
        float factor = Math.fma(square, C_HIGH, A_HIGH);
        float factorLow = Math.fma(square, C_HIGH, A_HIGH - factor);
        factorLow = Math.fma(squareLow, C_HIGH, factorLow) + Math.fma(square, C_LOW, A_LOW);
        float v = -(t * factor);
        float vLow = -(Math.fma(t, factor, v) + t * factorLow);
        return ScalarExp.exp(v, vLow);
    }
}
