package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Kernels;
import org.lemmata.setting.Settings;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/** The small parts that claims and their results are made of. */
class ClaimPartsTest {

    @Test
    void aFigureClaimIsNamedByItsIdAndHasTheWordsOfItsForm() {
        assertThat(ProbeFigure.CLAIM).hasToString("depth.probe.small");
        Claim claim = ProbeFigure.CLAIM;
        assertThat(claim.paper()).isEqualTo("states it");
        assertThat(Form.CORRECTED.paper()).isEqualTo("states it in other words, corrected here");
    }

    @Test
    void sizesNameThePapersSizeAtTheFullBudgetOnly() {
        var sizes = new Sizes("probes | of 4 sizes | of 3 sizes | of 2 sizes");
        assertThat(sizes.range(Budget.FULL)).isEqualTo("probes; the paper's sizes: of 4 sizes");
        assertThat(sizes.range(Budget.MEDIUM)).isEqualTo("probes; reduced: of 3 sizes");
        assertThat(sizes.range(Budget.STANDARD)).isEqualTo("probes; reduced: of 2 sizes");
    }

    @Test
    void aCommitKeepsItsSuffixWhenItIsShortened() {
        assertThat(FigureCells.shortened("0123456789abcdef")).isEqualTo("0123456789");
        assertThat(FigureCells.shortened("0123456789abcdef-dirty")).isEqualTo("0123456789-dirty");
        assertThat(FigureCells.shortened("01-dirty")).isEqualTo("01-dirty");
    }

    @Test
    void aSeriesHasIntervalsIfAnEndDiffersFromItsValues() {
        List<Double> x = List.of(1.0, 2.0);
        List<Double> y = List.of(3.0, 4.0);
        assertThat(new Figure.Series("a", x, y).hasIntervals()).isFalse();
        assertThat(new Figure.Series("a", x, y, List.of(2.0, 4.0), y).hasIntervals())
                .isTrue();
        assertThat(new Figure.Series("a", x, y, y, List.of(3.0, 5.0)).hasIntervals())
                .isTrue();
    }

    @Test
    void aBaselineShowsItsIntervalIfItHasOne() {
        assertThat(new TrivialAnswer("a coin", 0.5).text()).isEqualTo("a coin 0.500");
        assertThat(new TrivialAnswer("a coin", 0.5, new Interval(0.25, 0.75)).text())
                .isEqualTo("a coin 0.500 [0.250, 0.750]");
    }

    /** Touching intervals leave open whether the score is better. */
    @Test
    void aScoreHasToBeApartFromTheBaselineToBeLearned() {
        var baseline = new TrivialAnswer("a coin", 0.5, new Interval(0.25, 0.75));
        assertThat(learned(new Interval(0.75, 1), baseline)).isEqualTo(Outcome.NOT_LEARNED);
        assertThat(learned(new Interval(0.8125, 1), baseline)).isEqualTo(Outcome.SUPPORTED);
    }

    private static Outcome learned(Interval interval, TrivialAnswer baseline) {
        var judgement = new Judgement(Computation.unrounded(Kernels.scalar()));
        judgement.add("holds", true, false);
        judgement.learned(
                new Measurement("score", 0.875, "", interval, 100, null), Judgement.Side.ABOVE, List.of(baseline));
        return judgement.verdict().outcome();
    }

    @Test
    void casesAreTheBudgetsOrTheUsers() {
        Cases<Integer> cases = Cases.of("n", row -> row.integer(0), "1; 2", "3");
        Settings none = new Settings(List.of(), Map.of());
        assertThat(cases.text(new Scope(Budget.QUICK, none))).isEqualTo("1; 2");
        assertThat(cases.text(new Scope(Budget.STANDARD, none))).isEqualTo("1; 2; 3");
    }

    @Test
    void aNegativeZeroIsShownAsZero() {
        var tally = new Tally();
        tally.atMost("error", "", 1).add(-0.0);
        double shown = tally.finding("held").measured().getFirst().value();
        assertThat(Double.doubleToRawLongBits(shown)).isZero();
    }

    /** Rates of 1/4 and 3/4, of different numbers of cases. */
    @Test
    void aRateOfSeedsWeighsSeedsAlikeAndCountsAllCases() {
        SeedRate rate = SeedRate.of(List.of(rate(0.25, 4), rate(0.75, 12)));
        assertThat(rate.value()).isEqualTo(0.5);
        assertThat(rate.n()).isEqualTo(16);
        Interval cases = Interval.proportion(16, 10);
        Interval seeds = Interval.mean(0.25, 0.75);
        assertThat(rate.uncut())
                .isEqualTo(new Interval(Math.min(cases.low(), seeds.low()), Math.max(cases.high(), seeds.high())));
        assertThat(SeedRate.of(List.of(rate(1, 1))).n()).isEqualTo(1);
        assertThatThrownBy(() -> SeedRate.of(List.of(rate(0, 0)))).isInstanceOf(NoSuchElementException.class);
    }

    private static Measurement rate(double value, int n) {
        return new Measurement("rate", value, "", Interval.exact(value), n, null);
    }
}
