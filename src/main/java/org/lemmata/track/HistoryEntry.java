package org.lemmata.track;

import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.lemmata.file.Json;
import org.lemmata.statistic.Median;

/**
 * One row of one run, as the history keeps it.
 *
 * @param time when the run began
 * @param commit the hash of the checkout, with "-dirty" where it had uncommitted changes
 * @param row what is measured, where and how: one series of the history
 * @param forks the median of each fork's iterations, positive and finite, in the row's unit; at least one
 * @param ratios to other rows of the run
 */
public record HistoryEntry(Instant time, String commit, Row row, List<Double> forks, List<RunRatio> ratios) {

    /** What has to agree for figures of speed to follow each other. */
    public record Machine(String cpu, int cores, String simd, String jdk) {

        static Machine of(RunRecord record) {
            MachineIdentity machine = record.machine();
            return new Machine(machine.cpu(), machine.cores(), machine.simd(), machine.jdk());
        }
    }

    /**
     * What has to agree for two runs to be of one series.
     *
     * @param benchmark class and method, qualified
     * @param mode JMH's short name
     * @param params in JMH's order, which does not tell rows apart
     * @param unit of the score
     */
    public record Row(
            String benchmark,
            String mode,
            SequencedMap<String, String> params,
            BenchmarkRow.RunOptions settings,
            String unit,
            Machine machine) {

        public Row {
            params = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(params));
        }
    }

    public HistoryEntry {
        forks = List.copyOf(forks);
        ratios = List.copyOf(ratios);
    }

    /**
     * What the history keeps of a run. Of one whose rows ran beside their references, ratios of other rows are left
     * out: they are far less certain.
     */
    static List<HistoryEntry> ofRun(List<BenchmarkRow> rows, RunRecord record) {
        var references = new ScalarReference(rows);
        List<HistoryEntry> entries = rows.stream()
                .flatMap(row -> of(row, rows, references, record).stream())
                .toList();
        boolean duets = entries.stream().flatMap(entry -> entry.ratios.stream()).anyMatch(RunRatio::together);
        return entries.stream()
                .map(entry -> new HistoryEntry(
                        entry.time,
                        entry.commit,
                        entry.row,
                        entry.forks,
                        entry.ratios.stream()
                                .filter(ratio -> ratio.together() || !duets)
                                .toList()))
                .toList();
    }

    /** What the history keeps of a row; empty of one without samples, or with some that are no speed. */
    public static Optional<HistoryEntry> of(BenchmarkRow row, RunRecord record) {
        return of(row, List.of(), new ScalarReference(List.of()), record);
    }

    private static Optional<HistoryEntry> of(
            BenchmarkRow row, List<BenchmarkRow> rows, ScalarReference references, RunRecord record) {
        if (row.samples().isEmpty() || !BenchmarkRow.areSound(row.samples())) {
            return Optional.empty();
        }
        var key = new Row(row.benchmark(), row.mode(), row.params(), row.settings(), row.unit(), Machine.of(record));
        List<Double> medians = row.samples().stream().map(Median::of).toList();
        return Optional.of(new HistoryEntry(
                record.time(), record.commit(), key, medians, RunRatio.of(row, rows, references, record.session())));
    }

    /** The mean of the logs of the forks, turned so that greater is faster. */
    public double logSpeed() {
        double mean = forks.stream().mapToDouble(Math::log).average().orElseThrow();
        return row.mode.equals("thrpt") ? mean : -mean;
    }

    /** The line of the history. */
    String json() {
        var line = new LinkedHashMap<String, Object>();
        line.put("time", time.toString());
        line.put("commit", commit);
        line.put("machine", row.machine);
        line.put("benchmark", row.benchmark);
        line.put("mode", row.mode);
        line.put("params", row.params);
        line.put("settings", row.settings);
        line.put("unit", row.unit);
        line.put("forks", forks);
        if (!ratios.isEmpty()) {
            line.put("ratios", ratios);
        }
        return Json.line(line);
    }

    static HistoryEntry of(JsonValue line) throws IOException {
        JsonValue machine = line.field("machine");
        JsonValue settings = line.field("settings");
        var row = new Row(
                line.field("benchmark").text(),
                line.field("mode").text(),
                line.field("params").textFields(),
                new BenchmarkRow.RunOptions(
                        settings.field("threads").count(),
                        settings.field("warmup").text(),
                        settings.field("measurement").text(),
                        settings.field("jvmArgs").texts(),
                        settings.field("jmhVersion").text()),
                line.field("unit").text(),
                new Machine(
                        machine.field("cpu").text(),
                        machine.field("cores").count(),
                        machine.field("simd").text(),
                        machine.field("jdk").text()));
        List<Double> forks = line.field("forks").numbers();
        if (!BenchmarkRow.areSound(List.of(forks))) {
            throw line.field("forks").unexpected("positive finite scores");
        }
        return new HistoryEntry(
                line.field("time").instant(),
                line.field("commit").text(),
                row,
                forks,
                line.field("ratios").or(List.of(), ratios -> ratios.list(RunRatio::of)));
    }
}
