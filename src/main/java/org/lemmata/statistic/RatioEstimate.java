package org.lemmata.statistic;

import java.util.OptionalInt;
import org.apache.commons.statistics.distribution.TDistribution;
import org.lemmata.argument.Refuse;

/**
 * The estimated ratio of two versions' scores.
 *
 * @param ratio the estimate, positive and finite
 * @param logStandardError the standard error of its log; infinite if a version has a single fork, whose spread is
 *     unknown
 * @param degreesOfFreedom the degrees of freedom of the standard error, positive and possibly infinite
 */
public record RatioEstimate(double ratio, double logStandardError, double degreesOfFreedom) {

    private static final int MOST_FORKS = 1000;

    public RatioEstimate {
        Refuse.when(!(ratio > 0 && ratio < Double.POSITIVE_INFINITY), "ratio", "a positive finite number", ratio);
        Refuse.when(!(logStandardError >= 0), "logStandardError", "at least 0", logStandardError);
        Refuse.when(!(degreesOfFreedom > 0), "degreesOfFreedom", "more than 0", degreesOfFreedom);
    }

    /**
     * The two-sided interval exp(log ratio ± t·se), where t is Student's quantile; [0, ∞] if the standard error is
     * infinite.
     *
     * @param level the probability that it contains the true ratio: 0.95, or a higher {@linkplain Simultaneous#level
     *     level for several intervals}
     */
    public Interval interval(double level) {
        double halfWidth = halfWidth(level, logStandardError, degreesOfFreedom);
        return new Interval(ratio * Math.exp(-halfWidth), ratio * Math.exp(halfWidth));
    }

    /**
     * The noise floor exp(t·se): the smallest ratio above 1 that an estimate with this spread can distinguish from 1.
     * For an A/A run, it is the smallest change that can be detected on the machine.
     */
    public double noiseFloor(double level) {
        return Math.exp(halfWidth(level, logStandardError, degreesOfFreedom));
    }

    /**
     * This ratio divided by another, independent one. The variances of logs add up; the degrees of freedom follow
     * Satterthwaite (1946) and Welch (1947).
     */
    public RatioEstimate over(RatioEstimate other) {
        double variance = logStandardError * logStandardError;
        double otherVariance = other.logStandardError * other.logStandardError;
        return new RatioEstimate(
                ratio / other.ratio,
                Math.sqrt(variance + otherVariance),
                degreesOfFreedom(variance, degreesOfFreedom, otherVariance, other.degreesOfFreedom));
    }

    /**
     * The smallest number of forks per version for which the interval lies entirely inside or entirely outside 1 / (1 +
     * margin) .. 1 + margin, if the estimate and the forks' spread do not change. If the interval already does, the
     * number is {@code forksNow}.
     *
     * @param margin the largest change that counts as no change, at least 0
     * @param level the level of the interval
     * @param forksNow forks per version of this estimate (the smaller number if they differ), at least 1
     * @return empty if 1,000 or more are needed, or if there is a single fork, whose spread is unknown
     */
    public OptionalInt forksFor(double margin, double level, int forksNow) {
        Refuse.when(!(margin >= 0), "margin", "at least 0", margin);
        Refuse.below("forksNow", forksNow, 1);
        if (Double.isInfinite(logStandardError)) {
            return OptionalInt.empty();
        }
        double room = Math.abs(Math.abs(Math.log(ratio)) - Math.log1p(margin));
        for (int forks = forksNow; forks < MOST_FORKS; forks++) {
            double standardError = logStandardError * Math.sqrt((double) forksNow / forks);
            double freedom = forksNow == 1 ? degreesOfFreedom : degreesOfFreedom * (forks - 1) / (forksNow - 1);
            if (halfWidth(level, standardError, freedom) < room) {
                return OptionalInt.of(forks);
            }
        }
        return OptionalInt.empty();
    }

    /** The degrees of freedom of the sum of two independent variances. */
    static double degreesOfFreedom(double variance, double freedom, double otherVariance, double otherFreedom) {
        double greater = Math.max(variance, otherVariance);
        if (greater == 0 || Double.isInfinite(greater)) {
            return freedom + otherFreedom;
        }
        // Dividing by the greater variance prevents overflow and underflow of squares.
        double share = variance / greater;
        double otherShare = otherVariance / greater;
        return (share + otherShare)
                * (share + otherShare)
                / (share * share / freedom + otherShare * otherShare / otherFreedom);
    }

    private static double halfWidth(double level, double standardError, double freedom) {
        Refuse.when(!(level > 0 && level < 1), "level", "a number between 0 and 1", level);
        if (standardError == 0 || Double.isInfinite(standardError)) {
            return standardError;
        }
        return standardError * TDistribution.of(freedom).inverseSurvivalProbability((1 - level) / 2);
    }
}
