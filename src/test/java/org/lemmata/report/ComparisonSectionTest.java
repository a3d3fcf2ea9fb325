package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lemmata.report.Report.Page;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.Rows;
import org.lemmata.track.RunRecord;

class ComparisonSectionTest {

    private static Document page = Document.createShell("");
    private static Element section = new Element("section");

    @BeforeAll
    static void write() throws Exception {
        page = Jsoup.parse(Report.html(DemoInput.everything()));
        section = page.expectFirst("#comparison");
    }

    @Test
    void rowsThatAreSlowerComeFirstWithTheirProfiles() {
        List<List<String>> rows = section.select("#comparison-table tbody tr").stream()
                .map(row -> row.children().eachText())
                .toList();
        assertThat(rows.stream().map(List::getFirst))
                .containsExactly(
                        "▼ slower flame graph of AttentionBenchmark.vector, headWidth 32, length 128 profile of"
                                + " AttentionBenchmark.vector, headWidth 32, length 128",
                        "? inconclusive",
                        "▲ faster flame graph of SoftmaxBenchmark.vector, length 64",
                        "= same");
        assertThat(rows.getFirst()).contains("0.8× [0.784, 0.816]", "5%");
        assertThat(rows.get(1)).as("the forks that a verdict takes").contains("14");
        assertThat(section.select("tbody tr.refuted a").eachAttr("href"))
                .containsExactly("../profiles/one/flame.html", "../profiles/one/profile.txt");
        assertThat(section.select(".tally li").eachText())
                .containsExactly("1 ▼ slower", "1 ? inconclusive", "1 ▲ faster", "1 = same");
        assertThat(section.select(".changes li").eachText()).containsExactly("cpu: AMD EPYC 7763, now AMD EPYC 9654");
        assertThat(page.select("details.part[id=comparison]")).hasSize(1);
    }

    @Test
    void theKernelTableHasVerdictsAndSparklinesAndLinksTheSlowerRowAlone() {
        Element kernels = page.expectFirst("#kernel-table");
        assertThat(kernels.select("thead th").eachText()).endsWith("Baseline", "History");
        assertThat(kernels.select(".badge")).hasSize(4);
        assertThat(kernels.select("a").eachAttr("href"))
                .containsExactly("../profiles/one/flame.html", "../profiles/one/profile.txt");
        assertThat(kernels.select(".spark")).hasSize(2);
        assertThat(kernels.select(".spark").getFirst().attr("aria-label")).isEqualTo("12 runs");
    }

    @Test
    void aSparklineRisesWithSpeed() {
        Element svg = spark(100, 100, 100, 100, 100, 100, 100, 200, 200, 200);
        String[] points = svg.expectFirst("polyline").attr("points").split(" ", -1);
        assertThat(points).hasSize(10);
        assertThat(y(points[9])).as("faster is higher up").isLessThan(y(points[0]));
        Element flat = spark(100, 101, 100);
        assertThat(y(flat.expectFirst("polyline").attr("points").split(" ", -1)[1]))
                .as("one percent is no cliff")
                .isCloseTo(14, within(2.0));
        assertThat(KernelSection.sparkline(trend(100))).isEmpty();
        assertThat(KernelSection.sparkline(trend(100, Double.NaN))).isEmpty();
    }

    @Test
    void aRefusalIsSaidInPlaceOfRows() throws Exception {
        ReportInput everything = DemoInput.everything();
        var refused = Comparison.refused("old", "now", "cpu: expected AMD EPYC, got Intel Xeon");
        Document document = Jsoup.parse(Report.html(
                new ReportInput(everything.claims(), everything.benchmarks(), List.of(), DemoInput.tracking(refused))));
        assertThat(document.select("#comparison .refused").text())
                .isEqualTo("Not compared with old: cpu: expected AMD EPYC, got Intel Xeon");
        assertThat(document.select("#comparison table")).isEmpty();
    }

    @Test
    void ratiosWithinTheRunNameTheirReferenceTheirBaselineAndBothSides() throws Exception {
        var tracking = DemoInput.tracking(DemoInput.ratios());
        Document document = Jsoup.parse(
                Report.html(new ReportInput(null, DemoInput.everything().benchmarks(), List.of(), tracking)));
        Element ratios = document.expectFirst("#comparison");
        assertThat(ratios.select("thead th").eachText())
                .containsExactly(
                        ("Verdict, Benchmark, Parameters, Times as fast, Compared with, Baseline, Now, Margin, "
                                        + "Forks needed")
                                .split(", ", -1));
        List<List<String>> rows = ratios.select("tbody tr").stream()
                .map(row -> row.select("> *").eachText())
                .toList();
        assertThat(rows.getFirst())
                .containsExactly(
                        ("▼ slower; A.vector over scalar; length 128; 0.25× [0.225, 0.275]; simd-512.json; 12×; 3×; "
                                        + "100%")
                                .split("; ", -1));
        assertThat(rows.get(1)).contains("c0ffee12 here", "15%", "12");
        assertThat(rows.getLast()).contains("– not compared", "length 128 only in simd-512.json", "0.25×");
        assertThat(ratios.select(".changes li").eachText()).containsExactly("cpu: A, now B");
        assertThat(ratios.select(".file").text()).contains("to its reference in the same run");
        assertThat(document.expectFirst("#changes").text())
                .contains("▼ slower 0.25× A.vector length 128 over scalar, compared with simd-512.json")
                .contains("1 rows are neither slower nor faster than in simd-512.json and the last run here")
                .contains("Rows that are not compared: 1.");
    }

