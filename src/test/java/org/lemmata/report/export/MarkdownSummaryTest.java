package org.lemmata.report.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Outcome;
import org.lemmata.report.DemoInput;
import org.lemmata.report.ReportInput;
import org.lemmata.report.Tracking;
import org.lemmata.report.plot.NumberText;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.RunRecord;

/** Checks the summary as CommonMark's Java library renders it. */
class MarkdownSummaryTest {

    private static Document render(String markdown) {
        List<Extension> tables = List.of(TablesExtension.create());
        return Jsoup.parse(HtmlRenderer.builder()
                .extensions(tables)
                .build()
                .render(Parser.builder().extensions(tables).build().parse(markdown)));
    }

    private static List<List<String>> rows(Element table) {
        return table.select("tbody tr").stream()
                .map(row -> row.select("td").stream().map(Element::wholeText).toList())
                .toList();
    }

    /** Hostile text as rendered: one line, with a word joiner after @. */
    private static String shown(String text) {
        return text.replaceAll("\\s+", " ").replace("@", "@\u2060");
    }

    private static ComparisonRow compared(String name, Change verdict, double ratio, String note) {
        return DemoInput.compared(
                "org.lemmata.ABenchmark." + name,
                "thrpt",
                Map.of("p", name),
                verdict,
                new Interval(ratio * 0.9, ratio * 1.1),
                ratio,
                verdict == Change.INCONCLUSIVE ? 14 : null,
                note);
    }

    private static ReportInput with(Comparison comparison, List<BenchmarkRow> rows) {
        return new ReportInput(
                null,
                new ReportInput.Benchmarks("rows.json", rows, null),
                List.of(),
                new Tracking(comparison, new LinkedHashMap<>(), Map.of(), Map.of()));
    }

    @Test
    void everySectionIsThere() throws Exception {
        ReportInput input = DemoInput.everything();
        RunRecord run = Objects.requireNonNull(
                Objects.requireNonNull(input.benchmarks()).run());
        List<ClaimResult> claims = Objects.requireNonNull(input.claims()).results();
        Document page = render(MarkdownSummary.of(input));
        assertThat(page.select("h3").eachText())
                .containsExactly("Claims", "Comparison with main", "SIMD kernels, over scalar");
        assertThat(page.select("p").getFirst().text())
                .contains("commit " + run.commit())
                .contains(run.machine().cpu());
        long supported = claims.stream()
                .filter(result -> result.outcome() == Outcome.SUPPORTED)
                .count();
        assertThat(page.text()).contains(claims.size() + " claims: ").contains(supported + " Supported");
        assertThat(page.select("table").getLast().select("tbody tr")).hasSizeGreaterThan(3);
    }

    @Test
    void slowerRowsComeFirst() {
        var comparison = new Comparison(
                ExportInput.HOSTILE,
                "now",
                null,
                List.of("cpu: A, now B"),
                "",
                List.of(
                        compared("same", Change.SAME, 1.001, ""),
                        compared("faster", Change.FASTER, 1.5, ""),
                        compared("open", Change.INCONCLUSIVE, 0.98, ""),
                        compared("slower", Change.SLOWER, 0.8, ExportInput.HOSTILE),
                        compared("slowest", Change.SLOWER, 0.5, "")));
        Document page = render(MarkdownSummary.of(with(comparison, List.of())));
        assertThat(page.select("h3").text()).isEqualTo("Comparison with " + shown(ExportInput.HOSTILE));
        List<List<String>> rows = rows(page.select("table").getFirst());
        assertThat(rows.stream().map(row -> row.get(1)))
                .containsExactly(
                        "ABenchmark.slowest",
                        "ABenchmark.slower",
                        "ABenchmark.open",
                        "ABenchmark.faster",
                        "ABenchmark.same");
        assertThat(rows.get(1))
                .containsExactly(
                        "▼ slower",
                        "ABenchmark.slower",
                        "p\u00a0slower",
                        "0.8×",
                        "[0.72, 0.88]",
                        "5%",
                        "",
                        shown(ExportInput.HOSTILE));
        assertThat(rows.get(2).get(6)).isEqualTo("14");
        assertThat(page.select("script, a, em, strong, code, del")).isEmpty();
    }

