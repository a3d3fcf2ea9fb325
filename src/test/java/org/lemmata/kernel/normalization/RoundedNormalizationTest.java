package org.lemmata.kernel.normalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.oracle.ExactStep;
import org.lemmata.random.RandomStream;

/** Without rounded sites, the tests of {@link ScalarNormalizationTest}; with them, the bits of the exact oracle. */
class RoundedNormalizationTest extends ScalarNormalizationTest {

    private static final RandomStream STREAM = new RandomStream(20260719, 3, 1);

    @Override
    Normalization normalization() {
        return rounded(new NormalizationRounding(null, null, null));
    }

    private static Normalization rounded(NormalizationRounding rounding) {
        return rounded(rounding, Workers.caller());
    }

    private static Normalization rounded(NormalizationRounding rounding, Workers workers) {
        return new RoundedNormalization(
                rounding, STREAM, new VectorNormalization(workers), new VectorQuantization(workers));
    }

    private static Rounding orBinary32(@Nullable Rounding rounding) {
        return rounding == null ? Rounding.toNearestEven(FloatFormat.BINARY32) : rounding;
    }

    /** The formula of the class, step by step. */
    private record ExactRow(NormalizationCase example, NormalizationRounding rounding) {

        private int word(Rounding site, int part, long element) {
            return site.isStochastic() ? STREAM.part(part).word(element) : 0;
        }

        private float add(float a, float b, int part, long element) {
            Rounding sums = orBinary32(rounding.sums());
            return ExactStep.of(sums).sum(a, b, word(sums, part, element));
        }

        private float multiply(float a, float b, int part, long element) {
            Rounding sums = orBinary32(rounding.sums());
            return ExactStep.of(sums).product(a, b, word(sums, part, element));
        }

        private float[] run(int i) {
            int n = example.columns;
            long first = (n + 31L) / 32 * 32 * i;
            boolean layer = example.kind == Normalization.Kind.LAYER;
            Rounding site = orBinary32(rounding.statistics());
            ExactStep statistics = ExactStep.of(site);
            float[] d = Arrays.copyOfRange(example.x, i * n, (i + 1) * n);
            if (layer) {
                float sum = 0;
                for (int j = 0; j < n; j++) {
                    sum = add(sum, d[j], 0, first + j);
                }
                float mean = statistics.quotientPlus(sum, n, 0, word(site, 7, 32L * i));
                for (int j = 0; j < n; j++) {
                    d[j] = add(d[j], -mean, 1, first + j);
                }
            }
            float squares = 0;
            for (int j = 0; j < n; j++) {
                squares = add(squares, multiply(d[j], d[j], 2, first + j), 3, first + j);
            }
            float meanSquare = statistics.quotientPlus(squares, n, example.epsilon, word(site, 7, 32L * i + 1));
            float reciprocal = statistics.reciprocalRoot(meanSquare, word(site, 7, 32L * i + 2));
            for (int j = 0; j < n; j++) {
                d[j] = multiply(d[j], reciprocal, 4, first + j);
                d[j] = example.gain == null ? d[j] : multiply(d[j], example.gain[j], 5, first + j);
                d[j] = example.shift == null ? d[j] : add(d[j], example.shift[j], 6, first + j);
                if (rounding.outputs() instanceof Rounding outputs && d[j] != 0) {
                    d[j] = ExactStep.of(outputs).sum(d[j], 0, word(outputs, 8, first + j));
                }
            }
            return d;
        }
    }

    private static void checkExact(NormalizationCase example, NormalizationRounding rounding) {
        float[] y = example.run(rounded(rounding)).y;
        ExactRow exact = new ExactRow(example, rounding);
        for (int i = 0; i < example.rows; i++) {
            assertThat(Arrays.copyOfRange(y, i * example.columns, (i + 1) * example.columns))
                    .as("%s, %s, row %d", example.name, rounding, i)
                    .isEqualTo(exact.run(i));
        }
    }

    private static NormalizationCase example(long seed, FloatFormat format, SplittableRandom random) {
        List<Normalization.Kind> kinds = List.of(Normalization.Kind.values());
        double size = Math.scalb(1.0, random.nextInt(3) > 0 ? 0 : format.minExponent() / random.nextInt(1, 4));
        double center = random.nextBoolean() ? 0 : random.nextDouble(-3, 3);
        Rounding toFormat = Rounding.toNearestEven(format);
        boolean ofFormat = random.nextBoolean();
        return new NormalizationCase(
                "seed " + seed,
                kinds.get(random.nextInt(2)),
                random.nextBoolean() ? 0 : random.nextBoolean() ? 0x1p-80f : (float) random.nextDouble(1e-2),
                random.nextInt(1, 4),
                random.nextInt(1, 37),
                random.nextBoolean(),
                random.nextBoolean(),
                () -> {
                    double x = size * (center + random.nextDouble(-1, 1));
                    return ofFormat ? toFormat.round(x) : x;
                },
                random);
    }

