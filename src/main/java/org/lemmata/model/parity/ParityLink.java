package org.lemmata.model.parity;

import org.lemmata.argument.Refuse;

/**
 * phi, an even function from [-1, 1] to [-1, 1] with phi(0) = -1, phi(1) = 1 and phi'(0) = phi'(1) = 0, so that phi((a
 * + b) / 2) = a b for signs a and b. To second order at 0, phi(t) is -1 + c t².
 *
 * <p>Source: Kim and Suzuki (2024), section 2.2, which leaves phi open.
 */
public sealed interface ParityLink {

    /** phi(t). */
    double value(double t);

    /** phi'(t). */
    double slope(double t);

    /** c. */
    double curvature();

    /** The maximum of |phi'|. */
    double maxSlope();

    /** -1 + 4 t² - 2 t⁴. */
    record Polynomial() implements ParityLink {

        @Override
        public double value(double t) {
            double square = t * t;
            return square * (4 - 2 * square) - 1;
        }

        @Override
        public double slope(double t) {
            return 8 * t * (1 - t * t);
        }

        @Override
        public double curvature() {
            return 4;
        }

        /** The maximum, at t = 1 / sqrt(3). */
        @Override
        public double maxSlope() {
            return 16 / (3 * Math.sqrt(3));
        }
    }

    /** -cos(pi t). */
    record Cosine() implements ParityLink {

        @Override
        public double value(double t) {
            return -StrictMath.cos(Math.PI * t);
        }

        @Override
        public double slope(double t) {
            return Math.PI * StrictMath.sin(Math.PI * t);
        }

        @Override
        public double curvature() {
            return Math.PI * Math.PI / 2;
        }

        @Override
        public double maxSlope() {
            return Math.PI;
        }
    }

    /**
     * As a function of |t|, quadratic up to t0 = epsilon / s and from 1 - t0 on, and linear with slope s = 2 + epsilon
     * in between. The maximum slope of any phi exceeds 2.
     *
     * @param epsilon above 0, at most 2
     */
    record PiecewiseQuadratic(double epsilon) implements ParityLink {

        public PiecewiseQuadratic {
            Refuse.when(!(epsilon > 0 && epsilon <= 2), "epsilon", "above 0, at most 2", epsilon);
        }

        private double end() {
            return epsilon / maxSlope();
        }

        @Override
        public double value(double t) {
            double a = Math.abs(t);
            if (a <= end()) {
                return -1 + curvature() * a * a;
            }
            return a <= 1 - end() ? maxSlope() * (a - 0.5) : 1 - curvature() * (1 - a) * (1 - a);
        }

        @Override
        public double slope(double t) {
            double a = Math.abs(t);
            double slope = a <= end() || a > 1 - end() ? 2 * curvature() * Math.min(a, 1 - a) : maxSlope();
            return Math.copySign(slope, t);
        }

        @Override
        public double curvature() {
            return maxSlope() * maxSlope() / (2 * epsilon);
        }

        @Override
        public double maxSlope() {
            return 2 + epsilon;
        }
    }
}
