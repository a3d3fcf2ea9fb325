package org.lemmata.statistic;

import org.apache.commons.statistics.distribution.TDistribution;

/** Welch's test of two means, at 95% and from the means' intervals at 95%. */
public final class Welch {

    private static final double TAIL = 0.025;

    private Welch() {}

    /**
     * Whether the middle of an interval is significantly below that of another one, with as many degrees of freedom.
     */
    public static boolean isBelow(Interval a, Interval b) {
        return isBelow((a.low() + a.high()) / 2, a, 1, (b.low() + b.high()) / 2, b, 1);
    }

    /**
     * Whether {@code a} is significantly below {@code b}: b - a > t sqrt(u² + v²), where u and v are standard errors,
     * of each interval's half towards the other mean, and t is Student's quantile for the degrees of freedom of Welch
     * and Satterthwaite.
     *
     * @param ofA the interval of the mean a
     * @param n how many values a is the mean of; 1 where its interval is no Student's
     * @param ofB the interval of the mean b
     * @param m how many values b is the mean of, likewise
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
