package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.config.Node;
import org.lemmata.config.Place;
import org.lemmata.config.Section;

class AxisTest {

    private static final Place PLACE = new Place("grid.yaml", 0);

    private static Node node(String yaml) {
        return Configuration.document("grid.yaml", yaml, Section.open("", "anything"));
    }

    /** Points as {@code key=value key=value}. */
    private static List<String> texts(List<Axis> axes) {
        return Axis.product(axes, PLACE).stream()
                .map(point -> point.entrySet().stream()
                        .map(value -> value.getKey() + "=" + Axis.text(value.getValue()))
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    private static List<String> crossed(String yaml) {
        return texts(Axis.crossed("axes", node(yaml)));
    }

    private static List<String> zipped(String yaml) {
        return texts(List.of(Axis.zipped("zip", node(yaml))));
    }

    @Test
    void crossedAxesMeetInEveryCombinationTheLastFastest() {
        assertThat(crossed("{a: [1, 2], b: [x, y, z]}"))
                .containsExactly("a=1 b=x", "a=1 b=y", "a=1 b=z", "a=2 b=x", "a=2 b=y", "a=2 b=z");
    }

    @Test
    void nestedAndDottedKeysAreTheSame() {
        List<String> expected = List.of("a.b=1 a.c.d=3", "a.b=1 a.c.d=4", "a.b=2 a.c.d=3", "a.b=2 a.c.d=4");
        assertThat(crossed("{a.b: [1, 2], a.c.d: [3, 4]}")).isEqualTo(expected);
        assertThat(crossed("{a: {b: [1, 2], c: {d: [3, 4]}}}")).isEqualTo(expected);
        assertThat(crossed("{a: {b: [1, 2]}, a.c: {d: [3, 4]}}")).isEqualTo(expected);
    }

    @Test
    void rangesAndValuesMayStandTogether() {
        assertThat(crossed("{a: [1..3, 8, 16..64 times 2]}"))
                .containsExactly("a=1", "a=2", "a=3", "a=8", "a=16", "a=32", "a=64");
        assertThat(crossed("{a: 2..3}")).containsExactly("a=2", "a=3");
    }

    @Test
    void aListMayBeAValue() {
        assertThat(crossed("{betas: [[0.9, 0.95], [0.9, 0.999]]}"))
                .containsExactly("betas=[0.9, 0.95]", "betas=[0.9, 0.999]");
    }

    @Test
    void zippedKeysChangeTogether() {
        assertThat(zipped("{heads: [1, 2, 4], width: 8..24 by 8, deep.er: [x, y, z]}"))
                .containsExactly(
                        "heads=1 width=8 deep.er=x", "heads=2 width=16 deep.er=y", "heads=4 width=24 deep.er=z");
    }

    @Test
    void zippedAndCrossedAxesCross() {
        assertThat(texts(List.of(
                        Axis.crossed("axes", node("a: [1, 2]")).getFirst(),
                        Axis.zipped("zip", node("{b: [3, 4], c: [5, 6]}")))))
                .containsExactly("a=1 b=3 c=5", "a=1 b=4 c=6", "a=2 b=3 c=5", "a=2 b=4 c=6");
    }

    @Test
    void noAxisIsOnePointWithoutKeys() {
        assertThat(texts(List.of())).containsExactly("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a: []; line 1: axes.a: expected at least one value, got an empty list",
                "a: 3; line 1: axes.a: expected a list of values, or a range such as 1..4, got 3",
                "a: word; line 1: axes.a: expected a list of values, or a range such as 1..4, got 'word'",
                "a.b: {c: 1}; line 1: axes.a.b.c: expected a list of values, or a range such as 1..4, got 1",
                "a: [{b: 1}]; line 1: axes.a: expected values, got a section with the key b",
                "a: [1..4 by 0]; line 1: axes.a: expected a step that leads to the end, got '1..4 by 0'"
            })
    void anAxisWithoutValuesIsRefused(String yaml, String expected) {
        assertThatThrownBy(() -> crossed(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("grid.yaml: " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{a: [1, 2], b: [3]}; line 1: zip.b: expected as many values as a has, 2, got 1",
                "{a: [1], b: 1..3}; line 1: zip.b: expected as many values as a has, 1, got 3",
                "{a: [1], b: []}; line 1: zip.b: expected at least one value, got an empty list",
                "{}; zip: expected keys with lists of values, got none"
            })
    void aZipOfUnequalLengthsIsRefused(String yaml, String expected) {
        assertThatThrownBy(() -> zipped(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("grid.yaml: " + expected);
    }

    @Test
    void aSectionIsExpected() {
        assertThatThrownBy(() -> Axis.crossed("axes", new Node.Sequence(PLACE, List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "grid.yaml: axes: expected keys, each with a list of values, or a range such as 1..4, got an"
                                + " empty list");
    }

    @Test
    void oneKeyOnTwoAxesIsRefused() {
        List<Axis> axes = List.of(
                Axis.crossed("axes", node("a.b: [1, 2]")).getFirst(), Axis.zipped("zip", node("a: {b: [3, 4]}")));
        assertThatThrownBy(() -> Axis.product(axes, PLACE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("grid.yaml: a.b: expected one axis that changes it, got several");
    }

    @Test
    void aGridThatWouldFillTheMemoryIsRefused() {
        List<Axis> axes = Axis.crossed("axes", node("{a: 1..1000, b: 1..1000, c: 1..1000}"));
        assertThatThrownBy(() -> Axis.product(axes, PLACE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("grid.yaml: expected a grid of at most 1000000 points, got more");
    }
}
