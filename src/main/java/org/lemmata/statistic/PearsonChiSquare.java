package org.lemmata.statistic;

import java.util.stream.LongStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * X^2 = sum over cells of (observed - expected)^2 / expected: Pearson's test of counts against a distribution.
 *
 * <p>Neighbouring cells are pooled until the expected count of each is at least five. If a single cell remains, nothing
 * can be tested.
 *
 * @param statistic X^2, infinite if an outcome of probability 0 was counted
 * @param degreesOfFreedom the number of cells minus one; cells are not pooled if {@code statistic} is infinite
 */
public record PearsonChiSquare(double statistic, int degreesOfFreedom) {

    private static final double MIN_EXPECTED = 5;

    /**
     * Tests counts of outcomes against their probabilities.
     *
     * @param counts the observed count of each outcome
     * @param probabilities the probability of each outcome; their sum is 1
     */
    public static PearsonChiSquare of(long[] counts, double... probabilities) {
        if (counts.length != probabilities.length) {
            throw new IllegalArgumentException(
                    "counts: expected one per probability, that is " + probabilities.length + ", got " + counts.length);
        }
        long n = LongStream.of(counts).sum();
        double statistic = 0;
        int cells = 0;
        double expected = 0;
        long observed = 0;
        double restExpected = n;
        for (int i = 0; i < counts.length; i++) {
            if (probabilities[i] == 0 && counts[i] > 0) {
                return new PearsonChiSquare(Double.POSITIVE_INFINITY, counts.length - 1);
            }
            expected += n * probabilities[i];
            observed += counts[i];
            restExpected -= n * probabilities[i];
            // The last cell includes all remaining outcomes.
            if (i == counts.length - 1 || (expected >= MIN_EXPECTED && restExpected >= MIN_EXPECTED)) {
                statistic += (observed - expected) * (observed - expected) / expected;
                cells++;
                expected = 0;
                observed = 0;
            }
        }
        return new PearsonChiSquare(statistic, cells - 1);
    }

    /** The probability, under the distribution, of a statistic at least as large as this; 1 if there is one cell. */
    public double pValue() {
        if (degreesOfFreedom == 0) {
            return 1;
        }
        return ChiSquaredDistribution.of(degreesOfFreedom).survivalProbability(statistic);
    }
}
