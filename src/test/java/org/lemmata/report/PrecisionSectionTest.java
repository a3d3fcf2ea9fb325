package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.JmhResults;

class PrecisionSectionTest {

    private static List<BenchmarkRow> rows = List.of();
    private static Element section = new Element("section");

    @BeforeAll
    static void read() throws Exception {
        rows = JmhResults.read(DemoInput.resource("precision.json"));
        section = section(rows);
    }

    private static Element section(List<BenchmarkRow> rows) throws Exception {
        Document page = Jsoup.parse(Report.html(DemoInput.of(null, new ReportInput.Benchmarks("j.json", rows, null))));
        assertThat(page.select("details.part[id=precision]")).hasSize(1);
        return page.expectFirst("#precision");
    }

    private static List<BenchmarkRow> rows(Predicate<Map<String, String>> kept) {
        return rows.stream().filter(row -> kept.test(row.params())).toList();
    }

    private static Element figure(Element section, String title, String method) {
        return section.select("figure").stream()
                .filter(figure -> figure.expectFirst("strong").text().equals(title)
                        && figure.expectFirst("figcaption span").text().contains("." + method + ","))
                .findFirst()
                .orElseThrow();
    }

    private static List<List<String>> cells(Element figure) {
        return figure.select(".data tbody tr").stream()
                .map(row -> row.children().eachText())
                .toList();
    }

    @Test
    void drawsSpeedAndErrorAgainstLengthALineAFormat() {
        Element figure = figure(section, "Attention by number format", "forward");
        assertThat(figure.select(".panel-title").eachText())
                .containsExactly("Throughput by length", "Mean error by length");
        for (Element svg : figure.select(".plot svg")) {
            assertThat(svg.select("text").eachText()).contains("length");
        }
        assertThat(figure.select(".legend li").eachText())
                .contains("unrounded", "bfloat16", "ocp_e4m3", "bfloat16 Stochastic")
                .doesNotContain("bfloat16, scores");
        assertThat(figure.expectFirst(".plot svg").select("text").eachText()).contains("million tokens per second");
    }

    @Test
    void givesEveryRowItsSlowDownAtTheSameLength() {
        Element figure = figure(section, "Attention by number format", "forward");
        assertThat(figure.select("thead th").eachText())
                .containsExactly(
                        ("number format; length; tokens per second; times unrounded; maximum error; mean error; "
                                        + "maximum, ulps; mean, ulps; changed argmax")
                                .split("; ", -1));
        assertThat(cells(figure))
                .hasSize(7)
                .contains(List.of(
                        "unrounded, 64, 2\u202f560\u202f000, 1, 1 × 10⁻⁷, 1 × 10⁻⁸, not measured, not measured, 0"
                                .split(", ", -1)))
                .anySatisfy(row ->
                        assertThat(row).startsWith("bfloat16", "64").element(3).isEqualTo("1.25"))
                .anySatisfy(row -> assertThat(row)
                        .startsWith("ocp_e4m3", "1024")
                        .element(3)
                        .isEqualTo("1.56"))
                .anySatisfy(row -> assertThat(row)
                        .startsWith("bfloat16 Stochastic")
                        .element(3)
                        .isEqualTo("2"));
    }

    @Test
    void drawsEachSiteAloneWithItsOwnError() {
        Element figure = figure(section, "Rounding one site at a time", "forward");
        assertThat(figure.select(".panel-title").eachText())
                .containsExactly(
                        "Throughput of single sites: bfloat16, length 1024",
                        "Mean error of single sites: bfloat16, length 1024");
        String label = figure.select(".plot svg").getLast().attr("aria-label");
        assertThat(label).contains("scores 3 × 10⁻⁴; exponentials 5 × 10⁻⁵; sums 9 × 10⁻⁴; outputs 1 × 10⁻⁴");
        assertThat(cells(figure))
                .extracting(List::getFirst)
                .containsExactly("bfloat16, scores", "bfloat16, exponentials", "bfloat16, sums", "bfloat16, outputs");
        assertThat(cells(figure)).extracting(row -> row.get(3)).startsWith("1.07", "1.14");
    }

    @Test
    void keepsMethodsApartAndDrawsBarsForOneLength() {
        Element figure = figure(section, "Attention by number format", "forwardBackward");
        assertThat(figure.select(".panel-title").eachText())
                .containsExactly("Throughput by number format", "Maximum error by number format");
        assertThat(cells(figure)).extracting(row -> row.get(3)).containsExactly("1", "2");
    }

    /** In modes other than throughput, JMH divides counters by operations, not by time. */
    @Test
    void countersOfOtherModesAreNoRates(@TempDir Path directory) throws Exception {
        String times = Files.readString(DemoInput.resource("precision.json"))
                .replace("\"thrpt\"", "\"avgt\"")
                .replace("\"ops/s\"", "\"s/op\"");
        Path file = Files.writeString(directory.resolve("times.json"), times);
        assertThat(section(JmhResults.read(file)).text())
                .doesNotContain("tokens per second")
                .contains("s/op");
    }

    @Test
    void saysWhatIsMissing() throws Exception {
        Element withoutPeer = section(rows(params -> !"none".equals(params.get("format"))));
        assertThat(cells(withoutPeer.expectFirst("figure")))
                .extracting(row -> row.get(3))
                .containsOnly("not measured");
        Element none = section(List.of());
        assertThat(none.select("figure")).isEmpty();
        assertThat(none.select(".absent").eachText())
                .containsExactly("Attention under rounding was not measured in this file;"
                        + " mvn -P jmh verify -DskipTests -Djmh.include=RoundedAttentionBenchmark measures it.");
    }

    @Test
    void theUnroundedKernelIsOneRowWhateverSiteStandsBesideIt() throws Exception {
        var twice = new ArrayList<>(rows);
        for (BenchmarkRow row : rows(params -> "none".equals(params.get("format")))) {
            var params = new LinkedHashMap<>(row.params());
            params.put("site", "scores");
            twice.add(DemoInput.row(
                    row.benchmark(), row.mode(), row.unit(), 2 * row.score(), params, row.samples(), row.secondary()));
        }
        assertThat(section(twice).select("figure").outerHtml())
                .isEqualTo(section.select("figure").outerHtml());
    }

    @Test
    void showsRowsThatHaveTheFormatAlone() throws Exception {
        List<BenchmarkRow> bare = rows(params -> "1024".equals(params.get("length"))).stream()
                .filter(row -> row.method().equals("forwardBackward"))
                .map(row -> DemoInput.row(
                        row.benchmark(),
                        "avgt",
                        "ns/op",
                        row.score(),
                        Map.of("format", row.params().getOrDefault("format", "")),
                        row.samples(),
                        Map.of()))
                .toList();
        Element figure = section(bare).expectFirst("figure");
        assertThat(figure.select(".panel-title").eachText()).containsExactly("Throughput by number format");
        assertThat(figure.select("text").eachText()).contains("ns/op (lower is faster)");
        assertThat(figure.select("thead th").eachText()).containsExactly("number format", "ns/op", "times unrounded");
        assertThat(cells(figure)).extracting(List::getLast).containsExactly("1", "0.5");
    }
}
