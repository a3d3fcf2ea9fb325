package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row of merged forks, read back by Gson: the fields that readers of JMH's JSON take. */
class JmhMergeGsonTest {

    private static JsonNode fork(double first, double second) throws IOException {
        return JsonMapper.builder().build().readTree("""
            {"jmhVersion": "1.37", "benchmark": "org.lemmata.ABenchmark.vector", "mode": "thrpt", "threads": 1,
             "forks": 1, "jvmArgs": ["-Xbatch"], "warmupIterations": 1, "measurementIterations": 2,
             "params": {"a": "1|\\"2\\",\\n3"},
             "primaryMetric": {"score": %1$s, "scoreError": "NaN", "scoreConfidence": ["NaN", "NaN"],
              "scorePercentiles": {"0.0": 1}, "scoreUnit": "ops/s", "rawData": [[%2$s, %3$s]]},
             "secondaryMetrics": {"gigaflops": {"score": %1$s, "scoreError": "NaN", "scoreConfidence": ["NaN", "NaN"],
              "scorePercentiles": {"0.0": 1}, "scoreUnit": "ops/s", "rawData": [[%2$s, %3$s]]}}}
            """.formatted((first + second) / 2, first, second));
    }

    @Test
    void aMergedRowIsARowOfJmh() throws IOException {
        JsonObject row = JsonParser.parseString(
                        JmhMerge.merge(List.of(fork(1, 3), fork(5, 7))).toString())
                .getAsJsonObject();
        assertThat(row.get("forks").getAsInt()).isEqualTo(2);
        assertThat(row.get("benchmark").getAsString()).isEqualTo("org.lemmata.ABenchmark.vector");
        assertThat(row.getAsJsonObject("params").get("a").getAsString()).isEqualTo("1|\"2\",\n3");
        for (JsonObject metric : List.of(
                row.getAsJsonObject("primaryMetric"),
                row.getAsJsonObject("secondaryMetrics").getAsJsonObject("gigaflops"))) {
            assertThat(metric.get("score").getAsDouble()).isEqualTo(4);
            // Student's quantile at 99.9% and 3 degrees of freedom, times the standard error of 1, 3, 5, 7.
            assertThat(metric.get("scoreError").getAsDouble())
                    .isCloseTo(12.92398 * Math.sqrt(20.0 / 3 / 4), within(1e-4));
            double error = metric.get("scoreError").getAsDouble();
            assertThat(metric.getAsJsonArray("scoreConfidence").asList())
                    .extracting(JsonElement::getAsDouble)
                    .containsExactly(4 - error, 4 + error);
            JsonObject percentiles = metric.getAsJsonObject("scorePercentiles");
            assertThat(percentiles.get("0.0").getAsDouble()).isEqualTo(1);
            assertThat(percentiles.get("50.0").getAsDouble()).isEqualTo(4);
            assertThat(percentiles.get("100.0").getAsDouble()).isEqualTo(7);
            assertThat(metric.get("scoreUnit").getAsString()).isEqualTo("ops/s");
            assertThat(metric.get("rawData")).isEqualTo(JsonParser.parseString("[[1.0, 3.0], [5.0, 7.0]]"));
        }
    }
}
