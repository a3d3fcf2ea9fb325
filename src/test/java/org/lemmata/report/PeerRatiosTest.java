package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.report.plot.Marks;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.JmhResults;

/**
 * peers.json is written by hand. Means of forks on one thread: at 64³, ours 400 and 400, OpenBLAS 200 and 200, MKL 100;
 * at 256³, ours 90 and 110, OpenBLAS 200 and 200. MKL was measured at 128³ without ours, and not at 256³.
 */
class PeerRatiosTest {

    private static List<BenchmarkRow> rows = List.of();
    private static List<PeerRatios> ratios = List.of();

    @BeforeAll
    static void read() throws Exception {
        rows = JmhResults.read(DemoInput.resource("peers.json"));
        ratios = PeerRatios.of(rows);
    }

    @Test
    void comparesRowsThatDifferInTheLibraryAlone() {
        assertThat(ratios)
                .extracting(PeerRatios::title)
                .containsExactly(
                        "MatMulPeerBenchmark.multiply, threads 1",
                        "MatMulPeerBenchmark.multiply, threads 2",
                        "AdamWPeerBenchmark.step");
        PeerRatios oneThread = ratios.getFirst();
        assertThat(oneThread.peers()).containsExactly("openblas", "mkl");
        assertThat(oneThread.lines())
                .extracting(PeerRatios.Line::size)
                .as("without ours, no line")
                .containsExactly("64x64x64", "256x256x256");
        assertThat(oneThread.lines().getFirst().byPeer())
                .containsEntry("openblas", new PeerRatios.Speedup(2, 2, 2, true))
                .containsEntry("mkl", new PeerRatios.Speedup(4, 4, 4, true));
        assertThat(oneThread.lines().getFirst().ours()).isEqualTo(200.5);
        assertThat(oneThread.lines().getLast().byPeer())
                .containsOnlyKeys("openblas")
                .containsEntry("openblas", new PeerRatios.Speedup(0.5, 0.45, 0.55, true));
        assertThat(ratios.get(1).lines().getFirst().byPeer().get("openblas"))
                .isEqualTo(new PeerRatios.Speedup(0.5, 0.5, 0.5, false));
    }

    @Test
    void timesDivideTheOtherWayRound() {
        PeerRatios.Line line = ratios.getLast().lines().getFirst();
        PeerRatios.Speedup speedup = Objects.requireNonNull(line.byPeer().get("pytorch"));
        assertThat(speedup).isEqualTo(new PeerRatios.Speedup(2.5, 8.0 / 5, 12.0 / 3, true));
        assertThat(line.size()).isEqualTo("parameters 10000000, weightDecay 0.1");
        assertThat(line.ours() + line.unit()).isEqualTo("4.0ms/op");
        assertThat(ratios.getLast().linesAndMean())
                .as("one size is its own mean")
                .hasSize(1);
    }

    @Test
    void countersOfOtherModesAreNoRates(@TempDir Path directory) throws Exception {
        String times = Files.readString(DemoInput.resource("peers.json")).replace("\"ops/s\"", "\"us/op\"");
        Path file = Files.writeString(directory.resolve("times.json"), times);
        assertThat(PeerRatios.of(JmhResults.read(file))
                        .getFirst()
                        .lines()
                        .getFirst()
                        .unit())
                .isEqualTo("us/op");
    }

    @Test
    void theMeanIsGeometricOverTheSizesThatAPeerHas() {
        PeerRatios.Line mean = ratios.getFirst().linesAndMean().getLast();
        assertThat(mean.size()).isEqualTo("geometric mean");
        PeerRatios.Speedup openBlas = Objects.requireNonNull(mean.byPeer().get("openblas"));
        assertThat(openBlas.ratio()).isCloseTo(1, within(1e-12));
        assertThat(openBlas.low()).isCloseTo(Math.sqrt(0.9), within(1e-12));
        assertThat(openBlas.high()).isCloseTo(Math.sqrt(1.1), within(1e-12));
        assertThat(Objects.requireNonNull(mean.byPeer().get("mkl")).ratio()).isCloseTo(4, within(1e-12));
    }

