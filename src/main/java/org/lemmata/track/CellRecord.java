package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Contents;
import org.lemmata.file.Json;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;
import org.lemmata.file.Sha256;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * The outcome of one cell of a sweep. It is a line of results.jsonl, and of the evidence from which claims are judged.
 *
 * <p>If the cell is done, everything except {@code axes} and {@code run} is the same for any number of threads and
 * interruptions, on all machines with the same SIMD width and JDK.
 *
 * @param cell the cell's id, a hash of trial and settings
 * @param trial the kind of cell
 * @param axes the cell's values on the axes of the sweep except the seed, by dotted path
 * @param seed the seed of everything random in the cell
 * @param settings all settings that affect results, by dotted path, with defaults except
 *     {@linkplain org.lemmata.setting.Setting#implied implied} ones
 * @param status whether the cell has a result
 * @param reason why the cell has no result; null if it has one
 * @param measurements the result, without the papers' values; empty for a failed cell
 * @param run how and where the cell ran
 */
public record CellRecord(
        String cell,
        String trial,
        SequencedMap<String, String> axes,
        long seed,
        SequencedMap<String, String> settings,
        Status status,
        @Nullable String reason,
        List<Measurement> measurements,
        Run run) {

    public enum Status {
        DONE,
        FAILED;

        @com.fasterxml.jackson.annotation.JsonValue
        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How and where a cell ran. The data differ between runs.
     *
     * @param attempts the number of attempts, including this one
     * @param seconds the time of the last attempt; includes the time before an interruption if the trial records it
     * @param environment commit, JDK, SIMD width, processor and other properties
     * @param hashes the state after some steps, in order. Runs with equal results have equal hashes. Empty for trials
     *     without steps, and in older records
     */
    @JsonPropertyOrder({"attempts", "seconds", "hashes", "environment"})
    public record Run(
            int attempts,
            double seconds,
            Map<String, String> environment,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StepHash> hashes) {
        public Run {
            environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
            hashes = List.copyOf(hashes);
        }

        public Run(int attempts, double seconds, Map<String, String> environment) {
            this(attempts, seconds, environment, List.of());
        }
    }

    /**
     * The training state after one step, for comparing the beginnings of two runs.
     *
     * @param loss the loss of this step
     * @param weights a hash of the bits of all weights after the step
     */
    public record StepHash(long step, double loss, String weights) {}

    /** The fields of a line, without its checksum. */
    private record Line(
            String cell,
            String trial,
            Status status,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String reason,

            long seed,
            SequencedMap<String, String> axes,
            List<Entry> measurements,
            SequencedMap<String, String> settings,
            Run run) {}

    /**
     * One measurement, or consecutive exact measurements NAME.0, NAME.1, ...
     *
     * @param value null if the entry has several values, which are in {@code values}
     * @param low the low end of the interval; null, like {@code high}, if the entry has several values
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Entry(
            String name,
            @JsonProperty @Nullable Double value,
            @JsonProperty @Nullable List<Double> values,
            String unit,
            @JsonProperty @Nullable Double low,
            @JsonProperty @Nullable Double high,
            long n) {

        static Entry of(List<Measurement> measurements) {
            Measurement first = measurements.getFirst();
            boolean single = measurements.size() == 1;
            return new Entry(
                    single ? first.name() : base(first),
                    single ? first.value() : null,
                    single
                            ? null
                            : measurements.stream().map(Measurement::value).toList(),
                    first.unit(),
                    single ? first.interval().low() : null,
                    single ? first.interval().high() : null,
                    first.n());
        }
    }

    private static final String EXPECTED = "the record of a cell (a line of results.jsonl)";

    /** The start of the last field of a line, before its digits. */
    private static final String CHECKSUM = ",\"checksum\":\"";

    /** The number of hexadecimal digits of ids and checksums: the first 64 bits of a SHA-256. */
    private static final int DIGITS = 16;

    public CellRecord {
        axes = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(axes));
        settings = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(settings));
        measurements = List.copyOf(measurements);
    }

    /**
     * The id of a cell: 16 hexadecimal digits of the SHA-256 of trial and settings. It depends on the texts of the
     * settings but not on their order.
     */
    public static String id(String trial, Map<String, String> settings) {
        var content = new StringBuilder(trial).append('\n');
        settings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> content.append(entry.getKey())
                        .append('=')
                        .append(entry.getValue().replace("\\", "\\\\").replace("\n", "\\n"))
                        .append('\n'));
        return Sha256.hex(content.toString(), DIGITS);
    }

    /** A copy with other axes, for another sweep. */
    public CellRecord withAxes(SequencedMap<String, String> others) {
        return new CellRecord(cell, trial, others, seed, settings, status, reason, measurements, run);
    }

    public CellRecord measured(List<Measurement> others) {
        return new CellRecord(cell, trial, axes, seed, settings, status, reason, others, run);
    }

    public CellRecord withRun(Run other) {
        return new CellRecord(cell, trial, axes, seed, settings, status, reason, measurements, other);
    }

    /**
     * An integer setting.
     *
     * @throws IllegalArgumentException if the cell lacks the setting, or its value is not an integer
     */
    public int integer(String key) {
        return read(key, "an integer", Integer::valueOf);
    }

    /** A numeric setting. Throws the exceptions of {@link #integer}. */
    public double number(String key) {
        return read(key, "a number", Double::valueOf);
    }

    private <T> T read(String key, String expected, Function<String, T> reader) {
        String text = settings.get(key);
        if (text == null) {
            throw new IllegalArgumentException("cell " + cell + ": expected the setting " + key + ", got none");
        }
        try {
            return reader.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "cell " + cell + ": expected " + expected + " for " + key + ", got " + Refuse.quoted(text), e);
        }
    }

    public Optional<Measurement> measurement(String name) {
        return measurements.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /**
     * The record as one line of JSON. Numbers that are not finite are strings. Every double is written so that reading
     * it gives the same bits. Consecutive exact measurements NAME.0, NAME.1, ... become one entry NAME with a list of
     * values. The last field is a checksum of everything before it.
     */
    public String toJson() {
        var entries = new ArrayList<Entry>();
        for (int i = 0; i < measurements.size(); ) {
            int count = listed(i);
            entries.add(Entry.of(measurements.subList(i, i + count)));
            i += count;
        }
        return sealed(Json.line(new Line(cell, trial, status, reason, seed, axes, entries, settings, run)));
    }

    /** Adds the checksum to a line. */
    static String sealed(String line) {
        String content = line.substring(0, line.length() - 1);
        return content + CHECKSUM + Sha256.hex(content, DIGITS) + "\"}";
    }

    /** The number of measurements, from index {@code from} on, that become one entry. */
    private int listed(int from) {
        Measurement first = measurements.get(from);
        String start = base(first) + ".";
        int end = from;
        while (end < measurements.size() && isElement(start + (end - from), first, measurements.get(end))) {
            end++;
        }
        return Math.max(1, end - from);
    }

    private static boolean isElement(String name, Measurement first, Measurement measurement) {
        return measurement.name().equals(name)
                && measurement.unit().equals(first.unit())
                && measurement.n() == first.n()
                && measurement.interval().equals(Interval.exact(measurement.value()));
    }

    /** The name of a list, from its first element; the name itself if it is no element. */
    private static String base(Measurement first) {
        String name = first.name();
        return name.endsWith(".0") ? name.substring(0, name.length() - 2) : name;
    }

    /**
     * Reads the output of {@link #toJson}.
     *
     * @param file the source of the text, for error messages
     * @param place the place in the file, such as "line 3"; empty for the whole file
     * @throws MalformedFileException if the text is malformed or was altered: the checksum is wrong, or the id, seed or
     *     axes do not match the settings. The message names file, place and what was expected.
     */
    public static CellRecord parse(Path file, String place, String json) throws MalformedFileException {
        JsonValue value = JsonValue.parse(file, place, json, EXPECTED);
        requireSealed(file, place, json.strip(), value);
        Line line = value.as(Line.class);
        var measurements = new ArrayList<Measurement>();
        List<JsonValue> places = value.field("measurements").elements();
        for (int i = 0; i < places.size(); i++) {
            addMeasurements(measurements, line.measurements.get(i), places.get(i));
        }
        var record = new CellRecord(
                line.cell,
                line.trial,
                line.axes,
                line.seed,
                line.settings,
                line.status,
                line.reason,
                measurements,
                line.run);
        record.requireOfSettings(file, place);
        return record;
    }

    private static void requireSealed(Path file, String place, String json, JsonValue line)
            throws MalformedFileException {
        String cell = "cell " + Refuse.shown(line.field("cell").text()) + ": ";
        JsonValue checksum = line.field("checksum");
        if (checksum.isAbsent()) {
            throw new MalformedFileException(file, place, cell + "expected a checksum, got none");
        }
        int end = Math.max(1, json.lastIndexOf(CHECKSUM));
        String expected = sealed(json.substring(0, end) + "}");
        if (!json.equals(expected)) {
            throw new MalformedFileException(
                    file,
                    place,
                    cell + "expected the checksum " + Sha256.hex(json.substring(0, end), DIGITS) + " of its line, got "
                            + Refuse.shown(checksum.text()) + ": it was altered");
        }
    }

    private void requireOfSettings(Path file, String place) throws MalformedFileException {
        String id = id(trial, settings);
        if (!cell.equals(id)) {
            throw new MalformedFileException(
                    file,
                    place,
                    "cell " + Refuse.shown(cell) + ": expected the id of its settings, " + id + ", got another cell's");
        }
        var labels = new LinkedHashMap<>(axes);
        labels.put("seed", Long.toString(seed));
        for (Map.Entry<String, String> label : labels.entrySet()) {
            String setting = settings.getOrDefault(label.getKey(), label.getValue());
            if (!setting.equals(label.getValue())) {
                throw new MalformedFileException(
                        file,
                        place,
                        "cell " + cell + ": expected " + Refuse.shown(label.getKey()) + " as in its settings, "
                                + Refuse.shown(setting) + ", got " + Refuse.shown(label.getValue()));
            }
        }
    }

    private static void addMeasurements(List<Measurement> all, Entry entry, JsonValue place)
            throws MalformedFileException {
        if (entry.values != null && !place.field("values").isAbsent()) {
            for (int i = 0; i < entry.values.size(); i++) {
                all.add(Measurement.exact(entry.name + "." + i, entry.values.get(i), entry.unit, entry.n));
            }
            return;
        }
        double low = place.field("low").number();
        double high = place.field("high").number();
        if (!(low <= high || (Double.isNaN(low) && Double.isNaN(high)))) {
            throw place.field("low").unexpected("a number of at most high, " + high);
        }
        all.add(new Measurement(
                entry.name, place.field("value").number(), entry.unit, new Interval(low, high), entry.n, null));
    }

    /**
     * Every record of a file with one JSON object per line, in order; none if the file does not exist.
     *
     * @throws IOException if a line is malformed or was altered; the message names file, line and what was expected
     */
    public static List<CellRecord> readAll(Path file) throws IOException {
        return Files.exists(file) ? parseAll(file, Contents.text(file)) : List.of();
    }

    public static List<CellRecord> parseAll(Path file, String text) throws IOException {
        var records = new ArrayList<CellRecord>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank()) {
                records.add(parse(file, "line " + number, line));
            }
        }
        return records;
    }
}
