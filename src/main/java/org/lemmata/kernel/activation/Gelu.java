package org.lemmata.kernel.activation;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorExp;

/**
 * x Phi(x) and its derivative Phi(x) + x phi(x) ({@link Activation.Kind#GELU}), computed from the tail Phi(-t) =
 * e^(-t^2 / 2) g(t) at t = |x|.
 *
 * <p>g is smooth and falls like 1 / t; it is a quotient of polynomials with only positive terms, so nothing cancels.
 * The rounding error of t^2 is also computed, because without it the exponential would lose as many bits as t^2 / 2 has
 * before the binary point. So the tail keeps its relative accuracy until it underflows; 1 + erf would lose it for
 * negative x.
 *
 * <p>The coefficients are a minimax fit of the relative error, computed for this class.
 */
final class Gelu {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /** Above this t, the tail is below 2^-126 and is set to 0. */
    static final float MAX_T = 13.5f;

    /** 1 / sqrt(2 pi). */
    static final float PHI_0 = 0x1.988454p-2f;

    // g(t) = (1/2 + N1 t + ... + N4 t^4) / (1 + D1 t + ... + D5 t^5) on [0, 13.5]; the relative error is below 2^-26.7.
    static final float N1 = 0x1.bdd318p-2f;
    static final float N2 = 0x1.72cddep-3f;
    static final float N3 = 0x1.46d0bep-5f;
    static final float N4 = 0x1.067ef6p-8f;
    static final float D1 = 0x1.ab2bbap0f;
    static final float D2 = 0x1.31887ap0f;
    static final float D3 = 0x1.dad85cp-2f;
    static final float D4 = 0x1.99a1f2p-4f;
    static final float D5 = 0x1.48fc36p-7f;

    private Gelu() {}

    // Each loop is written out in one method of more than 325 bytecodes, which the compiler compiles separately. It
    // would inline smaller methods into callers and might then box vectors. If x is NaN, the ratio is NaN, and so is
    // its product with any exponential.

    static void valueInto(float[] y, int yOffset, float[] x, int xOffset, int length) {
        for (int i = 0; i < length; i += LANES) {
            FloatVector input = FloatVector.fromArray(SPECIES, x, xOffset + i);
            FloatVector t = input.abs();
            t = t.blend(MAX_T, t.compare(VectorOperators.GT, MAX_T));
            FloatVector square = t.mul(t);
            FloatVector low = t.fma(t, square.neg());
            // e^(-t^2 / 2).
            FloatVector exponential = VectorExp.expOfNonPositive(square.mul(-0.5f), low.mul(-0.5f));
            FloatVector n = t.fma(t.broadcast(N4), t.broadcast(N3));
            n = n.fma(t, t.broadcast(N2));
            n = n.fma(t, t.broadcast(N1));
            n = n.fma(t, t.broadcast(0.5f));
            FloatVector d = t.fma(t.broadcast(D5), t.broadcast(D4));
            d = d.fma(t, t.broadcast(D3));
            d = d.fma(t, t.broadcast(D2));
            d = d.fma(t, t.broadcast(D1));
            d = d.fma(t, t.broadcast(1));
            FloatVector ratio = n.div(d);
            // Uses t instead of -x, so that -inf is not multiplied by 0. The product with the ratio is below 0.4. No
            // factor underflows before the result does.
            FloatVector below = t.mul(ratio).mul(exponential).neg();
            FloatVector above = input.mul(input.broadcast(1).sub(exponential.mul(ratio)));
            above.blend(below, input.lt(0)).intoArray(y, yOffset + i);
        }
    }

    /** dx = dy (Phi(x) + x phi(x)) for whole vectors. */
    static void gradientInto(float[] dx, int dxOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        for (int i = 0; i < length; i += LANES) {
            FloatVector input = FloatVector.fromArray(SPECIES, x, xOffset + i);
            FloatVector t = input.abs();
            t = t.blend(MAX_T, t.compare(VectorOperators.GT, MAX_T));
            FloatVector square = t.mul(t);
            FloatVector low = t.fma(t, square.neg());
            // e^(-t^2 / 2).
            FloatVector exponential = VectorExp.expOfNonPositive(square.mul(-0.5f), low.mul(-0.5f));
            FloatVector n = t.fma(t.broadcast(N4), t.broadcast(N3));
            n = n.fma(t, t.broadcast(N2));
            n = n.fma(t, t.broadcast(N1));
            n = n.fma(t, t.broadcast(0.5f));
            FloatVector d = t.fma(t.broadcast(D5), t.broadcast(D4));
            d = d.fma(t, t.broadcast(D3));
            d = d.fma(t, t.broadcast(D2));
            d = d.fma(t, t.broadcast(D1));
            d = d.fma(t, t.broadcast(1));
            FloatVector tail = exponential.mul(n.div(d));
            FloatVector density = exponential.mul(PHI_0);
            VectorMask<Float> negative = input.lt(0);
            FloatVector below = t.neg().fma(density, tail);
            FloatVector above = t.fma(density, input.broadcast(1).sub(tail));
            FloatVector.fromArray(SPECIES, dy, dyOffset + i)
                    .mul(above.blend(below, negative))
                    .intoArray(dx, dxOffset + i);
        }
    }

    /** y = x Phi(x) and dy = dy (Phi(x) + x phi(x)) for whole vectors, bit-identical to two separate loops. */
    static void bothInto(float[] y, int yOffset, float[] dy, int dyOffset, float[] x, int xOffset, int length) {
        for (int i = 0; i < length; i += LANES) {
            FloatVector input = FloatVector.fromArray(SPECIES, x, xOffset + i);
            FloatVector t = input.abs();
            t = t.blend(MAX_T, t.compare(VectorOperators.GT, MAX_T));
            FloatVector square = t.mul(t);
            FloatVector low = t.fma(t, square.neg());
            // e^(-t^2 / 2).
            FloatVector exponential = VectorExp.expOfNonPositive(square.mul(-0.5f), low.mul(-0.5f));
            FloatVector n = t.fma(t.broadcast(N4), t.broadcast(N3));
            n = n.fma(t, t.broadcast(N2));
            n = n.fma(t, t.broadcast(N1));
            n = n.fma(t, t.broadcast(0.5f));
            FloatVector d = t.fma(t.broadcast(D5), t.broadcast(D4));
            d = d.fma(t, t.broadcast(D3));
            d = d.fma(t, t.broadcast(D2));
            d = d.fma(t, t.broadcast(D1));
            d = d.fma(t, t.broadcast(1));
            FloatVector ratio = n.div(d);
            FloatVector tail = exponential.mul(ratio);
            FloatVector rest = input.broadcast(1).sub(tail);
            VectorMask<Float> negative = input.lt(0);
            input.mul(rest).blend(t.mul(ratio).mul(exponential).neg(), negative).intoArray(y, yOffset + i);
            FloatVector density = exponential.mul(PHI_0);
            FloatVector below = t.neg().fma(density, tail);
            FloatVector above = t.fma(density, rest);
            FloatVector.fromArray(SPECIES, dy, dyOffset + i)
                    .mul(above.blend(below, negative))
                    .intoArray(dy, dyOffset + i);
        }
    }
}
