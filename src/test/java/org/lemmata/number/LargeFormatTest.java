package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.oracle.ExactRounding;
import org.lemmata.oracle.Neighbours;

/**
 * Formats of more than 16 bits around powers of two, and for random numbers. {@link SmallFormatTest} checks all numbers
 * of smaller formats.
 */
class LargeFormatTest {

    private static final int SAMPLE = 10_000;
    private static final int CHUNKS = 64;

    static Stream<FloatFormat> formats() {
        Stream<FloatFormat> named = FloatFormat.NAMED.stream().filter(format -> format.codeBits() > 16);
        Stream<FloatFormat> others = Stream.of(
                FloatFormat.logPrecision(2, 1000),
                new FloatFormat("float(2,-1022,1023)", 2, -1022, 1023),
                new FloatFormat("float(11,-200,200)", 11, -200, 200),
                new FloatFormat("float(24,-20,20)", 24, -20, 20),
                new FloatFormat("float(25,-126,127)", 25, -126, 127),
                new FloatFormat("float(30,-300,200)", 30, -300, 200),
                new FloatFormat("float(52,-1022,1023)", 52, -1022, 1023),
                new FloatFormat("float(8,1000,1023)", 8, 1000, 1023),
                new FloatFormat("float(20,-8,8) of numbers alone", 20, -8, 8, FloatFormat.Specials.NONE),
                new FloatFormat("float(20,-7,7) without infinities", 20, -7, 7, FloatFormat.Specials.NAN));
        return Stream.concat(named, others);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void boundariesAreRoundedAsTheirNeighboursSay(FloatFormat format) {
        checkBoundaries(format, 16);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void randomNumbersAreRoundedAsTheirNeighboursSay(FloatFormat format) {
        checkAtRandom(format, SAMPLE, 1);
        checkAtRandom(format, SAMPLE, new SplittableRandom().nextLong());
    }

    /** Takes minutes: {@code mvn -P exhaustive verify}. */
    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("formats")
    void soTheyAreAtEveryBoundaryAndForTenMillionNumbers(FloatFormat format) {
        checkBoundaries(format, 1);
        checkAtRandom(format, 10_000_000, 1);
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

    private static double maximum(FloatFormat format) {
        return ExactRounding.of(format, Rounding.Mode.TIES_TO_EVEN, true, false)
                .maximum()
                .doubleValue();
    }

    private static void check(EveryMode everyMode, FloatFormat format, double x) {
        if (x > 0 && x <= Double.MAX_VALUE) {
            everyMode.check(x, Neighbours.of(format.significandBits(), format.minExponent(), x));
        }
    }

    /**
     * Checks numbers around powers of two, at which exponent, last kept bit and rounding change: all powers near the
     * format's ends, and every {@code step}-th other one.
     */
    private static void checkBoundaries(FloatFormat format, int step) {
        var everyMode = new EveryMode(format, maximum(format));
        IntStream.rangeClosed(-1074, 1023).parallel().forEach(exponent -> {
            boolean first = Math.abs(exponent - format.minExponent() + format.significandBits() / 2)
                    <= format.significandBits() / 2 + 3;
            boolean last = Math.abs(exponent - format.maxExponent()) <= 3;
            if (!first && !last && exponent % step != 0) {
                return;
            }
            double power = Math.scalb(1.0, exponent);
            double ulp = Math.scalb(1.0, Math.max(exponent, format.minExponent()) - format.significandBits() + 1);
            for (int quarters = -6; quarters <= 8; quarters++) {
                double point = power + ulp * quarters / 4;
                for (double x : new double[] {Math.nextDown(point), point, Math.nextUp(point)}) {
                    check(everyMode, format, x);
                }
            }
        });
    }

    /** Random numbers with the format's exponents and two more: arbitrary ones, ties, exact ones, and neighbours. */
    private static void checkAtRandom(FloatFormat format, int count, long seed) {
        var everyMode = new EveryMode(format, maximum(format));
        int first = Math.max(-1074, format.minExponent() - format.significandBits() - 2);
        int last = Math.min(1023, format.maxExponent() + 2);
        IntStream.range(0, CHUNKS).parallel().forEach(chunk -> {
            var random = new SplittableRandom(seed + chunk);
            for (int i = 0; i < count / CHUNKS; i++) {
                double any = Math.scalb(1 + random.nextDouble(), random.nextInt(first, last + 1));
                int kept = Math.min(52, format.significandBits() + random.nextInt(-1, 2));
                double few = Double.longBitsToDouble(Double.doubleToRawLongBits(any) & -1L << (52 - kept));
                check(
                        everyMode,
                        format,
                        switch (i % 4) {
                            case 0 -> few;
                            case 1 -> Math.nextUp(few);
                            case 2 -> (float) any;
                            default -> any;
                        });
            }
        });
    }
}
