package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertMalformed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.file.MalformedFileException;

class JmhResultsTest {

    /** Written by hand in the style of JMH 1.37: a single shot, with NaN as JMH writes it. */
    private static final String SMALL = """
        [{"benchmark": "a.b.CBenchmark.scalar", "mode": "ss", "forks": 1, "primaryMetric":
          {"score": 2.5, "scoreError": "NaN", "scoreUnit": "ms/op", "rawData": [[2.5]]}, "secondaryMetrics": {}}]
        """;

    @TempDir
    private Path directory;

    @Test
    void readsWhatJmhWrote() throws Exception {
        List<BenchmarkRow> rows = JmhResults.read(resource());
        assertThat(rows).hasSize(14);
        BenchmarkRow first = rows.getFirst();
        assertThat(first.benchmarkClass()).isEqualTo("org.lemmata.kernel.attention.AttentionBenchmark");
        assertThat(first.simpleClass()).isEqualTo("AttentionBenchmark");
        assertThat(first.method()).isEqualTo("scalar");
        assertThat(first.mode()).isEqualTo("thrpt");
        assertThat(first.params()).isEqualTo(Map.of("headWidth", "32", "length", "128"));
        assertThat(first.unit()).isEqualTo("ops/s");
        assertThat(first.forks()).isEqualTo(2);
        assertThat(first.samples())
                .hasSize(2)
                .allSatisfy(fork -> assertThat(fork).hasSize(3));
        assertThat(first.forkMeans().stream().mapToDouble(d -> d).average().orElseThrow())
                .isCloseTo(first.score(), within(1e-9 * first.score()));
        assertThat(first.secondary()).containsOnlyKeys("gigaflops", "tokens");
        assertThat(first.higherIsFaster()).isTrue();
        assertThat(rows.getLast().higherIsFaster()).isFalse();
    }

    @Test
    void theScoreOfAnEventCounterIsTheSumOfItsIterations() throws Exception {
        BenchmarkRow.Metric metric = JmhResults.read(resource()).stream()
                .filter(row -> row.params().containsValue("bfloat16"))
                .map(row -> Objects.requireNonNull(row.secondary().get("maxError")))
                .findFirst()
                .orElseThrow();
        assertThat(metric.unit()).isEqualTo("#");
        assertThat(metric.samples()).hasSize(6);
        assertThat(metric.samples().stream().mapToDouble(Double::doubleValue).sum())
                .isCloseTo(metric.score(), within(1e-12));
    }

    @Test
    void aReferenceIsOfOneClassModeUnitAndSize() throws Exception {
        List<BenchmarkRow> rows = JmhResults.read(resource());
        BenchmarkRow vector = rows.get(2);
        assertThat(new ScalarReference(rows).of(vector))
                .as("scalar and vector, head width 32")
                .contains(rows.get(0));
        assertThat(new ScalarReference(rows.subList(1, 3)).of(vector))
                .as("head widths 32 and 64")
                .isEmpty();
        assertThat(new ScalarReference(rows).of(rows.get(0)))
                .as("no row on lanes")
                .isEmpty();
    }

