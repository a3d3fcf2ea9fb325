package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.config.Node;
import org.lemmata.config.Node.Kind;
import org.lemmata.config.Place;
import org.lemmata.config.Section;
import org.lemmata.setting.ValueRange;

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
    @CsvSource(delimiter = ';', textBlock = """
        a: []; line 1: axes.a: expected at least one value, got an empty list
        a: 3; line 1: axes.a: expected a list of values, or a range such as 1..4, got 3
        a: word; line 1: axes.a: expected a list of values, or a range such as 1..4, got 'word'
        a.b: {c: 1}; line 1: axes.a.b.c: expected a list of values, or a range such as 1..4, got 1
        a: [{b: 1}]; line 1: axes.a: expected values, got a section with the key b
        a: [1..4 by 0]; line 1: axes.a: expected a step that leads to the end, got '1..4 by 0'
        """)
    void anAxisWithoutValuesIsRefused(String yaml, String expected) {
        assertRefused(() -> crossed(yaml), "grid.yaml: " + expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        {a: [1, 2], b: [3]}; line 1: zip.b: expected as many values as a has, 2, got 1
        {a: [1], b: 1..3}; line 1: zip.b: expected as many values as a has, 1, got 3
        {a: [1], b: []}; line 1: zip.b: expected at least one value, got an empty list
        {}; zip: expected keys with lists of values, got none
        """)
    void aZipOfUnequalLengthsIsRefused(String yaml, String expected) {
        assertRefused(() -> zipped(yaml), "grid.yaml: " + expected);
    }

    @Test
    void aSectionIsExpected() {
        assertRefused(
                () -> Axis.crossed("axes", new Node.Sequence(PLACE, List.of())),
                "grid.yaml: axes: expected keys, each with a list of values, or a range such as 1..4, got an"
                        + " empty list");
    }

    @Test
    void oneKeyOnTwoAxesIsRefused() {
        List<Axis> axes = List.of(
                Axis.crossed("axes", node("a.b: [1, 2]")).getFirst(), Axis.zipped("zip", node("a: {b: [3, 4]}")));
        assertRefused(
                () -> Axis.product(axes, PLACE), "grid.yaml: a.b: expected one axis that changes it, got several");
    }

    @Test
    void aGridThatWouldFillTheMemoryIsRefused() {
        List<Axis> axes = Axis.crossed("axes", node("{a: 1..1000, b: 1..1000, c: 1..1000}"));
        assertRefused(
                () -> Axis.product(axes, PLACE), "grid.yaml: expected a grid of at most 1000000 points, got more");
    }

    private static Node.Scalar scalar(String text) {
        return new Node.Scalar(new Place("grid.yaml", 3), Kind.TEXT, text);
    }

    private static List<String> values(String range) {
        return Axis.range("axes.x", scalar(range)).stream().map(Axis::text).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        1..4; 1 2 3 4
        1 .. 4; 1 2 3 4
        -1..1; -1 0 1
        3..3; 3
        100..400 by 100; 100 200 300 400
        0..10 by 4; 0 4 8
        10..1 by -3; 10 7 4 1
        0.1..0.7 by 0.1; 0.1 0.2 0.3 0.4 0.5 0.6 0.7
        -0.5..0.5 by 0.25; -0.5 -0.25 0 0.25 0.5
        1..16 times 2; 1 2 4 8 16
        8..1 times 0.5; 8 4 2 1
        1e-4..1e-2 times 10; 0.0001 0.001 0.01
        1e2..1e4 times 10; 100 1000 10000
        2..100 times 10; 2 20
        5..5 times 2; 5
        """)
    void valuesAreThoseThatTheStepMeets(String range, String expected) {
        assertThat(values(range)).containsExactly(expected.split(" ", -1));
    }

    /** In binary, adding 0.1 ten times does not give 1, and 0.1 + 0.2 is 0.30000000000000004. */
    @Test
    void decimalsAreExactAndTheEndIsMet() {
        List<String> values = values("0..1 by 0.1");
        assertThat(values).hasSize(11).contains("0.3", "0.7").endsWith("0.9", "1");
    }

    @Test
    void wholeNumbersAreIntegersAtThePlaceOfTheRange() {
        assertThat(Axis.range("x", scalar("0.5..1 by 0.5")))
                .containsExactly(
                        new Node.Scalar(new Place("grid.yaml", 3), Kind.REAL, "0.5"),
                        new Node.Scalar(new Place("grid.yaml", 3), Kind.INTEGER, "1"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        1..4 by 0; a step that leads to the end
        1..4 by -1; a step that leads to the end
        4..1; a step that leads to the end
        4..1 by 1; a step that leads to the end
        1..8 times 1; a positive start and a factor that leads to the end
        1..8 times 0; a positive start and a factor that leads to the end
        1..8 times 0.5; a positive start and a factor that leads to the end
        8..1 times 2; a positive start and a factor that leads to the end
        0..8 times 2; a positive start and a factor that leads to the end
        -1..8 times 2; a positive start and a factor that leads to the end
        1..8 times -2; a positive start and a factor that leads to the end
        1..4 of 2; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10
        1...4; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10
        1..; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10
        a..b; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10
        1..4 by; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10
        1..1e999999999; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10
        """)
    void whatDoesNotComeToItsEndIsRefusedInOneLine(String range, String expected) {
        assertRefused(
                () -> Axis.range("axes.x", scalar(range)),
                "grid.yaml: line 3: axes.x: expected " + expected + ", got '" + range + "'");
    }

    @ParameterizedTest
    @CsvSource({"1..10000000", "1e-9..1 times 1.0000001"})
    void moreValuesThanAnAxisCanHaveAreRefused(String range) {
        assertRefused(
                () -> Axis.range("axes.x", scalar(range)),
                "grid.yaml: line 3: axes.x: expected at most 1000000 values, got '" + range + "'");
    }

    @Test
    void onlyTextsWithTwoDotsAreRanges() {
        assertThat(ValueRange.isRange("1..2")).isTrue();
        assertThat(ValueRange.isRange("none")).isFalse();
        assertThat(ValueRange.isRange("1.2")).isFalse();
    }

    /** Dotted paths to values of every kind. */
    private static final Map<String, Node> VALUES =
            Axis.leaves("", Configuration.document("grid.yaml", """
                model: {width: 64, layers: 4, dropout: 0.10, positions: {kind: none}}
                optimizer: {learning-rate: 1e-3, betas: [0.9, 0.99]}
                precision.format: ocp_e4m3
                big: 1_000
                flag: true
                """, Section.open("", "anything")));

    private static boolean holds(String text) {
        return Condition.holds(line(text), VALUES);
    }

    private static Node line(String text) {
        Node list = Configuration.document("grid.yaml", "\n\nwhere: ['" + text + "']", Section.open("", ""))
                .entries()
                .firstEntry()
                .getValue();
        return ((Node.Sequence) list).elements().getFirst();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        model.width == 64; true
        model.width != 64; false
        model.width < 64; false
        model.width <= 64; true
        model.width >= 64; true
        model.width > 64; false
        model.width>63; true
        63 < model.width; true
        model.width == 64.0; true
        model.dropout == 0.1; true
        optimizer.learning-rate == 0.001; true
        optimizer.learning-rate < 1e-3; false
        big == 1000; true
        big > 999; true
        model.layers * 16 == model.width; true
        model.layers * 16 < model.width; false
        2 * model.layers * model.layers <= 31; false
        model.width == model.layers; false
        model.layers > 4 or model.width == 64; true
        model.layers > 4 or model.width > 64; false
        model.layers == 4 or model.width > 64; true
        model.layers > 4 or model.layers < 4 or model.layers == 4; true
        model.positions.kind == none; true
        model.positions.kind != none; false
        model.positions.kind == table; false
        precision.format == ocp_e4m3; true
        precision.format != ocp_e4m3; false
        flag == true; true
        model.width == none; false
        """)
    void comparisonsHoldOrNot(String text, boolean expected) {
        assertThat(holds(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        model.widht == 64; a number, or a key that an axis or the base gives a value, got 'model.widht' in 'model.widht == 64'
        model.width == model.layer; a number, or a key that an axis or the base gives a value, got 'model.layer' in 'model.width == model.layer'
        width > 3; a number, or a key that an axis or the base gives a value, got 'width' in 'width > 3'
        model.width > wide; a number, or a key that an axis or the base gives a value, got 'wide' in 'model.width > wide'
        model.layers * widht == 64; a number, or a key that an axis or the base gives a value, got 'widht' in 'model.layers * widht == 64'
        model.layers == 4 or model.widht == 64; a number, or a key that an axis or the base gives a value, got 'model.widht' in 'model.layers == 4 or model.widht == 64'
        model.positions.kind < 3; numbers on both sides of <, got 'none' and '3' in 'model.positions.kind < 3'
        model.positions.kind >= flag; numbers on both sides of >=, got 'none' and 'true' in 'model.positions.kind >= flag'
        model.positions.kind * 2 == 4; numbers in a product, got 'none' in 'model.positions.kind * 2 == 4'
        model.width < 1e99999999999; a number, or a key that an axis or the base gives a value, got '1e99999999999' in 'model.width < 1e99999999999'
        2e999999999 * 2e999999999 * 2e999999999 > 1; a number, or a key that an axis or the base gives a value, got '2e999999999' in '2e999999999 * 2e999999999 * 2e999999999 > 1'
        model.width; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width'
        model.width = 64; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width = 64'
        model.width ==; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width =='
        model.width == 64 or; a number, or a key that an axis or the base gives a value, got '64 or' in 'model.width == 64 or'
        model.width == 64 or big; comparisons by <, <=, ==, !=, >= or >, joined by or, got 'model.width == 64 or big'
        model.width * == 64; a number, or a key that an axis or the base gives a value, got '' in 'model.width * == 64'
        """)
    void whatCannotBeComparedIsRefusedInOneLine(String text, String expected) {
        assertRefused(() -> holds(text), "grid.yaml: line 3: where: expected " + expected);
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "true, true", "'{a: 1}', a section with the key a"})
    void aLineThatIsNoTextIsRefused(String yaml, String came) {
        Node list = Configuration.document("grid.yaml", "where: [" + yaml + "]", Section.open("", ""))
                .entries()
                .firstEntry()
                .getValue();
        assertRefused(
                () -> Condition.holds(((Node.Sequence) list).elements().getFirst(), VALUES),
                "grid.yaml: line 1: where: expected a comparison such as model.layers <= model.width, got " + came);
    }
}
