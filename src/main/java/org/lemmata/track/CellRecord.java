package org.lemmata.track;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Json;
import org.lemmata.file.MalformedFileException;
import org.lemmata.file.Sha256;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * What became of one cell of a grid: a line of results.jsonl, and of the evidence that claims are judged from.
 *
 * <p>All but {@code run} follows from the cell, for any number of threads, interruptions and machines of one SIMD width
 * and JDK.
 *
 * @param cell the cell's id, a hash of trial and settings
 * @param trial the kind of cell
 * @param axes what tells the cell apart from the others of its sweep, by dotted path
 * @param seed what everything random in it followed from
 * @param settings all of them, by dotted path, defaults included but those that are implied
 * @param status whether it has a result
 * @param reason why it has none; null if it has
 * @param measurements the result, without the papers' figures; none of a cell that failed
 * @param run how and where it ran
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

    /** Whether a cell has a result. */
    public enum Status {
        DONE,
        FAILED;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How and where a cell ran: not the same from one run to the next.
     *
     * @param attempts tries, this one included
     * @param seconds of the last try; what it took before an interruption is in it where the trial knows
     * @param environment commit, JDK, SIMD width, processor and the like
     * @param hashes what it was after some steps, in their order: the same where the bits of the result are; none of
     *     trials without steps, and of records of before
     */
    public record Run(int attempts, double seconds, Map<String, String> environment, List<StepHash> hashes) {
        public Run {
            environment = Map.copyOf(environment);
            hashes = List.copyOf(hashes);
        }

        /** A run without hashes. */
        public Run(int attempts, double seconds, Map<String, String> environment) {
            this(attempts, seconds, environment, List.of());
        }
    }

    /**
     * What a run was after a step, to compare its beginning by.
     *
     * @param loss of this step
     * @param weights a hash over the bits of all weights after it
     */
    public record StepHash(long step, double loss, String weights) {}

    private static final String EXPECTED = "the record of a cell (a line of results.jsonl)";

    /** The last field of a line, up to its digits. */
    private static final String CHECKSUM = ",\"checksum\":\"";

    /** Of ids and checksums: the first 64 bits of a SHA-256. */
    private static final int DIGITS = 16;

    public CellRecord {
        axes = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(axes));
        settings = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(settings));
        measurements = List.copyOf(measurements);
    }

    /**
     * The id of a cell, 16 hexadecimal digits of the SHA-256 over trial and settings. The order of the keys does not
     * matter, their texts do.
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

    /** The same cell as one of a sweep with other axes. */
    public CellRecord withAxes(SequencedMap<String, String> others) {
        return new CellRecord(cell, trial, others, seed, settings, status, reason, measurements, run);
    }

    /** The same cell with other measurements. */
    public CellRecord measured(List<Measurement> others) {
        return new CellRecord(cell, trial, axes, seed, settings, status, reason, others, run);
    }

    /** The same result as one of another run. */
    public CellRecord withRun(Run other) {
        return new CellRecord(cell, trial, axes, seed, settings, status, reason, measurements, other);
    }

    /**
     * A setting that is an integer.
     *
     * @throws IllegalArgumentException if the cell does not have it, or if it is none
     */
    public int integer(String key) {
        return read(key, "an integer", Integer::valueOf);
    }

    /** The same of a setting that is a number. */
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

    /** The measurement of a name, if the cell has it. */
    public Optional<Measurement> measurement(String name) {
        return measurements.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /**
     * One JSON object in one line; a number that is not finite is a string. Every double reads back as the same bits.
     * Exact measurements NAME.0, NAME.1, ... that follow one another are one entry NAME with a list of values. The last
     * field is a checksum of all that stands before it.
     */
    public String toJson() {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("cell", cell);
        line.put("trial", trial);
        line.put("status", status.label());
        if (reason != null) {
            line.put("reason", reason);
        }
        line.put("seed", seed);
        ObjectNode axesNode = line.putObject("axes");
        axes.forEach(axesNode::put);
        ArrayNode measured = line.putArray("measurements");
        for (int i = 0; i < measurements.size(); ) {
            int count = listed(i);
            putMeasured(measured.addObject(), measurements.subList(i, i + count));
            i += count;
        }
        ObjectNode settingsNode = line.putObject("settings");
        settings.forEach(settingsNode::put);
        ObjectNode runNode = line.putObject("run");
        runNode.put("attempts", run.attempts);
        runNode.put("seconds", run.seconds);
        if (!run.hashes.isEmpty()) {
            ArrayNode hashes = runNode.putArray("hashes");
            run.hashes.forEach(hash -> hashes.addObject()
                    .put("step", hash.step)
                    .put("loss", hash.loss)
                    .put("weights", hash.weights));
        }
        ObjectNode environment = runNode.putObject("environment");
        run.environment.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> environment.put(entry.getKey(), entry.getValue()));
        return sealed(Json.line(line));
    }

    /** A line without a checksum, with it. */
    static String sealed(String line) {
        String content = line.substring(0, line.length() - 1);
        return content + CHECKSUM + Sha256.hex(content, DIGITS) + "\"}";
    }

    /** How many measurements, from that of an index on, make one entry. */
    private int listed(int from) {
        String first = measurements.get(from).name();
        if (!first.endsWith(".0")) {
            return 1;
        }
        List<Measurement> rest = measurements.subList(from, measurements.size());
        int count = 0;
        while (count < rest.size() && isElement(rest.getFirst(), count, rest.get(count))) {
            count++;
        }
        return Math.max(1, count);
    }

    private static boolean isElement(Measurement first, int index, Measurement measurement) {
        String name = base(first.name());
        return measurement.name().equals(name + "." + index)
                && measurement.unit().equals(first.unit())
                && measurement.n() == first.n()
                && measurement.interval().equals(Interval.exact(measurement.value()));
    }

    /** The name of a list, from that of its first element. */
    private static String base(String first) {
        return first.substring(0, first.lastIndexOf('.'));
    }

    private static void putMeasured(ObjectNode node, List<Measurement> measurements) {
        Measurement first = measurements.getFirst();
        if (measurements.size() == 1) {
            node.put("name", first.name());
            node.put("value", first.value());
            node.put("unit", first.unit());
            node.put("low", first.interval().low());
            node.put("high", first.interval().high());
        } else {
            node.put("name", base(first.name()));
            ArrayNode values = node.putArray("values");
            for (Measurement measurement : measurements) {
                values.add(measurement.value());
            }
            node.put("unit", first.unit());
        }
        node.put("n", first.n());
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @param file what the text is from, for messages
     * @param place where in it: "line 3"; empty for the whole
     * @throws MalformedFileException if it is something else, or was altered: the checksum is another, or the id, the
     *     seed or the axes are not those of the settings; the message names file, place, cell and what was expected
     */
    public static CellRecord parse(Path file, String place, String json) throws MalformedFileException {
        JsonValue line = JsonValue.parse(file, place, json, EXPECTED);
        requireSealed(file, place, json.strip(), line);
        Status status =
                line.field("status").oneOf(List.of("done", "failed")).equals("done") ? Status.DONE : Status.FAILED;
        JsonValue reason = line.field("reason");
        var measurements = new ArrayList<Measurement>();
        for (JsonValue node : line.field("measurements").elements()) {
            if (node.field("values").isAbsent()) {
                measurements.add(measurement(node));
            } else {
                addListed(measurements, node);
            }
        }
        JsonValue run = line.field("run");
        var hashes = new ArrayList<StepHash>();
        if (!run.field("hashes").isAbsent()) {
            for (JsonValue hash : run.field("hashes").elements()) {
                hashes.add(new StepHash(
                        hash.field("step").integer(),
                        hash.field("loss").number(),
                        hash.field("weights").text()));
            }
        }
        var record = new CellRecord(
                line.field("cell").text(),
                line.field("trial").text(),
                line.field("axes").textFields(),
                line.field("seed").integer(),
                line.field("settings").textFields(),
                status,
                reason.isAbsent() ? null : reason.text(),
                measurements,
                new Run(
                        run.field("attempts").count(),
                        run.field("seconds").number(),
                        run.field("environment").textFields(),
                        hashes));
        record.requireOfSettings(file, place);
        return record;
    }

    private static void requireSealed(Path file, String place, String json, JsonValue line)
            throws MalformedFileException {
        String cell = "cell " + line.field("cell").text() + ": ";
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
                            + checksum.text() + ": it was altered");
        }
    }

    /** A cell is what it says: the id and the labels follow from the settings. */
    private void requireOfSettings(Path file, String place) throws MalformedFileException {
        String id = id(trial, settings);
        if (!cell.equals(id)) {
            throw new MalformedFileException(
                    file, place, "cell " + cell + ": expected the id of its settings, " + id + ", got another cell's");
        }
        var labels = new LinkedHashMap<>(axes);
        labels.put("seed", Long.toString(seed));
        for (Map.Entry<String, String> label : labels.entrySet()) {
            String setting = settings.getOrDefault(label.getKey(), label.getValue());
            if (!setting.equals(label.getValue())) {
                throw new MalformedFileException(
                        file,
                        place,
                        "cell " + cell + ": expected " + label.getKey() + " as in its settings, " + setting + ", got "
                                + label.getValue());
            }
        }
    }

    private static void addListed(List<Measurement> measurements, JsonValue node) throws MalformedFileException {
        String name = node.field("name").text();
        String unit = node.field("unit").text();
        long n = node.field("n").integer();
        int index = 0;
        for (JsonValue element : node.field("values").elements()) {
            double value = element.number();
            measurements.add(new Measurement(name + "." + index++, value, unit, Interval.exact(value), n, null));
        }
    }

    private static Measurement measurement(JsonValue node) throws MalformedFileException {
        double low = node.field("low").number();
        double high = node.field("high").number();
        if (!(low <= high || (Double.isNaN(low) && Double.isNaN(high)))) {
            throw node.field("low").unexpected("a number of at most high, " + high);
        }
        return new Measurement(
                node.field("name").text(),
                node.field("value").number(),
                node.field("unit").text(),
                new Interval(low, high),
                node.field("n").integer(),
                null);
    }
}
