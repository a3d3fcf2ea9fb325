package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Interval;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.Rows;

class ComparisonSectionTest {

    private static Document page = Document.createShell("");
    private static Element section = new Element("section");

    @BeforeAll
    static void write() throws Exception {
        page = Jsoup.parse(Report.html(DemoInput.everything()));
        section = Objects.requireNonNull(page.getElementById("comparison"));
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
        Element kernels = Objects.requireNonNull(page.getElementById("kernel-table"));
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
        Document document = Jsoup.parse(Report.html(new ReportInput(
                everything.claims(),
                everything.benchmarks(),
                List.of(),
                new Tracking(refused, new LinkedHashMap<>(), Map.of(), Map.of()))));
        assertThat(document.select("#comparison .refused").text())
                .isEqualTo("Not compared with old: cpu: expected AMD EPYC, got Intel Xeon");
        assertThat(document.select("#comparison table")).isEmpty();
    }

    @Test
    void ratiosWithinTheRunNameTheirReferenceTheirBaselineAndBothSides() throws Exception {
        var tracking = new Tracking(DemoInput.ratios(), new LinkedHashMap<>(), Map.of(), Map.of());
        Document document = Jsoup.parse(
                Report.html(new ReportInput(null, DemoInput.everything().benchmarks(), List.of(), tracking)));
        Element ratios = Objects.requireNonNull(document.getElementById("comparison"));
        assertThat(ratios.select("thead th").eachText())
                .containsExactly(
                        "Verdict",
                        "Benchmark",
                        "Parameters",
                        "Times as fast",
                        "Compared with",
                        "Baseline",
                        "Now",
                        "Margin",
                        "Forks needed");
        List<List<String>> rows = ratios.select("tbody tr").stream()
                .map(row -> row.select("> *").eachText())
                .toList();
        assertThat(rows.getFirst())
                .containsExactly(
                        "▼ slower",
                        "A.vector over scalar",
                        "length 128",
                        "0.25× [0.225, 0.275]",
                        "simd-512.json",
                        "12×",
                        "3×",
                        "100%");
        assertThat(rows.get(1)).contains("c0ffee12 here", "15%", "12");
        assertThat(rows.getLast()).contains("– not compared", "length 128 only in simd-512.json", "0.25×");
        assertThat(ratios.select(".changes li").eachText()).containsExactly("cpu: A, now B");
        assertThat(ratios.select(".file").text()).contains("to its reference in the same run");
        assertThat(Objects.requireNonNull(document.getElementById("changes")).text())
                .contains("▼ slower 0.25× A.vector length 128 over scalar, compared with simd-512.json")
                .contains("1 rows are neither slower nor faster than in simd-512.json and the last run here")
                .contains("Rows that are not compared: 1.");
    }

    @Test
    void acceptedRowsAreChangesAndRowsOfOneSideAreNotTheSame() {
        List<ComparisonRow> rows = Stream.of(Change.ACCEPTED, Change.GONE, Change.NEW)
                .map(verdict -> Rows.compared("X.a", verdict, 0.5, new Interval(0.4, 0.6), 1.1))
                .toList();
        var tracking = new Tracking(
                new Comparison("baseline", "now", null, List.of(), "", rows),
                new LinkedHashMap<>(),
                Map.of(),
                Map.of());
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
}
