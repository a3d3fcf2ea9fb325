package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import org.junit.jupiter.api.Test;

class RatioEstimateTest {

    /** Student's t at 97.5%: 2.306004 for 8 degrees of freedom, 1.959964 for infinitely many. */
    @Test
    void intervalsAreStudentsOnTheLogScale() {
        Interval eight = new RatioEstimate(1.1, 0.01, 8).interval(0.95);
        assertThat(eight.high()).isCloseTo(1.1 * Math.exp(0.02306004), within(1e-8));
        assertThat(eight.low()).isCloseTo(1.1 / Math.exp(0.02306004), within(1e-8));
        Interval normal = new RatioEstimate(1, 0.01, Double.POSITIVE_INFINITY).interval(0.95);
        assertThat(normal.high()).isCloseTo(Math.exp(0.01959964), within(1e-8));
        assertThat(new RatioEstimate(2, 0.01, 8).noiseFloor(0.95)).isCloseTo(Math.exp(0.02306004), within(1e-8));
        assertThat(new RatioEstimate(2, 0, 8).interval(0.95)).isEqualTo(Interval.exact(2));
    }

    /** Welch (1947): the sum of variances 4 and 1 with 9 and 4 degrees of freedom has 25 / (16 / 9 + 1 / 4) degrees. */
    @Test
    void ratiosOfRatiosAddTheirVariances() {
        RatioEstimate over = new RatioEstimate(1.2, 0.02, 9).over(new RatioEstimate(0.8, 0.01, 4));
        assertThat(over.ratio()).isCloseTo(1.5, within(1e-15));
        assertThat(over.logStandardError()).isCloseTo(Math.sqrt(5e-4), within(1e-15));
        assertThat(over.degreesOfFreedom()).isCloseTo(25 / (16.0 / 9 + 0.25), within(1e-12));
        RatioEstimate exact = new RatioEstimate(1.2, 0, 3).over(new RatioEstimate(0.8, 0, 4));
        assertThat(exact.interval(0.95)).isEqualTo(Interval.exact(exact.ratio()));
        RatioEstimate unknown = exact.over(new RatioEstimate(1, Double.POSITIVE_INFINITY, 1));
        assertThat(unknown.logStandardError()).isInfinite();
        // Squares of these variances would be rounded to 0.
        RatioEstimate tiny = new RatioEstimate(1, 1e-90, 9).over(new RatioEstimate(1, 1e-90, 9));
        assertThat(tiny.degreesOfFreedom()).isCloseTo(18, within(1e-9));
    }

    /** The result is the smallest number of forks at which the interval permits a verdict. */
    @Test
    void moreForksAreNamedUntilTheIntervalFits() {
        RatioEstimate slower = new RatioEstimate(1.04, 0.012, 18);
        int forks = slower.forksFor(0.02, 0.95, 10).orElseThrow();
        assertThat(forks).isGreaterThan(10);
        assertThat(at(slower, forks).interval(0.95).low()).isGreaterThan(1.02);
        assertThat(at(slower, forks - 1).interval(0.95).low()).isLessThan(1.02);

        RatioEstimate same = new RatioEstimate(0.995, 0.012, 18);
        forks = same.forksFor(0.02, 0.95, 10).orElseThrow();
        assertThat(at(same, forks).interval(0.95).low()).isGreaterThan(1 / 1.02);
        assertThat(at(same, forks - 1).interval(0.95).low()).isLessThan(1 / 1.02);
    }

    /** Student's t at 97.5% is 4.302653 for 2 degrees of freedom, 2.776445 for 4 and 2.446912 for 6. */
    @Test
    void aFewMoreForksHaveMoreDegreesOfFreedom() {
        assertThat(new RatioEstimate(Math.exp(2.5 * Math.sqrt(2.0 / 3)), 1, 2).forksFor(0, 0.95, 2))
                .hasValue(4);
        assertThat(new RatioEstimate(Math.exp(2.8 * Math.sqrt(2.0 / 3)), 1, 2).forksFor(0, 0.95, 2))
                .hasValue(3);
    }

    private static RatioEstimate at(RatioEstimate ofTen, int forks) {
        return new RatioEstimate(
                ofTen.ratio(),
                ofTen.logStandardError() * Math.sqrt(10.0 / forks),
                ofTen.degreesOfFreedom() * (forks - 1) / 9);
    }

    @Test
    void forksAreNotNamedWhereNoneOrTooManyAreNeeded() {
        assertThat(new RatioEstimate(1.5, 0.012, 18).forksFor(0.02, 0.95, 10)).hasValue(10);
        assertThat(new RatioEstimate(1.02, 0.012, 18).forksFor(0.02, 0.95, 10)).isEmpty();
        assertThat(new RatioEstimate(1.0201, 0.1, 18).forksFor(0.02, 0.95, 10)).isEmpty();
        assertThat(new RatioEstimate(1, 0.1, 18).forksFor(0, 0.95, 10)).isEmpty();
        // 1,000 forks are needed.
        double ratio = Math.exp(0.1 * 1.959964 * Math.sqrt(10 / 999.5));
        assertThat(new RatioEstimate(ratio, 0.1, Double.POSITIVE_INFINITY).forksFor(0, 0.95, 10))
                .isEmpty();
        assertThat(new RatioEstimate(1.5, Double.POSITIVE_INFINITY, 1).forksFor(0.02, 0.95, 1))
                .isEmpty();
    }

    @Test
    void impossibleFiguresAreRefused() {
        assertRefused(() -> new RatioEstimate(0, 0.1, 8), "ratio: expected a positive finite number, got 0.0");
        assertRefused(
                () -> new RatioEstimate(Double.POSITIVE_INFINITY, 0.1, 8),
                "ratio: expected a positive finite number, got Infinity");
        assertRefused(() -> new RatioEstimate(1, Double.NaN, 8), "logStandardError: expected at least 0, got NaN");
        assertRefused(() -> new RatioEstimate(1, 0.1, 0), "degreesOfFreedom: expected more than 0, got 0.0");
        assertRefused(
                () -> new RatioEstimate(1, 0.1, 8).interval(95), "level: expected a number between 0 and 1, got 95.0");
        for (double level : new double[] {0, 1}) {
            assertRefused(
                    () -> new RatioEstimate(1, 0.1, 8).interval(level),
                    "level: expected a number between 0 and 1, got " + level);
        }
        assertRefused(
                () -> new RatioEstimate(1, 0.1, 8).forksFor(-0.1, 0.95, 10), "margin: expected at least 0, got -0.1");
        assertRefused(
                () -> new RatioEstimate(1, 0.1, 8).forksFor(0.1, 0.95, 0), "forksNow: expected at least 1, got 0");
    }

    @Test
    void boundsHoldTogether() {
        assertThat(Simultaneous.level(0.05, 1)).isEqualTo(0.95);
        assertThat(Simultaneous.level(0.05, 40)).isEqualTo(1 - 0.00125);
        assertRefused(() -> Simultaneous.level(0.95, 0), "comparisons: expected at least 1, got 0");
        assertRefused(() -> Simultaneous.level(1, 2), "alpha: expected a number between 0 and 1, got 1.0");
        assertRefused(() -> Simultaneous.level(0, 2), "alpha: expected a number between 0 and 1, got 0.0");
        assertRefused(() -> Simultaneous.level(0.05, 2, 4, 3), "look: expected 1 to 3, got 4");
    }
}
