package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Measurement;

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
}