    @Test
    void everyStepIsRoundedOnceAsIfExact() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (FloatFormat format : FloatFormat.NAMED) {
            if (format.equals(FloatFormat.BINARY64)) {
                continue;
            }
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                for (int options = 0; options < 16; options++) {
                    Rounding rounding = new Rounding(format, mode, (options & 1) == 0, (options & 2) > 0);
                    checkExact(example(seed, format, random), new NormalizationRounding(rounding, rounding, rounding));
                    // Only statistics, or only sums.
                    var alone = (options & 4) == 0
                            ? new NormalizationRounding(rounding, null, (options & 8) == 0 ? null : rounding)
                            : new NormalizationRounding(null, rounding, (options & 8) == 0 ? null : rounding);
                    checkExact(example(seed, format, random), alone);
                }
            }
        }
    }

    /** One row without gain and shift, overwritten; the statistics are returned. */
    private static float[] forward(
            NormalizationRounding rounding, float[] row, Normalization.Kind kind, float epsilon) {
        float[] statistics = new float[kind.statistics()];
        Matrix x = Matrix.of(row, 1, row.length);
        rounded(rounding).forward(x, Matrix.of(statistics, 1, statistics.length), x, GainAndShift.NONE, kind, epsilon);
        return statistics;
    }

    /**
     * In binary16, the square of 2^-13 is a quarter of the smallest subnormal number, so the mean square is 0, its
     * reciprocal root infinite, and 0 times infinity NaN. A row scaled by 16 has no such problem.
     */
    @ParameterizedTest
    @EnumSource
    void theMeanSquareOfSmallNumbersUnderflowsInBinary16(Normalization.Kind kind) {
        Rounding binary16 = Rounding.toNearestEven(FloatFormat.BINARY16);
        NormalizationRounding everything = new NormalizationRounding(binary16, binary16, binary16);
        float infinity = Float.POSITIVE_INFINITY;
        for (NormalizationRounding rounding : List.of(
                everything,
                new NormalizationRounding(binary16, null, null),
                new NormalizationRounding(null, binary16, null))) {
            float[] small = signs(0x1p-13f);
            assertThat(forward(rounding, small, kind, 0)[0]).isEqualTo(infinity);
            assertThat(small).as("%s", rounding).startsWith(infinity, -infinity, infinity, -infinity, Float.NaN);
            float[] scaled = signs(0x1p-9f);
            forward(rounding, scaled, kind, 0);
            assertThat(scaled).as("%s", rounding).startsWith(2, -2, 2, -2, 0);
        }
        // The exponents of binary32 suffice.
        float[] x = signs(0x1p-13f);
        Rounding bfloat16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        forward(new NormalizationRounding(bfloat16, bfloat16, bfloat16), x, kind, 0);
        assertThat(x).startsWith(2, -2, 2, -2, 0);
        // With saturation, or with epsilon, the reciprocal root is finite, but results are still wrong.
        x = signs(0x1p-13f);
        Rounding saturating = new Rounding(FloatFormat.BINARY16, Rounding.Mode.TIES_TO_EVEN, true, true);
        forward(new NormalizationRounding(saturating, saturating, saturating), x, kind, 0);
        assertThat(x).startsWith(0x1.FFCp2f, -0x1.FFCp2f, 0x1.FFCp2f, -0x1.FFCp2f, 0);
        x = signs(0x1p-13f);
        forward(everything, x, kind, 1e-5f);
        assertThat(x[0]).isCloseTo(0.0386f, within(1e-4f));
    }

    /** Four numbers of a size with changing signs, then twelve zeros. */
    private static float[] signs(float size) {
        return Arrays.copyOf(new float[] {size, -size, size, -size}, 16);
    }

    @ParameterizedTest
    @EnumSource
    void roundedTensorsAreTheUnroundedOnesRounded(Normalization.Kind kind) {
        for (int columns : new int[] {3, 17, 64, 100}) {
            NormalizationCase example = NormalizationCase.random(kind, 5, columns, true, true, 7);
            NormalizationCase.Result unrounded = example.run(new VectorNormalization(Workers.caller()));
            for (Rounding.Mode mode : Rounding.Mode.values()) {
                Rounding rounding = new Rounding(FloatFormat.BFLOAT16, mode, true, false);
                NormalizationCase.Result rounded =
                        example.run(rounded(new NormalizationRounding(null, null, rounding)));
                int width = (columns + 31) / 32 * 32;
                for (int at = 0; at < rounded.y.length; at++) {
                    long element = (long) (at / columns) * width + at % columns;
                    assertThat(rounded.y[at])
                            .isEqualTo(rounding.round(
                                    unrounded.y[at], STREAM.part(8).word(element)));
                    assertThat(rounded.dx[at])
                            .isEqualTo(rounding.round(
                                    unrounded.dx[at], STREAM.part(9).word(element)));
                }
                assertThat(rounded.dgain).isEqualTo(unrounded.dgain);
                assertThat(rounded.dshift).isEqualTo(unrounded.dshift);
            }
        }
    }

    /** The gradient is that of the saved, rounded statistics. */
    @ParameterizedTest
    @EnumSource
    void theBackwardPassReadsTheRoundedStatistics(Normalization.Kind kind) {
        Rounding e5m2 = Rounding.toNearestEven(FloatFormat.OCP_E5M2);
        float[] x = {1, 2, -3, 0.5f, 7};
        float[] dy = {1, -2, 0.5f, 3, -1};
        NormalizationRounding rounding = new NormalizationRounding(null, e5m2, null);
        float[] statistics = forward(rounding, x.clone(), kind, 0);
        for (float statistic : statistics) {
            assertThat(e5m2.round(statistic)).isEqualTo(statistic);
        }
        float[] dx = new float[5];
        rounded(rounding)
                .backward(
                        Matrix.of(dx, 1, 5),
                        GainAndShift.NONE,
                        Matrix.of(dy, 1, 5),
                        Matrix.of(statistics, 1, kind.statistics()),
                        Matrix.of(x, 1, 5),
                        GainAndShift.NONE,
                        kind);
        double r = statistics[0];
        double mean = kind == Normalization.Kind.LAYER ? statistics[1] : 0;
        double sum = 0;
        double product = 0;
        for (int j = 0; j < 5; j++) {
            sum += kind == Normalization.Kind.LAYER ? dy[j] : 0;
            product += dy[j] * (x[j] - mean) * r;
        }
        for (int j = 0; j < 5; j++) {
            double expected = r * (dy[j] - (x[j] - mean) * r * product / 5 - sum / 5);
            assertThat((double) dx[j]).isCloseTo(expected, within(1e-5));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 64})
    void hasTheSameBitsForEveryNumberOfThreads(int columns) {
        Rounding stochastic = new Rounding(FloatFormat.BINARY16, Rounding.Mode.STOCHASTIC, true, false);
        for (NormalizationRounding rounding : List.of(
                new NormalizationRounding(stochastic, stochastic, stochastic),
                new NormalizationRounding(null, null, stochastic))) {
            NormalizationCase example =
                    NormalizationCase.random(Normalization.Kind.LAYER, 2100, columns, true, true, 1);
            Threads.assertSameBits(
                    workers -> example.run(rounded(rounding, workers)).all());
        }
    }

    private static final long SEED = 20260720;

    /**
     * Stochastic rounding to 24 bits depends on 48 bits: with the random word for which the binary64 approximation is
     * at the limit, an error of 2^-53 is visible in one of about sixty numbers.
     */
    private static final Rounding STOCHASTIC =
            new Rounding(FloatFormat.BINARY32, Rounding.Mode.STOCHASTIC, true, false);

    /** The word for which numbers from x on, cut to 48 bits, are rounded away from zero, and smaller ones are not. */
    private static int limit(double x) {
        int fraction = (int) (Double.doubleToRawLongBits(x) >>> 5) & 0xFF_FFFF;
        return ((1 << Rounding.RANDOM_BITS) - fraction) << 8;
    }

    @Test
    void reciprocalRootsAreRoundedOnceAtTheLimit() {
        SplittableRandom random = new SplittableRandom(SEED);
        ExactStep exact = ExactStep.of(STOCHASTIC);
        for (int i = 0; i < 5000; i++) {
            float x = (float) Math.scalb(random.nextDouble(1, 2), random.nextInt(-149, 127));
            int word = limit(1 / Math.sqrt(x));
            assertThat(RoundedNormalization.reciprocalRoot(x, STOCHASTIC, word))
                    .as("1 / sqrt(%s), word %x, seed %d", x, word, SEED)
                    .isEqualTo(exact.reciprocalRoot(x, word));
        }
    }

    @Test
    void quotientsAreRoundedOnceAtTheLimit() {
        SplittableRandom random = new SplittableRandom(SEED);
        ExactStep exact = ExactStep.of(STOCHASTIC);
        for (int i = 0; i < 20000; i++) {
            float x = (float) Math.scalb(random.nextDouble(-2, 2), random.nextInt(-10, 10));
            float epsilon = random.nextBoolean() ? 0 : (float) Math.scalb(random.nextDouble(1), random.nextInt(-60, 2));
            int n = random.nextInt(1, 10000);
            int word = limit((double) x / n + epsilon);
            assertThat(RoundedNormalization.quotientPlus(x, n, epsilon, STOCHASTIC, word))
                    .as("%s / %d + %s, word %x, seed %d", x, n, epsilon, word, SEED)
                    .isEqualTo(exact.quotientPlus(x, n, epsilon, word));
        }
    }
}
