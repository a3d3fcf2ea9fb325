package org.lemmata.statistic;

import org.apache.commons.statistics.distribution.TDistribution;

/** Welch's test of two means at 95%, computed from the means' 95% intervals. */
public final class Welch {

    private static final double TAIL = 0.025;

    private Welch() {}

    /** Whether the midpoint of {@code a} is significantly below that of {@code b}, if neither interval is Student's. */
    public static boolean isBelow(Interval a, Interval b) {
        return isBelow((a.low() + a.high()) / 2, a, 1, (b.low() + b.high()) / 2, b, 1);
    }

    /**
     * Whether {@code a} is significantly below {@code b}: b - a > t sqrt(u² + v²), where t is Student's quantile for
     * the degrees of freedom of Welch and Satterthwaite. The standard errors u and v are derived from the half of each
     * interval that is nearer to the other mean.
     *
     * @param ofA the interval of the mean a
     * @param n the number of values with the mean a; 1 if its interval is not Student's
     * @param ofB the interval of the mean b
     * @param m the number of values with the mean b; 1 if its interval is not Student's
     */
    public static boolean isBelow(double a, Interval ofA, int n, double b, Interval ofB, int m) {
        double u = Math.pow((ofA.high() - a) / quantile(freedom(n)), 2);
        double v = Math.pow((b - ofB.low()) / quantile(freedom(m)), 2);
        if (u + v == 0) {
            return a < b;
        }
        double freedom = (u + v) * (u + v) / (u * u / freedom(n) + v * v / freedom(m));
        return Double.isFinite(u + v) && b - a > quantile(freedom) * Math.sqrt(u + v);
    }

    private static double freedom(int values) {
        return values == 1 ? Double.MAX_VALUE : values - 1.0;
    }

    private static double quantile(double freedom) {
        return TDistribution.of(freedom).inverseSurvivalProbability(TAIL);
    }
}
