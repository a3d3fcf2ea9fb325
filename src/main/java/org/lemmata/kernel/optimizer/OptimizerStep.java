package org.lemmata.kernel.optimizer;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.elementary.Extents;

/**
 * An optimizer step: p = p - eta u(s dp), for each parameter p of a range, with gradient dp. {@link Sgd}, {@link Adam}
 * or {@link AdamW} defines u, and s scales the gradient.
 *
 * <p>Parameters, gradients and moments are four flat arrays with the same indices. A parameter group is a range with
 * its own rule; frozen parameters are not stepped. The scale is 1, or {@link #clippingScale}, so that clipping needs no
 * separate pass.
 *
 * <p>All implementations are bit-identical. beta1, beta2 and mu are rounded to binary32, and only the rounded numbers
 * are used, so that beta and 1 - beta sum to one if beta is at least 1/2. eta, lambda, epsilon, eta lambda, eta / (1 -
 * beta1^t) and c = 1 / sqrt(1 - beta2^t) are computed in binary64, powers by {@link StrictMath#pow}, and rounded once.
 * Everything else is computed in binary32, with each operation rounded; fma(a, b, c) is a b + c with one rounding:
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
 * <p>Infinities and NaN propagate as in IEEE 754. In Adam and AdamW, a finite g of magnitude 2^64 or more has an
 * infinite square. From then on, only decoupled decay changes its parameter.
 */
public sealed interface OptimizerStep permits ScalarOptimizerStep, VectorOptimizerStep {

    /**
     * Updates the parameters from {@code from} up to {@code to} (exclusive), and their moments.
     *
     * @param first the first moments, b or m: zero before the first step; ignored, and of any length, if the rule has
     *     no moments
     * @param second the second moments, v: zero before the first step; ignored, and of any length, if the rule has no
     *     second moments
     * @param by the coefficients of the rule at this step
     * @throws IllegalArgumentException if the range does not lie within each array that is used
     */
    void step(float[] parameters, float[] first, float[] second, float[] gradients, Coefficients by, int from, int to);

    /**
     * min(1, maxNorm / sqrt(squaredNorm)), the gradient scale that keeps the norm of all gradients within
     * {@code maxNorm}. A norm of NaN gives NaN; an infinite norm gives 0.
     *
     * <p>Source: Pascanu, Mikolov and Bengio (2013), On the difficulty of training recurrent neural networks, algorithm
     * 1.
     *
     * @param squaredNorm the sum of {@link GradientNorm#squaredNorm} over all ranges that are stepped
     * @throws IllegalArgumentException if {@code maxNorm} is not above 0
     */
    static float clippingScale(double squaredNorm, double maxNorm) {
        Refuse.when(!(maxNorm > 0), "maxNorm", "above 0", maxNorm);
        return squaredNorm == Double.POSITIVE_INFINITY ? 0 : (float) Math.min(1, maxNorm / Math.sqrt(squaredNorm));
    }

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
