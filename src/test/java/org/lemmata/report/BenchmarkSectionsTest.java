package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.JmhResults;

class BenchmarkSectionsTest {

    private static final List<List<Double>> SLOW =
            List.of(List.of(10.0, 11.0), List.of(12.0, 12.5), List.of(9.5, 10.0));
    private static final List<List<Double>> FAST =
            List.of(List.of(41.0, 40.0), List.of(44.0, 45.0), List.of(43.0, 42.0));

    @Test
    void everyRowOnLanesHasItsRatioWithTheIntervalOverForks() {
        List<KernelSection.Row> rows = kernels(
                row("thrpt", "scalarBackward", SLOW),
                row("thrpt", "vectorBackward", FAST),
                row("thrpt", "vector", FAST));
        assertThat(rows).extracting(KernelSection.Row::kernel).containsExactly("MatMul, backward", "MatMul");
        Interval interval =
                RatioBootstrap.unpaired(FAST, SLOW, Center.MEAN_OF_MEDIANS).interval(0.95);
        assertThat(interval.low()).isLessThan(4);
        assertThat(rows.getFirst().ratio().note())
                .isEqualTo("[" + NumberText.ratio(interval.low()) + ", " + NumberText.ratio(interval.high()) + "]");
        assertThat(rows.getFirst().parameters()).isEqualTo("size\u00a064");
        assertThat(rows.getLast().ratio()).as("no reference").isEqualTo(KernelSection.Quantity.NONE);
    }

    @Test
    void timesDivideTheOtherWayRound() {
        KernelSection.Row row = kernels(row("avgt", "scalar", FAST), row("avgt", "vector", SLOW))
                .getFirst();
        assertThat(Double.parseDouble(row.ratio().value())).isGreaterThan(3.5);
        assertThat(row.ratio().note()).startsWith("[3");
    }

    @Test
    void oneForkTellsNoInterval() {
        KernelSection.Row row = kernels(row("thrpt", "scalar", SLOW.subList(0, 1)), row("thrpt", "vector", FAST))
                .getFirst();
        assertThat(row.ratio().note()).isEqualTo("one fork");
    }

    private static List<KernelSection.Row> kernels(BenchmarkRow... rows) {
        return Objects.requireNonNull(
                        KernelSection.of(new ReportInput.Benchmarks("f", List.of(rows), null), Tracking.NONE))
                .rows();
    }

    private static BenchmarkRow row(String mode, String method, List<List<Double>> samples) {
        return DemoInput.row(
                "org.lemmata.kernel.MatMulBenchmark." + method,
                mode,
                mode.equals("thrpt") ? "ops/s" : "ns/op",
                DemoInput.mean(samples),
                Map.of("size", "64"),
                samples,
                Map.of());
    }

    @Test
    void everyVectorRowStandsBesideTheScalarRowOfItsOwnMethod() {
        assertThat(ratios(
                        row("Foo", "scalar", 1, "1"),
                        row("Foo", "scalarBackward", 10, "1"),
                        row("Foo", "vector", 4, "1"),
                        row("Foo", "vectorBackward", 20, "1"),
                        row("Foo", "vectorForwardBackward", 30, "1")))
                .containsExactly("", "", "4×", "2×", "");
    }

    @Test
    void severalThreadsAreComparedWithTheReferenceAtOne() {
        assertThat(ratios(row("Foo", "scalar", 1, "1"), row("Foo", "vector", 4, "1"), row("Foo", "vector", 8, "2")))
                .containsExactly("", "4×", "8×");
    }

    @Test
    void theReferenceAtTheSameParametersComesFirst() {
        assertThat(ratios(row("Foo", "scalar", 1, "1"), row("Foo", "scalar", 2, "2"), row("Foo", "vector", 8, "2")))
                .containsExactly("", "", "4×");
    }

    @Test
    void rowsThatDifferInMoreThanThreadsAreNotCompared() {
        assertThat(ratios(row("Foo", "scalar", 1, "1", "64"), row("Foo", "vector", 4, "2", "128")))
                .containsExactly("", "");
        assertThat(ratios(row("Foo", "scalar", 1, "2"), row("Foo", "vector", 4, "1")))
                .as("a reference on two threads, of which it uses one, is none of one")
                .containsExactly("", "");
        assertThat(ratios(row("Foo", "scalar", 1, "1"), row("Bar", "vector", 4, "1")))
                .containsExactly("", "");
    }

    private static List<String> ratios(BenchmarkRow... rows) {
        return BenchmarkSection.of(new ReportInput.Benchmarks("rows.json", List.of(rows), null), Optional.empty())
                .classes()
                .stream()
                .flatMap(benchmarks -> benchmarks.rows().stream())
                .map(shown ->
                        shown.overScalar() == null ? "" : shown.overScalar().text())
                .toList();
    }

    private static BenchmarkRow row(String benchmark, String method, double score, String threads, String... size) {
        var params = new LinkedHashMap<String, String>();
        Stream.of(size).forEach(value -> params.put("size", value));
        params.put("threads", threads);
        return DemoInput.row(benchmark + "." + method, "thrpt", "ops/s", score, params, List.of(), Map.of());
    }

