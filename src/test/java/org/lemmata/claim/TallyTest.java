package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

class TallyTest {

    private static Measurement only(Tally tally) {
        return tally.finding("held").measured().getFirst();
    }

    @Test
    void aMaximumIsMeasuredWhereItWasBegunAndHeldAgainstItsBound() {
        var tally = new Tally();
        Tally.Extreme errors = tally.atMost("error", "nats", 2);
        tally.measure("later", 7, "", 1);
        errors.add(1, () -> "one");
        errors.add(3, () -> "three");
        errors.add(2, () -> "two");
        Finding finding = tally.finding("held");
        assertThat(finding.verdict()).isEqualTo(new Verdict(Outcome.REFUTED, "a counterexample: three"));
        assertThat(finding.measured()).extracting(Measurement::name).containsExactly("error", "later");
        Measurement error = finding.measured().getFirst();
        assertThat(error.value()).isEqualTo(3);
        assertThat(error.n()).isEqualTo(3);
        assertThat(Objects.requireNonNull(error.reference()).value()).isEqualTo(2);
    }

    @Test
    void aMinimumIsTheLeastAndCountsWhatItIsTold() {
        var tally = new Tally();
        Tally.Extreme shares = tally.atLeast("share", "", 0.5);
        shares.add(0.75, () -> "more");
        shares.add(0.5, () -> "as much");
        shares.count(40);
        shares.count(2);
        assertThat(tally.counterexamples()).isZero();
        assertThat(only(tally).value()).isEqualTo(0.5);
        assertThat(only(tally).n()).isEqualTo(42);
    }

    @Test
    void whatHasToBeBelowMayNotBeTheBoundAndNaNIsWithinNone() {
        var tally = new Tally();
        tally.below("below", "", 1).add(1, () -> "1");
        assertThat(tally.counterexamples()).isEqualTo(1);
        var other = new Tally();
        Tally.Extreme errors = other.atMost("at most", "", 1);
        errors.add(Double.NaN, () -> "NaN");
        errors.add(0, () -> "0");
        assertThat(other.counterexamples()).isEqualTo(1);
        assertThat(only(other).value()).isNaN();
    }

    /** A value equal to its bound is accepted; each measurement has its cases, its unit and its relation. */
    @Test
    void valuesAreRequiredAndMeasuredWithTheirCases() {
        var tally = new Tally();
        tally.requireAtMost("at", 2, "nats", 3, 2);
        assertThat(tally.counterexamples()).isZero();
        tally.requireAtMost("above", 2.5, "", 4, 2);
        tally.atLeast("least", 1, "", 5, 7);
        tally.count("right", 6, 8);
        Finding finding = tally.finding("held", 11, 12);
        assertThat(finding.verdict().reason()).isEqualTo("a counterexample: above: 2.5, expected at most 2.0");
        assertThat(finding.seeds()).containsExactly(11L, 12L);
        Interval exact = Interval.exact(1);
        assertThat(finding.measured())
                .containsExactly(
                        Measurement.exactAtMost("at", 2, "nats", 3, 2),
                        Measurement.exactAtMost("above", 2.5, "", 4, 2),
                        new Measurement("least", 1, "", exact, 5, new Reference(Relation.AT_LEAST, 7)),
                        Measurement.exact("right", 6, "", 8));
    }

    @Test
    void aNegativeZeroIsShownAsZero() {
        var tally = new Tally();
        tally.atMost("error", "", 1).add(-0.0);
        double shown = tally.finding("held").measured().getFirst().value();
        assertThat(Double.doubleToRawLongBits(shown)).isZero();
    }
}
