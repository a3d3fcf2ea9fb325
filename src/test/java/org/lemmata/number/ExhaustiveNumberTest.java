package org.lemmata.number;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rounds 10^7 random numbers to each format of more than 16 bits and each grid, in every mode with all options.
 * {@link SmallFormatTest} checks all numbers of smaller formats.
 *
 * <p>Run: {@code mvn -P exhaustive verify}.
 */
@Tag("exhaustive")
class ExhaustiveNumberTest {

    private static final int COUNT = 10_000_000;

    static Stream<FloatFormat> formats() {
        return LargeFormats.formats();
    }

    static Stream<GridFormat> grids() {
        return GridFormatTest.grids();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void boundariesAreRoundedAsTheirNeighboursSay(FloatFormat format) {
        LargeFormats.checkBoundaries(format, 1);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void randomNumbersAreRoundedAsTheirNeighboursSay(FloatFormat format) {
        LargeFormats.checkAtRandom(format, COUNT, 1);
    }

    @ParameterizedTest
    @MethodSource("grids")
    void randomNumbersGoToTheGrid(GridFormat grid) {
        GridFormatTest.checkAtRandom(grid, COUNT, 1);
    }
}
