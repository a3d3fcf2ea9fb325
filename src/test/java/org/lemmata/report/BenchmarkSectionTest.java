package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.track.BenchmarkRow;

class BenchmarkSectionTest {

    @Test
    void everyVectorRowStandsBesideTheScalarRowOfItsOwnMethod() {
        assertThat(ratios(
                        row("Foo", "scalar", 1, "1"),
                        row("Foo", "scalarBackward", 10, "1"),
                        row("Foo", "vector", 4, "1"),
                        row("Foo", "vectorBackward", 20, "1"),
                        row("Foo", "vectorForwardBackward", 30, "1")))
                .containsExactly("", "", "4×", "2×", "");
    }

    @Test
    void severalThreadsAreComparedWithTheReferenceAtOne() {
        assertThat(ratios(row("Foo", "scalar", 1, "1"), row("Foo", "vector", 4, "1"), row("Foo", "vector", 8, "2")))
                .containsExactly("", "4×", "8×");
    }

    @Test
    void theReferenceAtTheSameParametersComesFirst() {
        assertThat(ratios(row("Foo", "scalar", 1, "1"), row("Foo", "scalar", 2, "2"), row("Foo", "vector", 8, "2")))
                .containsExactly("", "", "4×");
    }

    @Test
    void rowsThatDifferInMoreThanThreadsAreNotCompared() {
        assertThat(ratios(row("Foo", "scalar", 1, "1", "64"), row("Foo", "vector", 4, "2", "128")))
                .containsExactly("", "");
        assertThat(ratios(row("Foo", "scalar", 1, "2"), row("Foo", "vector", 4, "1")))
                .as("a reference on two threads, of which it uses one, is none of one")
                .containsExactly("", "");
        assertThat(ratios(row("Foo", "scalar", 1, "1"), row("Bar", "vector", 4, "1")))
                .containsExactly("", "");
    }

    private static List<String> ratios(BenchmarkRow... rows) {
        return BenchmarkSection.of(new ReportInput.Benchmarks("rows.json", List.of(rows), null), Optional.empty())
                .classes()
                .stream()
                .flatMap(benchmarks -> benchmarks.rows().stream())
                .map(shown ->
                        shown.overScalar() == null ? "" : shown.overScalar().text())
                .toList();
    }

    private static BenchmarkRow row(String benchmark, String method, double score, String threads, String... size) {
        var params = new LinkedHashMap<String, String>();
        Stream.of(size).forEach(value -> params.put("size", value));
        params.put("threads", threads);
        return DemoInput.row(benchmark + "." + method, "thrpt", "ops/s", score, params, List.of(), Map.of());
    }
}
