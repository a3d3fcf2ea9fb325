package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertMalformed;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
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
}
