package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.file.JsonValue;
import org.lemmata.track.BenchmarkRow.RunOptions;

/**
 * Results that JMH writes with {@code -rf json}: an array with one object per benchmark, mode and parameter set. JMH up
 * to 1.18, kotlinx-benchmark and tools that shorten files omit some fields, which count as not recorded.
 */
public final class JmhResults {

    private static final String EXPECTED = "the results of JMH (-rf json)";

    private JmhResults() {}

    /**
     * The rows of {@code file}, in its order; empty if JMH ran nothing.
     *
     * @throws IOException if the file is missing or not from JMH; the message names file, place and what was expected
     */
    public static List<BenchmarkRow> read(Path file) throws IOException {
        var rows = new ArrayList<BenchmarkRow>();
        for (JsonValue element : JsonValue.read(file, EXPECTED).elements(EXPECTED + ", an array")) {
            rows.add(row(element));
        }
        Map<String, Set<Integer>> threads = new HashMap<>();
        rows.forEach(row -> threads.computeIfAbsent(row.sortedKey(), key -> new HashSet<>())
                .add(row.settings().threads()));
        return rows.stream()
                // Rows with one thread, JMH's default, keep their key.
                .map(row -> row.settings().threads() != 1
                                && threads.getOrDefault(row.sortedKey(), Set.of())
                                                .size()
                                        > 1
                        ? row.withThreadsAsParameter()
                        : row)
                .toList();
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
                element.field("forks").or(0, JsonValue::count),
                samples(primary.field("rawData")),
                secondary(element.field("secondaryMetrics")),
                jvm(element));
    }

    private static RunOptions settings(JsonValue element) throws IOException {
        JsonValue jvmArgs = element.field("jvmArgs");
        return new RunOptions(
                element.field("threads").or(RunOptions.UNKNOWN.threads(), JsonValue::count),
                iterations(element, "warmup"),
                iterations(element, "measurement"),
                jvmArgs.or(RunOptions.UNKNOWN.jvmArgs(), JsonValue::texts),
                element.field("jmhVersion").or(RunOptions.NOT_RECORDED, JsonValue::text));
    }

    private static String iterations(JsonValue element, String phase) throws IOException {
        JsonValue count = element.field(phase + "Iterations");
        JsonValue time = element.field(phase + "Time");
        if (count.isAbsent() || time.isAbsent()) {
            return RunOptions.NOT_RECORDED;
        }
        int batch = element.field(phase + "BatchSize").or(1, JsonValue::count);
        // kotlinx-benchmark writes "10 sec" where JMH writes "10 s".
        return count.count() + " x " + time.text().replaceFirst(" sec$", " s")
                + (batch == 1 ? "" : ", batches of " + batch);
    }

    /**
     * Name and version of the JVM, such as "OpenJDK 64-Bit Server VM 21+35". The version of the JDK is added if the
     * version of the JVM does not begin with it.
     */
    private static String jvm(JsonValue element) throws IOException {
        String jdk = element.field("jdkVersion").or("", JsonValue::text);
        String vm = element.field("vmVersion").or("", JsonValue::text);
        return Stream.of(
                        element.field("vmName").or("", JsonValue::text),
                        vm,
                        jdk.isEmpty() || vm.startsWith(jdk) ? "" : "JDK " + jdk)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
    }

    /** The samples. In mode "sample", JMH writes rawDataHistogram instead of rawData. */
    private static List<List<Double>> samples(JsonValue rawData) throws IOException {
        return rawData.or(List.of(), forks -> forks.list(JsonValue::numbers));
    }

    private static SequencedMap<String, BenchmarkRow.Metric> secondary(JsonValue metrics) throws IOException {
        var secondary = new LinkedHashMap<String, BenchmarkRow.Metric>();
        if (!metrics.isAbsent()) {
            for (Map.Entry<String, JsonValue> entry : metrics.fields().entrySet()) {
                JsonValue metric = entry.getValue();
                // JMH up to 1.35 wrote a dot before the names of profiler metrics.
                secondary.put(
                        entry.getKey().replaceFirst("^\u00b7", ""),
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
