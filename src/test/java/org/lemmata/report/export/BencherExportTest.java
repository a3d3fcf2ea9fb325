package org.lemmata.report.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lemmata.report.DemoInput;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.JmhResults;

/** Checks the export with Gson, another JSON library. */
class BencherExportTest {

    private static final List<List<Double>> FORKS = List.of(List.of(1.0, 3.0), List.of(4.0, 4.0));

    private static JsonObject export(BenchmarkRow... rows) {
        return JsonParser.parseString(BencherExport.of(ExportInput.of(rows))).getAsJsonObject();
    }

    private static double value(JsonObject measures, String measure, String value) {
        return measures.getAsJsonObject(measure).get(value).getAsDouble();
    }

    @Test
    void timesAreNanosecondsAndRatesOperationsASecond() {
        JsonObject root = export(
                ExportInput.row("time", "avgt", "us/op", Map.of(), FORKS, Map.of()),
                ExportInput.row("shot", "ss", "s/op", Map.of(), FORKS, Map.of()),
                ExportInput.row("rate", "thrpt", "ops/ms", Map.of("b", "2", "a", "1"), FORKS, Map.of()));
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
        JsonObject measures = export(ExportInput.row("rate", "thrpt", "ops/s", Map.of(), FORKS, secondary))
                .getAsJsonObject("org.lemmata.ABenchmark.rate (thrpt)");
        assertThat(measures.keySet())
                .containsExactly(
                        "throughput",
                        "gigaflops",
                        "max-error-ulps",
                        "gc-count",
                        "throughput-2",
                        "pause",
                        "allocations");
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
                ExportInput.row(
                        "m", "thrpt", "ops/s", Map.of(ExportInput.HOSTILE, ExportInput.HOSTILE), FORKS, Map.of()),
                ExportInput.row("m", "thrpt", "ops/s", Map.of("p", "x".repeat(2000) + "1"), FORKS, Map.of()),
                ExportInput.row("m", "thrpt", "ops/s", Map.of("p", "x".repeat(2000) + "2"), FORKS, Map.of()));
        assertThat(root.keySet())
                .hasSize(3)
                .contains("org.lemmata.ABenchmark.m " + ExportInput.HOSTILE + "=" + ExportInput.HOSTILE + " (thrpt)")
                .allSatisfy(name -> assertThat(name).hasSizeLessThanOrEqualTo(1024));
    }

    @Test
    void whatWouldBeLostIsRefused() {
        BenchmarkRow row = ExportInput.row("m", "thrpt", "ops/s", Map.of(), FORKS, Map.of());
        assertRefused(
                () -> export(row, row),
                "bmf: expected one row of each name, got two of org.lemmata.ABenchmark.m (thrpt)");
        assertThatThrownBy(() -> BencherExport.of(DemoInput.of(null, null)))
                .hasMessage("bmf: expected results of benchmarks, got none");
    }

    @Test
    void oneForkHasNoInterval() {
        JsonObject root =
                export(ExportInput.row("m", "thrpt", "ops/s", Map.of(), List.of(List.of(1.0, 2.0)), Map.of()));
        assertThat(root.getAsJsonObject("org.lemmata.ABenchmark.m (thrpt)")
                        .getAsJsonObject("throughput")
                        .keySet())
                .containsExactly("value");
    }
}
