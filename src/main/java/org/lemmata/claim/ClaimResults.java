package org.lemmata.claim;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.JsonValue;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * The file of {@code verify --json}: an array with one object per claim. The object has all values of a
 * {@link ClaimResult} and its nested records.
 *
 * <p>A number that is not finite is written as the string {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"},
 * because JSON has no such numbers, and the file must record a model that returns NaN. Every double keeps its exact
 * value when it is written and read back.
 */
public final class ClaimResults {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final String EXPECTED = "the results of claims (verify --json)";

    private ClaimResults() {}

    /** The text of the file, with a line break at the end. */
    public static String toJson(List<ClaimResult> results) throws IOException {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        results.forEach(result -> putInto(array.addObject(), result));
        return MAPPER.writeValueAsString(array) + "\n";
    }

    /**
     * Reads a file that {@code verify --json} wrote; unknown fields are ignored.
     *
     * @throws IOException if the file is missing or malformed; the message names the file, the place and the expected
     *     content
     */
    public static List<ClaimResult> read(Path file) throws IOException {
        return JsonValue.read(file, EXPECTED).list(ClaimResults::result);
    }

    private static void putInto(ObjectNode node, ClaimResult result) {
        node.put("id", result.said().id());
        node.put("statement", result.said().text());
        node.put("source", result.said().source());
        node.put("form", result.said().form().label());
        node.put("paper", result.said().paper());
        if (!result.said().plugin().isEmpty()) {
            node.put("plugin", result.said().plugin());
        }
        node.put("range", result.tested().range());
        node.put("size", result.tested().size());
        node.put("verdict", result.outcome().label());
        Outcome pinned = result.pinned();
        node.put("pinned", pinned == null ? null : pinned.label());
        node.put("reason", result.verdict().reason());
        ArrayNode trivial = node.putArray("trivial");
        for (TrivialAnswer answer : result.trivial()) {
            ObjectNode entry = trivial.addObject().put("name", answer.name());
            putNumber(entry, "value", answer.value());
            putInterval(entry, answer.interval());
        }
        ArrayNode measured = node.putArray("measured");
        for (Measurement figure : result.measured()) {
            ObjectNode entry = measured.addObject();
            Reference reference = figure.reference();
            entry.put("name", figure.name());
            putNumber(entry, "value", figure.value());
            entry.put("unit", figure.unit());
            putInterval(entry, figure.interval());
            entry.put("n", figure.n());
            entry.put(
                    "relation", reference == null ? null : reference.relation().sign());
            putNumber(entry, "paper", reference == null ? null : reference.value());
        }
        result.run().seeds().forEach(node.putArray("seeds")::add);
        node.put("budget", result.tested().budget().label());
        node.put("precision", result.tested().precision());
        if (!result.tested().settings().isEmpty()) {
            ObjectNode settings = node.putObject("settings");
            result.tested().settings().forEach(settings::put);
            node.put("beyond", result.tested().beyond());
        }
        putNumber(node, "seconds", result.run().seconds());
        ObjectNode environment = node.putObject("environment");
        new TreeMap<>(result.run().environment()).forEach(environment::put);
        ArrayNode figures = node.putArray("figures");
        result.figures().forEach(figure -> putInto(figures.addObject(), figure));
    }

    private static void putInto(ObjectNode node, Figure figure) {
        node.put("title", figure.title());
        node.put("caption", figure.caption());
        node.put("xLabel", figure.xLabel());
        node.put("yLabel", figure.yLabel());
        if (!figure.joined()) {
            node.put("joined", false);
        }
        ArrayNode series = node.putArray("series");
        for (Figure.Series line : figure.series()) {
            ObjectNode entry = series.addObject();
            entry.put("name", line.name());
            addNumbers(entry.putArray("x"), line.x());
            addNumbers(entry.putArray("y"), line.y());
            if (line.hasIntervals()) {
                addNumbers(entry.putArray("low"), line.low());
                addNumbers(entry.putArray("high"), line.high());
            }
        }
    }

    private static void putInterval(ObjectNode node, Interval interval) {
        putNumber(node, "low", interval.low());
        putNumber(node, "high", interval.high());
    }

    private static void putNumber(ObjectNode node, String name, @Nullable Double value) {
        if (value != null && !Double.isFinite(value)) {
            node.put(name, Double.toString(value));
        } else {
            node.put(name, value);
        }
    }

    private static void addNumbers(ArrayNode array, List<Double> values) {
        for (double value : values) {
            if (Double.isFinite(value)) {
                array.add(value);
            } else {
                array.add(Double.toString(value));
            }
        }
    }

    private static ClaimResult result(JsonValue node) throws IOException {
        JsonValue pinned = node.field("pinned");
        JsonValue settings = node.field("settings");
        return new ClaimResult(
                new ClaimResult.Said(
                        node.field("id").text(),
                        node.field("statement").text(),
                        node.field("source").text(),
                        one(node.field("form"), Form.values(), Form::label),
                        node.field("paper").text(),
                        node.field("plugin").or("", JsonValue::text)),
                new ClaimResult.Tested(
                        node.field("range").text(),
                        node.field("size").text(),
                        one(node.field("budget"), Budget.values(), Budget::label),
                        node.field("precision").text(),
                        new TreeMap<>(settings.isAbsent() ? Map.of() : settings.textFields()),
                        node.field("beyond").or("", JsonValue::text)),
                new Verdict(outcome(node.field("verdict")), node.field("reason").text()),
                pinned.isAbsent() ? null : outcome(pinned),
                node.field("trivial").list(ClaimResults::trivial),
                node.field("measured").list(ClaimResults::measured),
                new ClaimResult.Run(
                        node.field("seeds").integers(),
                        node.field("seconds").number(),
                        node.field("environment").textFields()),
                node.field("figures").list(ClaimResults::figure));
    }

    static Outcome outcome(JsonValue value) throws IOException {
        return one(value, Outcome.values(), Outcome::label);
    }

    static <T> T one(JsonValue value, T[] all, Function<T, String> label) throws IOException {
        String word = value.oneOf(Arrays.stream(all).map(label).toList());
        return Arrays.stream(all)
                .filter(each -> label.apply(each).equals(word))
                .findFirst()
                .orElseThrow();
    }

    private static Measurement measured(JsonValue node) throws IOException {
        JsonValue paper = node.field("paper");
        return new Measurement(
                node.field("name").text(),
                node.field("value").number(),
                node.field("unit").text(),
                interval(node),
                node.field("n").integer(),
                paper.isAbsent()
                        ? null
                        : new Reference(
                                one(node.field("relation"), Relation.values(), Relation::sign), paper.number()));
    }

    private static Interval interval(JsonValue node) throws IOException {
        double low = node.field("low").number();
        double high = node.field("high").number();
        if (!(low <= high || (Double.isNaN(low) && Double.isNaN(high)))) {
            throw node.field("low").unexpected("at most high, " + high);
        }
        return new Interval(low, high);
    }

    private static List<Double> ends(JsonValue line, String field, List<Double> y) throws IOException {
        List<Double> ends = line.field(field).numbers();
        if (ends.size() != y.size()) {
            throw line.field(field).unexpected("as many numbers as y has, " + y.size());
        }
        return ends;
    }

    private static Figure figure(JsonValue node) throws IOException {
        return new Figure(
                node.field("title").text(),
                node.field("caption").text(),
                node.field("xLabel").text(),
                node.field("yLabel").text(),
                node.field("series").list(ClaimResults::series),
                node.field("joined").or(true, JsonValue::truth));
    }

    private static Figure.Series series(JsonValue line) throws IOException {
        List<Double> x = line.field("x").numbers();
        List<Double> y = line.field("y").numbers();
        if (x.size() != y.size()) {
            throw line.field("y").unexpected("as many numbers as x has, " + x.size());
        }
        String name = line.field("name").text();
        return line.field("low").isAbsent()
                ? new Figure.Series(name, x, y)
                : new Figure.Series(name, x, y, ends(line, "low", y), ends(line, "high", y));
    }

    private static TrivialAnswer trivial(JsonValue node) throws IOException {
        return new TrivialAnswer(node.field("name").text(), node.field("value").number(), interval(node));
    }
}
