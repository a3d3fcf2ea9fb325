package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.lemmata.oracle.Refusals.assertMalformed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Form;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.claim.Verdict;
import org.lemmata.file.MalformedFileException;
import org.lemmata.report.ReportInput.ReportFiles;
import org.lemmata.report.plot.NumberText;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.JmhResults;

class ReportTest {

    private static final String HOSTILE = "</details></style><script>alert(1)</script>&amp;\"'";

    @TempDir
    private static Path directory;

    private static List<ClaimResult> claims = List.of();
    private static List<BenchmarkRow> rows = List.of();
    private static String html = "";
    private static Document page = Document.createShell("");

    @BeforeAll
    static void writePage() throws Exception {
        claims = ClaimResults.read(DemoInput.resource("claims.json"));
        rows = JmhResults.read(DemoInput.resource("jmh.json"));
        Path file = Report.write(
                directory.resolve("report"),
                DemoInput.read(DemoInput.resource("claims.json"), DemoInput.resource("jmh.json")));
        assertThat(file).isEqualTo(directory.resolve("report").resolve("index.html"));
        html = Files.readString(file);
        page = Jsoup.parse(html);
    }

    /** The claims in the default file of the checkout are about other code, so they are omitted. */
    @Test
    void otherPeoplesBenchmarksAreShownWithoutWhatIsOurs() throws Exception {
        Path theirs = directory.resolve("theirs.json");
        Files.writeString(
                theirs, Files.readString(DemoInput.resource("jmh.json")).replace("org.lemmata.", "com.example."));
        ReportInput input = new ReportFiles(null, theirs, List.of(), null, null).read(directory);
        assertThat(input.claims()).isNull();
        assertThat(input.tracking().comparison()).isNull();
        String text = Jsoup.parse(Report.html(input)).text();
        assertThat(text)
                .startsWith("Benchmarks Skip")
                .contains("com.example.kernel.softmax")
                .doesNotContainIgnoringCase("claim")
                .doesNotContainIgnoringCase("lemmata")
                .doesNotContain("paper", "Roofline", "roofline", "Precision", "Length");
        assertThat(MarkdownSummary.of(input)).startsWith("## Benchmarks\n").doesNotContain("laim");
        assertThat(new ReportFiles(DemoInput.resource("claims.json"), theirs, List.of(), null, null)
                        .read(directory)
                        .isForeign())
                .as("claims that are named are shown")
                .isFalse();
    }

    @Test
    void holdsEveryClaimWithItsEvidence() {
        assertThat(claims).hasSize(8);
        for (ClaimResult claim : claims) {
            Element article = Objects.requireNonNull(page.getElementById("claim-" + claim.id()), claim.id());
            assertThat(article.expectFirst("h4").text()).isEqualTo(claim.id());
            assertThat(article.expectFirst(".statement").wholeText())
                    .isEqualTo(claim.said().text());
            assertThat(article.expectFirst(".badge").text())
                    .endsWith(claim.outcome().label());
            assertThat(article.expectFirst(".chip").text())
                    .isEqualTo(claim.said().form().label());
            assertThat(article.expectFirst(".reason p").wholeText())
                    .isEqualTo(claim.verdict().reason());
            assertThat(article.expectFirst(".facts").text())
                    .contains(
                            claim.said().paper(),
                            claim.tested().range(),
                            claim.tested().size(),
                            claim.tested().budget().label());
            assertThat(article.select(".measured tbody tr"))
                    .hasSize(claim.measured().size());
            for (Measurement figure : claim.measured()) {
                assertThat(article.select(".measured th[scope=row]").eachText()).contains(figure.name());
            }
            claim.run()
                    .seeds()
                    .forEach(seed ->
                            assertThat(article.expectFirst(".seeds").text()).contains(seed.toString()));
            assertThat(page.select(".multiple .sentence a[href=#claim-" + claim.id() + "]"))
                    .hasSize(claim.figures().size());
            assertThat(page.select(".matrix .cell[href=#claim-" + claim.id() + "]"))
                    .singleElement()
                    .satisfies(cell -> assertThat(cell.text())
                            .contains(claim.id(), claim.outcome().label()));
            assertThat(page.select(".ledger a[href=#claim-" + claim.id() + "]")).hasSize(1);
        }
    }

    @Test
    void writesMeasuredBesideThePapersBoundWithItsRelation() {
        Element claim = Objects.requireNonNull(page.getElementById("claim-depth.theorem-3.1.loss.printed"));
        List<String> cells =
                claim.select(".measured tbody tr").get(1).children().eachText();
        assertThat(cells).containsExactly("loss, seed 7", "6 × 10⁻⁹ nats", "≤ 3.4 × 10⁻¹⁰", "exact", "1");
        Element training = Objects.requireNonNull(page.getElementById("claim-length.figure-3.generalization"));
        assertThat(training.select(".measured tbody tr").get(1).children().eachText())
                .containsExactly("training loss, Δ = 4, seed 3", "NaN nats", "none", "none", "1");
    }

