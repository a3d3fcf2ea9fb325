package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lemmata.report.plot.Marks;
import org.lemmata.report.plot.Panel;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.JmhResults;

class RooflineTest {

    /** The peak of the fixture's machine in its best iteration on one thread. */
    private static final double PEAK = 118;

    private static final double BANDWIDTH = 23.5;

    private static List<BenchmarkRow> rows = List.of();
    private static Document page = new Document("");

    @BeforeAll
    static void read() throws Exception {
        rows = JmhResults.read(DemoInput.resource("roofline.json"));
        page = Jsoup.parse(Report.html(DemoInput.read(null, DemoInput.resource("roofline.json"))));
    }

    private static BenchmarkRow row(String benchmark, String method, String param) {
        return rows.stream()
                .filter(row -> row.simpleClass().equals(benchmark)
                        && row.method().equals(method)
                        && row.params().containsValue(param))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theRoofIsTheLesserOfPeakAndIntensityTimesBandwidth() {
        var roof = new Roofline.Roof(PEAK, BANDWIDTH);
        assertThat(roof.at(1)).isEqualTo(BANDWIDTH);
        assertThat(roof.at(100)).isEqualTo(PEAK);
        assertThat(roof.at(roof.ridge())).isCloseTo(PEAK, Offset.offset(1e-9));
    }

    @Test
    void aShareIsOfTheBestIterationsOfTheMachineAtTheRowsThreads() {
        Roofline roofline = new Roofline(rows);
        // 101 GF/s and 2.4 GB/s: 42 FLOPs per byte, beyond the ridge.
        assertThat(roofline.share(row("MatMulBenchmark", "vector", "256x256x256"))
                        .orElseThrow())
                .isCloseTo(101 / PEAK, Offset.offset(1e-9));
        // 43 GF/s and 11 GB/s: 3.9 FLOPs per byte, on the slope.
        assertThat(roofline.share(row("MatMulBenchmark", "vector", "65536x16x16"))
                        .orElseThrow())
                .isCloseTo(11 / BANDWIDTH, Offset.offset(1e-9));
        BenchmarkRow two = rows.stream()
                .filter(row -> row.method().equals("vector")
                        && "2".equals(row.params().get("threads"))
                        && "256x256x256".equals(row.params().get("size")))
                .findFirst()
                .orElseThrow();
        assertThat(roofline.share(two).orElseThrow()).isCloseTo(1.9 * 101 / 236, Offset.offset(1e-9));
        // A row without the parameter ran on one thread; in a cache it exceeds the slope.
        assertThat(roofline.share(row("FeedForwardBenchmark", "vector", "64")).orElseThrow())
                .isCloseTo(64 / BANDWIDTH, Offset.offset(1e-9));
    }

    @Test
    void rowsThatDoNotCountTheirWorkAsRatesAndTheMachinesOwnHaveNone() {
        Roofline roofline = new Roofline(rows);
        assertThat(roofline.share(row("AttentionBenchmark", "vector", "256"))).isEmpty();
        assertThat(roofline.share(row("ExpBenchmark", "vector", "4096"))).isEmpty();
        assertThat(roofline.share(row("MachineBenchmark", "triad", "1"))).isEmpty();
    }

    @Test
    void withoutTheMachineThereIsNoRoof() {
        List<BenchmarkRow> kernels = rows.stream()
                .filter(row -> !row.simpleClass().equals("MachineBenchmark"))
                .toList();
        assertThat(new Roofline(kernels).group()).isEmpty();
        assertThat(new Roofline(kernels).share(kernels.getFirst())).isEmpty();
    }

    @Test
    void thePageShowsAPictureForEachNumberOfThreads() {
        Element figure = page.expectFirst("#overview figure.pair");
        Element others = page.expectFirst("#benchmarks figure.pair");
        assertThat(figure.select(".panel-title").eachText()).containsExactly("1 thread: 23.5 GB/s, 118 GF/s");
        assertThat(others.select(".panel-title").eachText()).containsExactly("2 threads: 25 GB/s, 236 GF/s");
        assertThat(figure.select(".plot svg").getFirst().select("text").eachText())
                .contains("FLOPs per byte", "GF/s", "0.1", "1", "1000");
        assertThat(figure.select(".legend li").eachText()).contains("MatMul", "Softmax", "FeedForward");
        assertThat(others.expectFirst(".plot svg").select(".targets title").eachText())
                .hasSize(2)
                .anyMatch(text -> text.startsWith("MatMul"))
                .noneMatch(text -> text.startsWith("Softmax"));
        // The SIMD rows with a roof: five on one thread, two on two threads.
        assertThat(figure.select(".data tbody tr")).hasSize(7);
        assertThat(figure.select(".data tbody tr").getFirst().children().eachText())
                .containsExactly("MatMul vector, 256x256x256", "1", "42.1", "101", "118", "85.6%");
    }

    @Test
    void tablesOfKernelsHaveTheShareAndOthersDoNot() {
        Element matMul = section("MatMulBenchmark");
        assertThat(matMul.select("thead th").getLast().text()).isEqualTo("Share of roof");
        assertThat(matMul.select("tbody tr").get(1).children().getLast().text()).isEqualTo("85.6%");
        assertThat(section("AttentionBenchmark").select("thead th").eachText()).doesNotContain("Share of roof");
        assertThat(section("MachineBenchmark").select("thead th").eachText()).doesNotContain("Share of roof");
    }

    private static Element section(String name) {
        return page.select(".benchmark").stream()
                .filter(section -> section.expectFirst("summary").text().startsWith(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void pointsLieWhereTheirNumbersSay() {
        List<String> operations = List.of("A", "B");
        var roof = new Roofline.Roof(100, 10);
        // A point on the ridge, and two at a tenth of its intensity, one and two decades lower.
        List<Roofline.Point> points = List.of(
                new Roofline.Point("", "A", 10, 100),
                new Roofline.Point("", "A", 1, 10),
                new Roofline.Point("", "A", 1, 1));
        Element svg = Jsoup.parse(
                        Roofline.svg("t", roof, points, operations, frame(roof, points)), "", Parser.xmlParser())
                .child(0);
        List<List<Double>> discs = Marks.of(svg, 1);
        assertThat(discs).hasSize(3);
        double decade = discs.get(0).getFirst() - discs.get(1).getFirst();
        assertThat(decade).isPositive();
        assertThat(discs.get(1).getFirst()).isEqualTo(discs.get(2).getFirst());
        assertThat(discs.get(1).getLast() - discs.get(0).getLast())
                .isCloseTo(discs.get(2).getLast() - discs.get(1).getLast(), Offset.offset(0.11));
        // The first point is on the ridge of the roof.
        assertThat(svg.select("path[style*=--ink]").eachAttr("d"))
                .anySatisfy(d -> assertThat(d)
                        .contains("L"
                                + Panel.place(
                                        discs.getFirst().getFirst(),
                                        discs.getFirst().getLast())));
        assertThat(svg.attr("aria-label")).isEqualTo("Roofline, t; rows below it: 3, of A.");
    }

    @Test
    void theFrameHoldsRoofsAndPointsInWholeDecades() {
        var roof = new Roofline.Roof(118, 23.5);
        // The ridge is at 5 FLOPs per byte; at 0.1 the roof is 2.35 GF/s.
        assertThat(frame(roof, List.of(new Roofline.Point("", "A", 0.2, 3))))
                .isEqualTo(new Roofline.Frame(-1, 1, 0, 3));
        assertThat(frame(roof, List.of(new Roofline.Point("", "A", 42, 0.2))))
                .isEqualTo(new Roofline.Frame(0, 2, -1, 3));
    }

    private static Roofline.Frame frame(Roofline.Roof roof, List<Roofline.Point> points) {
        return Roofline.Frame.around(List.of(roof), points);
    }

    @Test
    void twelveOperationsDifferByColourOrMarker() {
        List<String> operations = IntStream.range(0, 12).mapToObj(i -> "op" + i).toList();
        List<Roofline.Point> points = operations.stream()
                .map(name -> new Roofline.Point("", name, 1, 1))
                .toList();
        var roof = new Roofline.Roof(100, 10);
        Element svg = Jsoup.parse(
                        Roofline.svg("t", roof, points, operations, frame(roof, points)), "", Parser.xmlParser())
                .child(0);
        assertThat(svg.select("path[style^=fill:]").stream()
                        .map(mark -> mark.attr("style") + mark.attr("d").replaceFirst("M[^a-z]*", ""))
                        .distinct())
                .hasSize(12);
        assertThat(svg.select("[id], style")).isEmpty();
        assertThat(svg.select(".targets circle")).hasSize(12);
    }
}