    @Test
    void ratiosHaveVerdictIntervalMarginAndBaseline() {
        Document page = render(MarkdownSummary.of(with(DemoInput.ratios(), List.of())));
        assertThat(page.select("h3").text()).isEqualTo("Comparison with simd-512.json and the last run here");
        assertThat(page.text())
                .contains("Note: cpu: A, now B.")
                .contains("Rows: ▼ 1 slower, ? 1 inconclusive, ▲ 0 faster, = 0 same, – 1 not compared.");
        List<List<String>> rows = rows(page.select("table").getFirst());
        assertThat(rows.getFirst())
                .containsExactly(
                        "▼ slower",
                        "A.vector",
                        "length\u00a0128",
                        "scalar",
                        "simd-512.json",
                        "12×",
                        "3×",
                        "0.25×",
                        "[0.225, 0.275]",
                        "100%",
                        "",
                        "");
        assertThat(rows.get(1)).contains("c0ffee12 here").endsWith("15%", "12", "");
        assertThat(rows.getLast()).endsWith("0.25×", "", "", "", "", "", "only in simd-512.json");
        Comparison refused = Comparison.refused("a baseline", "now", "no baseline | here");
        Document none = render(MarkdownSummary.of(with(refused, List.of())));
        assertThat(none.text()).contains("Not compared: no baseline | here.");
        assertThat(none.select("table")).isEmpty();
    }

    @Test
    void rowsOnLanesStandBesideTheirReference() {
        Map<String, String> params = Map.of("p", ExportInput.HOSTILE);
        List<BenchmarkRow> rows = List.of(
                ExportInput.row("vector", "avgt", "ns/op", params, List.of(List.of(2.0), List.of(2.0)), Map.of()),
                ExportInput.row("scalar", "avgt", "ns/op", params, List.of(List.of(8.0), List.of(8.0)), Map.of()),
                ExportInput.row("vectorBackward", "thrpt", "ops/s", Map.of(), List.of(List.of(3.0)), Map.of()),
                ExportInput.row("scalarBackward", "thrpt", "ops/s", Map.of(), List.of(List.of(2.0)), Map.of()));
        Document page =
                render(MarkdownSummary.of(DemoInput.of(null, new ReportInput.Benchmarks("rows.json", rows, null))));
        assertThat(rows(page.select("table").getLast()))
                .containsExactly(
                        List.of(
                                "ABenchmark.vector",
                                "p\u00a0" + shown(Refuse.printable(ExportInput.HOSTILE)),
                                "2",
                                "ns/op",
                                "4×",
                                "[4, 4]"),
                        List.of("ABenchmark.vectorBackward", "", "3", "ops/s", "1.5×", "one fork"));
    }

    @Test
    void scoresAreThereWithoutAComparison() {
        List<BenchmarkRow> rows =
                List.of(ExportInput.row("time", "avgt", "ns/op", Map.of("p", "1"), List.of(List.of(2.0)), Map.of()));
        Document page =
                render(MarkdownSummary.of(DemoInput.of(null, new ReportInput.Benchmarks("rows.json", rows, null))));
        assertThat(page.select("h3").eachText()).containsExactly("Scores");
        assertThat(rows(page.select("table").getFirst()))
                .containsExactly(List.of("ABenchmark.time", "p\u00a01", "avgt", "1", "2", "ns/op"));
        var compared = new Comparison("main", "now", null, List.of(), "", List.of());
        assertThat(render(MarkdownSummary.of(with(compared, rows))).text()).doesNotContain("Scores");
    }

    @Test
    void aLongSummaryEndsBeforeTheLimitAndSaysSo() {
        var comparison = new Comparison(
                "main",
                "now",
                null,
                List.of("x|".repeat(50_000)),
                "",
                IntStream.range(0, 5000)
                        .mapToObj(i -> compared("m" + i, Change.SLOWER, 0.5, "|".repeat(1000)))
                        .toList());
        var rows = new ArrayList<BenchmarkRow>();
        for (int i = 0; i < 1000; i++) {
            Map<String, String> params = Map.of("p", i + "*".repeat(400));
            rows.add(ExportInput.row("vector", "thrpt", "ops/s", params, List.of(List.of(2.0)), Map.of()));
            rows.add(ExportInput.row("scalar", "thrpt", "ops/s", params, List.of(List.of(1.0)), Map.of()));
        }
        String markdown = MarkdownSummary.of(with(comparison, rows));
        assertThat(markdown.length()).isLessThan(65_536).isGreaterThan(60_000);
        Document page = render(markdown);
        int shown = page.select("table").getFirst().select("tbody tr").size();
        int lanes = page.select("table").getLast().select("tbody tr").size();
        assertThat(shown).isPositive();
        assertThat(lanes).isPositive();
        assertThat(page.select("p").eachText())
                .contains("And " + NumberText.of(5000 - shown) + " more rows are on the page.")
                .contains("And " + NumberText.of(1000 - lanes) + " more rows are on the page.");
    }
}
