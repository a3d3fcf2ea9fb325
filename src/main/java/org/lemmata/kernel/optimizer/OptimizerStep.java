package org.lemmata.kernel.optimizer;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.elementary.Extents;

/**
 * p = p - eta u(s dp), for each parameter p of a range with the gradient dp, where {@link Sgd}, {@link Adam} or
 * {@link AdamW} says what u is and s scales the gradient.
 *
 * <p>Parameters, gradients and moments are four flat arrays with the same indices. A parameter group is a range with a
 * rule of its own; what is frozen is not stepped. The scale is 1, or what {@link #clippingScale} gives: clipping then
 * costs no pass of its own.
 *
 * <p>Every implementation gives the same bits. beta1, beta2 and mu are rounded to binary32, and stand for the rounded
 * numbers wherever they occur, so that beta and 1 - beta sum to one; eta, lambda, epsilon, eta lambda, eta / (1 -
 * beta1^t) and c = 1 / sqrt(1 - beta2^t) are computed in binary64, powers by {@link StrictMath#pow}, and rounded once.
 * All else is binary32, each operation rounded, fma(a, b, c) being a b + c with one rounding:
 *
 * <pre>
 * Sgd           g = fma(lambda, p, s dp);  b = fma(mu, b, g);  p = fma(-eta, b, p)
 * with Nesterov                                                p = fma(-eta, fma(mu, b, g), p)
 * Adam, AdamW   g = s dp, in Adam fma(lambda, p, s dp)
 *               m = fma(1 - beta1, g, beta1 m);  v = fma(1 - beta2, g g, beta2 v)
 *               d = eta / (1 - beta1^t) (m / fma(sqrt(v), c, epsilon))
 *               p = p - d, in AdamW p - fma(eta lambda, p, d)
 * </pre>
 *
 * <p>Whatever is not finite spreads as IEEE 754 says. A gradient above 2^64 has an infinite square, and stops its
 * parameter from then on.
 */
public sealed interface OptimizerStep permits ScalarOptimizerStep, VectorOptimizerStep {

    /**
     * Takes one step with the parameters from {@code from} to before {@code to}; changes them and their moments.
     *
     * @param first the first moments, b or m: zero before the first step; not touched, and of any length, if the rule
     *     has none
     * @param second the second moments, v: zero before the first step; not touched, and of any length, if the rule has
     *     none
     * @param by the rule at this step
     * @throws IllegalArgumentException if the range does not lie within each array used
     */
    void step(float[] parameters, float[] first, float[] second, float[] gradients, Coefficients by, int from, int to);

    /**
     * min(1, maxNorm / sqrt(squaredNorm)): the gradient scale that keeps the norm of all gradients within
     * {@code maxNorm}. A norm of NaN gives NaN, an infinite one 0.
     *
     * <p>Source: Pascanu, Mikolov and Bengio (2013), On the difficulty of training recurrent neural networks, algorithm
     * 1.
     *
     * @param squaredNorm the sum of what {@link GradientNorm#squaredNorm} gives for each range that is stepped
     * @throws IllegalArgumentException if {@code maxNorm} is not above 0
     */
    static float clippingScale(double squaredNorm, double maxNorm) {
        Refuse.when(!(maxNorm > 0), "maxNorm", "above 0", maxNorm);
        return (float) Math.min(1, maxNorm / Math.sqrt(squaredNorm));
    }

    /** The argument check that every implementation makes first. */
    static void check(
            float[] parameters, float[] first, float[] second, float[] gradients, Coefficients by, int from, int to) {
        if (from > to) {
            throw new IllegalArgumentException("from, to: expected from <= to, got " + from + ", " + to);
        }
        Extents.checkVector("parameters", parameters, from, to - from);
        Extents.checkVector("gradients", gradients, from, to - from);
        if (by.moments > 0) {
            Extents.checkVector("first", first, from, to - from);
        }
        if (by.moments > 1) {
            Extents.checkVector("second", second, from, to - from);
        }
    }
}
