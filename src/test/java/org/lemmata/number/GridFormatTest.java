package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.oracle.ExactGridRounding;

class GridFormatTest {

    private static final int CHUNKS = 64;

    static Stream<GridFormat> grids() {
        return Stream.of(
                new GridFormat(1),
                new GridFormat(3),
                new GridFormat(0.25),
                new GridFormat(0.1f),
                new GridFormat(16_777_215),
                new GridFormat(Float.MIN_NORMAL),
                new GridFormat(0x1.fffffep127));
    }

    /** Rounds numbers (k c 2^j + r) 2^(e - j) to the grid of step c 2^e; k, c, r and j determine the results. */
    private static void checkAtRandom(GridFormat grid, int count, long seed) {
        int bits = Significand.bitsOf(grid.step());
        int exponent = Math.getExponent(grid.step()) + 1 - bits;
        long c = (long) Math.scalb(grid.step(), -exponent);
        IntStream.range(0, CHUNKS).parallel().forEach(chunk -> {
            var random = new SplittableRandom(seed + chunk);
            for (int i = 0; i < count / CHUNKS; i++) {
                int j = random.nextInt(39 - bits); // so that 2^24 r is below 2^62
                long whole = c << j;
                // k c 2^j is below 2^52, so that the number takes at most 53 bits.
                long k = random.nextLong(1L << (52 - bits - j)) >>> random.nextInt(20);
                long r = switch (i % 4) {
                    case 0 -> whole / 2;
                    case 1 -> Math.max(0, whole / 2 + random.nextInt(-2, 3));
                    default -> random.nextLong(whole);
                };
                check(grid, c, k, r % whole, j, exponent, random.nextInt());
            }
        });
    }

