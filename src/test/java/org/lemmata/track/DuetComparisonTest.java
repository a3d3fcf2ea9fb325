package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.cli.text.ComparisonText;
import org.lemmata.report.DemoInput;
import org.lemmata.statistic.Center;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.ForkRun.Span;

/** Two sides whose forks ran at the same time: three pairs of four iterations. */
class DuetComparisonTest {

    private static final int PAIRS = 3;
    private static final int ITERATIONS = 4;
    private static final double WINDOW = 50_000;

    private static final ComparisonOptions FLOPS = Rows.options(Center.MEAN_OF_MEDIANS, 0.02, List.of("gigaflops"));

    private static BenchmarkRow row(String type, String method, double speed, double gigabytes, double gigaflops) {
        return row("ops/s", type, method, speed, gigabytes, gigaflops);
    }

    private static BenchmarkRow row(
            String unit, String type, String method, double speed, double gigabytes, double gigaflops) {
        var secondary = new LinkedHashMap<String, BenchmarkRow.Metric>();
        Map.of("gigabytes", gigabytes, "gigaflops", gigaflops)
                .forEach((name, value) -> secondary.put(
                        name,
                        new BenchmarkRow.Metric(
                                value, Double.NaN, unit, Collections.nCopies(PAIRS * ITERATIONS, value))));
        List<List<Double>> samples = Collections.nCopies(PAIRS, Collections.nCopies(ITERATIONS, speed));
        Map<String, String> params = Map.of("threads", "1");
        return DemoInput.row("org.x." + type + "." + method, "thrpt", unit, speed, params, samples, secondary);
    }

    /** @param late the delay of each third iteration, in microseconds */
    private static ComparisonSide side(String name, double late, BenchmarkRow... rows) {
        List<ForkRun> runs = IntStream.range(0, rows.length * PAIRS)
                .mapToObj(i -> forkRun(
                        rows[i / PAIRS].cell(),
                        i % PAIRS,
                        Instant.ofEpochSecond(i),
                        j -> span(1e7 * i + 1e5 * j + (j == 2 ? late : 0))))
                .toList();
        RunRecord record = RunRecord.now("unknown")
                .withSession(new BenchmarkSession("run", name, "", "", "", 0, runs, "", List.of(), Map.of()));
        return new ComparisonSide(name, List.of(rows), record);
    }

    private static ForkRun forkRun(String row, int fork, Instant start, IntFunction<Span> iteration) {
        List<Span> spans = IntStream.range(0, ITERATIONS).mapToObj(iteration).toList();
        return new ForkRun(row, fork, start, 1, 1, 0, spans);
    }

    private static Span span(double start) {
        return new Span(start, start + WINDOW, 0, -1);
    }

    private static ComparisonRow compared(ComparisonSide baseline, ComparisonSide current) {
        return Comparison.ofSides(baseline, current, ComparisonOptions.DEFAULT)
                .rows()
                .getFirst();
    }

    @Test
    void iterationsAreHeldAgainstThoseBesideThem() {
        Comparison comparison = Comparison.ofSides(
                side("A", 0, row("A", "a", 10, 1, 1)),
                side("B", 20_000, row("A", "a", 11, 1, 1)),
                ComparisonOptions.DEFAULT);
        ComparisonRow row = comparison.rows().getFirst();
        assertThat(row.verdict()).isEqualTo(Change.FASTER);
        assertThat(row.ratio()).isCloseTo(1.1, within(1e-12));
        assertThat(row.note()).isEqualTo("3 of 12 iterations left out, which did not run together");
        assertThat(comparison.method()).extracting(Comparison.Method::duets).isEqualTo(1);
    }

    @Test
    void aMetricOfADuetIsNoRowInTurn() {
        ComparisonSide before = side("A", 0, row("A", "a", 10, 1, 1));
        ComparisonSide now = side("B", 0, row("A", "a", 10, 1, 1));
        Comparison comparison = Comparison.ofSides(before, now, FLOPS);
        assertThat(comparison.with(Change.SAME)).hasSize(2);
        assertThat(ComparisonText.of(comparison))
                .contains("forks of A and B at the same time; ")
                .doesNotContain("in turn");
        Comparison none = Comparison.ofSides(with(before, 21, 0), now, ComparisonOptions.DEFAULT);
        assertThat(none.method()).extracting(Comparison.Method::compared).isEqualTo(0);
        assertThat(ComparisonText.of(none)).contains("forks of A and B at the same time; ");
    }

