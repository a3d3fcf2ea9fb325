package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.lemmata.report.plot.Plot;
import org.lemmata.track.BenchmarkRow;

class LengthSectionTest {

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
}
