package org.lemmata.claim;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.track.JsonValue;

/**
 * The file of {@code verify --json}: an array with one object a claim, its fields named as {@link ClaimResult}'s.
 *
 * <p>A figure that is not finite is written as the string {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}: a
 * model that gave NaN is a finding, and the file has to be able to say so. Every double reads back as the same bits.
 */
public final class ClaimResults {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final String EXPECTED = "the results of claims (verify --json)";
    private static final List<String> FORMS = List.of("printed", "corrected", "as stated");
    private static final List<String> VERDICTS = List.of("Supported", "Refuted", "Inconclusive");
    private static final List<String> EXPECTATIONS =
            List.of("Supported", "Refuted", "Inconclusive", ClaimResult.NO_EXPECTATION, ClaimResult.JUDGEMENT);
    private static final List<String> RELATIONS = List.of("≤", "≥", "≈");
    private static final List<String> BUDGETS = List.of("quick", "standard", "full");

    private ClaimResults() {}

    /** Writes {@code results}, whole or not at all. */
    public static void write(Path file, List<ClaimResult> results) throws IOException {
        AtomicFile.write(file, toJson(results));
    }

    /** The text of the file, ended by a line break. */
    public static String toJson(List<ClaimResult> results) throws IOException {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        results.forEach(result -> putInto(array.addObject(), result));
        return MAPPER.writeValueAsString(array) + "\n";
    }

    /**
     * Reads what {@link #write} wrote; fields of other names are passed over.
     *
     * @throws IOException if the file is missing or malformed; the message names file, place and what was expected
     */
    public static List<ClaimResult> read(Path file) throws IOException {
        var results = new ArrayList<ClaimResult>();
        for (JsonValue element : JsonValue.read(file, EXPECTED).elements()) {
            results.add(result(element));
        }
        return results;
    }

    private static void putInto(ObjectNode node, ClaimResult result) {
        node.put("id", result.id());
        node.put("statement", result.statement());
        node.put("source", result.source());
        node.put("form", result.form());
        node.put("range", result.range());
        node.put("expected", result.expected());
        node.put("verdict", result.verdict());
        node.put("reason", result.reason());
        ArrayNode measured = node.putArray("measured");
        for (ClaimResult.Measured figure : result.measured()) {
            ObjectNode entry = measured.addObject();
            entry.put("name", figure.name());
            putNumber(entry, "value", figure.value());
            entry.put("unit", figure.unit());
            putNumber(entry, "low", figure.low());
            putNumber(entry, "high", figure.high());
            entry.put("n", figure.n());
            entry.put("relation", figure.relation());
            putNumber(entry, "paper", figure.paper());
        }
        result.seeds().forEach(node.putArray("seeds")::add);
        node.put("budget", result.budget());
        node.put("precision", result.precision());
        putNumber(node, "seconds", result.seconds());
        ObjectNode environment = node.putObject("environment");
        new TreeMap<>(result.environment()).forEach(environment::put);
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
        var measured = new ArrayList<ClaimResult.Measured>();
        for (JsonValue entry : node.field("measured").elements()) {
            measured.add(measured(entry));
        }
        var figures = new ArrayList<Figure>();
        for (JsonValue entry : node.field("figures").elements()) {
            figures.add(figure(entry));
        }
        // Files from before there were policies have no such field.
        JsonValue precision = node.field("precision");
        return new ClaimResult(
                node.field("id").text(),
                node.field("statement").text(),
                node.field("source").text(),
                node.field("form").oneOf(FORMS),
                node.field("range").text(),
                node.field("expected").oneOf(EXPECTATIONS),
                node.field("verdict").oneOf(VERDICTS),
                node.field("reason").text(),
                measured,
                node.field("seeds").integers(),
                node.field("budget").oneOf(BUDGETS),
                precision.isAbsent() ? Computation.UNROUNDED : precision.text(),
                node.field("seconds").number(),
                node.field("environment").textFields(),
                figures);
    }

    private static ClaimResult.Measured measured(JsonValue node) throws IOException {
        JsonValue relation = node.field("relation");
        JsonValue paper = node.field("paper");
        return new ClaimResult.Measured(
                node.field("name").text(),
                node.field("value").number(),
                node.field("unit").text(),
                node.field("low").number(),
                node.field("high").number(),
                node.field("n").integer(),
                relation.isAbsent() ? null : relation.oneOf(RELATIONS),
                paper.isAbsent() ? null : paper.number());
    }

    private static List<Double> ends(JsonValue line, String field, List<Double> y) throws IOException {
        List<Double> ends = line.field(field).numbers();
        if (ends.size() != y.size()) {
            throw line.field(field).unexpected("as many numbers as y has, " + y.size());
        }
        return ends;
    }

    private static Figure figure(JsonValue node) throws IOException {
        var series = new ArrayList<Figure.Series>();
        for (JsonValue line : node.field("series").elements()) {
            List<Double> x = line.field("x").numbers();
            List<Double> y = line.field("y").numbers();
            if (x.size() != y.size()) {
                throw line.field("y").unexpected("as many numbers as x has, " + x.size());
            }
            String name = line.field("name").text();
            series.add(
                    line.field("low").isAbsent()
                            ? new Figure.Series(name, x, y)
                            : new Figure.Series(name, x, y, ends(line, "low", y), ends(line, "high", y)));
        }
        return new Figure(
                node.field("title").text(),
                node.field("caption").text(),
                node.field("xLabel").text(),
                node.field("yLabel").text(),
                series,
                node.field("joined").isAbsent() || node.field("joined").truth());
    }
}