    @Test
    void countsVerdictsAndFlagsTheChanged() {
        assertThat(page.select(".tally li").eachText())
                .containsExactly(
                        "4 ✓ Supported", "3 ✕ Refuted", "1 ? Inconclusive", "0 – Not learned", "0 ○ Not tested");
        assertThat(page.expectFirst(".change").text()).startsWith("2 of 8 verdicts are not the pinned one.");
        assertThat(page.select(".ledger .flag").eachText()).containsExactly("Supported pinned", "Supported pinned");
    }

    @Test
    void holdsEveryBenchmarkRow() {
        assertThat(rows).hasSize(14);
        assertThat(page.select(".benchmark tbody tr")).hasSize(rows.size());
        for (BenchmarkRow row : rows) {
            String score = NumberText.withError(row.score(), row.error());
            Element found = page.select(".benchmark").stream()
                    .filter(section -> section.expectFirst("summary").text().startsWith(row.simpleClass()))
                    .flatMap(section -> section.select("tbody tr").stream())
                    .filter(candidate -> candidate
                                    .children()
                                    .eachText()
                                    .containsAll(row.params().values())
                            && candidate.expectFirst("th").text().equals(row.method())
                            && candidate.expectFirst("strong").text().equals(score))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no row for " + row));
            assertThat(found.children().eachText()).contains(row.mode(), row.unit());
        }
    }

    @Test
    void comparesVectorWithScalarInTheDirectionOfTheMode() {
        Element softmax = page.select(".benchmark").getLast();
        BenchmarkRow scalar = row("SoftmaxBenchmark", "scalar", "1024");
        BenchmarkRow vector = row("SoftmaxBenchmark", "vector", "1024");
        assertThat(vector.score()).as("nanoseconds: less is faster").isLessThan(scalar.score());
        assertThat(softmax.select("tbody tr").getLast().select("td").getLast().text())
                .startsWith(OverScalar.of(scalar, vector).text() + " [");
        assertThat(OverScalar.of(scalar, vector).ratio())
                .isCloseTo(scalar.score() / vector.score(), withinPercentage(15));
        assertThat(softmax.select("tbody tr").get(2).select("td").getLast().text())
                .isEmpty();
    }

    @Test
    void drawsAttentionByNumberFormatWithTheErrorBeside() {
        Element figure = page.expectFirst("#precision figure.pair");
        assertThat(figure.select(".panel")).hasSize(2);
        assertThat(figure.select(".plot svg").get(0).select("text").eachText())
                .contains("unrounded", "binary16", "bfloat16", "ocp_e4m3", "million tokens per second");
        assertThat(figure.select(".data tbody tr")).hasSize(6);
        assertThat(figure.select(".data tbody tr").get(2).children().eachText().getLast())
                .as("JMH's sum of an event counter over six iterations, of which each reported its share")
                .isEqualTo("0.02209");
    }

    @Test
    void everyPlotHasALabelAndItsNumbers() {
        assertThat(page.select(".plot svg")).isNotEmpty().allSatisfy(svg -> {
            assertThat(svg.attr("role")).isEqualTo("img");
            assertThat(svg.attr("aria-label")).isNotBlank();
            assertThat(Objects.requireNonNull(svg.closest("figure")).select("details.data tbody tr"))
                    .isNotEmpty();
        });
    }