    @Test
    void benchmarksOfUnlikeClassesAreComparedByTheirFlops() {
        ComparisonRow row =
                compared(side("A", 0, row("Peak", "fma", 5, 0.1, 80)), side("B", 0, row("A", "a", 1000, 0.1, 60)));
        assertThat(row.ratio()).isCloseTo(0.75, within(1e-12));
        assertThat(row.note()).isEqualTo("against Peak.fma in flops");
    }

    @Test
    void aRowThatMayWaitForMemorySaysSo() {
        BenchmarkRow triad = row("MachineBenchmark", "triad", 1, 20, 1);
        assertThat(compared(
                                side("A", 0, row("A", "a", 10, 9.9, 1), triad),
                                side("B", 0, row("A", "a", 10, 9.9, 1), triad))
                        .note())
                .isEmpty();
        assertThat(compared(
                                side("A", 0, row("A", "a", 10, 30, 1), triad),
                                side("B", 0, row("A", "a", 10, 30, 1), triad))
                        .note())
                .isEqualTo("moves 30 GB/s, memory 20: both forks may have waited for it or for the last cache;"
                        + " --in-turn runs each fork by itself");
        assertThat(compared(side("A", 0, row("A", "a", 10, 30, 1)), side("B", 0, row("A", "a", 10, 30, 1)))
                        .note())
                .as("without a triad")
                .isEmpty();
        BenchmarkRow millis = row("ops/ms", "A", "a", 0.01, 0.03, 0.001);
        BenchmarkRow memory = row("ops/ms", "MachineBenchmark", "triad", 0.001, 0.02, 0.001);
        assertThat(compared(side("A", 0, millis, memory), side("B", 0, millis, memory))
                        .note())
                .startsWith("moves 30 GB/s, memory 20: ");
    }

    private static ComparisonRow comparedWithLate(Predicate<Integer> onTime) {
        return comparedWithLate(onTime, ComparisonOptions.DEFAULT).getFirst();
    }

    /** Compares with a second side whose iterations begin half a window late, except those {@code onTime}. */
    private static List<ComparisonRow> comparedWithLate(Predicate<Integer> onTime, ComparisonOptions options) {
        BenchmarkRow row = row("A", "a", 10, 1, 1);
        ComparisonSide early = side("A", 0, row("A", "a", 20, 1, 2));
        RunRecord record = Objects.requireNonNull(early.record());
        BenchmarkSession session = Objects.requireNonNull(record.session());
        List<ForkRun> late = session.forks().stream()
                .map(fork -> forkRun(
                        fork.row(),
                        fork.fork(),
                        fork.start(),
                        i -> span(fork.iterations().get(i).start() + (onTime.test(i) ? 0 : WINDOW / 2))))
                .toList();
        var other = new ComparisonSide(
                "B",
                List.of(row),
                record.withSession(new BenchmarkSession("run", "B", "", "", "", 0, late, "", List.of(), Map.of())));
        return Comparison.ofSides(early, other, options).rows();
    }

    @Test
    void withoutAnIterationTogetherThereIsNoVerdict() {
        ComparisonRow compared = comparedWithLate(i -> false);
        assertThat(compared.verdict()).isEqualTo(Change.INCONCLUSIVE);
        assertThat(compared.note()).isEqualTo("no iterations of the two sides ran together");
    }

    /** The verdict holds even if the remaining iterations are clear. */
    @Test
    void mostIterationsLeftOutAreAVerdictOfTheirOwn() {
        ComparisonRow compared = comparedWithLate(i -> i == 0);
        assertThat(compared.verdict()).isEqualTo(Change.LEFT_OUT);
        assertThat(compared.note()).isEqualTo("9 of 12 iterations left out, which did not run together");
        assertThat(comparedWithLate(i -> i > 1).verdict()).as("half of them").isEqualTo(Change.SLOWER);
    }

