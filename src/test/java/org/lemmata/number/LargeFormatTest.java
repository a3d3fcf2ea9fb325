package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The checks of {@link ExhaustiveNumberTest} with fewer numbers. */
class LargeFormatTest {

    private static final int SAMPLE = 10_000;

    static Stream<FloatFormat> formats() {
        return LargeFormats.formats();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void boundariesAreRoundedAsTheirNeighboursSay(FloatFormat format) {
        LargeFormats.checkBoundaries(format, 16);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void randomNumbersAreRoundedAsTheirNeighboursSay(FloatFormat format) {
        LargeFormats.checkAtRandom(format, SAMPLE, 1);
        LargeFormats.checkAtRandom(format, SAMPLE, new SplittableRandom().nextLong());
    }

    @ParameterizedTest
    @MethodSource("formats")
    void roundedNumbersAreEncodedAndDecoded(FloatFormat format) {
        var random = new SplittableRandom(2);
        int first = Math.max(-1074, format.minExponent() - format.significandBits());
        for (int i = 0; i < SAMPLE; i++) {
            double x = Math.scalb(random.nextDouble(-2, 2), random.nextInt(first, format.maxExponent() + 1));
            double rounded = format.round(x, Rounding.Mode.TIES_TO_EVEN, true, true);
            long code = format.encode(rounded);
            assertThat(Codes.decode(format, code)).as("%s of %s", format, x).isEqualTo(Double.valueOf(rounded));
            assertThat(format.codeBits() == Long.SIZE || code >>> format.codeBits() == 0)
                    .isTrue();
        }
    }
}
