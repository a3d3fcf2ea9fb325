package org.lemmata.kernel.activation;

import static org.lemmata.kernel.activation.TanhGelu.A;
import static org.lemmata.kernel.activation.TanhGelu.A_HIGH;
import static org.lemmata.kernel.activation.TanhGelu.A_LOW;
import static org.lemmata.kernel.activation.TanhGelu.C_HIGH;
import static org.lemmata.kernel.activation.TanhGelu.C_LOW;
import static org.lemmata.kernel.activation.TanhGelu.MAX_T;
import static org.lemmata.kernel.activation.TanhGelu.THREE_C;

import org.lemmata.kernel.elementary.ScalarExp;

/**
 * The scalar form of {@link TanhGelu}, with the same bits; it uses only that class's constants, so it needs no Vector
 * API.
 */
final class ScalarTanhGelu {

    private ScalarTanhGelu() {}

    static float value(float x) {
        float t = bounded(x);
        float exponential = exponential(t);
        float inverse = 1 / (exponential + 1);
        return x < 0 ? -(t * inverse * exponential) : x * inverse;
    }

    static float slope(float x) {
        float t = bounded(x);
        float exponential = exponential(t);
        float inverse = 1 / (exponential + 1);
        float tail = exponential * inverse;
        float density = Math.fma(t * t, THREE_C, A) * (tail * inverse);
        return x < 0 ? Math.fma(-t, density, tail) : Math.fma(t, density, inverse);
    }

    private static float bounded(float x) {
        return Math.min(Math.abs(x), MAX_T);
    }

    private static float exponential(float t) {
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
