package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.math.BigDecimal;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.oracle.ExactRounding;

class FloatFormatTest {

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
            assertRefused(() -> FloatFormat.BINARY16.encode(x), "x: expected a number of binary16, got " + x);
        }
    }

    /** Exponents -3 to 1 have biased exponents 1 to 5; 6 is unused, and 7 is that of infinity and NaN. */
    @Test
    void infinitiesAndNumbersLeaveACodeOut() {
        var odd = new FloatFormat("odd", 5, -3, 1);
        assertThat(Codes.decode(odd, 0b0_101_1111)).isEqualTo(odd.maxFinite()).isEqualTo(3.875);
        assertThat(Codes.decode(odd, 0b0_111_0000)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    /** With exponents -3 to 1, the code with all bits set is not a number's code, so NaN replaces no number. */
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
            assertRefused(() -> FloatFormat.E2M1.encode(x), "x: expected a number of e2m1, got " + x);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1024, log-precision(1;1024), 10",
        "2, 1000, log-precision(2;1000), 20",
        "2, 1000000, log-precision(2;1000000), 40",
        "1, 2147483647, log-precision(1;2147483647), 31",
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
        assertRefused(
                () -> FloatFormat.logPrecision(factor, length),
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
        assertRefused(() -> new FloatFormat("bad", p, emin, emax), message);
    }
}
