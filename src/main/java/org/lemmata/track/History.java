package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.Contents;
import org.lemmata.file.Json;
import org.lemmata.file.JsonValue;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Median;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;

/**
 * The benchmark runs in {@code jmh-results/history.jsonl}, one line of JSON per row and run. Lines are only appended. A
 * line that was cut off during writing is ignored.
 */
public final class History {

    private static final String EXPECTED = "a row of a run (JSON with time, commit, machine, benchmark, forks)";

    private History() {}

    /**
     * Appends a run. Its lines are on disk when this method returns. Rows without {@linkplain BenchmarkRow#areSound
     * sound} samples are left out.
     *
     * @throws IOException if writing fails
     */
    public static synchronized void append(Path file, List<BenchmarkRow> rows, RunRecord record) throws IOException {
        var lines = new StringBuilder();
        for (HistoryEntry entry : HistoryEntry.ofRun(rows, record)) {
            lines.append(Json.line(entry)).append('\n');
        }
        Path absolute = file.toAbsolutePath();
        Files.createDirectories(absolute.getParent());
        try (FileChannel channel = FileChannel.open(
                absolute, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // Other processes wait for this lock. Closing the channel releases it.
            channel.lock();
            channel.truncate(
                    Contents.endOfLines(Channels.newInputStream(channel).readAllBytes()));
            channel.position(channel.size());
            Channels.newOutputStream(channel).write(lines.toString().getBytes(StandardCharsets.UTF_8));
            channel.force(false);
        }
    }

    /**
     * The rows of all runs, in the order of the file.
     *
     * @throws IOException if the file is missing or a complete line is malformed; the message names file and line
     */
    public static List<HistoryEntry> read(Path file) throws IOException {
        byte[] bytes = Contents.of(file);
        String whole = Contents.text(file, bytes, Contents.endOfLines(bytes));
        var entries = new ArrayList<HistoryEntry>();
        int number = 0;
        for (String line : whole.lines().toList()) {
            number++;
            JsonValue value = JsonValue.parse(file, "line " + number, line, EXPECTED);
            HistoryEntry entry = value.as(HistoryEntry.class);
            if (!BenchmarkRow.areSound(List.of(entry.forks()))) {
                throw value.field("forks").unexpected("positive finite scores");
            }
            entries.add(entry);
        }
        return entries;
    }

    /** For each row with its machine and settings, its runs, oldest first. A run that was added twice counts once. */
    public static SequencedMap<HistoryEntry.Row, List<HistoryEntry>> series(List<HistoryEntry> history) {
        var byTime = new LinkedHashMap<HistoryEntry.Row, TreeMap<Instant, HistoryEntry>>();
        for (HistoryEntry entry : history) {
            byTime.computeIfAbsent(entry.row(), row -> new TreeMap<>()).put(entry.time(), entry);
        }
        var series = new LinkedHashMap<HistoryEntry.Row, List<HistoryEntry>>();
        byTime.forEach((row, runs) -> series.put(row, List.copyOf(runs.values())));
        return series;
    }

    /**
     * One row of one run, as stored in the history.
     *
     * @param time when the run began
     * @param commit the commit, as in {@link RunRecord}
     * @param row the properties of the row, which identify a series of the history
     * @param forks one value per fork: the median of its iterations in the row's unit, positive and finite; at least
     *     one value
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

                @JsonInclude(JsonInclude.Include.NON_DEFAULT)
                boolean duet) {}

        /**
         * The entries of a run. If some rows ran simultaneously with their references, the ratios of all other rows are
         * left out, because they are far less certain.
         */
        static List<HistoryEntry> ofRun(List<BenchmarkRow> rows, RunRecord record) {
            var references = new ScalarReference(rows);
            List<HistoryEntry> entries = rows.stream()
                    .flatMap(row -> of(row, rows, references, record).stream())
                    .toList();
            boolean duets =
                    entries.stream().flatMap(entry -> entry.ratios.stream()).anyMatch(RunRatio::together);
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

    /**
     * The speed of a row relative to another row of the same run. Unlike speeds, ratios differ between machines with
     * the same vector width only by tens of percent. Vector rows are divided by their scalar references. Floating-point
     * rates are divided by the rate of fused multiply-adds in registers on the same number of threads.
     *
     * @param over the name of the reference, such as "scalar"
     * @param together whether the forks of a pair ran simultaneously
     * @param pairs one ratio per pair of forks: for duets, the ratio of their fastest iterations
     *     ({@link DuetRatios#ofFastest}); otherwise the ratio of medians
     */
    public record RunRatio(String over, boolean together, List<Double> pairs) {

        private static final String MACHINE = "MachineBenchmark";
        private static final String PEAK = "fma";

        public RunRatio {
            pairs = List.copyOf(pairs);
            if (!BenchmarkRow.areSound(List.of(pairs))) {
                throw new IllegalArgumentException("expected positive finite ratios, got " + pairs);
            }
        }

        /** The ratios of a row to its references; empty if it has none. {@code session} has the times of forks. */
        static List<RunRatio> of(
                BenchmarkRow row,
                List<BenchmarkRow> rows,
                ScalarReference references,
                @Nullable BenchmarkSession session) {
            Optional<RunRatio> scalar = references
                    .of(row)
                    .flatMap(found -> ratio(row, found, found.method(), BenchmarkRow::speeds, rows, session));
            Optional<RunRatio> peak = rows.stream()
                    .filter(other -> other.method().equals(PEAK)
                            && other.simpleClass().equals(MACHINE)
                            && !row.simpleClass().equals(MACHINE)
                            && other.mode().equals(row.mode())
                            && other.threads().equals(row.threads()))
                    .findFirst()
                    .flatMap(found ->
                            ratio(row, found, PEAK + " in flops", each -> each.rates(RowPair.FLOPS), rows, session));
            return Stream.concat(scalar.stream(), peak.stream()).toList();
        }

        private static Optional<RunRatio> ratio(
                BenchmarkRow row,
                BenchmarkRow reference,
                String over,
                Function<BenchmarkRow, List<List<Double>>> speeds,
                List<BenchmarkRow> rows,
                @Nullable BenchmarkSession session) {
            List<List<Double>> numerator = speeds.apply(row);
            List<List<Double>> denominator = speeds.apply(reference);
            if (numerator.isEmpty() || denominator.isEmpty()) {
                return Optional.empty();
            }
            List<Double> duets = session == null
                    ? List.of()
                    : DuetRatios.ofFastest(
                            new DuetRatios.Side(numerator, List.of(), session.runs(rows, rows.indexOf(row))),
                            new DuetRatios.Side(denominator, List.of(), session.runs(rows, rows.indexOf(reference))));
            List<Double> inTurn = IntStream.range(0, Math.min(numerator.size(), denominator.size()))
                    .mapToObj(fork -> Median.of(numerator.get(fork)) / Median.of(denominator.get(fork)))
                    .toList();
            return Optional.of(new RunRatio(over, !duets.isEmpty(), duets.isEmpty() ? inTurn : duets));
        }

        /** The estimate from the first {@code most} pairs of forks. */
        RatioEstimate estimate(int most) {
            return RatioBootstrap.together(
                    pairs.stream().limit(most).map(List::of).toList(), Center.MEAN_OF_MEDIANS);
        }
    }
}
