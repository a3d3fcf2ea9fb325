package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Interval;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.Rows;

class NoiseSectionTest {

    private static Comparison run(double... floors) {
        List<ComparisonRow> rows = IntStream.range(0, floors.length)
                .mapToObj(i -> Rows.compared(
                        "org.x.RowBenchmark.m" + i,
                        Map.of("n", "1"),
                        Change.SAME,
                        1,
                        new Interval(0.9, 1.1),
                        floors[i],
                        null))
                .toList();
        return new Comparison("A", "A", null, List.of(), "", rows);
    }

    @Test
    void everyRowHasItsFloorInEveryRun() throws Exception {
        var runs = new LinkedHashMap<String, Comparison>();
        runs.put("in turn", run(1.5, 1.2, Double.NaN));
        runs.put("duets", run(1.02, 1.01, 1.05));
        var tracking = new Tracking(null, runs, Map.of(), Map.of());
        Element section =
                Objects.requireNonNull(Jsoup.parse(Report.html(new ReportInput(null, null, List.of(), tracking)))
                        .getElementById("noise"));
        assertThat(section.select("figcaption").text()).endsWith("Medians over rows: in turn 35%, duets 2%.");
        assertThat(section.select("tbody tr").stream().map(row -> row.children().eachText()))
                .containsExactly(List.of("Row m0", "50", "2"), List.of("Row m1", "20", "1"), List.of("Row m2", "5"));
        assertThat(section.select("svg[role=img], .plot svg").attr("aria-label") + section.html())
                .contains("Row m0 50% in turn");
    }

    @Test
    void withoutRunsThereIsNoSection() throws Exception {
        assertThat(NoiseSection.of(new LinkedHashMap<>())).isNull();
        assertThat(Report.html(DemoInput.of(null, null))).doesNotContain("id=\"noise\"");
    }
}
