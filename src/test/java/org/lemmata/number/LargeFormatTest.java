package org.lemmata.number;

import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A sample of what {@link ExhaustiveNumberTest} does. */
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
}
