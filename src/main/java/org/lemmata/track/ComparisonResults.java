package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.track.ComparisonRow.Change;

/** A comparison as a JSON document; NaN and infinities are strings in it, as in JMH's. */
public final class ComparisonResults {

    private static final String EXPECTED = "a comparison (compare --json)";

    private ComparisonResults() {}

    /** Writes a comparison, whole or not at all. */
    public static void write(Path file, Comparison comparison) throws IOException {
        var root = new LinkedHashMap<String, Object>();
        root.put("baseline", comparison.baseline());
        root.put("current", comparison.current());
        Comparison.Method method = comparison.method();
        if (method != null) {
            root.put("method", method);
        }
        root.put("differences", comparison.differences());
        root.put("refused", comparison.refused());
        root.put("rows", comparison.rows().stream().map(ComparisonResults::json).toList());
        AtomicFile.write(file, Json.indented(root) + "\n");
    }

    private static Map<String, Object> json(ComparisonRow row) {
        var node = new LinkedHashMap<String, Object>();
        node.put("benchmark", row.benchmark());
        node.put("mode", row.mode());
        node.put("params", row.params());
        node.put("verdict", row.verdict().word());
        node.put("ratio", row.ratio());
        node.put("low", row.interval().low());
        node.put("high", row.interval().high());
        node.put("noiseFloor", row.noiseFloor());
        node.put("margin", row.margin());
        node.put("forks", row.forks());
        row.forksNeeded().ifPresent(forks -> node.put("forksNeeded", forks));
        node.put("note", row.note());
        if (row.within() != null) {
            node.put("within", row.within());
        }
        return node;
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if the file is missing or malformed; the message names file, place and what was expected
     */
    public static Comparison read(Path file) throws IOException {
        JsonValue root = JsonValue.read(file, EXPECTED);
        List<ComparisonRow> rows = root.field("rows").list(ComparisonResults::row);
        return new Comparison(
                root.field("baseline").text(),
                root.field("current").text(),
                method(root.field("method")),
                root.field("differences").texts(),
                root.field("refused").text(),
                rows);
    }

    private static Comparison.@Nullable Method method(JsonValue value) throws IOException {
        if (value.isAbsent()) {
            return null;
        }
        List<String> centers = Arrays.stream(Center.values()).map(Center::name).toList();
        return new Comparison.Method(
                Center.valueOf(value.field("center").oneOf(centers)),
                value.field("alpha").number(),
                value.field("compared").count(),
                value.field("level").number(),
                value.field("looks").or(1, JsonValue::count),
                value.field("paired").truth(),
                value.field("duets").or(0, JsonValue::count),
                value.field("itself").truth(),
                value.field("sharedFreedom").or(0.0, JsonValue::number));
    }

    private static ComparisonRow row(JsonValue value) throws IOException {
        JsonValue high = value.field("high");
        double low = value.field("low").number();
        if (low > high.number()) {
            throw high.unexpected("at least low, " + low);
        }
        return new ComparisonRow(
                value.field("benchmark").text(),
                value.field("mode").text(),
                value.field("params").textFields(),
                verdict(value.field("verdict")),
                new ComparisonRow.Estimate(
                        value.field("ratio").number(),
                        new Interval(low, high.number()),
                        value.field("noiseFloor").number(),
                        within(value.field("within"))),
                value.field("margin").number(),
                value.field("forks").count(),
                value.field("forksNeeded").or(OptionalInt.empty(), needed -> OptionalInt.of(needed.count())),
                value.field("note").text());
    }

    private static ComparisonRow.@Nullable Within within(JsonValue value) throws IOException {
        return value.isAbsent()
                ? null
                : new ComparisonRow.Within(
                        value.field("over").text(),
                        value.field("beside").text(),
                        value.field("before").number(),
                        value.field("now").number());
    }

    private static Change verdict(JsonValue value) throws IOException {
        String word =
                value.oneOf(Arrays.stream(Change.values()).map(Change::word).toList());
        return Arrays.stream(Change.values())
                .filter(verdict -> verdict.word().equals(word))
                .findFirst()
                .orElseThrow();
    }
}