    @Test
    void loadsNothing() {
        assertThat(page.select("script[src], link[rel=stylesheet], img, iframe, object, embed, base, image, use"))
                .isEmpty();
        assertThat(page.select("[src], [srcset], [xlink:href], [action], [onload], [onclick]"))
                .isEmpty();
        assertThat(page.select("[href]").eachAttr("href"))
                .allMatch(href -> href.startsWith("#") || href.equals("data:,"));
        assertThat(page.select("meta[http-equiv=Content-Security-Policy]").attr("content"))
                .startsWith("default-src 'none';");
        assertThat(page.select("style"))
                .hasSize(1)
                .allSatisfy(style -> assertThat(style.data()).doesNotContain("url(", "@import", "http"));
        assertThat(html.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", ""))
                .doesNotContain("http:", "https:");
    }

    @Test
    void isValidAndReachable() {
        Parser parser = Parser.htmlParser().setTrackErrors(20);
        Jsoup.parse(html, "", parser);
        assertThat(parser.getErrors()).isEmpty();
        var ids = new HashSet<String>();
        page.select("[id]")
                .forEach(element ->
                        assertThat(ids.add(element.id())).as(element.id()).isTrue());
        page.select("[href^=#]")
                .forEach(link -> assertThat(ids).contains(link.attr("href").substring(1)));
        page.select("[aria-labelledby]").forEach(element -> assertThat(ids).contains(element.attr("aria-labelledby")));
        assertThat(page.select(".scroll")).isNotEmpty().allSatisfy(region -> {
            assertThat(region.attr("tabindex")).isEqualTo("0");
            assertThat(region.attr("aria-label")).isNotBlank();
        });
        assertThat(page.expectFirst("html").attr("lang")).isEqualTo("en");
        assertThat(page.select("h1")).hasSize(1);
        assertThat(page.select("table"))
                .allSatisfy(table -> table.select("tbody tr:not(.group)")
                        .forEach(row -> assertThat(row.children()).hasSameSizeAs(table.select("thead th"))));
    }

    @Test
    void saysWhatRanWhere() {
        Element runs = page.expectFirst(".runs");
        assertThat(runs.select("thead th").eachText()).containsExactly("Property", "Claims", "Benchmarks");
        Map<String, List<String>> values = runs.select("tbody tr").stream()
                .collect(Collectors.toMap(
                        row -> row.child(0).text(), row -> row.select("td").eachText()));
        assertThat(values.get("simd")).containsExactly("256 bits; 512 bits", "256 bits");
        assertThat(Objects.requireNonNull(values.get("commit")).getLast()).endsWith("-dirty");
    }

    @Test
    void hostileTextStaysText() throws Exception {
        ClaimResult hostile = new ClaimResult(
                new ClaimResult.Said("depth." + HOSTILE, HOSTILE, HOSTILE, Form.PRINTED, HOSTILE, HOSTILE),
                new ClaimResult.Tested(
                        HOSTILE, HOSTILE, Budget.QUICK, HOSTILE, new TreeMap<>(Map.of(HOSTILE, HOSTILE))),
                new Verdict(Outcome.REFUTED, HOSTILE),
                Outcome.SUPPORTED,
                List.of(new TrivialAnswer(HOSTILE, 1)),
                List.of(new Measurement(
                        HOSTILE, 1, HOSTILE, new Interval(0, 2), 1, new Reference(Relation.AT_MOST, 1))),
                new ClaimResult.Run(List.of(), 1, Map.of(HOSTILE, HOSTILE)),
                List.of(new Figure(
                        HOSTILE,
                        HOSTILE,
                        HOSTILE,
                        HOSTILE,
                        List.of(
                                new Figure.Series(HOSTILE, List.of(0.0, 1.0), List.of(0.0, 1.0)),
                                new Figure.Series("b", List.of(0.0, 0.0), List.of(0.0, 1.0))))));
        var params = new LinkedHashMap<String, String>(Map.of("format", HOSTILE, HOSTILE, HOSTILE));
        BenchmarkRow row = DemoInput.row(
                "a." + HOSTILE + ".RoundedAttentionBenchmark." + HOSTILE,
                HOSTILE,
                HOSTILE,
                1,
                params,
                List.of(),
                Map.of(HOSTILE, new BenchmarkRow.Metric(1, 1, HOSTILE, List.of())));
        String text = Report.html(DemoInput.of(
                new ReportInput.Claims(HOSTILE, List.of(hostile, hostile)),
                new ReportInput.Benchmarks(HOSTILE, List.of(row), null)));
        Document document = Jsoup.parse(text);
        assertThat(document.select("script"))
                .hasSize(1)
                .allSatisfy(script -> assertThat(script.data()).doesNotContain("alert"));
        assertThat(document.select("style")).hasSize(1);
        assertThat(document.expectFirst(".reason p").wholeText()).isEqualTo(HOSTILE);
        assertThat(document.select("article.claim")).hasSize(2);
        assertThat(document.select(".benchmark tbody tr")).hasSize(1);
    }

    @Test
    void saysPlainlyWhatIsMissing() throws Exception {
        Document none = Jsoup.parse(Report.html(DemoInput.of(null, null)));
        assertThat(none.select(".absent").eachText())
                .hasSize(4)
                .anySatisfy(text -> assertThat(text).startsWith("No roofline:"))
                .anySatisfy(text -> assertThat(text).startsWith("No claims:").contains(ReportInput.CLAIMS.toString()))
                .anySatisfy(
                        text -> assertThat(text).startsWith("No benchmarks:").contains("mvn -P jmh verify"))
                .anySatisfy(text -> assertThat(text).startsWith("No run record"));
        Document empty = Jsoup.parse(Report.html(DemoInput.of(
                new ReportInput.Claims("c.json", List.of()), new ReportInput.Benchmarks("j.json", List.of(), null))));
        assertThat(empty.select(".absent").eachText())
                .contains("The file c.json has no claims.")
                .contains("The file j.json has no benchmarks: JMH ran none, or all failed.");
        assertThat(empty.select("table")).isEmpty();
    }

    @Test
    void aNamedFileThatIsMissingOrMalformedIsAnErrorAndNoPage() throws Exception {
        Path out = directory.resolve("none");
        Path missing = directory.resolve("missing.json");
        assertMalformed(
                () -> Report.write(out, DemoInput.read(missing, null)),
                missing + ": no such file; expected the results of claims (verify --json)");
        Path torn = Files.writeString(directory.resolve("torn.json"), "[{\"benchmark\": ");
        assertThatThrownBy(() -> Report.write(out, DemoInput.read(DemoInput.resource("claims.json"), torn)))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("torn.json: line 1, column ");
        assertThat(out).doesNotExist();
    }

    private static BenchmarkRow row(String benchmark, String method, String size) {
        return rows.stream()
                .filter(row -> row.simpleClass().equals(benchmark)
                        && row.method().equals(method)
                        && row.params().containsValue(size))
                .findFirst()
                .orElseThrow();
    }
}
