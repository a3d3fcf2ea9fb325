package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.number.FloatFormat.Specials;
import org.lemmata.oracle.Neighbours;

/** Formats of at most 16 bits: rounds every number, and numbers between it and the next, in every mode. */
class SmallFormatTest {

    static Stream<FloatFormat> formats() {
        var others = Stream.of(
                new FloatFormat("float(2,0,0)", 2, 0, 0),
                new FloatFormat("float(2,-126,127)", 2, -126, 127),
                new FloatFormat("float(5,-3,1)", 5, -3, 1),
                new FloatFormat("float(5,-6,7)", 5, -6, 7),
                new FloatFormat("float(7,3,20)", 7, 3, 20),
                new FloatFormat("float(9,-1,1)", 9, -1, 1),
                new FloatFormat("float(4,-1022,-1010)", 4, -1022, -1010),
                new FloatFormat("float(6,1000,1021)", 6, 1000, 1021),
                new FloatFormat("e4m3 with infinities", 4, -6, 7),
                new FloatFormat("e5m2 without infinities", 3, -14, 16, Specials.NAN),
                new FloatFormat("e1m1 with NaN", 2, 0, 0, Specials.NAN),
                new FloatFormat("e5m5 of numbers alone", 6, -14, 16, Specials.NONE),
                new FloatFormat("unfilled with NaN", 3, -15, 14, Specials.NAN),
                new FloatFormat("unfilled", 5, -3, 1, Specials.NONE));
        return Stream.concat(FloatFormat.NAMED.stream().filter(format -> format.codeBits() <= 16), others);
    }

    static Stream<FloatFormat> eightBits() {
        return formats().filter(format -> format.codeBits() <= 8);
    }

    /** The numbers of all codes with positive sign, from the formula 2^e m of the format. */
    private static double[] numbers(FloatFormat format) {
        double[] table = Neighbours.table(format);
        return Arrays.copyOf(table, table.length - 2);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyNumberHasItsCode(FloatFormat format) {
        assertThat(format.codeBits()).isBetween(3, 16);
        double[] numbers = numbers(format);
        assertThat(format.maxFinite()).isEqualTo(numbers[numbers.length - 1]);
        long sign = 1L << (format.codeBits() - 1);
        for (int code = 0; code < numbers.length; code++) {
            assertThat(Codes.decode(format, code)).isEqualTo(Double.valueOf(numbers[code]));
            assertThat(Codes.decode(format, sign | code)).isEqualTo(Double.valueOf(-numbers[code]));
            assertThat(format.encode(numbers[code])).isEqualTo(code);
            assertThat(format.encode(-numbers[code])).isEqualTo(sign | code);
        }
    }

    /** Rounds numbers, the quarter points up to the next, and binary64 neighbours of numbers and midpoints. */
    @ParameterizedTest
    @MethodSource("formats")
    void everyNumberAndWhatIsBetweenIsRounded(FloatFormat format) {
        double[] table = Neighbours.table(format);
        var everyMode = new EveryMode(format, table[table.length - 3]);
        IntStream.range(0, table.length - 1).parallel().forEach(code -> {
            for (int quarter = 0; quarter < 4; quarter++) {
                double point = table[code] + (table[code + 1] - table[code]) * quarter / 4;
                if (point > 0) {
                    everyMode.check(point, Neighbours.in(table, point));
                }
                if (quarter % 2 == 0) {
                    double down = Math.max(Double.MIN_VALUE, Math.nextDown(point));
                    everyMode.check(down, Neighbours.in(table, down));
                    everyMode.check(Math.nextUp(point), Neighbours.in(table, Math.nextUp(point)));
                }
            }
        });
        for (double x : new double[] {Double.MIN_VALUE, 3 * Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE}) {
            everyMode.check(x, Neighbours.in(table, x));
        }
    }

    @ParameterizedTest
    @MethodSource("eightBits")
    void everyNumberOfSixteenBitsIsRounded(FloatFormat format) {
        double[] table = Neighbours.table(format);
        var everyMode = new EveryMode(format, table[table.length - 3]);
        IntStream.range(0, 1 << 15).parallel().forEach(code -> {
            for (double x : new double[] {Float.float16ToFloat((short) code), Float.intBitsToFloat(code << 16)}) {
                if (x > 0 && x < Double.POSITIVE_INFINITY) {
                    everyMode.check(x, Neighbours.in(table, x));
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource({"formats", "org.lemmata.number.LargeFormatTest#formats"})
    void zerosInfinitiesAndNaN(FloatFormat format) {
        double beyond = switch (format.specials()) {
            case INFINITIES_AND_NAN -> Double.POSITIVE_INFINITY;
            case NAN -> Double.NaN;
            case NONE -> format.maxFinite();
        };
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            for (boolean subnormals : new boolean[] {true, false}) {
                for (boolean saturate : new boolean[] {true, false}) {
                    var rounding = new Rounding(format, mode, subnormals, saturate);
                    double infinity = saturate ? format.maxFinite() : beyond;
                    assertGives(rounding, Double.NaN, Double.NaN);
                    assertGives(rounding, Double.POSITIVE_INFINITY, infinity);
                    assertGives(rounding, Double.NEGATIVE_INFINITY, -infinity);
                    assertGives(rounding, 0.0, 0.0);
                    assertGives(rounding, -0.0, -0.0);
                }
            }
        }
    }

    private static void assertGives(Rounding rounding, double x, double expected) {
        for (int word : new int[] {0, -1}) {
            assertThat(rounding.round(x, word)).as("%s of %s", rounding, x).isEqualTo(Double.valueOf(expected));
            assertThat(rounding.round((float) x, word))
                    .as("%s of %s", rounding, x)
                    .isEqualTo(Float.valueOf((float) expected));
        }
    }
}