    /** A work counter is a rate, and measures the same iterations as the score. */
    @Test
    void aRateHasNoVerdictIfItsDuetHasNone() {
        List<ComparisonRow> rows = comparedWithLate(i -> i == 0, FLOPS);
        assertThat(rows).extracting(ComparisonRow::verdict).containsExactly(Change.LEFT_OUT, Change.INCONCLUSIVE);
        assertThat(rows.getLast().note()).isEqualTo("too few iterations of the two sides ran together");
        assertThat(comparedWithLate(i -> i > 1, FLOPS))
                .extracting(ComparisonRow::verdict)
                .containsExactly(Change.SLOWER, Change.SLOWER);
        ComparisonSide pinned = with(side("A", 0, row("A", "a", 10, 1, 2)), 21, 0);
        assertThat(Comparison.ofSides(pinned, side("B", 0, row("A", "a", 11, 1, 1)), FLOPS)
                        .rows())
                .hasSize(2)
                .allSatisfy(row -> {
                    assertThat(row.verdict()).isEqualTo(Change.INCONCLUSIVE);
                    assertThat(row.note()).startsWith("disturbed by pinning: ");
                });
    }

    private static ComparisonSide with(ComparisonSide side, double alone, double others) {
        return with(side, alone, others, 0);
    }

    /** @param waited the share of time in which other threads had its core */
    private static ComparisonSide with(ComparisonSide side, double alone, double others, double waited) {
        RunRecord record = Objects.requireNonNull(side.record());
        BenchmarkSession session = Objects.requireNonNull(record.session());
        List<ForkRun> runs = session.forks().stream()
                .map(fork -> forkRun(fork.row(), fork.fork(), fork.start(), i -> {
                    Span span = fork.iterations().get(i);
                    return new Span(span.start(), span.end(), waited * span.length(), -1);
                }))
                .toList();
        var trials = Map.of(side.rows().getFirst().cell(), new BenchmarkSession.Trial(alone, others));
        return new ComparisonSide(
                side.name(),
                side.rows(),
                record.withSession(
                        new BenchmarkSession("run", side.name(), "", "", "", 0, runs, "", List.of(), trials)));
    }

    /** Neither up to twice the speed alone nor other threads with 5% of the time prevent a verdict. */
    @Test
    void aScoreThatIsAnotherOneAloneIsNoVerdict() {
        ComparisonSide before = side("A", 0, row("A", "a", 10, 1, 1));
        ComparisonSide now = side("B", 0, row("A", "a", 11, 1, 1));
        assertThat(compared(with(before, 19, 0.05), with(now, 1, 0)).verdict()).isEqualTo(Change.FASTER);
        ComparisonRow disturbed = compared(with(before, 21, 0), now);
        assertThat(disturbed.verdict()).isEqualTo(Change.INCONCLUSIVE);
        assertThat(disturbed.ratio()).isNaN();
        assertThat(disturbed.note())
                .isEqualTo("disturbed by pinning: 0.476 times as fast in duets as alone, less than 0.5; --in-turn"
                        + " measures it");
        assertThat(compared(before, with(now, 23, 0)).note()).startsWith("disturbed by pinning: 0.478 times");
        assertThat(compared(before, with(now, 23, 0, 0.1)).note())
                .as("another program had a tenth of the time")
                .isEmpty();
    }

    @Test
    void aRowInTurnSaysWhichThreadsAreTheReason() {
        BenchmarkRow row = row("A", "a", 10, 1, 1);
        ComparisonSide before = side("A", 0, row);
        RunRecord record = Objects.requireNonNull(before.record());
        var session = new BenchmarkSession("run", "A", "", "", "", 0, List.of(), "", List.of(), Map.of());
        var inTurn = new ComparisonSide("A", List.of(row), record.withSession(session));
        ComparisonRow compared = compared(inTurn, with(inTurn, 50, 0.48));
        assertThat(compared.verdict()).isEqualTo(Change.SAME);
        assertThat(compared.note()).isEqualTo("in turn: its other threads have 48% of the processor time");
    }

    /** There is no verdict although the row's work counters are sound. */
    @Test
    void aScoreOfZeroGivesNoVerdict() {
        ComparisonRow row =
                compared(side("A", 0, row("Peak", "fma", 5, 0.1, 80)), side("B", 0, row("A", "a", 0, 0.1, 60)));
        assertThat(row.verdict()).isEqualTo(Change.INCONCLUSIVE);
        assertThat(row.note()).isEqualTo("a fork without scores, or with one that is not from 1e-150 to 1e150");
    }

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
