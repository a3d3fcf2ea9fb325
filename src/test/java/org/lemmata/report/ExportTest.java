package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Outcome;
import org.lemmata.report.plot.NumberText;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.JmhResults;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

/**
 * Checks exports with other libraries: Otava's with Commons CSV and SnakeYAML, Bencher's with Gson, and the summary as
 * CommonMark's Java library renders it.
 */
class ExportTest {

    /** A name that contains special characters of the formats. */
    private static final String HOSTILE =
            "a|b \"c\", 'd'\ne\r\n<script>alert(1)</script> `f` *g* _h_ [i](j) ~~k~~ &amp; \\| #1 $x$ @lead ünïcødé 😀";

    @TempDir
    private Path directory;

    private static final BenchmarkRow RATE =
            row("rate", "thrpt", "ops/s", Map.of("p", HOSTILE), List.of(List.of(1.25)), Map.of());
    private static final BenchmarkRow TIME = row("time", "avgt", "ns/op", Map.of(), List.of(List.of(4.0)), Map.of());

    private static final String RATE_COLUMN = "org.lemmata.ABenchmark.rate p=" + HOSTILE + " (thrpt)";
    private static final String TIME_COLUMN = "org.lemmata.ABenchmark.time (avgt)";

    private static ReportInput input(Tracking tracking) {
        var run = new RunRecord(
                "c0ffee",
                Instant.parse("2026-11-22T07:00:00Z"),
                List.of(),
                new MachineIdentity("cpu", 2, 0, "os", "jdk", List.of(), "256 bits", "unknown"),
                null);
        return new ReportInput(
                null, new ReportInput.Benchmarks("rows.json", List.of(RATE, TIME), run), List.of(), tracking);
    }

    /** Exports, and reads the lines of each benchmark's file like Otava, by the benchmark's name. */
    private Map<String, List<List<String>>> export(ReportInput input) throws IOException {
        OtavaExport.write(directory, input);
        JsonNode config = new YAMLMapper().readTree(Files.readString(directory.resolve("otava.yaml")));
        var series = new LinkedHashMap<String, List<List<String>>>();
        for (Map.Entry<String, JsonNode> test : config.get("tests").properties()) {
            assertThat(test.getValue().get("type").asText()).isEqualTo("csv");
            assertThat(test.getValue().get("metrics").get(0).asText()).isEqualTo("speed");
            assertThat(test.getValue().get("attributes").get(0).asText()).isEqualTo("commit");
            Path file = Path.of(test.getValue().get("file").asText());
            try (CSVParser parser = CSVFormat.RFC4180.parse(Files.newBufferedReader(file))) {
                List<List<String>> lines =
                        parser.getRecords().stream().map(CSVRecord::toList).toList();
                assertThat(lines.getFirst()).containsExactly("time", "commit", "speed");
                series.put(test.getKey(), lines.subList(1, lines.size()));
            }
        }
        List<String> group = new ArrayList<>();
        config.get("test_groups").get("benchmarks").forEach(name -> group.add(name.asText()));
        assertThat(group).containsExactlyElementsOf(series.keySet());
        return series;
    }

    /** Parameters may have quotes and line breaks; the configuration is still YAML. */
    @Test
    void eachBenchmarkHasAFileOfItsOwn() throws IOException {
        assertThat(export(input(Tracking.NONE)))
                .containsOnly(
                        Map.entry(RATE_COLUMN, List.of(List.of("2026-11-22T07:00:00Z", "c0ffee", "1.25"))),
                        Map.entry(TIME_COLUMN, List.of(List.of("2026-11-22T07:00:00Z", "c0ffee", "0.25"))));
    }

