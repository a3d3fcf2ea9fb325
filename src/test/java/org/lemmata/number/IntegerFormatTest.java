package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.oracle.ExactGridRounding;

class IntegerFormatTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 24})
    void numbersAreRoundedAndClamped(int bits) {
        var format = new IntegerFormat(bits);
        double maximum = Math.scalb(1.0, bits - 1) - 1;
        assertThat(format.maxFinite()).isEqualTo(maximum);
        assertThat(format.codeBits()).isEqualTo(bits);
        assertThat(format.name()).isEqualTo("int" + bits);
        for (int i = -1000; i <= 1000; i++) {
            double point = i % 3 == 0 ? i / 8.0 : Math.signum(i) * (maximum + (i % 32) / 8.0);
            for (double x : new double[] {Math.nextDown(point), point, Math.nextUp(point)}) {
                for (Rounding.Mode mode : Rounding.Mode.values()) {
                    int word = i * 0x9E37_79B9;
                    double exact = ExactGridRounding.round(x, 1, mode, word);
                    double expected = Math.max(-maximum, Math.min(maximum, exact)) + 0.0;
                    assertThat(format.round(x, mode, true, i % 2 == 0, word))
                            .as("%s of %a, %s", format.name(), x, mode)
                            .isEqualTo(Double.valueOf(expected));
                }
            }
        }
    }

    @Test
    void specialNumbers() {
        var format = new IntegerFormat(8);
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            for (int word : new int[] {0, -1}) {
                assertThat(format.round(Double.POSITIVE_INFINITY, mode, true, false, word))
                        .isEqualTo(127);
                assertThat(format.round(Double.NEGATIVE_INFINITY, mode, true, false, word))
                        .isEqualTo(-127);
                assertThat(format.round(Double.NaN, mode, true, false, word)).isNaN();
                assertThat(format.round(-0.0, mode, true, false, word)).isEqualTo(Double.valueOf(0.0));
            }
        }
        assertThat(format.round(-0.25, Rounding.Mode.TIES_TO_EVEN, true, false)).isEqualTo(Double.valueOf(0.0));
    }

    @Test
    void codesAreThoseOfTwosComplement() {
        var format = new IntegerFormat(8);
        for (int x = -127; x <= 127; x++) {
            assertThat(format.encode(x)).isEqualTo(x & 0xFF);
            assertThat(Codes.decode(format, x & 0xFF)).isEqualTo(x);
        }
        for (double x : new double[] {128, -128, 0.5, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertRefused(() -> format.encode(x), "x: expected a number of int8, got " + x);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, 25, -3})
    void otherSizesAreRefused(int bits) {
        assertRefused(() -> new IntegerFormat(bits), "bits: expected 2 to 24, got " + bits);
    }
}
