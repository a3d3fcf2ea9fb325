package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParameterShapesTest {

    private final List<String> told = new ArrayList<>();

    private static BenchmarkCell cell(String benchmark, String name, String value) {
        return new BenchmarkCell(benchmark, new LinkedHashMap<>(Map.of(name, value)), List.of(), 1);
    }

    private List<String> fitting(String name, String value, BenchmarkCell... annotated) {
        List<BenchmarkCell> given = List.of(annotated).stream()
                .map(BenchmarkCell::benchmark)
                .distinct()
                .map(benchmark -> cell(benchmark, name, value))
                .toList();
        return ParameterShapes.fitting(List.of(name), List.of(annotated), given, told::add).stream()
                .map(BenchmarkCell::benchmark)
                .toList();
    }

    @Test
    void leavesOutWhatAsksForAnotherNumberOfSizes() {
        assertThat(fitting("size", "64x64x64", cell("MatMul", "size", "128x128x128"), cell("Loss", "size", "2000x18")))
                .containsExactly("MatMul");
        assertThat(told).containsExactly("left out: Loss: size: expected a value such as 2000x18, got 64x64x64");
    }

    @Test
    void leavesOutWhatAsksForANumber() {
        assertThat(fitting("length", "many", cell("Names", "length", "few"), cell("Numbers", "length", "1024")))
                .containsExactly("Names");
    }

    @Test
    void takesNumbersAsAnnotatedOrNot() {
        assertThat(fitting("rate", "1e-3", cell("A", "rate", "0.5"), cell("B", "rate", "2")))
                .hasSize(2);
        assertThat(told).isEmpty();
    }

    @Test
    void reportsAParameterThatNoBenchmarkHas() {
        ParameterShapes.fitting(List.of("n"), List.of(), List.of(cell("A", "m", "1")), told::add);
        assertThat(told).containsExactly("-p n: no selected benchmark has this parameter");
    }

    @Test
    void takesEveryName() {
        assertThat(fitting("format", "binary16", cell("A", "format", "ocp_e4m3")))
                .containsExactly("A");
    }

    @Test
    void leavesToJmhWhatFitsNone() {
        assertThat(fitting("size", "64", cell("A", "size", "1x1"), cell("B", "size", "1x1x1")))
                .hasSize(2);
        assertThat(told).isEmpty();
    }
}
