package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.oracle.ExactRounding;

class FloatFormatTest {

    private static final int CODES = 1 << 16;

    static Stream<FloatFormat> sixteenBits() {
        return Stream.of(FloatFormat.BINARY16, FloatFormat.BFLOAT16);
    }

    static Stream<FloatFormat> formats() {
        var others = Stream.of(
                new FloatFormat("narrow", 2, 0, 0),
                new FloatFormat("odd", 5, -3, 1),
                new FloatFormat("one-sided", 7, 3, 20),
                new FloatFormat("wider", 30, -300, 200),
                new FloatFormat("unfilled with NaN", 3, -15, 14, FloatFormat.Specials.NAN),
                new FloatFormat("short", 2, -1022, 1023));
        return Stream.concat(FloatFormat.NAMED.stream(), others);
    }

    /** What a code stands for, by the JDK: binary16 by its own conversion, bfloat16 as the upper half of a binary32. */
    private static double reference(FloatFormat format, int code) {
        return format.equals(FloatFormat.BINARY16)
                ? Float.float16ToFloat((short) code)
                : Float.intBitsToFloat(code << 16);
    }

    private static long bits(double x) {
        return Double.doubleToLongBits(x); // one code for every NaN, two for the zeros
    }

    @ParameterizedTest
    @MethodSource("sixteenBits")
    void everyCodeIsDecodedAndEncoded(FloatFormat format) {
        assertThat(format.codeBits()).isEqualTo(16);
        int nans = 0;
        for (int code = 0; code < CODES; code++) {
            double x = Codes.decode(format, code);
            assertThat(bits(x)).as("%s, code 0x%04x", format.name(), code).isEqualTo(bits(reference(format, code)));
            if (Double.isNaN(x)) {
                nans++;
                assertThat(Codes.decode(format, format.encode(x))).isNaN();
            } else {
                assertThat(format.encode(x))
                        .as("%s, code 0x%04x", format.name(), code)
                        .isEqualTo(code);
            }
        }
        assertThat(nans).isEqualTo(2 * ((1 << (format.significandBits() - 1)) - 1));
    }

