package org.lemmata.kernel.activation;

import org.lemmata.kernel.matrix.Matrix;

/**
 * y_i = f(x_i), and backward dx_i = f'(x_i) dy_i.
 *
 * <p>The same bits for every implementation, lane width, machine and number of threads.
 */
public sealed interface Activation permits ScalarActivation, VectorActivation {

    /**
     * The function f. NaN gives NaN; the bounds were found on samples of 2^28 numbers, of 2^24 for f' of
     * {@link #TANH_GELU}.
     */
    enum Kind {
        /** max(0, x), exactly; +0 for both zeros. f'(0) = 0, and f'(NaN) = 1. */
        RELU,

        /**
         * x Phi(x), with Phi(x) = (1 + erf(x / sqrt(2))) / 2.
         *
         * <p>At most 6.5 ulps from it wherever its magnitude is at least 2^-126, and within 2^-126 of it elsewhere: for
         * negative x, too, its digits are right until it underflows. f(inf) = inf, f(-inf) = -0. The error of f' is at
         * most 4 ulps of the greater of |f'| and Phi(-|x|) + |x| phi(x), of which it is the sum or the difference, or
         * below 2^-118.
         *
         * <p>Source: Hendrycks and Gimpel (2016), Gaussian Error Linear Units.
         */
        GELU,

        /**
         * x (1 + tanh u) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3).
         *
         * <p>At most 3.5 ulps from it wherever its magnitude is at least 2^-122, and within 2^-122 of it elsewhere.
         * f(inf) = inf, f(-inf) = -0. The error of f' is at most 6 ulps of the greater of |f'| and (1 - tanh |u|) / 2 +
         * |x| |u'| (1 - tanh^2 u) / 2, of which it is the sum or the difference, or below 2^-118.
         *
         * <p>Source: Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2.
         */
        TANH_GELU,

        /** cos x, at most 1 ulp from it; f' = -sin, to 1 ulp before it is multiplied. Infinities give NaN. */
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
     * @throws IllegalArgumentException as {@link #forwardInto}
     */
    void backwardInto(Kind kind, Matrix dx, Matrix dy, Matrix x);

    /**
     * y_i = f(x_i) and gradient_i = f'(x_i) gradient_i: the bits of {@link #forwardInto} and {@link #backwardInto}, and
     * of GELU in little more than the time of one.
     *
     * @param y must be neither x nor gradient
     * @throws IllegalArgumentException as {@link #forwardInto}
     */
    default void bothInto(Kind kind, Matrix y, Matrix gradient, Matrix x) {
        checkBoth(y, gradient, x);
        forwardInto(kind, y, x);
        backwardInto(kind, gradient, gradient, x);
    }

    /** The argument check that every implementation of forward makes first. */
    static void check(Matrix y, Matrix x) {
        y.requireDense("y", y.rows(), y.columns());
        x.requireDense("x", y.rows(), y.columns());
    }

    /** The argument check that every implementation of both at once makes first. */
    static void checkBoth(Matrix y, Matrix gradient, Matrix x) {
        check(y, x);
        gradient.requireDense("gradient", y.rows(), y.columns());
    }

    /** The argument check that every implementation of backward makes first. */
    static void check(Matrix dx, Matrix dy, Matrix x) {
        dx.requireDense("dx", dx.rows(), dx.columns());
        dy.requireDense("dy", dx.rows(), dx.columns());
        x.requireDense("x", dx.rows(), dx.columns());
    }
}
