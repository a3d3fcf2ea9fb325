package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.math.BigDecimal;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.oracle.ExactRounding;

class RoundingTest {

    static Stream<FloatFormat> floatFormats() {
        return Stream.of(
                FloatFormat.BINARY16,
                FloatFormat.BFLOAT16,
                FloatFormat.BINARY32,
                FloatFormat.TF32,
                FloatFormat.OCP_E4M3,
                FloatFormat.E2M1,
                new FloatFormat("full", 24, -20, 20),
                new FloatFormat("one-sided", 7, 3, 20),
                new FloatFormat("wider", 11, -200, 200));
    }

    /** 1 + 2^-8 is midway between bfloat16's 1 and 1 + 2^-7; binary64 cannot represent it plus or minus 2^-80. */
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
        assertThat(rounding.roundSum(Float.parseFloat(a), Float.parseFloat(b), 0))
                .isEqualTo(Float.valueOf(Float.parseFloat(expected)));
    }

    /** Sums in every mode, whether or not binary64 can represent the exact sum. */
    @ParameterizedTest
    @MethodSource("floatFormats")
    void sumsAreThoseOfExactArithmetic(FloatFormat format) {
        var random = new SplittableRandom(11);
        for (int i = 0; i < 1500; i++) {
            float a = Math.scalb((float) random.nextInt(-1 << 24, 1 << 24), random.nextInt(-40, 10));
            float any = Math.scalb((float) random.nextInt(-1 << 24, 1 << 24), random.nextInt(-140, 10));
            float b = i % 3 == 0 ? Math.scalb(Math.signum(any), random.nextInt(-149, 20)) : any;
            BigDecimal sum = new BigDecimal(a).add(new BigDecimal(b));
            if (sum.signum() == 0) {
                continue;
            }
            int word = random.nextInt();
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                var rounding = new Rounding(format, mode, i % 2 == 0, i % 5 == 0);
                var exact = ExactRounding.of(format, mode, rounding.subnormals(), rounding.saturate());
                assertThat(rounding.roundSum(a, b, word))
                        .as("%s of %a + %a, word 0x%08x", rounding, a, b, word)
                        .isEqualTo(Float.valueOf((float) exact.round(sum, word)));
            }
        }
    }

    @Test
    void stochasticRoundingNeedsAWord() {
        var rounding = new Rounding(FloatFormat.BINARY16, Rounding.Mode.STOCHASTIC, true, false);
        assertThat(rounding.isStochastic()).isTrue();
        assertThat(Rounding.toNearestEven(FloatFormat.BINARY16).isStochastic()).isFalse();
        for (ThrowingCallable call : List.<ThrowingCallable>of(() -> rounding.round(1.0), () -> rounding.round(1f))) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("mode: expected a random word for Stochastic, got none");
        }
    }

    @Test
    void labelsSayWhatIsNotTheDefault() {
        assertThat(Rounding.toNearestEven(FloatFormat.OCP_E4M3).label()).isEqualTo("ocp_e4m3");
        assertThat(new Rounding(FloatFormat.OCP_E4M3, Rounding.Mode.TO_ODD, false, true).label())
                .isEqualTo("ocp_e4m3 ToOdd without subnormals saturating");
        assertThat(BlockRounding.toNearestEven(BlockFormat.NAMED.get(0)).label())
                .isEqualTo("mxfp8_e5m2");
        assertThat(new BlockRounding(BlockFormat.NAMED.get(6), Rounding.Mode.STOCHASTIC).label())
                .isEqualTo("int8 Stochastic");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 52, 100, 1022})
    void thresholdKeepsWhatIsGreaterThanItself(int p) {
        var format = new ThresholdFormat(p);
        double threshold = Math.scalb(1.0, -p);
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            for (double sign : new double[] {1, -1}) {
                for (double lost : new double[] {threshold, Math.nextDown(threshold), Double.MIN_VALUE, 0}) {
                    assertThat(format.round(sign * lost, mode, true, false, -1)).isEqualTo(Double.valueOf(sign * 0.0));
                }
                for (double kept :
                        new double[] {Math.nextUp(threshold), 1, Math.PI, Double.MAX_VALUE, Double.POSITIVE_INFINITY}) {
                    assertThat(format.round(sign * kept, mode, false, true, -1)).isEqualTo(sign * kept);
                    assertThat(Codes.decode(format, format.encode(sign * kept))).isEqualTo(sign * kept);
                }
            }
            assertThat(format.round(Double.NaN, mode, true, false, -1)).isNaN();
        }
        assertRefused(() -> format.encode(threshold), "x: expected a number of threshold(" + p + "), got " + threshold);
        assertThat(NumberFormat.find("threshold(" + p + ")").orElseThrow()).isEqualTo(format);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1023})
    void thresholdsOutsideTheNormalNumbersAreRefused(int p) {
        assertRefused(() -> new ThresholdFormat(p), "threshold(p): expected p from 1 to 1022, got " + p);
    }

    @Test
    void formatsAreParsedByTheirNames() {
        for (FloatFormat format : FloatFormat.NAMED) {
            assertThat(NumberFormat.find(format.name()).orElseThrow()).isSameAs(format);
            assertThat(NumberFormat.names()).contains(format.name());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "float", "Binary16", "binary16 ",
                "threshold", "threshold(x)", "threshold(0x9)", "threshold(1,2)",
                "float(8,-126)", "float(8,-126,127,0)", "float(8,1e2,127)", "float(8,-126,127",
                "multiple()", "multiple(e)", "multiple(0x1p3)", "multiple(NaN)",
                "log-precision(1)", "log-precision(,8)", "log-precision(1,8.5)", "int8",
                "threshold(9999999999)", "threshold(1.5)"
            })
    void unknownFormatsAreRefusedWithTheKnownOnes(String name) {
        assertThat(NumberFormat.find(name)).isEmpty();
        assertThat(NumberFormat.unknown(name, NumberFormat.names()))
                .hasMessage(
                        "format: expected one of " + String.join(", ", NumberFormat.names()) + ", got '" + name + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "fp16, binary16",
        "BF16, bfloat16",
        "float32, binary32",
        "double, binary64",
        "fp8_e5m2, ocp_e5m2",
        "float8_e4m3fn, ocp_e4m3",
        "E4M3, ocp_e4m3",
        "fp6_e2m3, e2m3",
        "float4_e2m1fn_x2, e2m1"
    })
    void namesOfOthersAreAnsweredWithOurs(String name, String here) {
        assertThat(NumberFormat.unknown(name, NumberFormat.names()))
                .hasMessageEndingWith("got '" + name + "', which is " + here + " here");
    }

    /** The fnuz variants of the OCP formats have a bias greater by 1; their maxima are 240 and 57,344. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"e4m3fnuz; float(4,-7,7); 240", "float8_e5m2fnuz; float(3,-15,15); 57344"})
    void formatsOfAnotherBiasAreAnsweredWithTheirNumbers(String name, String here, double largest) {
        assertThat(NumberFormat.unknown(name, NumberFormat.names()))
                .hasMessageEndingWith("got '" + name + "', which is " + here + " except for infinities and -0 here");
        assertThat(NumberFormat.find(here).orElseThrow().maxFinite()).isEqualTo(largest);
    }

    @Test
    void aNameOfOthersMayBeOfBlocks() {
        assertThatThrownBy(() -> TensorRounding.parse("fp8_e5m2", Rounding.Mode.TIES_TO_EVEN, true, false))
                .hasMessageEndingWith(", which is ocp_e5m2 here, or mxfp8_e5m2 with a scale for each block");
    }

    @ParameterizedTest
    @ValueSource(strings = {"threshold(0)", "threshold(1023)", "threshold(1234567)", "threshold(-1)"})
    void thresholdsOutOfRangeAreRefusedWithTheRange(String name) {
        assertThatThrownBy(() -> NumberFormat.find(name).orElseThrow())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("threshold(p): expected p from 1 to 1022, got ");
    }

    @Test
    void formatsWithParametersAreParsed() {
        assertThat(NumberFormat.find("float(8,-126,127)").orElseThrow())
                .isEqualTo(new FloatFormat("float(8,-126,127)", 8, -126, 127));
        assertThat(NumberFormat.find("integer").orElseThrow()).isEqualTo(new GridFormat(1));
        assertThat(NumberFormat.find("multiple(0.125)").orElseThrow()).isEqualTo(new GridFormat(0.125));
        assertThat(NumberFormat.find("multiple(1e3)").orElseThrow()).isEqualTo(new GridFormat(1000));
        assertRefused(
                () -> NumberFormat.find("float(1,-126,127)").orElseThrow(), "significandBits: expected 2 to 53, got 1");
    }

    @Test
    void everyNameOfATensorsRoundingIsParsed() {
        for (String name : TensorRounding.NAMES) {
            String given = name.replace("(p,emin,emax)", "(4,-6,7)")
                    .replace("(c,n)", "(2,64)")
                    .replace("(p)", "(9)")
                    .replace("(q)", "(5)");
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                TensorRounding parsed = TensorRounding.parse(given, mode, false, true);
                assertThat(parsed.isStochastic()).isEqualTo(mode == Rounding.Mode.STOCHASTIC);
                assertThat(parsed.label()).startsWith(given);
                if (parsed instanceof Rounding rounding) {
                    assertThat(rounding)
                            .isEqualTo(new Rounding(NumberFormat.find(given).orElseThrow(), mode, false, true));
                } else {
                    assertThat(((BlockRounding) parsed).format().name()).isEqualTo(name);
                }
            }
        }
        assertRefused(
                () -> TensorRounding.parse("mxfp8", Rounding.Mode.TO_ODD, true, false),
                "format: expected one of " + String.join(", ", TensorRounding.NAMES) + ", got 'mxfp8'");
    }

    @Test
    void modesAreParsedByTheirLabels() {
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            assertThat(Rounding.Mode.parse(mode.label())).isEqualTo(mode);
        }
        assertRefused(
                () -> Rounding.Mode.parse("up"),
                "mode: expected one of TiesToEven, TiesToAway, TowardZero, TowardPositive,"
                        + " TowardNegative, ToOdd, Stochastic, got 'up'");
        assertThatThrownBy(() -> Rounding.Mode.parse("TIES_TO_EVEN")).isInstanceOf(IllegalArgumentException.class);
    }
}