    /** With a single NaN, Otava finds no change point. */
    @Test
    void aFileHasOnlyTheRunsThatMeasuredIt() throws IOException {
        var trend = List.of(
                new Tracking.Run("b,\"2\"", "2026-11-21T07:00:00Z", 2),
                new Tracking.Run("a,1", "2026-11-20T07:00:00Z", 1),
                new Tracking.Run("c0ffee", "2026-11-22T07:00:00Z", 1.3));
        var tracking = new Tracking(null, new LinkedHashMap<>(), Map.of(RATE.sortedKey(), trend), Map.of());
        Map<String, List<List<String>>> series = export(input(tracking));
        assertThat(series.get(RATE_COLUMN))
                .containsExactly(
                        List.of("2026-11-20T07:00:00Z", "a,1", "1.0"),
                        List.of("2026-11-21T07:00:00Z", "b,\"2\"", "2.0"),
                        List.of("2026-11-22T07:00:00Z", "c0ffee", "1.3"));
        assertThat(series.get(TIME_COLUMN)).containsExactly(List.of("2026-11-22T07:00:00Z", "c0ffee", "0.25"));
        BenchmarkRow none = row("none", "avgt", "ns/op", Map.of(), List.of(List.of(Double.NaN)), Map.of());
        var run = Objects.requireNonNull(
                Objects.requireNonNull(input(Tracking.NONE).benchmarks()).run());
        var rows = new ReportInput.Benchmarks("rows.json", List.of(TIME, none), run);
        assertThat(export(new ReportInput(null, rows, List.of(), Tracking.NONE)))
                .containsOnlyKeys(TIME_COLUMN);
    }

    @Test
    void thePictureShowsTheRowsThatChangedMost() {
        var trends = new LinkedHashMap<String, List<Tracking.Run>>();
        for (int i = 0; i < 9; i++) {
            BenchmarkRow row = row("m" + i, "thrpt", "ops/s", Map.of(), List.of(List.of(1.0)), Map.of());
            trends.put(row.sortedKey(), List.of(new Tracking.Run("a", "1", 100), new Tracking.Run("b", "2", 100 + i)));
        }
        String svg = TrendPicture.of(input(new Tracking(null, new LinkedHashMap<>(), trends, Map.of())));
        assertThat(svg).startsWith("<svg ").contains("ABenchmark.m8 (thrpt)", "ABenchmark.m3 (thrpt)");
        assertThat(svg).doesNotContain("ABenchmark.m2", "org.lemmata");
        assertThatThrownBy(() -> TrendPicture.of(input(Tracking.NONE)))
                .hasMessage("trend: expected benchmarks with runs in the history, got none");
    }

    @Test
    void aRunOfUnknownTimeIsRefused() {
        assertRefused(
                () -> OtavaExport.write(directory, of(RATE)),
                "otava: expected benchmarks with a run record (NAME.run.json), got none");
    }

    private static final List<List<Double>> FORKS = List.of(List.of(1.0, 3.0), List.of(4.0, 4.0));

    private static JsonObject export(BenchmarkRow... rows) {
        return JsonParser.parseString(BencherExport.of(of(rows))).getAsJsonObject();
    }

    private static double value(JsonObject measures, String measure, String value) {
        return measures.getAsJsonObject(measure).get(value).getAsDouble();
    }

    @Test
    void timesAreNanosecondsAndRatesOperationsASecond() {
        JsonObject root = export(
                row("time", "avgt", "us/op", Map.of(), FORKS, Map.of()),
                row("shot", "ss", "s/op", Map.of(), FORKS, Map.of()),
                row("rate", "thrpt", "ops/ms", Map.of("b", "2", "a", "1"), FORKS, Map.of()));
        JsonObject time = root.getAsJsonObject("org.lemmata.ABenchmark.time (avgt)");
        assertThat(time.keySet()).containsExactly("latency");
        assertThat(value(time, "latency", "value")).isEqualTo(3000);
        // Forks of 2 and 4: exp((ln 2 + ln 4) / 2 +- 12.7062 (ln 4 - ln 2) / 2), Student's quantile at one
        // degree of freedom.
        assertThat(value(time, "latency", "lower_value"))
                .isCloseTo(1000 * Math.sqrt(8) * Math.exp(-12.706205 * Math.log(2) / 2), within(1e-3));
        assertThat(value(time, "latency", "upper_value"))
                .isCloseTo(1000 * Math.sqrt(8) * Math.exp(12.706205 * Math.log(2) / 2), within(1.0));
        assertThat(value(root.getAsJsonObject("org.lemmata.ABenchmark.shot (ss)"), "latency", "value"))
                .isEqualTo(3e9);
        JsonObject rate = root.getAsJsonObject("org.lemmata.ABenchmark.rate a=1 b=2 (thrpt)");
        assertThat(rate.keySet()).containsExactly("throughput");
        assertThat(value(rate, "throughput", "value")).isEqualTo(3000);
    }

