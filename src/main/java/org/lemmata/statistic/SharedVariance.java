package org.lemmata.statistic;

import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.numbers.gamma.Trigamma;

/**
 * Estimates the spread of each row of a run with the help of the other rows (Smyth 2004, "Linear Models and Empirical
 * Bayes Methods for Assessing Differential Expression in Microarray Experiments", sections 3 and 6). The variance v of
 * a row's log ratio, with d degrees of freedom, estimates a true variance. The true variances are modeled as values of
 * s d0 / χ², where χ² has d0 degrees of freedom. With e = log v - ψ(d / 2) + log(d / 2), s and d0 follow from the
 * moments of e:
 *
 * <pre>
 * ψ'(d0 / 2) = variance of e - mean of ψ'(d / 2)          (d0 = ∞ if that is not positive)
 * log s      = mean of e + ψ(d0 / 2) - log(d0 / 2)
 * </pre>
 *
 * <p>A row with v below s gets the weighted mean (k s + d v) / (k + d) with k + d degrees of freedom, where k = min(d0,
 * d), so its own forks have at least half of the weight. A row with v above s keeps its own variance, with k s / v + d
 * degrees of freedom, so that a noisy row stays noisy among quiet rows. Smyth has neither the limit k &lt;= d nor the
 * rule for v above s; docs/notes/regression-log.md has simulations.
 *
 * @param variance s, of the log of a ratio
 * @param degreesOfFreedom d0, but at most the maximum of the rows' degrees of freedom; 0 if rows share no variance
 */
public record SharedVariance(double variance, double degreesOfFreedom) {

    /** No variance is shared: each row keeps its own variance. */
    public static final SharedVariance NONE = new SharedVariance(0, 0);

    /** The minimum number of rows. With fewer rows, simulated intervals miss more often than stated. */
    private static final int FEWEST_ROWS = 12;

    private static final int BISECTIONS = 60;

    /**
     * Estimates the model from the rows of one run, except rows of zero or unknown spread.
     *
     * @param rows the rows, with standard errors of means; standard errors of medians do not fit the model
     * @return {@link #NONE} for fewer than 12 rows with a known, positive spread
     */
    public static SharedVariance of(List<RatioEstimate> rows) {
        List<RatioEstimate> known = rows.stream()
                .filter(row -> counts(row) && row.logStandardError() > 0)
                .toList();
        if (known.size() < FEWEST_ROWS) {
            return NONE;
        }
        double[] logs = known.stream()
                .mapToDouble(row -> 2 * Math.log(row.logStandardError()) - logBias(row.degreesOfFreedom()))
                .toArray();
        double mean = DoubleStream.of(logs).sum() / logs.length;
        double spread =
                DoubleStream.of(logs).map(log -> (log - mean) * (log - mean)).sum() / (logs.length - 1);
        double ofForks = known.stream()
                .mapToDouble(row -> Trigamma.value(row.degreesOfFreedom() / 2))
                .average()
                .orElseThrow();
        double most = known.stream()
                .mapToDouble(RatioEstimate::degreesOfFreedom)
                .max()
                .orElseThrow();
        if (spread <= ofForks) {
            return new SharedVariance(Math.exp(mean), most);
        }
        double shared = 2 * inverseTrigamma(spread - ofForks);
        return new SharedVariance(Math.exp(mean + logBias(shared)), Math.min(shared, most));
    }

    /** The row with the standard error and degrees of freedom of the model; the ratio does not change. */
    public RatioEstimate with(RatioEstimate row) {
        if (degreesOfFreedom == 0 || !counts(row)) {
            return row;
        }
        double own = row.logStandardError() * row.logStandardError();
        double freedom = row.degreesOfFreedom();
        double weight = Math.min(degreesOfFreedom, freedom);
        return own > variance
                ? new RatioEstimate(row.ratio(), row.logStandardError(), freedom + weight * variance / own)
                : new RatioEstimate(
                        row.ratio(),
                        Math.sqrt((weight * variance + freedom * own) / (weight + freedom)),
                        freedom + weight);
    }

    private static boolean counts(RatioEstimate row) {
        return Double.isFinite(row.logStandardError()) && Double.isFinite(row.degreesOfFreedom());
    }

    /** The mean of log(χ² / freedom). */
    private static double logBias(double freedom) {
        return Digamma.value(freedom / 2) - Math.log(freedom / 2);
    }

    /**
     * The y with ψ'(y) = {@code value}, for a positive value, by bisection: {@code y - 1/2 < 1 / ψ'(y) < y} (Smyth
     * 2004, appendix).
     */
    static double inverseTrigamma(double value) {
        double low = 1 / value;
        double high = low + 0.5;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (Trigamma.value(middle) > value) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }
}
