package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

class JudgementTest {

    private static SeedRate rate(int n, double... values) {
        List<Measurement> seeds = DoubleStream.of(values)
                .mapToObj(value -> new Measurement(
                        "rate", value, "probability", Interval.proportion(n, (int) Math.round(value * n)), n, null))
                .toList();
        return SeedRate.of(seeds);
    }

    @Test
    void seedsThatDifferHaveStudentsInterval() {
        SeedRate rate = rate(1000, 0.4, 0.5, 0.6);
        Interval student = Interval.mean(0.4, 0.5, 0.6);
        assertThat(rate.value()).isCloseTo(0.5, within(1e-15));
        assertThat(rate.interval()).isEqualTo(student);
        assertThat(rate.n()).isEqualTo(3000);
    }

    @Test
    void seedsWithoutSpreadHaveTheIntervalOfAllCases() {
        assertThat(rate(100, 1, 1, 1).interval()).isEqualTo(Interval.proportion(300, 300));
        assertThat(rate(100, 0.25).interval()).isEqualTo(Interval.proportion(100, 25));
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
        var judgement = new Judgement(Computation.unrounded(Kernels.scalar()));
        judgement.below("a", low, "b", high);
        assertThat(judgement.verdict())
                .isEqualTo(new Verdict(Outcome.SUPPORTED, "a 0.210 [0.185, 0.235] < b 0.810 [0.785, 0.835]"));
        judgement.below("a", low, "c", lowToo);
        assertThat(judgement.verdict())
                .satisfies(verdict -> assertThat(verdict.outcome()).isEqualTo(Outcome.INCONCLUSIVE))
                .satisfies(verdict -> assertThat(verdict.reason())
                        .startsWith("the intervals leave open: a ")
                        .doesNotContain("b 0.810"));
        judgement.below("b", high, "a", low);
        assertThat(judgement.verdict())
                .satisfies(verdict -> assertThat(verdict.outcome()).isEqualTo(Outcome.REFUTED))
                .satisfies(verdict -> assertThat(verdict.reason())
                        .startsWith("does not hold: b 0.810")
                        .doesNotContain("c "));
    }

    @Test
    void withoutAnyNothingIsDecided() {
        assertThat(new Judgement(Computation.unrounded(Kernels.scalar())).verdict())
                .isEqualTo(new Verdict(Outcome.INCONCLUSIVE, "nothing was compared"));
    }

    @Test
    void modelsWithinTheNoiseOfATrivialAnswerDecideNothing() {
        SeedRate majority = rate(1000, 0.3, 0.31, 0.32);
        List<TrivialAnswer> answers =
                List.of(new TrivialAnswer("a coin", 0.1), TrivialAnswer.of("always the majority answer", majority));
        var judgement = new Judgement(Computation.unrounded(Kernels.scalar()));
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
                var judgement = new Judgement(Computation.unrounded(Kernels.scalar()));
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
        var judgement = new Judgement(Computation.unrounded(Kernels.scalar()));
        judgement.measure("near", rate(1000, 0.2, 0.21, 0.22), Measurement.Relation.ABOUT, 0.2);
        judgement.measure("far", rate(1000, 0.2, 0.21, 0.22), Measurement.Relation.ABOUT, 0.5);
        judgement.measure("at most", rate(1000, 0.2, 0.21, 0.22), Measurement.Relation.AT_MOST, 0.5);
        assertThat(judgement.finding(List.of()).verdict().reason())
                .isEqualTo("nothing was compared; near 0.210 [0.185, 0.235] holds the paper's about 0.2; far 0.210"
                        + " [0.185, 0.235] is -0.290 from the paper's about 0.5");
    }

    /** A sentence is about the models that the paper trained; what is beyond the paper is about ours. */
    @Test
    void smallerModelsDoNotRefuteAPapersSentence() {
        var computation = Computation.unrounded(Kernels.scalar());
        FigureCells reduced = MadeUpCells.of(ProbeFigure.GRID, cell -> List.of(Measurement.exact("value", 2, "", 1)));
        var full = new FigureCells(Budget.FULL, reduced.sweep(), reduced.records());
        Verdict verdict = ProbeFigure.CLAIM.ofPaper(reduced, computation).verdict();
        assertThat(verdict.outcome()).isEqualTo(Outcome.NOT_TESTED);
        assertThat(verdict.reason()).startsWith("outside the hypothesis: ").contains(" does not hold: ");
        assertThat(ProbeFigure.CLAIM.ofPaper(full, computation).verdict().outcome())
                .isEqualTo(Outcome.REFUTED);
        FigureSentences<FigureCells> ours = new FigureSentences<>(
                "depth.probe",
                ProbeFigure.CLAIM.statement().source(),
                ProbeFigure.GRID,
                ProbeFigure.CLAIM.sizes(),
                cells -> cells);
        assertThat(ours.claim("ours", "nothing", "Beyond the paper: probes are below 1.", ProbeFigure.CLAIM.judge())
                        .ofPaper(reduced, computation)
                        .verdict()
                        .outcome())
                .isEqualTo(Outcome.REFUTED);
    }
}
