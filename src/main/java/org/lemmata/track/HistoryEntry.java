package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.lemmata.file.JsonValue;
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
public record HistoryEntry(
        @JsonSerialize(using = ToStringSerializer.class) Instant time,
        String commit,
        @JsonUnwrapped Row row,
        List<Double> forks,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RunRatio> ratios) {

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
            Machine machine,
            String benchmark,
            String mode,
            SequencedMap<String, String> params,
            BenchmarkRow.RunOptions settings,
            String unit) {

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
        var key = new Row(Machine.of(record), row.benchmark(), row.mode(), row.params(), row.settings(), row.unit());
        List<Double> medians = row.samples().stream().map(Median::of).toList();
        return Optional.of(new HistoryEntry(
                record.time(), record.commit(), key, medians, RunRatio.of(row, rows, references, record.session())));
    }

    /** The mean of the logs of the forks, turned so that greater is faster. */
    public double logSpeed() {
        double mean = forks.stream().mapToDouble(Math::log).average().orElseThrow();
        return BenchmarkRow.higherIsFaster(row.unit, row.mode) ? mean : -mean;
    }

    static HistoryEntry of(JsonValue line) throws IOException {
        HistoryEntry entry = line.as(HistoryEntry.class);
        if (!BenchmarkRow.areSound(List.of(entry.forks))) {
            throw line.field("forks").unexpected("positive finite scores");
        }
        return entry;
    }
}
