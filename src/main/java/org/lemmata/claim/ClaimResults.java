package org.lemmata.claim;

import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.Json;
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

    private static final String EXPECTED = "the results of claims (verify --json)";

    private ClaimResults() {}

    /** The text of the file, with a line break at the end. */
    public static String toJson(List<ClaimResult> results) {
        return Json.indented(results.stream().map(ClaimResults::object).toList()) + "\n";
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

    private static Map<String, Object> object(ClaimResult result) {
        ClaimResult.Said said = result.said();
        ClaimResult.Tested tested = result.tested();
        Map<String, Object> object = Json.object(
                "id", said.id(),
                "statement", said.text(),
                "source", said.source(),
                "form", said.form().label(),
                "paper", said.paper());
        if (!said.plugin().isEmpty()) {
            object.put("plugin", said.plugin());
        }
        object.putAll(Json.object(
                "range", tested.range(),
                "size", tested.size(),
                "verdict", result.outcome().label(),
                "pinned", orNull(result.pinned(), Outcome::label),
                "reason", result.verdict().reason(),
                "trivial", result.trivial().stream().map(ClaimResults::object).toList(),
                "measured", result.measured().stream().map(ClaimResults::object).toList(),
                "seeds", result.run().seeds(),
                "budget", tested.budget().label(),
                "precision", tested.precision()));
        if (!tested.settings().isEmpty()) {
            object.put("settings", tested.settings());
            object.put("beyond", tested.beyond());
        }
        object.putAll(Json.object(
                "seconds", result.run().seconds(),
                "environment", new TreeMap<>(result.run().environment()),
                "figures", result.figures().stream().map(ClaimResults::object).toList()));
        return object;
    }

    private static Map<String, Object> object(TrivialAnswer answer) {
        Interval interval = answer.interval();
        return Json.object(
                "name", answer.name(), "value", answer.value(), "low", interval.low(), "high", interval.high());
    }

    private static Map<String, Object> object(Measurement figure) {
        Reference reference = figure.reference();
        return Json.object(
                "name", figure.name(),
                "value", figure.value(),
                "unit", figure.unit(),
                "low", figure.interval().low(),
                "high", figure.interval().high(),
                "n", figure.n(),
                "relation", orNull(reference, paper -> paper.relation().sign()),
                "paper", orNull(reference, Reference::value));
    }

    private static <T> Object orNull(@Nullable T value, Function<T, Object> of) {
        return value == null ? NullNode.getInstance() : of.apply(value);
    }

    private static Map<String, Object> object(Figure figure) {
        Map<String, Object> object = Json.object(
                "title", figure.title(),
                "caption", figure.caption(),
                "xLabel", figure.xLabel(),
                "yLabel", figure.yLabel());
        if (!figure.joined()) {
            object.put("joined", false);
        }
        object.put("series", figure.series().stream().map(ClaimResults::object).toList());
        return object;
    }

    private static Map<String, Object> object(Figure.Series line) {
        Map<String, Object> object = Json.object("name", line.name(), "x", line.x(), "y", line.y());
        if (line.hasIntervals()) {
            object.put("low", line.low());
            object.put("high", line.high());
        }
        return object;
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
