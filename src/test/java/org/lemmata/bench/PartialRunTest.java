package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lemmata.bench.BenchmarkRunner.End;
import org.lemmata.file.LockedFile;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.JmhResults;
import org.lemmata.track.Rows;
import org.lemmata.track.RunRecord;

/** Runs with a limit, which is a number of forks here instead of a time, and runs whose cells stop once decided. */
class PartialRunTest extends RunFixture {

    private static String limited(String forks) {
        return "bench: time limit reached: the results have " + forks + " forks; repeat the command to run the others";
    }

    private End run(BenchmarkPlan plan, int forks) throws IOException {
        var begun = new AtomicInteger();
        return run(plan, () -> false, () -> begun.getAndIncrement() >= forks, soFar -> {
            throw new AssertionError("nobody looks");
        });
    }

    private BenchmarkPlan lacking(List<BenchmarkSession.Unmeasured> lacking, String... words) throws IOException {
        List<BenchmarkCell> cells = jmh.cells(words);
        return new BenchmarkPlan(
                List.of(new BenchmarkSide("A", jmh.jar(), cells), new BenchmarkSide("B", jmh.jar(), cells, lacking)),
                "other");
    }

    private Comparison compared(BenchmarkPlan plan) throws IOException {
        return Comparison.ofSides(
                ComparisonSide.read("B", files.results(plan.sides().getLast())),
                ComparisonSide.read("A", files.results(plan.sides().getFirst())),
                ComparisonOptions.DEFAULT);
    }

    @Test
    void whatHasNoWholePairIsOpenUntilTheSamePlanHasRunItsForks() throws IOException {
        BenchmarkPlan plan = lacking(List.of(), "fast", "-f", "2");
        assertThat(run(plan, 3)).isEqualTo(End.LIMITED);
        assertThat(heard.lines).contains(limited("2 of 8"));
        Comparison cut = compared(plan);
        assertThat(cut.rows())
                .extracting(ComparisonRow::params, ComparisonRow::verdict, ComparisonRow::note)
                .containsExactly(
                        tuple(
                                Map.of("n", "1"),
                                Change.INCONCLUSIVE,
                                "one fork has no spread; cut by --limit-minutes after 2 of 8 forks"),
                        tuple(Map.of("n", "2"), Change.INCONCLUSIVE, "not measured: time limit reached"));
        assertThat(cut.inconclusive()).isTrue();
        assertThat(run(plan, 100)).isEqualTo(End.COMPLETE);
        assertThat(compared(plan).rows()).hasSize(2).allSatisfy(row -> {
            assertThat(row.forks()).isEqualTo(2);
            assertThat(row.note()).isEmpty();
        });
    }

    /** After a trial, the first duet waits for JMH's lock until the time is over. */
    @Test
    @Timeout(120)
    void theTimeAlsoEndsWhileAnotherRunOfJmhGoesOn() throws IOException {
        BenchmarkPlan sides = lacking(List.of(), "fast", "-f", "1", "-p", "n=1");
        var plan = new BenchmarkPlan(sides.sides(), "itself", new TreeMap<>(Map.of(0, 0)));
        try (LockedFile other = LockedFile.open(directory.resolve("lock")).orElseThrow()) {
            assertThat(run(plan, 2)).isEqualTo(End.STOPPED);
            assertThat(other.channel().isOpen()).isTrue();
        }
        assertThat(heard.lines)
                .endsWith(
                        "bench: waiting for another run of JMH on this machine, which has the lock on "
                                + directory.resolve("lock") + "; --limit-minutes limits the wait",
                        limited("0 of 2"));
    }

    @Test
    void theEstimateCountsBothSidesAndAllModes() throws IOException {
        BenchmarkPlan plan =
                lacking(List.of(), "fast", "-f", "1", "-p", "n=1", "-wi", "1", "-w", "1", "-i", "2", "-r", "2");
        run(plan, 1);
        assertThat(heard.least).as("two forks").isEqualTo(2 * 7);
        run(plan, 0);
        assertThat(heard.least).as("that of B is left").isEqualTo(7);
        for (String modes : List.of("thrpt,avgt", "thrpt,ss,avgt", "All", "ss")) {
            BenchmarkCell cell = jmh.cells("fast", "-p", "n=1", "-wi", "0", "-i", "2", "-r", "2", "-bm", modes)
                    .getFirst();
            assertThat(cell.seconds(BenchmarkList.of("")))
                    .as(modes)
                    .isEqualTo(modes.equals("All") ? 12 : modes.equals("ss") ? 0 : 8);
        }
    }

    @Test
    void whatTheOtherSideLacksIsNamedWithItsVerdict() throws IOException {
        var lacking = new BenchmarkSession.Unmeasured("demo.Bench.old", new LinkedHashMap<>(), Change.GONE, "why");
        BenchmarkPlan plan = lacking(List.of(lacking), "modes", "-f", "1");
        assertThat(run(plan, 100)).isEqualTo(End.COMPLETE);
        assertThat(compared(plan).with(Change.GONE))
                .extracting(ComparisonRow::benchmark)
                .containsExactly("demo.Bench.old");
    }

