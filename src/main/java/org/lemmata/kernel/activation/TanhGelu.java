package org.lemmata.kernel.activation;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import org.lemmata.kernel.elementary.VectorExp;

/**
 * x (1 + tanh u) / 2 = x / (1 + e^(-2u)) with 2u = x (A + C x^2), A = 2 sqrt(2 / pi), C = 0.044715 A. It is computed
 * from the tail e^-v / (1 + e^-v) at v = |2u|.
 *
 * <p>v is computed in double-word precision, because otherwise the exponential would lose as many bits as v has before
 * the binary point. So the tail keeps its relative accuracy until it underflows; 1 + tanh would lose it for negative x.
 */
final class TanhGelu {

    /** Above this t = |x|, e^-v is below 2^-126 and is set to 0. */
    static final float MAX_T = 10.5f;

    /** A, rounded to a multiple of 2^-20. Subtracting it from A + C t^2, which is below 16, is exact. */
    static final float A_HIGH = 0x1.98845p0f;

    static final float A_LOW = 0x1.9ea1b2p-23f;

    static final float C_HIGH = 0x1.2444f2p-4f;
    static final float C_LOW = 0x1.49b16ap-29f;

    /** A and 3 C, for the derivative of 2u. */
    static final float A = 0x1.988454p0f;

    static final float THREE_C = 0x1.b6676cp-3f;

    private TanhGelu() {}

    static FloatVector value(FloatVector x) {
        FloatVector t = bounded(x);
        FloatVector exponential = exponential(t);
        FloatVector one = x.broadcast(1);
        FloatVector inverse = one.div(exponential.add(one));
        // Uses t instead of -x, so that -inf is not multiplied by 0; no factor underflows before the result does.
        FloatVector below = t.mul(inverse).mul(exponential).neg();
        return x.mul(inverse).blend(below, x.lt(0));
    }

    /** s + x s (1 - s) (A + 3 C x^2) for each lane, s = 1 / (1 + e^-2u). */
    static FloatVector slope(FloatVector x) {
        FloatVector t = bounded(x);
        FloatVector exponential = exponential(t);
        FloatVector one = x.broadcast(1);
        FloatVector inverse = one.div(exponential.add(one));
        FloatVector tail = exponential.mul(inverse);
        FloatVector density = t.mul(t).fma(x.broadcast(THREE_C), x.broadcast(A)).mul(tail.mul(inverse));
        FloatVector below = t.neg().fma(density, tail);
        return t.fma(density, inverse).blend(below, x.lt(0));
    }

    private static FloatVector bounded(FloatVector x) {
        FloatVector t = x.abs();
        return t.blend(MAX_T, t.compare(VectorOperators.GT, MAX_T));
    }

    /** e^-v. */
    private static FloatVector exponential(FloatVector t) {
        FloatVector square = t.mul(t);
        FloatVector squareLow = t.fma(t, square.neg());
        FloatVector aHigh = t.broadcast(A_HIGH);
        FloatVector cHigh = t.broadcast(C_HIGH);
        FloatVector factor = square.fma(cHigh, aHigh);
        FloatVector factorLow = square.fma(cHigh, aHigh.sub(factor));
        factorLow = squareLow.fma(cHigh, factorLow).add(square.fma(t.broadcast(C_LOW), t.broadcast(A_LOW)));
        FloatVector v = t.mul(factor).neg();
        FloatVector vLow = t.fma(factor, v).add(t.mul(factorLow)).neg();
        return VectorExp.exp(v, vLow);
    }
}
