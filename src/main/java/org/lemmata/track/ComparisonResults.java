package org.lemmata.track;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.track.ComparisonRow.Verdict;

/** A comparison as a JSON document; NaN and infinities are strings in it, as in JMH's. */
public final class ComparisonResults {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final String EXPECTED = "a comparison (compare --json)";

    private ComparisonResults() {}

    /** Writes a comparison, whole or not at all. */
    public static void write(Path file, Comparison comparison) throws IOException {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("baseline", comparison.baseline());
        root.put("current", comparison.current());
        Comparison.Method method = comparison.method();
        if (method != null) {
            ObjectNode node = root.putObject("method");
            node.put("center", method.center().name());
            node.put("alpha", method.alpha());
            node.put("compared", method.compared());
            node.put("level", method.level());
            node.put("paired", method.paired());
            node.put("duets", method.duets());
            node.put("itself", method.itself());
        }
        comparison.differences().forEach(root.putArray("differences")::add);
        root.put("refused", comparison.refused());
        ArrayNode rows = root.putArray("rows");
        comparison.rows().forEach(row -> write(rows.addObject(), row));
        AtomicFile.write(file, MAPPER.writeValueAsString(root) + "\n");
    }

    private static void write(ObjectNode node, ComparisonRow row) {
        node.put("benchmark", row.benchmark());
        node.put("mode", row.mode());
        row.params().forEach(node.putObject("params")::put);
        node.put("verdict", row.verdict().word());
        node.put("ratio", row.ratio());
        node.put("low", row.interval().low());
        node.put("high", row.interval().high());
        node.put("noiseFloor", row.noiseFloor());
        node.put("margin", row.margin());
        node.put("forks", row.forks());
        row.forksNeeded().ifPresent(forks -> node.put("forksNeeded", forks));
        node.put("note", row.note());
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if the file is missing or malformed; the message names file, place and what was expected
     */
    public static Comparison read(Path file) throws IOException {
        JsonValue root = JsonValue.read(file, EXPECTED);
        var rows = new ArrayList<ComparisonRow>();
        for (JsonValue row : root.field("rows").elements()) {
            rows.add(row(row));
        }
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
                value.field("paired").truth(),
                value.field("duets").isAbsent() ? 0 : value.field("duets").count(),
                value.field("itself").truth());
    }

    private static ComparisonRow row(JsonValue value) throws IOException {
        JsonValue needed = value.field("forksNeeded");
        JsonValue high = value.field("high");
        double low = value.field("low").number();
        if (low > high.number()) {
            throw high.unexpected("at least low, " + low);
        }
        return new ComparisonRow(
                value.field("benchmark").text(),
                value.field("mode").text(),
                new LinkedHashMap<>(value.field("params").textFields()),
                verdict(value.field("verdict")),
                new ComparisonRow.Estimate(
                        value.field("ratio").number(),
                        new Interval(low, high.number()),
                        value.field("noiseFloor").number()),
                value.field("margin").number(),
                value.field("forks").count(),
                needed.isAbsent() ? OptionalInt.empty() : OptionalInt.of(needed.count()),
                value.field("note").text());
    }

    private static Verdict verdict(JsonValue value) throws IOException {
        String word =
                value.oneOf(Arrays.stream(Verdict.values()).map(Verdict::word).toList());
        return Arrays.stream(Verdict.values())
                .filter(verdict -> verdict.word().equals(word))
                .findFirst()
                .orElseThrow();
    }
}
