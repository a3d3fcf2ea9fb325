package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.lemmata.bench.BenchmarkRunner.End;
import org.lemmata.statistic.Interval;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.Rows;
import org.lemmata.track.RunRecord;

/** Runs whose cells stop once they are decided. */
class DecidedRunTest extends RunFixture {

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
        int before = jmh.calls().size();
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
        assertThat(jmh.calls()).hasSize(before + 12);
        assertThat(forks(files.directory().resolve("latest.json"))).containsExactly(2, 4, 6, 6);
        assertThat(looks()).isEqualTo(3);
    }

    /** A look follows each round of two forks per side, except the first round. */
    @Test
    void twoSidesGetEquallyManyForksUntilTheyAreDecided() throws IOException {
        List<BenchmarkCell> cells = jmh.cells("fast", "-f", "7");
        BenchmarkPlan plan = new BenchmarkPlan(
                        List.of(new BenchmarkSide("A", jmh.jar(), cells), new BenchmarkSide("B", jmh.jar(), cells)),
                        BenchmarkPlan.ITSELF)
                .untilDecided(true);
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
        BenchmarkPlan plan = new BenchmarkPlan(
                        List.of(new BenchmarkSide("A", jmh.jar(), cells), new BenchmarkSide("B", jmh.jar(), cells)),
                        BenchmarkPlan.ITSELF,
                        new TreeMap<>(Map.of(0, 0, 1, 1)))
                .untilDecided(true);
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
