package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundingTest {

    private static final int[] LOWER_HALVES = {0, 1, 0x0FFF, 0x1000, 0x1001, 0x7FFF, 0x8000, 0x8001, 0xFFFF};

    static Stream<NumberFormat> formats() {
        return Stream.of(
                FloatFormat.BINARY16,
                FloatFormat.BFLOAT16,
                FloatFormat.BINARY32,
                FloatFormat.BINARY64,
                new FloatFormat("tf32", 11, -126, 127),
                new FloatFormat("e4m4", 5, -6, 7),
                new FloatFormat("full", 24, -20, 20),
                new FloatFormat("one-sided", 7, 3, 20),
                new FloatFormat("wider", 11, -200, 200),
                new ThresholdFormat(20));
    }

    /** The path on float bits gives the bits of the path by way of binary64, one NaN being as good as another. */
    @ParameterizedTest
    @MethodSource("formats")
    void floatsAreRoundedAsDoubles(NumberFormat format) {
        for (Rounding.Mode mode : List.of(Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.TOWARD_ZERO)) {
            for (int options = 0; options < 4; options++) {
                var rounding = new Rounding(format, mode, (options & 1) == 0, (options & 2) == 0);
                for (int upper = 0; upper < 1 << 16; upper++) {
                    for (int lower : LOWER_HALVES) {
                        assertRoundsAsDouble(rounding, Float.intBitsToFloat(upper << 16 | lower));
                    }
                }
            }
        }
    }

    private static void assertRoundsAsDouble(Rounding rounding, float x) {
        float expected = (float) rounding.round((double) x);
        float actual = rounding.round(x);
        if (Float.floatToIntBits(actual) != Float.floatToIntBits(expected)) {
            assertThat(actual).as("%s of %s (%a)", rounding, x, x).isEqualTo(Float.valueOf(expected));
        }
    }

    /** 1 + 2^-8 lies midway between bfloat16's 1 and 1 + 2^-7; binary64 does not hold it with 2^-80 more or less. */
    @ParameterizedTest
    @CsvSource({
        "0x1.01p0, 0, TIES_TO_EVEN, 0x1p0",
        "0x1.01p0, 0x1p-80, TIES_TO_EVEN, 0x1.02p0",
        "0x1.01p0, -0x1p-80, TIES_TO_EVEN, 0x1p0",
        "0x1.03p0, -0x1p-80, TIES_TO_EVEN, 0x1.02p0",
        "-0x1.01p0, -0x1p-80, TIES_TO_EVEN, -0x1.02p0",
        "0x1p-80, 0x1.01p0, TIES_TO_EVEN, 0x1.02p0",
        "0x1p0, -0x1p-80, TOWARD_ZERO, 0x1.fep-1",
        "-0x1p0, 0x1p-149, TOWARD_ZERO, -0x1.fep-1",
        "0x1p0, 0x1p-80, TOWARD_ZERO, 0x1p0",
        "0x1p127, 0x1p127, TIES_TO_EVEN, Infinity",
        "0x1p127, 0x1p127, TOWARD_ZERO, 0x1.fep127",
        "Infinity, -Infinity, TIES_TO_EVEN, NaN",
        "-0.0, -0.0, TIES_TO_EVEN, -0.0"
    })
    void sumsAreRoundedOnce(String a, String b, Rounding.Mode mode, String expected) {
        var rounding = new Rounding(FloatFormat.BFLOAT16, mode, true, false);
        assertThat(rounding.roundSum(Float.parseFloat(a), Float.parseFloat(b)))
                .isEqualTo(Float.valueOf(Float.parseFloat(expected)));
    }

    @Test
    void roundIntoLeavesWhatLiesOutsideTheRange() {
        float[] values = {1.001f, 1.001f, 70000f, -1e-9f, Float.NaN, 1.001f};
        Rounding.toNearestEven(FloatFormat.BINARY16).roundInto(values, 1, 4);
        assertThat(values)
                .isEqualTo(new float[] {1.001f, 1.0009766f, Float.POSITIVE_INFINITY, -0.0f, Float.NaN, 1.001f});
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 52, 100, 1022})
    void thresholdKeepsWhatIsGreaterThanItself(int p) {
        var format = new ThresholdFormat(p);
        double threshold = Math.scalb(1.0, -p);
        for (Rounding.Mode mode : List.of(Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.TOWARD_ZERO)) {
            for (double sign : new double[] {1, -1}) {
                for (double lost : new double[] {threshold, Math.nextDown(threshold), Double.MIN_VALUE, 0}) {
                    assertThat(format.round(sign * lost, mode, true, false)).isEqualTo(Double.valueOf(sign * 0.0));
                }
                for (double kept :
                        new double[] {Math.nextUp(threshold), 1, Math.PI, Double.MAX_VALUE, Double.POSITIVE_INFINITY}) {
                    assertThat(format.round(sign * kept, mode, false, true)).isEqualTo(sign * kept);
                    assertThat(format.decode(format.encode(sign * kept))).isEqualTo(sign * kept);
                }
            }
            assertThat(format.round(Double.NaN, mode, true, false)).isNaN();
        }
        assertThatThrownBy(() -> format.encode(threshold))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("x: expected a number of threshold(" + p + "), got " + threshold);
        assertThat(NumberFormat.parse("threshold(" + p + ")")).isEqualTo(format);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1023})
    void thresholdsOutsideTheNormalNumbersAreRefused(int p) {
        assertThatThrownBy(() -> new ThresholdFormat(p))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threshold(p): expected p from 1 to 1022, got " + p);
    }

    @Test
    void formatsAreParsedByTheirNames() {
        for (FloatFormat format : FloatFormat.NAMED) {
            assertThat(NumberFormat.parse(format.name())).isSameAs(format);
            assertThat(NumberFormat.NAMES).contains(format.name());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "float",
                "Binary16",
                "binary16 ",
                "threshold",
                "threshold(x)",
                "threshold(0x9)",
                "threshold(1,2)",
                "float(8,-126)",
                "threshold(1.5)"
            })
    void unknownFormatsAreRefusedWithTheKnownOnes(String name) {
        assertThatThrownBy(() -> NumberFormat.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "format: expected one of " + String.join(", ", NumberFormat.NAMES) + ", got '" + name + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"threshold(0)", "threshold(1023)", "threshold(9999)", "threshold(-1)"})
    void thresholdsOutOfRangeAreRefusedWithTheRange(String name) {
        assertThatThrownBy(() -> NumberFormat.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("threshold(p): expected p from 1 to 1022, got ");
    }

    @Test
    void modesAreParsedByTheirLabels() {
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            assertThat(Rounding.Mode.parse(mode.label())).isEqualTo(mode);
        }
        assertThatThrownBy(() -> Rounding.Mode.parse("up"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mode: expected one of TiesToEven, TiesToAway, TowardZero, TowardPositive,"
                        + " TowardNegative, ToOdd, Stochastic, got 'up'");
        assertThatThrownBy(() -> Rounding.Mode.parse("TIES_TO_EVEN")).isInstanceOf(IllegalArgumentException.class);
    }
}
