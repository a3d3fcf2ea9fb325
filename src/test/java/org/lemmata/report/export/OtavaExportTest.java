package org.lemmata.report.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.lemmata.report.ReportInput;
import org.lemmata.report.Tracking;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

/** Read back by Commons CSV. */
class OtavaExportTest {

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

    private static CSVParser parse(ReportInput input) throws IOException {
        return CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get()
                .parse(new StringReader(OtavaExport.of(input)));
    }

    @Test
    void oneRunIsOneLine() throws IOException {
        try (CSVParser parser = parse(input(Tracking.NONE))) {
            assertThat(parser.getHeaderNames()).containsExactly("time", "commit", RATE_COLUMN, TIME_COLUMN);
            List<CSVRecord> lines = parser.getRecords();
            assertThat(lines).hasSize(1);
            assertThat(lines.getFirst().toList()).containsExactly("2026-11-22T07:00:00Z", "c0ffee", "1.25", "0.25");
        }
    }

    @Test
    void runsOfTheHistoryComeFirst() throws IOException {
        var trend = List.of(
                new Tracking.Run("b,\"2\"", "2026-11-21T07:00:00Z", 2),
                new Tracking.Run("a,1", "2026-11-20T07:00:00Z", 1),
                new Tracking.Run("c0ffee", "2026-11-22T07:00:00Z", 1.3));
        var tracking = new Tracking(null, new LinkedHashMap<>(), Map.of(Tracking.RowKey.of(RATE), trend), Map.of());
        try (CSVParser parser = parse(input(tracking))) {
            List<CSVRecord> lines = parser.getRecords();
            assertThat(lines.stream().map(line -> line.get("commit"))).containsExactly("a,1", "b,\"2\"", "c0ffee");
            assertThat(lines.stream().map(line -> Instant.parse(line.get("time"))))
                    .isSorted();
            assertThat(lines.stream().map(line -> Double.parseDouble(line.get(RATE_COLUMN))))
                    .containsExactly(1.0, 2.0, 1.3);
            assertThat(lines.stream().map(line -> Double.parseDouble(line.get(TIME_COLUMN))))
                    .containsExactly(Double.NaN, Double.NaN, 0.25);
        }
    }

    @Test
    void inEveryColumnGreaterIsFaster() throws IOException {
        BenchmarkRow slower = ExportInput.row("time", "ss", "ms/op", Map.of(), List.of(List.of(8.0)), Map.of());
        var run = Objects.requireNonNull(
                Objects.requireNonNull(input(Tracking.NONE).benchmarks()).run());
        var rows = new ReportInput.Benchmarks("rows.json", List.of(TIME, slower), run);
        try (CSVParser parser = parse(new ReportInput(null, rows, List.of(), Tracking.NONE))) {
            assertThat(parser.getRecords().getFirst().toMap())
                    .containsEntry(TIME_COLUMN, "0.25")
                    .containsEntry("org.lemmata.ABenchmark.time (ss)", "0.125");
        }
    }

    @Test
    void aRunOfUnknownTimeIsRefused() {
        assertThatThrownBy(() -> OtavaExport.of(ExportInput.of(RATE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("otava: expected benchmarks with a run record (NAME.run.json), got none");
    }
}
