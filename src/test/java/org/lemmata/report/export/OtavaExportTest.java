package org.lemmata.report.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.report.ReportInput;
import org.lemmata.report.Tracking;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

/** Checks the export with Commons CSV and SnakeYAML. */
class OtavaExportTest {

    @TempDir
    private Path directory;

    private static final BenchmarkRow RATE = ExportInput.row(
            "rate", "thrpt", "ops/s", Map.of("p", ExportInput.HOSTILE), List.of(List.of(1.25)), Map.of());
    private static final BenchmarkRow TIME =
            ExportInput.row("time", "avgt", "ns/op", Map.of(), List.of(List.of(4.0)), Map.of());

    private static final String RATE_COLUMN = "org.lemmata.ABenchmark.rate p=" + ExportInput.HOSTILE + " (thrpt)";
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
        BenchmarkRow none = ExportInput.row("none", "avgt", "ns/op", Map.of(), List.of(List.of(Double.NaN)), Map.of());
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
            BenchmarkRow row = ExportInput.row("m" + i, "thrpt", "ops/s", Map.of(), List.of(List.of(1.0)), Map.of());
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
                () -> OtavaExport.write(directory, ExportInput.of(RATE)),
                "otava: expected benchmarks with a run record (NAME.run.json), got none");
    }
}