    /** Spellings of kotlinx-benchmark; a unit that is not a time is rejected instead of exported under a wrong name. */
    @Test
    void otherSpellingsOfUnitsAreConvertedOrRefused() throws IOException {
        List<BenchmarkRow> rows = JmhResults.read(Path.of("src/test/resources/org/lemmata/track/cases/units/a.json"));
        BenchmarkRow bytes = rows.getLast();
        assertThat(bytes.unit()).isEqualTo("MB/s");
        assertThatThrownBy(() -> export(bytes))
                .hasMessage("bmf: expected times per operation or operations per time, got MB/s of a.B.u (thrpt)");
        JsonObject root = export(rows.subList(0, rows.size() - 1).toArray(BenchmarkRow[]::new));
        assertThat(value(root.getAsJsonObject("a.B.s (sample)"), "latency", "value"))
                .isEqualTo(1000);
        assertThat(value(root.getAsJsonObject("a.B.x (avgt)"), "latency", "value"))
                .isEqualTo(0.25e9);
        assertThat(value(root.getAsJsonObject("a.B.y (thrpt)"), "throughput", "value"))
                .isEqualTo(4.025);
        assertThat(value(root.getAsJsonObject("a.B.z (avgt)"), "latency", "value"))
                .isEqualTo(250_250);
    }

    @Test
    void secondaryMetricsAreMeasuresOfTheirOwn() {
        var secondary = new LinkedHashMap<String, BenchmarkRow.Metric>();
        secondary.put("gigaflops", new BenchmarkRow.Metric(30, 0, "ops/s", List.of(10.0, 30.0, 40.0, 40.0)));
        secondary.put("maxErrorUlps", new BenchmarkRow.Metric(0, 0, "#", List.of(0.0, 0.0, 0.0, 0.0)));
        secondary.put("·gc.count", new BenchmarkRow.Metric(12, Double.NaN, "counts", List.of(1.0, 3.0, 4.0, 4.0)));
        secondary.put("Throughput", new BenchmarkRow.Metric(7, 0, "ops/s", List.of()));
        secondary.put("pause", new BenchmarkRow.Metric(3, 0, "ms/op", List.of(1.0, 3.0, 4.0, 4.0)));
        secondary.put("allocations", new BenchmarkRow.Metric(3, 0, "ops/us", List.of(1.0, 3.0, 4.0, 4.0)));
        secondary.put("none", new BenchmarkRow.Metric(Double.NaN, 0, "ops/s", List.of()));
        JsonObject measures = export(row("rate", "thrpt", "ops/s", Map.of(), FORKS, secondary))
                .getAsJsonObject("org.lemmata.ABenchmark.rate (thrpt)");
        assertThat(measures.keySet())
                .containsExactly(
                        "throughput gigaflops max-error-ulps gc-count throughput-2 pause allocations".split(" ", -1));
        for (String bound : List.of("value", "lower_value", "upper_value")) {
            assertThat(value(measures, "gigaflops", bound))
                    .isCloseTo(10 * value(measures, "throughput", bound), within(1e-9));
        }
        assertThat(value(measures, "pause", "value")).as("nanoseconds").isEqualTo(3e6);
        assertThat(value(measures, "allocations", "value")).as("a second").isEqualTo(3e6);
        for (String bound : List.of("lower_value", "upper_value")) {
            assertThat(value(measures, "pause", bound))
                    .isCloseTo(1e6 * value(measures, "throughput", bound), withinPercentage(1e-9));
        }
        // Neither a sum of events nor a zero has an interval over forks.
        assertThat(measures.getAsJsonObject("gc-count").keySet()).containsExactly("value");
        assertThat(measures.getAsJsonObject("max-error-ulps").keySet()).containsExactly("value");
    }

    @Test
    void namesComeBackWhateverTheyHold() {
        JsonObject root = export(
                row("m", "thrpt", "ops/s", Map.of(HOSTILE, HOSTILE), FORKS, Map.of()),
                row("m", "thrpt", "ops/s", Map.of("p", "x".repeat(2000) + "1"), FORKS, Map.of()),
                row("m", "thrpt", "ops/s", Map.of("p", "x".repeat(2000) + "2"), FORKS, Map.of()));
        assertThat(root.keySet())
                .hasSize(3)
                .contains("org.lemmata.ABenchmark.m " + HOSTILE + "=" + HOSTILE + " (thrpt)")
                .allSatisfy(name -> assertThat(name).hasSizeLessThanOrEqualTo(1024));
    }

