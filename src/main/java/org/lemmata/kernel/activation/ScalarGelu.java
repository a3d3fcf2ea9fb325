package org.lemmata.kernel.activation;

import static org.lemmata.kernel.activation.Gelu.D1;
import static org.lemmata.kernel.activation.Gelu.D2;
import static org.lemmata.kernel.activation.Gelu.D3;
import static org.lemmata.kernel.activation.Gelu.D4;
import static org.lemmata.kernel.activation.Gelu.D5;
import static org.lemmata.kernel.activation.Gelu.MAX_T;
import static org.lemmata.kernel.activation.Gelu.N1;
import static org.lemmata.kernel.activation.Gelu.N2;
import static org.lemmata.kernel.activation.Gelu.N3;
import static org.lemmata.kernel.activation.Gelu.N4;
import static org.lemmata.kernel.activation.Gelu.PHI_0;

import org.lemmata.kernel.elementary.ScalarExp;

/**
 * The scalar form of {@link Gelu}, with the same bits; it uses only that class's constants, so it needs no Vector API.
 */
final class ScalarGelu {

    private ScalarGelu() {}

    static float value(float x) {
        float t = bounded(x);
        float exponential = exponential(t);
        float ratio = ratio(t);
        return x < 0 ? -(t * ratio * exponential) : x * (1 - exponential * ratio);
    }

    static float slope(float x) {
        float t = bounded(x);
        float exponential = exponential(t);
        float tail = exponential * ratio(t);
        float density = exponential * PHI_0;
        return x < 0 ? Math.fma(-t, density, tail) : Math.fma(t, density, 1 - tail);
    }

    private static float bounded(float x) {
        return Math.min(Math.abs(x), MAX_T);
    }

    private static float exponential(float t) {
        float square = t * t;
        float low = Math.fma(t, t, -square);
        return ScalarExp.exp(square * -0.5f, low * -0.5f);
    }

    private static float ratio(float t) {
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
}
