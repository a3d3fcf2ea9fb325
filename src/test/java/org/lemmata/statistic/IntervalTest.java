package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

class IntervalTest {

    /** At a bound p of Clopper and Pearson's interval, a count as extreme as the observed one has probability 0.025. */
    @ParameterizedTest
    @CsvSource({"10,3", "10,0", "10,10", "1,0", "40,39", "300,17"})
    void proportionsLeave2point5PercentInEachTail(int trials, int successes) {
        Interval interval = Interval.proportion(trials, successes);
        if (successes > 0) {
            assertThat(probabilityOfAtLeast(successes, trials, interval.low())).isCloseTo(0.025, within(1e-9));
        } else {
            assertThat(interval.low()).isZero();
        }
        if (successes < trials) {
            assertThat(1 - probabilityOfAtLeast(successes + 1, trials, interval.high()))
                    .isCloseTo(0.025, within(1e-9));
        } else {
            assertThat(interval.high()).isEqualTo(1);
        }
        assertThat(interval.low()).isLessThan(interval.high());
    }

    private static double probabilityOfAtLeast(int minimum, int trials, double p) {
        double sum = 0;
        for (int k = minimum; k <= trials; k++) {
            double choose = 1;
            for (int i = 1; i <= k; i++) {
                choose *= (double) (trials - k + i) / i;
            }
            sum += choose * Math.pow(p, k) * Math.pow(1 - p, trials - k);
        }
        return sum;
    }

    /** Student's t at 97.5%: 12.7062 for 1 degree of freedom, 2.77645 for 4. */
    @Test
    void meansOfFewValuesHaveStudentsInterval() {
        Interval two = Interval.mean(1, 3);
        assertThat(two.low()).isCloseTo(2 - 12.7062, within(1e-4));
        assertThat(two.high()).isCloseTo(2 + 12.7062, within(1e-4));
        Interval five = Interval.mean(0.1, 0.2, 0.3, 0.4, 0.5);
        double halfWidth = 2.77645 * Math.sqrt(0.025 / 5);
        assertThat(five.low()).isCloseTo(0.3 - halfWidth, within(1e-5));
        assertThat(five.high()).isCloseTo(0.3 + halfWidth, within(1e-5));
        assertThat(Interval.mean(0.5, 0.5, 0.5)).isEqualTo(Interval.exact(0.5));
    }

    /** Student's t at 99.5% is 4.60409 for 4 degrees of freedom. */
    @Test
    void oneMoreValueHasAWiderInterval() {
        Interval next = Interval.prediction(0.01, 0.1, 0.2, 0.3, 0.4, 0.5);
        double halfWidth = 4.60409 * Math.sqrt(0.025 * (1 + 1.0 / 5));
        assertThat(next.low()).isCloseTo(0.3 - halfWidth, within(1e-5));
        assertThat(next.high()).isCloseTo(0.3 + halfWidth, within(1e-5));
    }

    /** Four cases with the ratio 12 / 6: the linearized values are 0, 2, 4 and 2, with the variance 8 / 3. */
    @Test
    void ratiosAreLinearized() {
        double[] counts = {1, 1, 2, 2};
        Interval ratio = Interval.ratio(new double[] {-1, 2, 7, 4}, counts);
        double halfWidth = 3.182446 * Math.sqrt(8.0 / 3 / 4);
        assertThat(ratio.low()).isCloseTo(2 - halfWidth, within(1e-5));
        assertThat(ratio.high()).isCloseTo(2 + halfWidth, within(1e-5));
        assertThat(ratio.middle()).isCloseTo(2, within(1e-12));
        assertThat(Interval.ratio(0, 3, new double[] {-1, 2, 7, 4}, counts)).isEqualTo(new Interval(0, 3));
        assertThat(Interval.ratio(-9, 9, new double[] {-1, 2, 7, 4}, counts)).isEqualTo(ratio);
    }

    /** Even if all four quotients are equal, a share of 1 - 0.025^(1/4) of other cases may have any quotient. */
    @Test
    void equalRatiosLeaveRoomForOtherCases() {
        double others = 1 - Math.pow(0.025, 0.25);
        Interval equal = Interval.ratio(0, 5, new double[] {2, 2, 4, 4}, new double[] {1, 1, 2, 2});
        assertThat(equal.low()).isCloseTo(2 - 2 * others, within(1e-9));
        assertThat(equal.high()).isCloseTo(2 + 3 * others, within(1e-9));
    }

    @Test
    void mediansAreOfValuesInAnyOrder() {
        assertThat(Median.of(3, 1, 7)).isEqualTo(3);
        assertThat(Median.of(List.of(9.0, 1.0, 7.0, 3.0))).isEqualTo(5);
    }

    @Test
    void measurementsAreOneLine() {
        var bound = new Measurement.Reference(Measurement.Relation.AT_MOST, 0.75);
        assertThat(Measurement.middle("loss", "nats", new Interval(0.25, 0.75), 4, bound)
                        .text())
                .isEqualTo("loss: 0.5000 [0.2500, 0.7500] nats ≤ 0.7500");
        assertThat(Measurement.exact("words", 3, "", 4).text()).isEqualTo("words: 3.000");
        assertThat(Measurement.share("right", 4, 1).value()).isEqualTo(0.25);
    }

    @Test
    void exactFiguresHaveNoWidth() {
        assertThat(Interval.exact(0.25)).isEqualTo(new Interval(0.25, 0.25));
        assertThat(Interval.exact(Double.NaN).low()).isNaN();
    }

    @Test
    void reversedAndUndefinedBoundsAreRefused() {
        assertRefused(() -> new Interval(2, 1), "interval: expected low <= high, got [2.0, 1.0]");
        assertThatThrownBy(() -> new Interval(Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Interval.proportion(3, 4)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"AT_MOST,1,≤", "AT_MOST,2,≤", "AT_MOST,3,>", "AT_LEAST,3,≥", "AT_LEAST,2,≥", "AT_LEAST,1,<", "ABOUT,9,≈"
    })
    void printsTheSignThatIsTrue(Relation relation, double value, String sign) {
        var measured = new Measurement("x", value, "", Interval.exact(value), 1, new Reference(relation, 2));
        assertThat(measured.referenceText()).isEqualTo(" " + sign + " 2.000");
    }
}
