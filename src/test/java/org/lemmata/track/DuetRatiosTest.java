package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.track.ForkRun.Span;

class DuetRatiosTest {

    private static final double WINDOW = 50_000;

    private static ForkRun run(Span... iterations) {
        return startedAt(0, iterations);
    }

    private static ForkRun startedAt(int second, Span... iterations) {
        return new ForkRun("X.a", 0, Instant.ofEpochSecond(second), 1, 0.5, 0, List.of(iterations));
    }

    private static Span at(double start) {
        return new Span(start, start + WINDOW, 0, 0);
    }

    /** One fork with operations of {@code micros} microseconds each. */
    private static DuetRatios.Side side(double micros, List<Double> speeds, ForkRun run) {
        return new DuetRatios.Side(
                List.of(speeds),
                List.of(IntStream.range(0, speeds.size()).mapToObj(i -> micros).toList()),
                List.of(run));
    }

    @Test
    void iterationsThatDidNotRunTogetherAreLeftOutAndCounted() {
        DuetRatios ratios = DuetRatios.of(
                side(1, List.of(2.0, 4.0, 6.0), run(at(0), at(60_000), at(120_000))),
                side(1, List.of(1.0, 1.0, 1.0), run(at(4_900), at(65_100), at(120_000))));
        assertThat(ratios.pairs()).containsExactly(List.of(2.0, 6.0));
        assertThat(ratios.leftOut()).isEqualTo(1);
        assertThat(ratios.iterations()).isEqualTo(3);
    }

    /** Iterations of 80 and 50 ms: an iteration ends with a complete operation, of 40 ms here. */
    @Test
    void theLastOperationOfTheLongerOneDoesNotCount() {
        ForkRun longer = run(new Span(0, 80_000, 0, 0));
        DuetRatios.Side fast = side(10, List.of(3.0), run(at(0)));
        assertThat(DuetRatios.of(side(40_000, List.of(1.0), longer), fast).leftOut())
                .isZero();
        assertThat(DuetRatios.of(side(20_000, List.of(1.0), longer), fast).leftOut())
                .isEqualTo(1);
        ForkRun after = run(new Span(50_000, 130_000, 0, 0));
        assertThat(DuetRatios.of(side(80_000, List.of(1.0), after), fast).leftOut())
                .as("one whole operation, and none of it together")
                .isEqualTo(1);
        assertThat(DuetRatios.of(fast, side(40_000, List.of(1.0), longer)).pairs())
                .containsExactly(List.of(3.0));
    }

    @Test
    void whatAnotherProgramHadTheCoreForIsNoSlowDown() {
        DuetRatios ratios = DuetRatios.of(
                side(1, List.of(0.75), run(new Span(0, WINDOW, WINDOW / 4, 0))),
                side(1, List.of(0.5), run(new Span(0, WINDOW, WINDOW / 2, 0))));
        assertThat(ratios.pairs().getFirst().getFirst()).isCloseTo(1, within(1e-12));
    }

    /** One core has half the speed, first for one side, then for the other; the last iteration has no partner. */
    @Test
    void iterationsOnSwappedCoresGoTogether() {
        DuetRatios ratios = DuetRatios.of(
                side(1, List.of(2.2, 1.1, 2.2, 1.1, 2.2), run(swapped(0, 1))),
                side(1, List.of(1.0, 2.0, 1.0, 1.0, 1.0), run(swapped(1, 0))));
        assertThat(ratios.pairs()).hasSize(1);
        assertThat(ratios.pairs().getFirst().getFirst()).isCloseTo(1.1, within(1e-12));
        assertThat(ratios.pairs().getFirst().getLast()).isCloseTo(1.1 * Math.sqrt(2), within(1e-12));
        assertThat(ratios.leftOut()).isZero();
        assertThat(ratios.iterations()).isEqualTo(4);
    }

    private static Span[] swapped(int even, int odd) {
        return IntStream.range(0, 5)
                .mapToObj(i -> new Span(60_000 * i, 60_000 * i + WINDOW, 0, i % 2 == 0 ? even : odd))
                .toArray(Span[]::new);
    }

    @Test
    void forksGoTogetherThatWereStartedTogether() {
        ForkRun first = startedAt(1, at(0));
        ForkRun second = startedAt(2, at(1e6));
        var over = new DuetRatios.Side(
                List.of(List.of(1.0), List.of(2.0)), List.of(List.of(1.0), List.of(1.0)), List.of(second, first));
        var under = new DuetRatios.Side(
                List.of(List.of(4.0), List.of(8.0)), List.of(List.of(1.0), List.of(1.0)), List.of(first, second));
        assertThat(DuetRatios.of(over, under).pairs()).containsExactly(List.of(0.125), List.of(0.5));
        assertThat(DuetRatios.of(side(1, List.of(1.0), run()), under).iterations())
                .isZero();
        assertThat(DuetRatios.of(side(1, List.of(1.0), startedAt(3, at(0))), under)
                        .pairs())
                .isEmpty();
    }

    /** Of two operations with twenty iterations, one loses half of its speed to other work in all except three. */
    @Test
    void theFastestTenthsAreUndisturbed() {
        List<Double> disturbed =
                IntStream.range(0, 20).mapToObj(i -> i % 7 == 3 ? 6.0 : 3.0).toList();
        List<Double> steady = IntStream.range(0, 20).mapToObj(i -> 2.0).toList();
        Span[] spans = IntStream.range(0, 20).mapToObj(i -> at(60_000 * i)).toArray(Span[]::new);
        List<Double> ratios = DuetRatios.ofFastest(side(1, disturbed, run(spans)), side(1, steady, run(spans)));
        assertThat(ratios).singleElement().satisfies(ratio -> assertThat(ratio).isCloseTo(3, within(1e-12)));
        assertThat(DuetRatios.ofFastest(side(1, steady, startedAt(3, spans)), side(1, steady, run(spans))))
                .isEmpty();
    }
}
