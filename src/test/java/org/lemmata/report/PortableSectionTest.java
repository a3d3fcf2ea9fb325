package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lemmata.track.PortableComparison;

class PortableSectionTest {

    private static ReportInput everything = DemoInput.of(null, null);
    private static Element section = new Element("section");

    @BeforeAll
    static void write() throws Exception {
        everything = DemoInput.everything();
        section = section(Objects.requireNonNull(everything.tracking().portable()));
    }

    private static ReportInput with(PortableComparison portable) {
        return new ReportInput(
                null,
                everything.benchmarks(),
                List.of(),
                new Tracking(
                        null,
                        portable,
                        new LinkedHashMap<>(),
                        Map.of(),
                        everything.tracking().profiles()));
    }

    private static Element section(PortableComparison portable) throws Exception {
        Document page = Jsoup.parse(Report.html(with(portable)));
        assertThat(page.select("details.part[id=portable]")).hasSize(1);
        return Objects.requireNonNull(page.getElementById("portable"));
    }

    @Test
    void everyRatioHasItsVerdictItsIntervalAndBothSides() {
        List<List<String>> rows = section.select("tbody tr").stream()
                .map(row -> row.children().eachText())
                .toList();
        assertThat(rows.stream().map(row -> row.getFirst().split(" of ", -1)[0]))
                .containsExactly(
                        "▼ slower flame graph",
                        "? inconclusive takes 12 forks flame graph",
                        "= same",
                        "– not compared flame graph");
        assertThat(rows.getFirst())
                .contains(
                        "AttentionBenchmark.vector over scalar",
                        "headWidth 32, length 128",
                        "0.25× [0.225, 0.275]",
                        "12×",
                        "3×");
        assertThat(section.select("tbody tr").getLast().text())
                .contains("only in the baseline")
                .contains("fma in flops");
        assertThat(section.select("tr.refuted a").eachAttr("href"))
                .containsExactly("../profiles/one/flame.html", "../profiles/one/profile.txt");
        assertThat(section.select(".tally li").eachText())
                .containsExactly("1 ▼ slower", "1 ? inconclusive", "0 ▲ faster", "1 = same", "1 – not compared");
    }

    @Test
    void saysWhichBaselineWhichMarginAndWhatDiffers() {
        assertThat(section.select(".file").text())
                .contains(
                        "jmh-results/portable/simd-512.json",
                        "another model of processor",
                        "98.8% each",
                        "below 0.5.",
                        "above 2.");
        assertThat(section.select(".changes li").eachText()).containsExactly("processor: A in the baseline, B now");
    }

    @Test
    void withoutABaselineItSaysWhy() throws Exception {
        Element refused = section(PortableComparison.refused("portable baseline: expected simd-512.json, got none"));
        assertThat(refused.select(".refused").text())
                .isEqualTo("Not compared: portable baseline: expected simd-512.json, got none");
        assertThat(refused.select("table, .tally, .file")).isEmpty();
    }
}