    @Test
    void acceptedRowsAreChangesAndRowsOfOneSideAreNotTheSame() {
        List<ComparisonRow> rows = Stream.of(Change.ACCEPTED, Change.GONE, Change.NEW)
                .map(verdict -> Rows.compared("X.a", verdict, 0.5, new Interval(0.4, 0.6), 1.1))
                .toList();
        var tracking = DemoInput.tracking(new Comparison("baseline", "now", null, List.of(), "", rows));
        Page.Changes changes = Page.Changes.of(null, tracking);
        assertThat(changes.rows()).extracting(row -> row.row().verdict()).containsExactly(Change.ACCEPTED);
        assertThat(changes.same())
                .containsExactly(
                        "0 rows are neither slower nor faster than in baseline, as far as the forks show",
                        "Rows that are not compared: 2");
    }

    @Test
    void withoutAPastThereIsNoSuchSection() throws Exception {
        Document document = Jsoup.parse(
                Report.html(DemoInput.of(null, DemoInput.everything().benchmarks())));
        assertThat(document.select("#comparison, [href=#comparison], .spark")).isEmpty();
    }

    private static Element spark(double... speeds) {
        return Jsoup.parse(KernelSection.sparkline(trend(speeds))).expectFirst("svg");
    }

    private static List<Tracking.Run> trend(double... speeds) {
        return IntStream.range(0, speeds.length)
                .mapToObj(i -> new Tracking.Run("c" + i, "t" + i, speeds[i]))
                .toList();
    }

    private static double y(String point) {
        return Double.parseDouble(point.split(",", -1)[1]);
    }

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
        Element section = Jsoup.parse(Report.html(new ReportInput(null, null, List.of(), tracking)))
                .expectFirst("#noise");
        assertThat(section.select("figcaption").text()).endsWith("Medians over rows: in turn 35%, duets 2%.");
        assertThat(section.select("tbody tr").stream().map(row -> row.children().eachText()))
                .containsExactly(List.of("Row m0", "50", "2"), List.of("Row m1", "20", "1"), List.of("Row m2", "5"));
        assertThat(section.select("svg[role=img], .plot svg").attr("aria-label") + section.html())
                .contains("Row m0 50% in turn");
    }

    @Test
    void withoutRunsThereIsNoSection() throws Exception {
        assertThat(ComparisonSection.noise(new LinkedHashMap<>())).isNull();
        assertThat(Report.html(DemoInput.of(null, null))).doesNotContain("id=\"noise\"");
    }

    @Test
    void drawsTheRunsOfThisMachineAlone() {
        var history = new ArrayList<HistoryEntry>();
        for (int run = 0; run < 220; run++) {
            history.add(HistoryEntry.of(row("vector", 2), record("A", run)).orElseThrow());
            history.add(HistoryEntry.of(row("vector", 9), record("B", run)).orElseThrow());
        }
        Map<String, List<Tracking.Run>> trends =
                Tracking.trends(history, List.of(row("vector", 4), row("new", 1)), record("A", 220));
        assertThat(trends).containsOnlyKeys(row("vector", 4).sortedKey());
        List<Tracking.Run> trend = trends.values().iterator().next();
        assertThat(trend).as("the latest").hasSize(200);
        assertThat(trend.getFirst().commit()).isEqualTo("c20");
        assertThat(trend.getFirst().speed()).as("of a time").isCloseTo(0.5, within(1e-12));
    }

    private static RunRecord record(String cpu, int run) {
        var machine = new MachineIdentity(cpu, 2, 0, "Linux", "25", List.of(), "256 bits", "unknown");
        Instant time = Instant.parse("2026-11-20T12:34:56Z").plusSeconds(run);
        return new RunRecord("c" + run, time, List.of(), machine, null);
    }

    private static BenchmarkRow row(String method, double time) {
        return DemoInput.row(
                "org.lemmata.A." + method,
                "avgt",
                "ns/op",
                time,
                Map.of("columns", "1024"),
                List.of(List.of(time)),
                Map.of());
    }
}