    @Test
    void aTerminalGetsTheSameRatiosInAscii() {
        String text = PeerRatios.text(rows);
        assertThat(text).matches("\\p{ASCII}*");
        assertThat(text.lines().filter(line -> line.startsWith("  64x64x64")).toList())
                .hasSize(2)
                .first()
                .asString()
                .containsSubsequence("201 GF/s", "2.00 (2.00 to 2.00)", "4.00 (4.00 to 4.00)");
        assertThat(text)
                .containsPattern("256x256x256 +210 GF/s +0.500 \\(0.450 to 0.550\\) +-\n")
                .containsPattern("weightDecay 0.1 .*4.00 ms/op +2.50 \\(1.60 to 4.00\\)\n")
                .contains("0.500 (one fork)");
        assertThat(text.lines().filter(line -> line.startsWith("  geometric mean")))
                .hasSize(1);
        assertThat(PeerRatios.text(List.of())).isEmpty();
        assertThat(PeerRatios.text(rows.subList(10, 12)))
                .as("a peer without us, and us without a peer")
                .isEmpty();
    }

    @Test
    void thePageHasATableAndAPlotForEachComparison() throws Exception {
        Document page = page(rows);
        assertThat(page.select("#peers h3").eachText())
                .containsExactlyElementsOf(
                        ratios.stream().map(PeerRatios::title).toList());
        assertThat(page.select("details.part[id=peers]")).hasSize(1);
        Element first = page.expectFirst("section.peer");
        assertThat(first.select("thead th").eachText())
                .containsExactly("Size", "Ours", "Against openblas", "Against mkl");
        assertThat(first.select("tbody tr").get(1).children().eachText())
                .containsExactly("256x256x256", "210 GF/s", "0.5× 0.45–0.55");
        assertThat(first.select("tbody tr").getLast().children().eachText())
                .containsExactly("geometric mean", "1× 0.949–1.05", "4× 4–4");
        assertThat(page.select("#peers table"))
                .hasSize(3)
                .allSatisfy(table -> table.select("tbody tr")
                        .forEach(row -> assertThat(row.children()).hasSameSizeAs(table.select("thead th"))));
        Element svg = first.expectFirst(".plot svg");
        assertThat(svg.attr("aria-label"))
                .isEqualTo("MatMulPeerBenchmark.multiply, threads 1. Times as fast as: 64x64x64 2 times openblas;"
                        + " 64x64x64 4 times mkl; 256x256x256 0.5 times openblas; geometric mean 1 times openblas;"
                        + " geometric mean 4 times mkl.");
        assertThat(svg.select("text").eachText())
                .contains("64x64x64", "256x256x256", "geometric mean", "0.5×", "1×", "2×", "4×");
        assertThat(Marks.of(svg, 1)).as("three sizes of openblas").hasSize(3);
        assertThat(svg.select(".targets title").eachText())
                .hasSize(5)
                .contains("256x256x256 0.5 times openblas, 0.45–0.55");
    }

    @Test
    void withoutPeersThePageHasNoSuchSection() throws Exception {
        Document page = page(rows.subList(11, 12));
        assertThat(page.select("#peers, [href=#peers], .peer")).isEmpty();
        assertThat(page.select("#benchmarks tbody tr")).hasSize(1);
    }

    @Test
    void hostileNamesStayText() throws Exception {
        String hostile = "</p></style><script>alert(1)</script>&amp;\"'";
        Document page = page(List.of(row("lemmata", hostile), row(hostile, hostile)));
        assertThat(page.select("script")).hasSize(1);
        assertThat(page.select("#peers h3").eachText()).hasSize(1);
        assertThat(page.expectFirst("#peers tbody th").wholeText()).isEqualTo(hostile);
    }

    private static BenchmarkRow row(String library, String hostile) {
        var params = new LinkedHashMap<String, String>();
        params.put("library", library);
        params.put(hostile, hostile);
        return DemoInput.row("a." + hostile + "." + hostile, "thrpt", hostile, 1, params, List.of(), Map.of());
    }

    private static Document page(List<BenchmarkRow> rows) throws Exception {
        String html = Report.html(DemoInput.of(rows));
        Parser parser = Parser.htmlParser().setTrackErrors(20);
        Jsoup.parse(html, "", parser);
        assertThat(parser.getErrors()).isEmpty();
        return Jsoup.parse(html);
    }
}
