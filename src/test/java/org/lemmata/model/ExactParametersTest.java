package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.oracle.Refusals;

class ExactParametersTest {

    private static ExactParameters value(double v) {
        var parameters = new ExactParameters(Architecture.uniformHead(1, 2, 1, true));
        parameters.set(ParameterRole.VALUE, 0, 0, 0, v);
        return parameters;
    }

    private static Parameters narrow(double v, NumberFormat format) {
        return value(v).narrow(Rounding.toNearestEven(format));
    }

    @Test
    void numbersOfTheFormatAreKept() {
        assertThat(narrow(-2049, FloatFormat.BINARY32).values()).containsExactly(0, 0, 0, -2049);
        assertThat(narrow(-2048, FloatFormat.BINARY16).values()).containsExactly(0, 0, 0, -2048);
        assertThat(narrow(-0.0, FloatFormat.BFLOAT16).values()).containsExactly(0, 0, 0, -0f);
        assertThat(narrow(0.1f, FloatFormat.BINARY64).values()).containsExactly(0, 0, 0, 0.1f);
    }

    @Test
    void othersAreRefusedWithTheBitsTheyTake() {
        assertRefused(-2049, FloatFormat.BINARY16, "-2049.0, which needs 12 significand bits, got binary16");
        assertRefused(0x1p24 + 1, FloatFormat.BINARY32, "1.6777217E7, which needs 25 significand bits, got binary32");
        assertRefused(
                2.0 / 3, FloatFormat.BINARY32, "0.6666666666666666, which needs 53 significand bits, got binary32");
        // Parameters are stored in binary32, so a binary64 number is rejected for every format.
        assertRefused(0.1, FloatFormat.BINARY64, "0.1, which needs 52 significand bits, got binary64");
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThatThrownBy(() -> narrow(65536, FloatFormat.BINARY16)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> narrow(0x1p-25, FloatFormat.BINARY16)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> narrow(1e300, FloatFormat.BINARY64)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parametersThatAreNotFiniteAreRefused() {
        Refusals.assertRefused(
                () -> narrow(Double.NaN, FloatFormat.BINARY32), "layer.0.value: expected a finite number, got NaN");
        Refusals.assertRefused(
                () -> narrow(Double.NEGATIVE_INFINITY, FloatFormat.BINARY16),
                "layer.0.value: expected a finite number, got -Infinity");
    }

    private static void assertRefused(double v, NumberFormat format, String rest) {
        Refusals.assertRefused(() -> narrow(v, format), "format: expected one that contains layer.0.value = " + rest);
    }
}
