package org.lemmata.track;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.lemmata.statistic.Median;

/**
 * One row of one run, as the history keeps it.
 *
 * @param time when the run began
 * @param commit the hash of the checkout, with "-dirty" where it had uncommitted changes
 * @param row what is measured, where and how: one series of the history
 * @param forks the median of each fork's iterations, positive and finite, in the row's unit; at least one
 */
public record HistoryEntry(Instant time, String commit, Row row, List<Double> forks) {

    /** What has to agree for figures of speed to follow each other. */
    public record Machine(String cpu, int cores, String simd, String jdk) {}

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
            BenchmarkRow.Settings settings,
            String unit,
            Machine machine) {

        public Row {
            params = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(params));
        }
    }

    public HistoryEntry {
        forks = List.copyOf(forks);
    }

    /** What the history keeps of a row; empty of one without samples, or with some that are no speed. */
    public static Optional<HistoryEntry> of(BenchmarkRow row, RunRecord record) {
        boolean valid = !row.samples().isEmpty()
                && row.samples().stream()
                        .allMatch(fork -> !fork.isEmpty()
                                && fork.stream().allMatch(value -> value > 0 && value < Double.POSITIVE_INFINITY));
        if (!valid) {
            return Optional.empty();
        }
        MachineIdentity machine = record.machine();
        var key = new Row(
                row.benchmarkClass() + "." + row.method(),
                row.mode(),
                row.params(),
                row.settings(),
                row.unit(),
                new Machine(machine.cpu(), machine.cores(), machine.simd(), machine.jdk()));
        List<Double> medians = row.samples().stream().map(HistoryEntry::median).toList();
        return Optional.of(new HistoryEntry(record.time(), record.commit(), key, medians));
    }

    private static double median(List<Double> values) {
        return Median.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** The mean of the logs of the forks, turned so that greater is faster. */
    public double logSpeed() {
        double mean = forks.stream().mapToDouble(Math::log).average().orElseThrow();
        return row.mode.equals("thrpt") ? mean : -mean;
    }

    ObjectNode json() {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("time", time.toString()).put("commit", commit);
        line.putObject("machine")
                .put("cpu", row.machine.cpu)
                .put("cores", row.machine.cores)
                .put("simd", row.machine.simd)
                .put("jdk", row.machine.jdk);
        line.put("benchmark", row.benchmark).put("mode", row.mode);
        row.params.forEach(line.putObject("params")::put);
        ObjectNode settings = line.putObject("settings");
        settings.put("threads", row.settings.threads());
        settings.put("warmup", row.settings.warmup());
        settings.put("measurement", row.settings.measurement());
        row.settings.jvmArgs().forEach(settings.putArray("jvmArgs")::add);
        settings.put("jmhVersion", row.settings.jmhVersion());
        line.put("unit", row.unit);
        forks.forEach(line.putArray("forks")::add);
        return line;
    }

    static HistoryEntry of(JsonValue line) throws IOException {
        JsonValue machine = line.field("machine");
        JsonValue settings = line.field("settings");
        var row = new Row(
                line.field("benchmark").text(),
                line.field("mode").text(),
                new LinkedHashMap<>(line.field("params").textFields()),
                new BenchmarkRow.Settings(
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
        if (forks.isEmpty() || !forks.stream().allMatch(value -> value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw line.field("forks").unexpected("positive finite scores");
        }
        return new HistoryEntry(
                RunRecord.instant(line.field("time")), line.field("commit").text(), row, forks);
    }
}
