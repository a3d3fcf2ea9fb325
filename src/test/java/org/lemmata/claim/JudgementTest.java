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
    void noModelAboveAnyTrivialAnswerHasNotLearned() {
        SeedRate trivial = rate(1000, 0.3, 0.31, 0.32);
        var judgement = new Judgement(Computation.unrounded(Kernels.scalar()));
        judgement.below("a", rate(1000, 0.1, 0.11, 0.12), "b", trivial);
        judgement.trivial("always the majority answer", trivial, rate(1000, 0.31, 0.32, 0.33));
        assertThat(judgement.verdict().outcome()).isEqualTo(Outcome.NOT_LEARNED);
        assertThat(judgement.verdict().reason())
                .isEqualTo("not significantly better than a trivial answer: the best of the models 0.320 [0.295, 0.345]"
                        + " against always the majority answer 0.310 [0.285, 0.335]");
        judgement.trivial("another one", trivial, rate(1000, 0.8, 0.81, 0.82));
        assertThat(judgement.verdict().outcome()).isEqualTo(Outcome.SUPPORTED);
        Finding finding = judgement.finding(List.of(1L));
        assertThat(finding.trivial())
                .extracting(TrivialAnswer::name)
                .containsExactly("always the majority answer", "another one");
        assertThat(finding.trivial().getFirst().value()).isCloseTo(0.31, within(1e-12));
    }
}
