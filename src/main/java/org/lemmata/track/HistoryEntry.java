package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.lemmata.statistic.Median;

/**
 * One row of one run, as stored in the history.
 *
 * @param time when the run began
 * @param commit the commit, as in {@link RunRecord}
 * @param row the properties of the row, which identify a series of the history
 * @param forks one value per fork: the median of its iterations in the row's unit, positive and finite; at least one
 *     value
 * @param ratios the ratios to other rows of the run
 */
public record HistoryEntry(
        @JsonSerialize(using = ToStringSerializer.class) Instant time,
        String commit,
        @JsonUnwrapped Row row,
        List<Double> forks,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RunRatio> ratios) {

    /** The properties of machines that must agree before speeds are compared. */
    public record Machine(String cpu, int cores, String simd, String jdk) {

        static Machine of(RunRecord record) {
            MachineIdentity machine = record.machine();
            return new Machine(machine.cpu(), machine.cores(), machine.simd(), machine.jdk());
        }
    }

    /**
     * The properties that must agree for two runs to belong to one series.
     *
     * @param params the parameters, in JMH's order; rows that differ only in the order are equal
     * @param duet whether each fork ran simultaneously with another one, which slows both; older files do not tell
     */
    public record Row(
            Machine machine,
            String benchmark,
            String mode,
            SequencedMap<String, String> params,
            BenchmarkRow.RunOptions settings,
            String unit,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean duet) {

        public Row {
            params = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(params));
        }
    }

    public HistoryEntry {
        forks = List.copyOf(forks);
        ratios = List.copyOf(ratios);
    }

    /**
     * The entries of a run. If some rows ran simultaneously with their references, the ratios of all other rows are
     * left out, because they are far less certain.
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

    /** The entry of a row; empty if its samples are missing or not {@linkplain BenchmarkRow#areSound sound}. */
    public static Optional<HistoryEntry> of(BenchmarkRow row, RunRecord record) {
        return of(row, List.of(), new ScalarReference(List.of()), record);
    }

    private static Optional<HistoryEntry> of(
            BenchmarkRow row, List<BenchmarkRow> rows, ScalarReference references, RunRecord record) {
        if (row.samples().isEmpty() || !BenchmarkRow.areSound(row.samples())) {
            return Optional.empty();
        }
        BenchmarkSession session = record.session();
        boolean duet = session != null
                && session.forks().stream()
                        .anyMatch(fork -> fork.row().equals(row.cell())
                                && !fork.iterations().isEmpty());
        var key = new Row(
                Machine.of(record), row.benchmark(), row.mode(), row.params(), row.settings(), row.unit(), duet);
        List<Double> medians = row.samples().stream().map(Median::of).toList();
        return Optional.of(new HistoryEntry(
                record.time(), record.commit(), key, medians, RunRatio.of(row, rows, references, session)));
    }

    /** The mean logarithm of {@code forks}, with the sign chosen so that greater is faster. */
    public double logSpeed() {
        double mean = forks.stream().mapToDouble(Math::log).average().orElseThrow();
        return BenchmarkRow.higherIsFaster(row.unit, row.mode) ? mean : -mean;
    }
}