    @Test
    void aLineAMethodWithTokensASecondAndIntervalsOverForks() {
        var rows = new ArrayList<BenchmarkRow>();
        for (int length : new int[] {128, 32, 64}) {
            rows.add(DemoInput.generation("vectorWithCache", length, 1000.0 / length));
            rows.add(DemoInput.generation("vectorWithoutCache", length, 100.0 / length));
        }
        Plot.Group group = LengthSection.of(rows).getFirst();
        assertThat(group.title()).isEqualTo("GenerationBenchmark by length");
        assertThat(group.caption()).endsWith("bars are 95% intervals over forks.");
        assertThat(group.legend()).extracting(Plot.Key::name).containsExactly("vectorWithCache", "vectorWithoutCache");
        assertThat(group.data().columns()).containsExactly("length", "vectorWithCache", "vectorWithoutCache");
        assertThat(group.data().rows().stream().map(row -> row.getFirst())).containsExactly("32", "64", "128");
        assertThat(Jsoup.parse(group.plots().getFirst().svg()).select("text").eachText())
                .contains("tokens/s", "length", "32", "128");
        String[] cell = group.data().rows().getFirst().get(1).split("[ \\[\\],]+", -1);
        double low = Double.parseDouble(cell[1]);
        double high = Double.parseDouble(cell[2]);
        // Forks average 1, 1.055 and 1.11 times the score. Student's quantile for their logs, at two degrees of
        // freedom, is 4.3027.
        assertThat(low).isCloseTo(1000 * Math.exp(mean() - 4.3027 * deviation()), within(2.0));
        assertThat(high).isCloseTo(1000 * Math.exp(mean() + 4.3027 * deviation()), within(2.0));
    }

    private static double[] logs() {
        return IntStream.range(0, 3)
                .mapToDouble(fork -> Math.log(1 + 0.055 * fork))
                .toArray();
    }

    private static double mean() {
        return (logs()[0] + logs()[1] + logs()[2]) / 3;
    }

    /** The standard error of the mean. */
    private static double deviation() {
        double sum = 0;
        for (double log : logs()) {
            sum += (log - mean()) * (log - mean());
        }
        return Math.sqrt(sum / 2 / 3);
    }

    @Test
    void oneOfSeveralSizesInAParameterIsALength() {
        List<BenchmarkRow> rows = Stream.of("1x8x256x64", "1x8x1024x64", "1x8x4096x64", "16x8x64x64", "1x8x64x32")
                .map(size -> row("attention", "SOFTMAX:" + size))
                .toList();
        assertThat(LengthSection.of(rows)).singleElement().satisfies(group -> {
            assertThat(group.title()).isEqualTo("AttentionBenchmark by n in attention");
            assertThat(group.data().columns()).containsExactly("n in attention", "vector, SOFTMAX:1x8xnx64");
            assertThat(group.data().rows()).hasSize(3);
        });
    }

    @Test
    void twoLengthsOrOtherParametersAreNoCurve() {
        assertThat(LengthSection.of(List.of(row("length", "32"), row("length", "64"))))
                .isEmpty();
        assertThat(LengthSection.of(
                        List.of(row("threads", "1"), row("threads", "2"), row("threads", "4"), row("seed", "8"))))
                .isEmpty();
    }

    @Test
    void aSweepOverLengthsHasItsLossAndItsRatesToo() {
        var rows = new ArrayList<BenchmarkRow>();
        for (int train : new int[] {10, 40}) {
            for (int test : new int[] {40, 160, 640}) {
                rows.add(cell(train, test));
            }
        }
        List<Plot.Group> groups = LengthSection.of(rows);
        assertThat(groups)
                .extracting(Plot.Group::title)
                .containsExactly(
                        "SweepBenchmark by testLength",
                        "SweepBenchmark, testTokensPerSecond by testLength",
                        "SweepBenchmark, testLoss by testLength");
        Plot.Group loss = groups.getLast();
        // The number of steps is constant and therefore in no name.
        assertThat(loss.data().columns())
                .containsExactly("testLength", "vector, trainLength 10", "vector, trainLength 40");
        assertThat(loss.data().rows())
                .containsExactly(List.of("40", "4", "1"), List.of("160", "16", "4"), List.of("640", "64", "16"));
        assertThat(loss.caption()).endsWith("means over forks, without intervals.");
        assertThat(groups.getFirst().caption()).endsWith("one fork: no intervals.");
    }

    private static BenchmarkRow cell(int train, int test) {
        var params = new LinkedHashMap<String, String>();
        params.put("trainLength", Integer.toString(train));
        params.put("testLength", Integer.toString(test));
        params.put("steps", "100");
        var counters = new LinkedHashMap<String, BenchmarkRow.Metric>();
        counters.put("trainTokensPerSecond", new BenchmarkRow.Metric(1e6, Double.NaN, "#", List.of()));
        counters.put("testTokensPerSecond", new BenchmarkRow.Metric(3e6, Double.NaN, "#", List.of()));
        counters.put("testLoss", new BenchmarkRow.Metric((double) test / train, Double.NaN, "#", List.of()));
        return DemoInput.row(
                "org.lemmata.SweepBenchmark.vector", "avgt", "ms/op", 30, params, List.of(List.of(30.0)), counters);
    }

    private static BenchmarkRow row(String parameter, String value) {
        return DemoInput.row(
                "org.lemmata.AttentionBenchmark.vector",
                "thrpt",
                "ops/s",
                10,
                Map.of(parameter, value),
                List.of(List.of(10.0)),
                Map.of());
    }

    private static List<BenchmarkRow> rows = List.of();
    private static Element section = new Element("section");

    @BeforeAll
    static void read() throws Exception {
        rows = JmhResults.read(DemoInput.resource("precision.json"));
        section = section(rows);
    }

    private static Element section(List<BenchmarkRow> rows) throws Exception {
        Document page = Jsoup.parse(Report.html(DemoInput.of(rows)));
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