    /** Numbers at which a rounding can go wrong: around every kind of boundary, ties, and bits at random. */
    private static List<Double> hardNumbers(FloatFormat format, long seed) {
        List<Double> numbers = new ArrayList<>(List.of(
                0.0,
                Double.MIN_VALUE,
                Double.MIN_NORMAL,
                Double.MAX_VALUE,
                1.0,
                Math.PI,
                Double.POSITIVE_INFINITY,
                Double.NaN));
        double minSubnormal = Math.scalb(format.minNormal(), 1 - format.significandBits());
        double[] boundaries = {
            format.minNormal(),
            minSubnormal,
            minSubnormal / 2,
            minSubnormal * 1.5,
            format.maxFinite(),
            format.maxFinite() + format.ulp(format.maxFinite()) / 2,
            Math.scalb(1.0, format.maxExponent())
        };
        for (double boundary : boundaries) {
            numbers.addAll(List.of(boundary, Math.nextUp(boundary), Math.nextDown(boundary)));
        }
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 250; i++) {
            int exponent = random.nextInt(
                    Math.max(-1022, format.minExponent() - format.significandBits() - 2),
                    Math.min(1023, format.maxExponent() + 1) + 1);
            double any = Math.scalb(1 + random.nextDouble(), exponent);
            // Few significand bits, so that ties and exact numbers are frequent.
            int kept = Math.min(52, format.significandBits() + random.nextInt(2));
            double tie = Double.longBitsToDouble(Double.doubleToRawLongBits(any) & -1L << (52 - kept));
            numbers.addAll(List.of(any, tie, Math.nextUp(tie), Math.nextDown(tie)));
            numbers.add(Double.longBitsToDouble(random.nextLong()));
        }
        return numbers;
    }

    /** Every mode; options take turns, since decimal fractions of a thousand digits are slow. */
    @ParameterizedTest
    @MethodSource("formats")
    void roundingIsThatOfExactArithmetic(FloatFormat format) {
        long fresh = new SplittableRandom().nextLong();
        for (long seed : new long[] {1, fresh}) {
            List<Double> numbers = hardNumbers(format, seed);
            IntStream.range(0, numbers.size()).parallel().forEach(i -> {
                int word = (int) (((seed ^ i) * 0x9E37_79B9_7F4A_7C15L) >> 32);
                int options = i;
                for (Rounding.Mode mode : Rounding.Mode.values()) {
                    assertRoundsExactly(format, numbers.get(i), mode, options, word, seed);
                    assertRoundsExactly(format, -numbers.get(i), mode, options >> 2, word, seed);
                    options++;
                }
            });
        }
    }

    private static void assertRoundsExactly(
            FloatFormat format, double x, Rounding.Mode mode, int options, int word, long seed) {
        var exact = ExactRounding.of(format, mode, (options & 1) == 0, (options & 2) == 0);
        double expected = exact.round(x, word);
        double actual = format.round(x, mode, exact.subnormals(), exact.saturate(), word);
        if (bits(actual) != bits(expected)) {
            assertThat(actual)
                    .as("%s of %s (%a), word 0x%08x, seed %d", exact, x, x, word, seed)
                    .isEqualTo(Double.valueOf(expected));
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void roundedNumbersAreEncodedAndDecoded(FloatFormat format) {
        for (double x : hardNumbers(format, 2)) {
            double rounded = format.round(-x, Rounding.Mode.TIES_TO_EVEN, true, false);
            if (Double.isNaN(rounded) && format.specials() == FloatFormat.Specials.NONE) {
                continue;
            }
            long code = format.encode(rounded);
            assertThat(bits(Codes.decode(format, code)))
                    .as("%s of %s", format, x)
                    .isEqualTo(bits(rounded));
            assertThat(format.codeBits() == 64 || code >>> format.codeBits() == 0)
                    .isTrue();
        }
    }

    @Test
    void binary32IsTheCast() {
        var random = new Random(3);
        for (int i = 0; i < 1_000_000; i++) {
            assertIsTheCast(Double.longBitsToDouble(random.nextLong()));
            // Near the binary32 range, since most random exponents are far outside.
            assertIsTheCast(Math.scalb(random.nextDouble() - 0.5, random.nextInt(290) - 155));
        }
        for (double x : hardNumbers(FloatFormat.BINARY32, 4)) {
            assertIsTheCast(x);
            assertIsTheCast(-x);
        }
    }

    private static void assertIsTheCast(double x) {
        double actual = FloatFormat.BINARY32.round(x, Rounding.Mode.TIES_TO_EVEN, true, false);
        if (bits(actual) != bits((float) x)) {
            assertThat(actual).as("%s (%a), seeds 3 and 4", x, x).isEqualTo(Double.valueOf((float) x));
        }
    }

    @Test
    void binary64IsTheIdentity() {
        var random = new Random(5);
        for (int i = 0; i < 100_000; i++) {
            double x = Double.longBitsToDouble(random.nextLong());
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                assertThat(bits(FloatFormat.BINARY64.round(x, mode, true, false, -1)))
                        .as("%a, seed 5", x)
                        .isEqualTo(bits(x));
            }
            assertThat(FloatFormat.BINARY64.encode(x)).isEqualTo(bits(x));
        }
    }

    /** 1 + 2^-11 + 2^-40 is above the midpoint of 1 and 1 + 2^-10; rounded to binary32 first, it would be on it. */
    @Test
    void binary16IsNotRoundedByWayOfBinary32() {
        double x = 1 + 0x1p-11 + 0x1p-40;
        var rounding = Rounding.toNearestEven(FloatFormat.BINARY16);
        assertThat(rounding.round(x)).isEqualTo(1 + 0x1p-10);
        assertThat(rounding.round((double) (float) x)).isEqualTo(1.0);
    }

    @ParameterizedTest
    @CsvSource({
        "binary16, 65519.99, 65504, 65504",
        "binary16, 65520, Infinity, 65504",
        "binary16, -65520, -Infinity, -65504",
        "bfloat16, 3.3961775292304e38, 0x1.fep127, 0x1.fep127",
        "bfloat16, 3.39617754e38, Infinity, 0x1.fep127",
        "binary16, Infinity, Infinity, 65504",
        "binary16, NaN, NaN, NaN"
    })
    void overflowStartsHalfAnUlpAboveTheLargestNumber(String name, double x, double plain, double saturated) {
        NumberFormat format = NumberFormat.find(name).orElseThrow();
        assertThat(format.round(x, Rounding.Mode.TIES_TO_EVEN, true, false)).isEqualTo(Double.valueOf(plain));
        assertThat(format.round(x, Rounding.Mode.TIES_TO_EVEN, true, true)).isEqualTo(Double.valueOf(saturated));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void extremesAreWhatTheParametersSay(FloatFormat format) {
        var exact = ExactRounding.of(format, Rounding.Mode.TIES_TO_EVEN, true, false);
        assertThat(new BigDecimal(format.maxFinite())).isEqualByComparingTo(exact.maximum());
        assertThat(format.ulp(format.minNormal())).isEqualTo(format.ulp(0));
        assertThat(format.ulp(1.5 * format.minNormal()) * Math.scalb(1.0, format.significandBits() - 1))
                .isEqualTo(format.minNormal());
    }

    @Test
    void numbersOutsideTheFormatHaveNoCode() {
        for (double x : new double[] {1 + 0x1p-11, 65536, 0x1p-25}) {
            assertThatThrownBy(() -> FloatFormat.BINARY16.encode(x))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("x: expected a number of binary16, got " + x);
        }
    }

    /** Exponents -3 to 1 take biased exponents 1 to 5; 6 is left over, 7 is that of infinity and NaN. */
    @Test
    void infinitiesAndNumbersLeaveACodeOut() {
        var odd = new FloatFormat("odd", 5, -3, 1);
        assertThat(Codes.decode(odd, 0b0_101_1111)).isEqualTo(odd.maxFinite()).isEqualTo(3.875);
        assertThat(Codes.decode(odd, 0b0_111_0000)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    /** With the exponents -3 to 1, all bits of exponent and significand set are no number's code anyway. */
    @Test
    void aNaNBesideNumbersTakesNoneOfThem() {
        var unfilled = new FloatFormat("unfilled", 5, -3, 1, FloatFormat.Specials.NAN);
        assertThat(unfilled.maxFinite()).isEqualTo(3.875);
        assertThat(Codes.decode(unfilled, 0b0_101_1111)).isEqualTo(3.875);
        assertThat(unfilled.encode(3.875)).isEqualTo(0b0_101_1111);
        assertThat(Codes.decode(unfilled, 0b1_111_1111)).isNaN();
        assertThat(unfilled.encode(Double.NaN)).isEqualTo(0b0_111_1111);
    }

    @Test
    void formatsOfNumbersAloneHaveNoOtherCodes() {
        for (double x : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 8}) {
            assertThatThrownBy(() -> FloatFormat.E2M1.encode(x))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("x: expected a number of e2m1, got " + x);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1024, log-precision(1;1024), 10",
        "2, 1000, log-precision(2;1000), 20",
        "0.5, 16, log-precision(0.5;16), 2",
        "2, 2, log-precision(2;2), 2",
        "53, 2, log-precision(53;2), 53",
        "1, 1025, log-precision(1;1025), 11",
        "3, 8, log-precision(3;8), 9"
    })
    void logPrecisionIsTheCeiling(double factor, int length, String name, int bits) {
        FloatFormat format = FloatFormat.logPrecision(factor, length);
        assertThat(format.significandBits()).isEqualTo(bits);
        assertThat(format.name()).isEqualTo(name.replace(';', ','));
        assertThat(NumberFormat.find(format.name()).orElseThrow()).isEqualTo(format);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 0", "1, -5", "1, 2", "60, 1024", "-1, 1024", "NaN, 1024", "Infinity, 1024"})
    void logPrecisionsOutOfRangeAreRefused(double factor, int length) {
        assertThatThrownBy(() -> FloatFormat.logPrecision(factor, length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "log-precision(c,n): expected c log2 n from 2 to 53, got c = " + factor + ", n = " + length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1; -14; 15; significandBits: expected 2 to 53, got 1",
                "54; -14; 15; significandBits: expected 2 to 53, got 54",
                "8; 3; 2; exponents: expected emin <= emax within those of binary64, got 3 to 2",
                "2; -1023; 2; exponents: expected emin <= emax within those of binary64, got -1023 to 2",
                "2; 0; 1024; exponents: expected emin <= emax within those of binary64, got 0 to 1024"
            })
    void formatsThatBinary64DoesNotContainAreRefused(int p, int emin, int emax, String message) {
        assertThatThrownBy(() -> new FloatFormat("bad", p, emin, emax))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