    @Test
    void readsNanAndRowsWithoutParameters() throws Exception {
        BenchmarkRow row = JmhResults.read(file(SMALL)).getFirst();
        assertThat(row.error()).isNaN();
        assertThat(row.params()).isEmpty();
        assertThat(row.secondary()).isEmpty();
        assertThat(JmhResults.read(file("[]"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "a.b.CBenchmark.scalar" | "c" | benchmark: expected the qualified name of a benchmark's method, got the string "c"
        "score": 2.5,           |     | primaryMetric.score: expected a number, got nothing: the field is absent
        "NaN"                   | "-" | primaryMetric.scoreError: expected a number, got the string "-"
        "forks": 1       | "forks": -1 | forks: expected a count, got the number -1
        [[2.5]]                 | [2] | primaryMetric.rawData[0]: expected an array, got the number 2
        """)
    void namesThePlaceOfAFault(String right, @Nullable String wrong, String problem) throws Exception {
        assertThat(SMALL).contains(right);
        Path file = file(SMALL.replace(right, wrong == null ? "" : wrong));
        assertMalformed(() -> JmhResults.read(file), file + ": [0]." + problem);
    }

    @Test
    void saysThatAFileIsMissingOrTornOrNotJson() throws Exception {
        Path missing = directory.resolve("missing.json");
        assertThatThrownBy(() -> JmhResults.read(missing))
                .hasMessage(missing + ": no such file; expected the results of JMH (-rf json)");
        assertThatThrownBy(() -> JmhResults.read(file("{}")))
                .hasMessageEndingWith(": expected the results of JMH (-rf json), an array, got an object");
        String twice = "[{\"mode\":1,\"mode\":2}]";
        for (String text : List.of(SMALL.substring(0, 100), "Benchmark Mode Cnt", SMALL + "]", twice)) {
            Path file = file(text);
            assertThatThrownBy(() -> JmhResults.read(file))
                    .as(text)
                    .isInstanceOf(MalformedFileException.class)
                    .hasMessageMatching("\\Q" + file + "\\E: line \\d+, column \\d+: expected the results of JMH .*")
                    .hasMessageNotContaining("start marker");
        }
    }

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("latest.json"), text);
    }

    private static Path resource() throws URISyntaxException {
        var resource = JmhResultsTest.class.getResource("/org/lemmata/report/jmh.json");
        return Path.of(Objects.requireNonNull(resource).toURI());
    }

    private static final Set<String> SUMS = Set.of("gc.count", "gc.time");
    private static final String MAXIMUM = "maxErrorUlps";

    /**
     * A run of three forks that JMH 1.37 wrote, one row per mode. It is split into three runs of one fork and merged;
     * the expected values are JMH's own statistics of the three forks.
     */
    private static JsonNode threeForks() throws IOException {
        try (InputStream in = JmhResultsTest.class.getResourceAsStream("three-forks.json")) {
            return JsonMapper.builder().build().readTree(Objects.requireNonNull(in));
        }
    }

    /** One fork of {@code row}, as JMH would write it, except for errors and percentiles, which are not read. */
    private static ObjectNode fork(JsonNode row, int fork) {
        ObjectNode one = row.deepCopy();
        one.put("forks", 1);
        cut("", (ObjectNode) one.get("primaryMetric"), fork);
        for (String name : List.copyOf(names(row))) {
            ObjectNode metric = (ObjectNode) one.get("secondaryMetrics").get(name);
            if (metric.get("rawData").get(fork).isEmpty()) {
                ((ObjectNode) one.get("secondaryMetrics")).remove(name);
            } else {
                cut(name, metric, fork);
            }
        }
        return one;
    }

    private static List<String> names(JsonNode row) {
        var names = new ArrayList<String>();
        row.get("secondaryMetrics").fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void cut(String name, ObjectNode metric, int fork) {
        String raw = metric.has("rawData") ? "rawData" : "rawDataHistogram";
        JsonNode data = metric.get(raw).get(fork);
        metric.putArray(raw).add(data);
        double[] values = raw.equals("rawData")
                ? StreamSupport.stream(data.spliterator(), false)
                        .mapToDouble(JsonNode::doubleValue)
                        .toArray()
                : new double[0];
        if (SUMS.contains(name)) {
            metric.put("score", DoubleStream.of(values).sum()).put("scoreError", "NaN");
        } else if (name.equals(MAXIMUM)) {
            metric.put("scoreError", "NaN");
        } else if (!name.startsWith("p")) {
            metric.put("score", DoubleStream.of(values).average().orElse(0)).put("scoreError", 1.0);
        }
        metric.remove(List.of("scorePercentiles", "scoreConfidence"));
    }

    @TestFactory
    List<DynamicTest> writesWhatJmhWrites() throws IOException {
        var tests = new ArrayList<DynamicTest>();
        for (JsonNode row : threeForks()) {
            tests.add(DynamicTest.dynamicTest(row.get("mode").asText(), () -> {
                // Converted to text and back, because NaN is a string in files.
                JsonNode merged = new ObjectMapper()
                        .readTree(JmhMerge.merge(List.of(fork(row, 0), fork(row, 1), fork(row, 2)))
                                .toString());
                assertThat(merged.get("forks").asInt()).isEqualTo(3);
                assertSame("primary", merged.get("primaryMetric"), row.get("primaryMetric"), 1);
                assertThat(names(merged)).containsExactlyElementsOf(names(row));
                for (String name : names(row)) {
                    JsonNode metric = merged.get("secondaryMetrics").get(name);
                    JsonNode expected = row.get("secondaryMetrics").get(name);
                    if (name.startsWith("p")) {
                        assertNear(name, metric.get("score"), expected.get("score"), 1);
                    } else {
                        assertSame(name, metric, expected, SUMS.contains(name) ? 3 : 1);
                    }
                }
            }));
        }
        assertThat(tests).hasSize(4);
        return tests;
    }

    /** @param forks the divisor of a sum over the run, to convert it to one fork */
    private static void assertSame(String name, JsonNode metric, JsonNode expected, int forks) {
        assertNear(name, metric.get("score"), expected.get("score"), forks);
        assertNear(name, metric.get("scoreError"), expected.get("scoreError"), 1);
        for (int i = 0; i < 2; i++) {
            assertNear(
                    name,
                    metric.get("scoreConfidence").get(i),
                    expected.get("scoreConfidence").get(i),
                    forks);
        }
        assertThat(metric.get("scorePercentiles")).hasSize(10);
        expected.get("scorePercentiles")
                .properties()
                .forEach(percentile -> assertNear(
                        name + " " + percentile.getKey(),
                        metric.get("scorePercentiles").get(percentile.getKey()),
                        percentile.getValue(),
                        1));
        assertThat(metric.get("scoreUnit")).isEqualTo(expected.get("scoreUnit"));
        assertThat(metric.get("rawData")).as(name).isEqualTo(expected.get("rawData"));
        assertThat(metric.get("rawDataHistogram")).as(name).isEqualTo(expected.get("rawDataHistogram"));
    }

    private static void assertNear(String name, JsonNode actual, JsonNode expected, int forks) {
        if (expected.isTextual()) {
            assertThat(actual).as(name).isEqualTo(expected);
        } else {
            double value = expected.doubleValue() / forks;
            assertThat(actual.doubleValue()).as(name).isCloseTo(value, within(1e-9 * Math.abs(value)));
        }
    }

    @Test
    void keepsAMetricThatTheFirstForkDoesNotHave() throws IOException {
        for (JsonNode row : threeForks()) {
            if (row.get("mode").asText().equals("ss")) {
                JsonNode metric = JmhMerge.merge(List.of(fork(row, 1), fork(row, 0), fork(row, 2)))
                        .get("secondaryMetrics")
                        .get("gc.time");
                assertThat(metric.get("score").doubleValue()).isCloseTo(4 / 3.0, within(1e-9));
                assertThat(metric.get("rawData").toString()).isEqualTo("[[],[4.0],[]]");
            }
        }
    }

    @Test
    void leavesOneForkAsItIs() throws IOException {
        JsonNode row = threeForks().get(0);
        assertThat(JmhMerge.merge(List.of(row))).isEqualTo(row);
    }
}
