package org.lemmata.kernel.activation;

import org.lemmata.kernel.matrix.Matrix;

/**
 * Elementwise activation functions: y_i = f(x_i), and in the backward pass dx_i = f'(x_i) dy_i.
 *
 * <p>The bits are the same for every implementation, machine, and number of lanes and threads.
 */
public sealed interface Activation permits ScalarActivation, VectorActivation {

    /** The function f. NaN gives NaN. Errors are measured on 2^28 samples, or 2^24 for f' of {@link #TANH_GELU}. */
    enum Kind {
        /** max(0, x), exact. Both zeros give +0; f'(0) = 0 and f'(NaN) = 1. */
        RELU,

        /**
         * x Phi(x), with Phi(x) = (1 + erf(x / sqrt(2))) / 2, whose derivative is phi.
         *
         * <p>The error is at most 6.5 ulps if |f| is at least 2^-126, otherwise at most 2^-126; so results for negative
         * x are also accurate until they underflow. f(inf) = inf, f(-inf) = -0. The error of f' is at most 4 ulps of
         * the greater of |f'| and Phi(-|x|) + |x| phi(x) (for x &lt; 0, the sum of the magnitudes of the two terms of
         * f'), or below 2^-118.
         *
         * <p>Source: Hendrycks and Gimpel (2016), Gaussian Error Linear Units.
         */
        GELU,

        /**
         * x (1 + tanh u) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3).
         *
         * <p>The error is at most 3.5 ulps if |f| is at least 2^-122, otherwise at most 2^-122. f(inf) = inf, f(-inf) =
         * -0. The error of f' is at most 6 ulps of the greater of |f'| and (1 - tanh |u|) / 2 + |x| |u'| (1 - tanh^2 u)
         * / 2 (for x &lt; 0, the sum of the magnitudes of the two terms of f'), or below 2^-118.
         *
         * <p>Source: Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2.
         */
        TANH_GELU,

        /** cos x, within 1 ulp; f' = -sin x, within 1 ulp before the multiplication by dy. Infinities give NaN. */
        COSINE
    }

    /**
     * y_i = f(x_i), overwriting y, which may be x.
     *
     * @throws IllegalArgumentException if the sizes differ, or a matrix has gaps between its rows
     */
    void forwardInto(Kind kind, Matrix y, Matrix x);

    /**
     * dx_i = f'(x_i) dy_i, overwriting dx, which may be dy or x.
     *
     * @param x the input of forward, the pre-activation
     * @throws IllegalArgumentException as in {@link #forwardInto}
     */
    void backwardInto(Kind kind, Matrix dx, Matrix dy, Matrix x);

    /**
     * y_i = f(x_i) and gradient_i = f'(x_i) gradient_i, bit-identical to {@link #forwardInto} and
     * {@link #backwardInto}. For GELU this takes only slightly longer than one of the two.
     *
     * @param y must be neither x nor gradient
     * @throws IllegalArgumentException as in {@link #forwardInto}
     */
    default void bothInto(Kind kind, Matrix y, Matrix gradient, Matrix x) {
        checkBoth(y, gradient, x);
        forwardInto(kind, y, x);
        backwardInto(kind, gradient, gradient, x);
    }

    static void check(Matrix y, Matrix x) {
        y.requireDense("y", y.rows(), y.columns());
        x.requireDense("x", y.rows(), y.columns());
    }

    static void checkBoth(Matrix y, Matrix gradient, Matrix x) {
        check(y, x);
        gradient.requireDense("gradient", y.rows(), y.columns());
    }

    static void check(Matrix dx, Matrix dy, Matrix x) {
        dx.requireDense("dx", dx.rows(), dx.columns());
        dy.requireDense("dy", dx.rows(), dx.columns());
        x.requireDense("x", dx.rows(), dx.columns());
    }
}