    @Test
    void oneSideKeepsItsForksAndRemovesTheSecondSideOfAnOlderRun() throws IOException {
        BenchmarkPlan both = lacking(List.of(), "modes", "-f", "1");
        assertThat(run(both, 100)).isEqualTo(End.COMPLETE);
        var plan = new BenchmarkPlan(
                List.of(new BenchmarkSide("A", jmh.jar(), jmh.cells("fast", "-p", "n=1", "-f", "4"))), "");
        for (int forks = 1; forks <= 3; forks += 2) {
            assertThat(run(plan, forks == 1 ? 1 : 2)).isEqualTo(End.LIMITED);
            assertThat(heard.lines).contains(limited(forks + " of 4"));
            assertThat(JmhResults.read(files.results(plan.sides().getFirst()))
                            .getFirst()
                            .samples())
                    .hasSize(forks);
        }
        assertThat(Files.exists(files.results(both.sides().getLast()))).isFalse();
    }

    private static final String DECIDED = "bench: 1 benchmark has its verdicts; only the others get fork ";

    private End run(BenchmarkPlan plan, BooleanSupplier stop, BenchmarkRunner.Look look) throws IOException {
        return run(plan, stop, () -> false, look);
    }

    private static List<Integer> forks(Path results) throws IOException {
        var forks = new ArrayList<Integer>();
        for (JsonNode row : JsonMapper.builder().build().readTree(results.toFile())) {
            forks.add(row.path("primaryMetric").path("rawData").size());
        }
        return forks;
    }

    private int looks() throws IOException {
        RunRecord record = RunRecord.read(files.directory().resolve("latest.run.json"));
        return Objects.requireNonNull(record.session()).looks();
    }

    /** Two cells run simultaneously with a third; after two forks, one of them has its verdict. */
    @Test
    void aCellThatIsDecidedGetsNoMoreForksAlsoWhenTheRunIsResumed() throws IOException {
        List<BenchmarkCell> cells = new ArrayList<>();
        jmh.cells("fast").forEach(cell -> cells.add(cell.withForks(4)));
        jmh.cells("modes").forEach(cell -> cells.add(cell.withForks(8)));
        var plan = new BenchmarkPlan(
                List.of(new BenchmarkSide("A", jmh.jar(), cells)), "", new TreeMap<>(Map.of(0, 2, 1, 2)), true);
        BenchmarkRunner.Look look = soFar -> {
            List<ComparisonRow> rows = soFar.rows().stream()
                    .map(row ->
                            verdict(row.params(), row.params().containsValue("1") ? Change.SAME : Change.INCONCLUSIVE))
                    .toList();
            return new Comparison("", "", null, List.of(), "", rows);
        };
        assertThat(run(plan, () -> heard.lines.contains(DECIDED + 3) && heard.lines.size() > 10, look))
                .isEqualTo(End.STOPPED);
        assertThat(run(plan, () -> false, look)).isEqualTo(End.COMPLETE);
        assertThat(heard.lines).contains(DECIDED + 3, DECIDED + 4);
        assertThat(jmh.calls()).hasSize(12);
        assertThat(forks(files.directory().resolve("latest.json"))).containsExactly(2, 4, 6, 6);
        assertThat(looks()).isEqualTo(3);
    }

    /** A look follows each round of two forks per side, except the first round. */
    @Test
    void twoSidesGetEquallyManyForksUntilTheyAreDecided() throws IOException {
        List<BenchmarkCell> cells = jmh.cells("fast", "-f", "7");
        BenchmarkPlan plan = twoSides(BenchmarkPlan.ITSELF, cells, Map.of()).untilDecided(true);
        var seen = new ArrayList<List<Integer>>();
        BenchmarkRunner.Look look = soFar -> {
            Comparison compared = files.incomplete().compared(ComparisonOptions.DEFAULT);
            seen.add(compared.rows().stream().map(ComparisonRow::forks).toList());
            List<ComparisonRow> rows = compared.rows().stream()
                    .map(row ->
                            verdict(row.params(), row.params().containsValue("1") ? Change.SLOWER : Change.LEFT_OUT))
                    .toList();
            return new Comparison("", "", null, List.of(), "", rows);
        };
        assertThat(run(plan, () -> false, look)).isEqualTo(End.COMPLETE);
        assertThat(seen).containsExactly(List.of(4, 4), List.of(4, 6));
        assertThat(heard.lines).contains(DECIDED + 5, DECIDED + 7);
        assertThat(forks(files.directory().resolve("latest.json"))).containsExactly(4, 7);
        assertThat(forks(files.directory().resolve("latest.against.json"))).containsExactly(4, 7);
        assertThat(looks()).isEqualTo(3);
        assertThat(files.compared(ComparisonOptions.DEFAULT).rows())
                .extracting(ComparisonRow::forks)
                .containsExactly(4, 7);
    }

    /** The trials before duets, which only the first side of an A/A run has, do not count as its forks. */
    @Test
    void trialsOfDuetsAreNotLookedAt() throws IOException {
        List<BenchmarkCell> cells = jmh.cells("fast", "-f", "5");
        BenchmarkPlan plan =
                twoSides(BenchmarkPlan.ITSELF, cells, Map.of(0, 0, 1, 1)).untilDecided(true);
        assertThat(plan.trials()).isNotEmpty();
        var seen = new ArrayList<Integer>();
        BenchmarkRunner.Look look = soFar -> {
            seen.addAll(forks(files.incomplete().results(plan.sides().getFirst())));
            return new Comparison("", "", null, List.of(), "", List.of());
        };
        assertThat(run(plan, () -> false, look)).isEqualTo(End.COMPLETE);
        assertThat(seen).containsExactly(4, 4);
    }

    private static ComparisonRow verdict(SequencedMap<String, String> params, Change verdict) {
        return Rows.compared("demo.Bench.fast", params, verdict, 1, new Interval(0.9, 1.1), 1.1, null);
    }
}
