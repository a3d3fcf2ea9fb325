package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.lemmata.file.JsonValue;

/** The results that JMH writes with {@code -rf json}: an array with one object a benchmark and parameter set. */
public final class JmhResults {

    private static final String EXPECTED = "the results of JMH (-rf json)";

    private JmhResults() {}

    /**
     * The rows of {@code file}, in its order; empty where JMH ran nothing.
     *
     * @throws IOException if the file is missing or is not JMH's; the message names file, place and what was expected
     */
    public static List<BenchmarkRow> read(Path file) throws IOException {
        return JsonValue.read(file, EXPECTED).list(JmhResults::row);
    }

    private static BenchmarkRow row(JsonValue element) throws IOException {
        JsonValue name = element.field("benchmark");
        String benchmark = name.text();
        int dot = benchmark.lastIndexOf('.');
        if (dot <= 0 || dot == benchmark.length() - 1) {
            throw name.unexpected("the qualified name of a benchmark's method");
        }
        JsonValue primary = element.field("primaryMetric");
        return new BenchmarkRow(
                benchmark.substring(0, dot),
                benchmark.substring(dot + 1),
                element.field("mode").text(),
                element.field("params").or(new LinkedHashMap<>(), JsonValue::textFields),
                settings(element),
                primary.field("score").number(),
                primary.field("scoreError").or(Double.NaN, JsonValue::number),
                primary.field("scoreUnit").text(),
                element.field("forks").count(),
                samples(primary.field("rawData")),
                secondary(element.field("secondaryMetrics")));
    }

    /** Files that were cut down to scores lack them. */
    private static BenchmarkRow.RunOptions settings(JsonValue element) throws IOException {
        if (element.field("warmupIterations").isAbsent()) {
            return BenchmarkRow.RunOptions.UNKNOWN;
        }
        return new BenchmarkRow.RunOptions(
                element.field("threads").count(),
                iterations(element, "warmup"),
                iterations(element, "measurement"),
                element.field("jvmArgs").texts(),
                element.field("jmhVersion").text());
    }

    private static String iterations(JsonValue element, String phase) throws IOException {
        int batch = element.field(phase + "BatchSize").count();
        return element.field(phase + "Iterations").count() + " x "
                + element.field(phase + "Time").text() + (batch == 1 ? "" : ", batches of " + batch);
    }

    /** JMH writes rawDataHistogram in place of rawData in the mode "sample". */
    private static List<List<Double>> samples(JsonValue rawData) throws IOException {
        return rawData.or(List.of(), forks -> forks.list(JsonValue::numbers));
    }

    private static SequencedMap<String, BenchmarkRow.Metric> secondary(JsonValue metrics) throws IOException {
        var secondary = new LinkedHashMap<String, BenchmarkRow.Metric>();
        if (!metrics.isAbsent()) {
            for (Map.Entry<String, JsonValue> entry : metrics.fields().entrySet()) {
                JsonValue metric = entry.getValue();
                secondary.put(
                        entry.getKey(),
                        new BenchmarkRow.Metric(
                                metric.field("score").number(),
                                metric.field("scoreError").or(Double.NaN, JsonValue::number),
                                metric.field("scoreUnit").text(),
                                samples(metric.field("rawData")).stream()
                                        .flatMap(List::stream)
                                        .toList()));
            }
        }
        return secondary;
    }
}
