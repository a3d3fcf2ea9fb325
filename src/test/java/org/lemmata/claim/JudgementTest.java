package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertOutcome;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

class JudgementTest {

    private static SeedRate rate(int n, double... values) {
        return SeedRate.of(DoubleStream.of(values)
                .mapToObj(value -> new Measurement(
                        "rate", value, "probability", Interval.proportion(n, (int) Math.round(value * n)), n, null))
                .toList());
    }

    @Test
    void seedsThatDifferHaveStudentsInterval() {
        SeedRate rate = rate(1000, 0.4, 0.5, 0.6);
        assertThat(rate.value()).isCloseTo(0.5, within(1e-15));
        assertThat(rate.interval()).isEqualTo(Interval.mean(0.4, 0.5, 0.6));
        assertThat(rate.n()).isEqualTo(3000);
    }

    @Test
    void seedsWithoutSpreadHaveTheIntervalOfAllCases() {
        assertThat(rate(100, 1, 1, 1).interval()).isEqualTo(Interval.proportion(300, 300));
        assertThat(rate(100, 0.25).interval()).isEqualTo(Interval.proportion(100, 25));
    }

    @Test
    void aTrialHasTheProportionOfItsSuccesses() {
        assertThat(SeedRate.of(10, 4).value()).isEqualTo(0.4);
        assertThat(SeedRate.of(10, 4).interval()).isEqualTo(Interval.proportion(10, 4));
    }

    @Test
    void ratesStayRates() {
        assertThat(rate(1000, 0.9, 1, 1).interval().high()).isEqualTo(1);
        assertThat(rate(1000, 0, 0, 0.1).interval().low()).isZero();
    }

