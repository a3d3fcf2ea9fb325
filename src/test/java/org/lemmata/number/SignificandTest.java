package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignificandTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "1, 1",
        "-2, 1",
        "3, 2",
        "-2049, 12",
        "0.5, 1",
        "-0.75, 2",
        "0.1, 52",
        "0.3333333333333333, 53",
        "9007199254740991, 53",
        "4.9e-324, 1",
        "1.5e-323, 2",
        "2.225073858507201E-308, 52",
        "1.7976931348623157E308, 53"
    })
    void bitsAreThoseBetweenTheFirstAndTheLastOne(double x, int bits) {
        assertThat(Significand.bitsOf(x)).isEqualTo(bits);
    }

    /** The smallest p for which rounding to p bits changes nothing. */
    @Test
    void bitsAreWhatAFormatNeedsToHoldTheNumber() {
        var random = new Random(9);
        for (int i = 0; i < 2000; i++) {
            double x = Math.scalb((double) (random.nextLong() >> random.nextInt(64)), random.nextInt(80) - 40);
            int bits = Significand.bitsOf(x);
            for (int p : new int[] {bits - 1, bits}) {
                if (p > 1) {
                    var format = new FloatFormat("p" + p, p, -1022, 1023);
                    assertThat(Rounding.toNearestEven(format).round(x) == x)
                            .as("%a in %d bits, seed 9, draw %d", x, p, i)
                            .isEqualTo(p == bits);
                }
            }
        }
    }

    @Test
    void bitsOfAProductAreThoseOfTheExactOne() {
        var random = new Random(10);
        for (int i = 0; i < 5000; i++) {
            double x = random.nextLong() >> (11 + random.nextInt(50));
            double y = Math.scalb((double) (random.nextLong() >> (11 + random.nextInt(50))), -random.nextInt(60));
            BigInteger exact = new BigDecimal(x)
                    .multiply(new BigDecimal(y))
                    .multiply(BigDecimal.TWO.pow(60))
                    .toBigIntegerExact()
                    .abs();
            int bits = exact.signum() == 0 ? 0 : exact.bitLength() - exact.getLowestSetBit();
            assertThat(Significand.bitsOfProduct(x, y))
                    .as("%a * %a, seed 10, draw %d", x, y, i)
                    .isEqualTo(Math.min(bits, 53));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0x1.8p-540, 0x1p-540, 53",
        "0x1.8p-538, 0x1.000001p-538, 53",
        "0x1.8p-1074, -0x1.8p-1, 53",
        "0x1.8p-530, 0x1.8p-530, 4",
        "0x1.8p-1030, 0x1.8p1000, 4",
        "0x1p-1074, -0x1.8p1023, 2",
        "0x1p-1074, 0x1p-1074, 53",
        "0x1p1023, 2, 53",
        "0, 1e308, 0"
    })
    void productsNearTheEndsOfBinary64MayBeInexact(String x, String y, int bits) {
        assertThat(Significand.bitsOfProduct(Double.parseDouble(x), Double.parseDouble(y)))
                .isEqualTo(bits);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void numbersThatAreNotFiniteAreRefused(double x) {
        assertRefused(() -> Significand.bitsOf(x), "x: expected a finite number, got " + x);
    }
}