    private static void check(GridFormat grid, long c, long k, long r, int j, int exponent, int random) {
        long whole = c << j;
        double magnitude = Math.scalb((double) (k * whole + r), exponent - j);
        int half = Long.compare(2 * r, whole);
        int critical = ((1 << 24) - (int) ((r << 24) / whole)) << 8;
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            int[] words =
                    mode == Rounding.Mode.STOCHASTIC ? new int[] {0, -1, critical, critical - 1, random} : new int[1];
            for (int word : words) {
                for (boolean negative : new boolean[] {false, true}) {
                    boolean away = r != 0
                            && switch (mode) {
                                case TIES_TO_EVEN -> half > 0 || (half == 0 && k % 2 == 1);
                                case TIES_TO_AWAY -> half >= 0;
                                case TOWARD_ZERO -> false;
                                case TOWARD_POSITIVE -> !negative;
                                case TOWARD_NEGATIVE -> negative;
                                case TO_ODD -> k % 2 == 0;
                                case STOCHASTIC -> (r << 24) >= ((1 << 24) - (word >>> 8)) * whole;
                            };
                    double sign = negative ? -1 : 1;
                    double expected = sign * Math.scalb((double) ((away ? k + 1 : k) * c), exponent);
                    double actual = grid.round(sign * magnitude, mode, true, false, word);
                    if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
                        throw new AssertionError(String.format(
                                Locale.ROOT,
                                "%s of %s (%a), %s, word 0x%08x: expected %s, got %s",
                                grid,
                                sign * magnitude,
                                magnitude,
                                mode,
                                word,
                                expected,
                                actual));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("grids")
    void randomNumbersGoToTheGrid(GridFormat grid) {
        checkAtRandom(grid, 50_000, 2);
        checkAtRandom(grid, 50_000, new SplittableRandom().nextLong());
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("grids")
    void tenMillionNumbersGoToTheGrid(GridFormat grid) {
        checkAtRandom(grid, 10_000_000, 1);
    }

    /** Includes neighbours of ties, and tiny numbers such as the minimum of binary64. */
    @ParameterizedTest
    @MethodSource("grids")
    void roundingIsThatOfExactArithmetic(GridFormat grid) {
        var random = new SplittableRandom(3);
        for (int i = 0; i < 3000; i++) {
            double multiple = random.nextLong(1L << 28) >>> random.nextInt(28);
            double point = (multiple + random.nextInt(8) / 8.0) * grid.step();
            double[] points = {
                point, Math.nextUp(point), Math.nextDown(point), random.nextDouble() * grid.step(), i * Double.MIN_VALUE
            };
            double x = points[i % points.length] * (i % 2 == 0 ? 1 : -1);
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                int word = i % 3 == 0 ? -1 : random.nextInt();
                double actual = grid.round(x, mode, i % 3 == 0, i % 7 == 0, word);
                assertThat(actual)
                        .as("%s of %a, %s, word 0x%08x", grid, x, mode, word)
                        .isEqualTo(Double.valueOf(ExactGridRounding.round(x, grid.step(), mode, word)));
            }
        }
    }

    /** f + u = 1 rounds away from zero; a smaller f or u does not, although r / q needs more than 53 bits. */
    @Test
    void theStochasticRuleIsExactWhereTheQuotientIsNot() {
        var thirds = new GridFormat(3);
        for (int n = 1; n < 1 << 24; n += 1001) {
            double onTheRule = Math.scalb(3.0 * n, -24);
            int word = ((1 << 24) - n) << 8;
            assertThat(thirds.round(onTheRule, Rounding.Mode.STOCHASTIC, true, false, word))
                    .isEqualTo(3);
            assertThat(thirds.round(Math.nextDown(onTheRule), Rounding.Mode.STOCHASTIC, true, false, word))
                    .isEqualTo(0);
            assertThat(thirds.round(onTheRule, Rounding.Mode.STOCHASTIC, true, false, word - 1))
                    .isEqualTo(0);
        }
    }

    @Test
    void specialNumbersAndThoseBeyondTheGridStayAsTheyAre() {
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            var thirds = new GridFormat(3);
            for (double x :
                    new double[] {Double.POSITIVE_INFINITY, 0.0, 0x1p53, 0x1.fffffffffffffp53, Double.MAX_VALUE}) {
                assertThat(thirds.round(x, mode, false, true, -1)).isEqualTo(Double.valueOf(x));
                assertThat(thirds.round(-x, mode, false, true, -1)).isEqualTo(Double.valueOf(-x));
            }
            assertThat(thirds.round(Double.NaN, mode, true, false, -1)).isNaN();
            // 2^53 - 1 is 3 * 3002399751580330 + 1.
            double multiple = 3 * 3002399751580330.0;
            double up = multiple + 3;
            assertThat(thirds.round(0x1p53 - 1, mode, true, false, 0)).isIn(multiple, up);
        }
        assertThat(new GridFormat(3).round(-1.0, Rounding.Mode.TIES_TO_EVEN, true, false))
                .isEqualTo(-0.0);
    }

    @ParameterizedTest
    @CsvSource({
        "integer, 2.5, 2, 3, 2, 3, 2, 3",
        "integer, -2.5, -2, -3, -2, -2, -3, -3",
        "integer, 3.5, 4, 4, 3, 4, 3, 3",
        "multiple(0.25), 0.375, 0.5, 0.5, 0.25, 0.5, 0.25, 0.25",
        "multiple(5), 12.5, 10, 15, 10, 15, 10, 15"
    })
    void theLastBitIsThatOfTheMultiple(
            String name, double x, double even, double away, double zero, double up, double down, double odd) {
        NumberFormat grid = NumberFormat.find(name).orElseThrow();
        assertThat(grid.round(x, Rounding.Mode.TIES_TO_EVEN, true, false)).isEqualTo(even);
        assertThat(grid.round(x, Rounding.Mode.TIES_TO_AWAY, true, false)).isEqualTo(away);
        assertThat(grid.round(x, Rounding.Mode.TOWARD_ZERO, true, false)).isEqualTo(zero);
        assertThat(grid.round(x, Rounding.Mode.TOWARD_POSITIVE, true, false)).isEqualTo(up);
        assertThat(grid.round(x, Rounding.Mode.TOWARD_NEGATIVE, true, false)).isEqualTo(down);
        assertThat(grid.round(x, Rounding.Mode.TO_ODD, true, false)).isEqualTo(odd);
    }

    @Test
    void codesAreThoseOfBinary64() {
        var grid = new GridFormat(3);
        assertThat(grid.name()).isEqualTo("multiple(3)");
        assertThat(new GridFormat(1).name()).isEqualTo("integer");
        for (double x : List.of(-6.0, 0.0, 0x1p60, Double.NaN, Double.NEGATIVE_INFINITY)) {
            assertThat(grid.encode(x)).isEqualTo(Double.doubleToLongBits(x));
        }
        assertRefused(() -> grid.encode(4), "x: expected a number of multiple(3), got 4.0");
    }

    @ParameterizedTest
    @CsvSource({
        "multiple(0), 0.0",
        "multiple(-1), -1.0",
        "multiple(0.1), 0.1",
        "multiple(1e999), Infinity",
        "multiple(1e-40), 1.0E-40",
        "multiple(16777217), 1.6777217E7"
    })
    void stepsThatAreNoNormalNumbersOfBinary32AreRefused(String name, String shown) {
        assertRefused(
                () -> NumberFormat.find(name).orElseThrow(),
                "multiple(q): expected a positive normal number of binary32, got " + shown);
    }
}
