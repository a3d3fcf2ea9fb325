package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Node;
import org.lemmata.config.Node.Kind;
import org.lemmata.config.Place;
import org.lemmata.setting.ValueRange;

class ValueRangeTest {

    private static final Place PLACE = new Place("grid.yaml", 3);

    private static Node.Scalar scalar(String text) {
        return new Node.Scalar(PLACE, Kind.TEXT, text);
    }

    private static List<String> texts(String range) {
        return Axis.range("axes.x", scalar(range)).stream().map(Axis::text).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1..4; 1 2 3 4",
                "1 .. 4; 1 2 3 4",
                "-1..1; -1 0 1",
                "3..3; 3",
                "100..400 by 100; 100 200 300 400",
                "0..10 by 4; 0 4 8",
                "10..1 by -3; 10 7 4 1",
                "0.1..0.7 by 0.1; 0.1 0.2 0.3 0.4 0.5 0.6 0.7",
                "-0.5..0.5 by 0.25; -0.5 -0.25 0 0.25 0.5",
                "1..16 times 2; 1 2 4 8 16",
                "8..1 times 0.5; 8 4 2 1",
                "1e-4..1e-2 times 10; 0.0001 0.001 0.01",
                "1e2..1e4 times 10; 100 1000 10000",
                "2..100 times 10; 2 20",
                "5..5 times 2; 5"
            })
    void valuesAreThoseThatTheStepMeets(String range, String expected) {
        assertThat(texts(range)).containsExactly(expected.split(" ", -1));
    }

    /** In binary, adding 0.1 ten times does not give 1, and 0.1 + 0.2 is 0.30000000000000004. */
    @Test
    void decimalsAreExactAndTheEndIsMet() {
        List<String> values = texts("0..1 by 0.1");
        assertThat(values).hasSize(11).contains("0.3", "0.7").endsWith("0.9", "1");
    }

    @Test
    void wholeNumbersAreIntegersAtThePlaceOfTheRange() {
        assertThat(Axis.range("x", scalar("0.5..1 by 0.5")))
                .containsExactly(new Node.Scalar(PLACE, Kind.REAL, "0.5"), new Node.Scalar(PLACE, Kind.INTEGER, "1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1..4 by 0; a step that leads to the end",
                "1..4 by -1; a step that leads to the end",
                "4..1; a step that leads to the end",
                "4..1 by 1; a step that leads to the end",
                "1..8 times 1; a positive start and a factor that leads to the end",
                "1..8 times 0; a positive start and a factor that leads to the end",
                "1..8 times 0.5; a positive start and a factor that leads to the end",
                "8..1 times 2; a positive start and a factor that leads to the end",
                "0..8 times 2; a positive start and a factor that leads to the end",
                "-1..8 times 2; a positive start and a factor that leads to the end",
                "1..8 times -2; a positive start and a factor that leads to the end",
                "1..4 of 2; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10",
                "1...4; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10",
                "1..; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10",
                "a..b; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10",
                "1..4 by; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10",
                "1..1e999999999; a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10"
            })
    void whatDoesNotComeToItsEndIsRefusedInOneLine(String range, String expected) {
        assertThatThrownBy(() -> Axis.range("axes.x", scalar(range)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("grid.yaml: line 3: axes.x: expected " + expected + ", got '" + range + "'");
    }

    @ParameterizedTest
    @CsvSource({"1..10000000", "1e-9..1 times 1.0000001"})
    void moreValuesThanAnAxisCanHaveAreRefused(String range) {
        assertThatThrownBy(() -> Axis.range("axes.x", scalar(range)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("grid.yaml: line 3: axes.x: expected at most 1000000 values, got '" + range + "'");
    }

    @Test
    void onlyTextsWithTwoDotsAreRanges() {
        assertThat(ValueRange.isRange("1..2")).isTrue();
        assertThat(ValueRange.isRange("none")).isFalse();
        assertThat(ValueRange.isRange("1.2")).isFalse();
    }
}