    @Test
    void whatWouldBeLostIsRefused() {
        BenchmarkRow row = row("m", "thrpt", "ops/s", Map.of(), FORKS, Map.of());
        assertRefused(
                () -> export(row, row),
                "bmf: expected one row of each name, got two of org.lemmata.ABenchmark.m (thrpt)");
        assertThatThrownBy(() -> BencherExport.of(DemoInput.of(null, null)))
                .hasMessage("bmf: expected results of benchmarks, got none");
    }

    @Test
    void oneForkHasNoInterval() {
        JsonObject root = export(row("m", "thrpt", "ops/s", Map.of(), List.of(List.of(1.0, 2.0)), Map.of()));
        assertThat(root.getAsJsonObject("org.lemmata.ABenchmark.m (thrpt)")
                        .getAsJsonObject("throughput")
                        .keySet())
                .containsExactly("value");
    }

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
                null, new ReportInput.Benchmarks("rows.json", rows, null), List.of(), DemoInput.tracking(comparison));
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
                HOSTILE,
                "now",
                null,
                List.of("cpu: A, now B"),
                "",
                List.of(
                        compared("same", Change.SAME, 1.001, ""),
                        compared("faster", Change.FASTER, 1.5, ""),
                        compared("open", Change.INCONCLUSIVE, 0.98, ""),
                        compared("slower", Change.SLOWER, 0.8, HOSTILE),
                        compared("slowest", Change.SLOWER, 0.5, "")));
        Document page = render(MarkdownSummary.of(with(comparison, List.of())));
        assertThat(page.select("h3").text()).isEqualTo("Comparison with " + shown(HOSTILE));
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
                        shown(HOSTILE));
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
                .containsExactly(("▼ slower; A.vector; length\u00a0128; scalar; simd-512.json; 12×; 3×; 0.25×; "
                                + "[0.225, 0.275]; 100%; ; ")
                        .split("; ", -1));
        assertThat(rows.get(1)).contains("c0ffee12 here").endsWith("15%", "12", "");
        assertThat(rows.getLast()).endsWith("0.25×", "", "", "", "", "", "only in simd-512.json");
        Comparison refused = Comparison.refused("a baseline", "now", "no baseline | here");
        Document none = render(MarkdownSummary.of(with(refused, List.of())));
        assertThat(none.text()).contains("Not compared: no baseline | here.");
        assertThat(none.select("table")).isEmpty();
    }

    @Test
    void rowsOnLanesStandBesideTheirReference() {
        Map<String, String> params = Map.of("p", HOSTILE);
        List<BenchmarkRow> rows = List.of(
                row("vector", "avgt", "ns/op", params, List.of(List.of(2.0), List.of(2.0)), Map.of()),
                row("scalar", "avgt", "ns/op", params, List.of(List.of(8.0), List.of(8.0)), Map.of()),
                row("vectorBackward", "thrpt", "ops/s", Map.of(), List.of(List.of(3.0)), Map.of()),
                row("scalarBackward", "thrpt", "ops/s", Map.of(), List.of(List.of(2.0)), Map.of()));
        Document page = render(MarkdownSummary.of(DemoInput.of(rows)));
        assertThat(rows(page.select("table").getLast()))
                .containsExactly(
                        List.of(
                                "ABenchmark.vector",
                                "p\u00a0" + shown(Refuse.printable(HOSTILE)),
                                "2",
                                "ns/op",
                                "4×",
                                "[4, 4]"),
                        List.of("ABenchmark.vectorBackward", "", "3", "ops/s", "1.5×", "one fork"));
    }

    @Test
    void scoresAreThereWithoutAComparison() {
        List<BenchmarkRow> rows =
                List.of(row("time", "avgt", "ns/op", Map.of("p", "1"), List.of(List.of(2.0)), Map.of()));
        Document page = render(MarkdownSummary.of(DemoInput.of(rows)));
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
            rows.add(row("vector", "thrpt", "ops/s", params, List.of(List.of(2.0)), Map.of()));
            rows.add(row("scalar", "thrpt", "ops/s", params, List.of(List.of(1.0)), Map.of()));
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

    private static BenchmarkRow row(
            String method,
            String mode,
            String unit,
            Map<String, String> params,
            List<List<Double>> samples,
            Map<String, BenchmarkRow.Metric> secondary) {
        return DemoInput.row(
                "org.lemmata.ABenchmark." + method, mode, unit, DemoInput.mean(samples), params, samples, secondary);
    }

    private static ReportInput of(BenchmarkRow... rows) {
        return DemoInput.of(List.of(rows));
    }
}