    @Test
    void oneThatFailsRefutesElseOneThatIsOpenLeavesUndecided() {
        SeedRate low = rate(1000, 0.2, 0.21, 0.22);
        SeedRate lowToo = rate(1000, 0.21, 0.22, 0.2);
        SeedRate high = rate(1000, 0.8, 0.81, 0.82);
        var judgement = new Judgement(SCALAR);
        judgement.below("a", low, "b", high);
        assertThat(judgement.verdict())
                .isEqualTo(new Verdict(Outcome.SUPPORTED, "a 0.210 [0.185, 0.235] < b 0.810 [0.785, 0.835]"));
        judgement.below("a", low, "c", lowToo);
        assertThat(judgement.verdict().outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(judgement.verdict().reason())
                .startsWith("the intervals leave open: a ")
                .doesNotContain("b 0.810");
        judgement.below("b", high, "a", low);
        assertThat(judgement.verdict().outcome()).isEqualTo(Outcome.REFUTED);
        assertThat(judgement.verdict().reason())
                .startsWith("does not hold: b 0.810")
                .doesNotContain("c ");
    }

    private static Outcome outcome(UnaryOperator<Judgement> compared) {
        return compared.apply(new Judgement(SCALAR)).verdict().outcome();
    }

    /** Compares the interval [0.4, 0.6] with bounds at its ends, inside and outside. */
    @Test
    void boundsAreComparedWithBothEndsOfTheInterval() {
        Interval interval = new Interval(0.4, 0.6);
        SeedRate rate = new SeedRate(0.5, interval, 100);
        List<BiFunction<Judgement, Double, Judgement>> comparisons = List.of(
                (judgement, bound) -> judgement.atLeast("a", rate, bound),
                (judgement, bound) -> judgement.above("a", rate, bound),
                (judgement, bound) -> judgement.below("a", rate, bound),
                (judgement, bound) -> judgement.within("a", interval, bound, 0.6),
                (judgement, bound) -> judgement.within("a", interval, 0.4, bound));
        // S, I and R stand for supported, inconclusive and refuted.
        assertThat(comparisons)
                .extracting(comparison -> Stream.of(0.3, 0.4, 0.5, 0.6, 0.7)
                        .map(bound -> outcome(judgement -> comparison.apply(judgement, bound))
                                .name()
                                .substring(0, 1))
                        .collect(Collectors.joining()))
                .containsExactly("SSIIR", "SIIIR", "RIIIS", "SSIIR", "RIISS");
        assertThat(outcome(judgement -> judgement.isOne("a", rate))).isEqualTo(Outcome.REFUTED);
        assertThat(outcome(judgement -> judgement.isOne("a", rate(100, 1)))).isEqualTo(Outcome.SUPPORTED);
        assertThat(rate.minus(new SeedRate(0.1, new Interval(0, 0.25), 100))).isEqualTo(new Interval(0.4 - 0.25, 0.6));
    }

    @Test
    void eachSeedHasToHold() {
        assertThat(outcome(judgement -> judgement.each("a", List.of(true, true))))
                .isEqualTo(Outcome.SUPPORTED);
        assertThat(outcome(judgement -> judgement.each("a", List.of(true, false))))
                .isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(outcome(judgement -> judgement.each("a", List.of(false, false))))
                .isEqualTo(Outcome.REFUTED);
        assertThat(outcome(judgement -> judgement.each("a", List.of()))).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void growthHasNoStepBack() {
        List<SeedRate> rates = List.of(rate(1000, 0.2, 0.21, 0.22), rate(1000, 0.5, 0.51), rate(1000, 0.8, 0.81));
        List<String> names = List.of("a", "b", "c");
        for (int[] order : new int[][] {{0, 1, 2}, {0, 2, 1}, {2, 1, 0}}) {
            List<SeedRate> ordered = IntStream.of(order).mapToObj(rates::get).toList();
            assertThat(outcome(judgement -> {
                        judgement.grows(names, ordered);
                        return judgement;
                    }))
                    .isEqualTo(order[1] == 1 && order[0] == 0 ? Outcome.SUPPORTED : Outcome.REFUTED);
        }
    }

    /** Geometric means of 1, e and e², with Student's interval of the logs 0, 1, 2: t = 4.302653 for 2 degrees. */
    @Test
    void meansOfSeedsAreGeometric() {
        SeedMean mean = SeedMean.ratio(new double[] {1, 1, 0}, new double[] {1, Math.exp(-1), 0});
        assertThat(mean.value()).isCloseTo(Math.exp(1.0 / 3), within(1e-12));
        SeedMean spread = SeedMean.of(1, Math.E, Math.E * Math.E);
        assertThat(spread.value()).isCloseTo(Math.E, within(1e-12));
        assertThat(Math.log(spread.interval().high())).isCloseTo(1 + 4.302653 / Math.sqrt(3), within(1e-6));
        assertThat(spread.n()).isEqualTo(3);
        assertThat(SeedMean.of(2).interval()).isEqualTo(new Interval(0, Double.POSITIVE_INFINITY));
        assertThat(SeedMean.of(1, 1.01, 1.02).isSignificantlyBelow(SeedMean.of(2, 2.02, 2.04)))
                .isTrue();
        assertThat(SeedMean.of(2, 2.02, 2.04).isSignificantlyBelow(SeedMean.of(1, 1.01, 1.02)))
                .isFalse();
        assertThat(spread.isSignificantlyBelow(SeedMean.of(2, 3, 40))).isFalse();
    }

    @Test
    void withoutAnyNothingIsDecided() {
        assertThat(new Judgement(SCALAR).verdict())
                .isEqualTo(new Verdict(Outcome.INCONCLUSIVE, "nothing was compared"));
    }

    @Test
    void modelsWithinTheNoiseOfATrivialAnswerDecideNothing() {
        SeedRate majority = rate(1000, 0.3, 0.31, 0.32);
        List<TrivialAnswer> answers =
                List.of(new TrivialAnswer("a coin", 0.1), TrivialAnswer.of("always the majority answer", majority));
        var judgement = new Judgement(SCALAR);
        judgement.below("a", rate(1000, 0.1, 0.11, 0.12), "b", majority);
        judgement.learned("one model", rate(1000, 0.8, 0.81, 0.82), answers);
        assertThat(judgement.verdict().outcome()).isEqualTo(Outcome.SUPPORTED);
        judgement.learned("another", rate(1000, 0.31, 0.32, 0.33), answers);
        assertThat(judgement.verdict())
                .isEqualTo(new Verdict(
                        Outcome.NOT_LEARNED,
                        "not significantly better than a trivial answer: another 0.320 [0.295, 0.345] against always"
                                + " the majority answer 0.310 [0.285, 0.335]"));
        Finding finding = judgement.finding(List.of(1L));
        assertThat(finding.trivial()).isEqualTo(answers);
        assertThat(finding.measured())
                .extracting(Measurement::name)
                .containsExactly("learned: one model", "learned: another");
    }

    @Test
    void whatIsBetterLiesOnItsSideOrApart() {
        List<TrivialAnswer> untrained = List.of(new TrivialAnswer("untrained", 1));
        for (Judgement.Side side : Judgement.Side.values()) {
            for (double value : new double[] {0.8, 0.95, 1, 1.05, 1.2, Double.NaN}) {
                var judgement = new Judgement(SCALAR);
                judgement.learned(
                        new Measurement("a", value, "", new Interval(value - 0.1, value + 0.1), 5, null),
                        side,
                        untrained);
                boolean learned = (value == 0.8 && side != Judgement.Side.ABOVE)
                        || (value == 1.2 && side != Judgement.Side.BELOW);
                assertThat(judgement.verdict().outcome())
                        .as("%s %s", side, value)
                        .isEqualTo(learned ? Outcome.INCONCLUSIVE : Outcome.NOT_LEARNED);
            }
        }
    }

    @Test
    void thePapersAboutIsComparedByTheInterval() {
        var judgement = new Judgement(SCALAR);
        judgement.measure("near", rate(1000, 0.2, 0.21, 0.22), Measurement.Relation.ABOUT, 0.2);
        judgement.measure("far", rate(1000, 0.2, 0.21, 0.22), Measurement.Relation.ABOUT, 0.5);
        judgement.measure("at most", rate(1000, 0.2, 0.21, 0.22), Measurement.Relation.AT_MOST, 0.5);
        assertThat(judgement.finding(List.of()).verdict().reason())
                .isEqualTo("nothing was compared; near 0.210 [0.185, 0.235] holds the paper's about 0.2; far 0.210"
                        + " [0.185, 0.235] is -0.290 from the paper's about 0.5");
    }

    /**
     * Sentences are about the paper's models, and a number that the paper does not give cannot refute them. Only
     * statements beyond the paper are about our models and thresholds.
     */
    @Test
    void smallerModelsAndOurThresholdsDoNotRefuteAPapersSentence() {
        FigureCells reduced = MadeUpCells.of(ProbeFigure.GRID, cell -> List.of(Measurement.exact("value", 2, "", 1)));
        var full = new FigureCells(Budget.FULL, reduced.sweep(), reduced.records());
        assertThat(ProbeFigure.CLAIM.ofPaper(reduced, SCALAR).verdict())
                .matches(verdict -> verdict.outcome() == Outcome.NOT_TESTED)
                .extracting(Verdict::reason, STRING)
                .startsWith("outside the hypothesis: ")
                .contains("at a reduced size it does not hold: ");
        assertOutcome(ProbeFigure.CLAIM.ofPaper(full, SCALAR), Outcome.REFUTED);
        assertThat(ofText("Probes are below 1 (our threshold).")
                        .ofPaper(full, SCALAR)
                        .verdict())
                .matches(verdict -> verdict.outcome() == Outcome.NOT_TESTED)
                .extracting(Verdict::reason, STRING)
                .contains("the threshold is ours; with it, the sentence does not hold: ");
        assertOutcome(
                ofText("Beyond the paper: probes are below 1 (our threshold).").ofPaper(reduced, SCALAR),
                Outcome.REFUTED);
    }

    private static FigureClaim ofText(String text) {
        return new FigureSentences<FigureCells>(
                        "depth.probe",
                        ProbeFigure.CLAIM.statement().source(),
                        ProbeFigure.GRID,
                        ProbeFigure.CLAIM.sizes(),
                        cells -> cells)
                .claim("ours", "nothing", text, ProbeFigure.CLAIM.judge());
    }

    /** If the intervals touch, the score is not significantly better. */
    @Test
    void aScoreHasToBeApartFromTheBaselineToBeLearned() {
        var baseline = new TrivialAnswer("a coin", 0.5, new Interval(0.25, 0.75));
        assertThat(learned(new Interval(0.75, 1), baseline)).isEqualTo(Outcome.NOT_LEARNED);
        assertThat(learned(new Interval(0.8125, 1), baseline)).isEqualTo(Outcome.SUPPORTED);
    }

    private static Outcome learned(Interval interval, TrivialAnswer baseline) {
        var judgement = new Judgement(SCALAR);
        judgement.add("holds", true, false);
        judgement.learned(
                new Measurement("score", 0.875, "", interval, 100, null), Judgement.Side.ABOVE, List.of(baseline));
        return judgement.verdict().outcome();
    }

    /** Rates of 1/4 and 3/4, with different numbers of cases. */
    @Test
    void aRateOfSeedsWeighsSeedsAlikeAndCountsAllCases() {
        SeedRate rate = SeedRate.of(List.of(ofSeed(0.25, 4), ofSeed(0.75, 12)));
        assertThat(rate.value()).isEqualTo(0.5);
        assertThat(rate.n()).isEqualTo(16);
        Interval cases = Interval.proportion(16, 10);
        Interval seeds = Interval.mean(0.25, 0.75);
        assertThat(rate.uncut())
                .isEqualTo(new Interval(Math.min(cases.low(), seeds.low()), Math.max(cases.high(), seeds.high())));
        assertThat(SeedRate.of(List.of(ofSeed(1, 1))).n()).isEqualTo(1);
        assertThatThrownBy(() -> SeedRate.of(List.of(ofSeed(0, 0)))).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void ratiosNeedEqualNumbersOfSeeds() {
        double[] three = {1, 2, 3};
        assertThat(SeedMean.ratio(three, three).value()).isEqualTo(1);
        assertThatThrownBy(() -> SeedMean.ratio(three, new double[0])).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(() -> SeedMean.ratio(new double[] {1, 2}, three)).isInstanceOf(NoSuchElementException.class);
    }

    private static Measurement ofSeed(double value, int n) {
        return new Measurement("rate", value, "", Interval.exact(value), n, null);
    }
}
