package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A run of three forks that JMH 1.37 wrote, one row per mode, is split into three runs of one fork and merged. The
 * expected values are JMH's own statistics of the three forks.
 */
class JmhMergeTest {

    private static final Set<String> SUMS = Set.of("gc.count", "gc.time");
    private static final String MAXIMUM = "maxErrorUlps";

    private static JsonNode file() throws IOException {
        try (InputStream in = JmhMergeTest.class.getResourceAsStream("three-forks.json")) {
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
        for (JsonNode row : file()) {
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
        for (JsonNode row : file()) {
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
        JsonNode row = file().get(0);
        assertThat(JmhMerge.merge(List.of(row))).isEqualTo(row);
    }
}
