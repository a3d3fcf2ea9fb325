package org.lemmata.kernel.normalization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.ExactNormalization;

/** Tests of the scalar {@link Normalization}, which those of other implementations inherit. */
class ScalarNormalizationTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260121;

    Normalization normalization() {
        return new ScalarNormalization();
    }

    @ParameterizedTest
    @EnumSource
    void everyLengthUpToTwiceTheLanes(Normalization.Kind kind) {
        for (int columns = 0; columns <= 2 * LANES + 1; columns++) {
            for (int options = 0; options < 4; options++) {
                NormalizationCase.random(kind, 6, columns, (options & 1) > 0, (options & 2) > 0, SEED + columns)
                        .check(normalization());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {37, 47, 48, 60, 63, 64, 65, 97, 128, 257, 700, 1009, 1024, 8192})
    void primesAndPowersOfTwo(int columns) {
        for (Normalization.Kind kind : Normalization.Kind.values()) {
            NormalizationCase.random(kind, 7, columns, true, true, SEED).check(normalization());
        }
    }

    @Test
    void freshSeeds() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            Normalization.Kind kind = i % 2 == 0 ? Normalization.Kind.LAYER : Normalization.Kind.ROOT_MEAN_SQUARE;
            double center = random.nextDouble(-10, 10);
            double spread = Math.exp(random.nextDouble(-5, 5));
            new NormalizationCase(
                            "seed " + seed + ", case " + i,
                            kind,
                            random.nextBoolean() ? 0 : 1e-5f,
                            1 + random.nextInt(20),
                            2 + random.nextInt(200),
                            random.nextBoolean(),
                            random.nextBoolean(),
                            () -> center + random.nextDouble(-spread, spread),
                            random)
                    .check(normalization());
        }
    }

    /** If the mean were subtracted after squaring, cancellation to 10^-8 would leave nothing in binary32. */
    @ParameterizedTest
    @ValueSource(ints = {5, 30, 64, 257, 8192})
    void aMeanFarFromZeroCostsNoAccuracy(int columns) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (double spread : new double[] {1, 0.01}) {
            new NormalizationCase(
                            "seed " + SEED + ", mean 1e4, spread " + spread,
                            Normalization.Kind.LAYER,
                            1e-12f,
                            5,
                            columns,
                            true,
                            true,
                            () -> 1e4 + random.nextDouble(-spread, spread),
                            random)
                    .check(normalization());
        }
    }

    /** Squares beyond the maximum and below the smallest binary32 number. */
    @ParameterizedTest
    @ValueSource(doubles = {1e19, 1e38, 1e-19, 1e-25, 1e-30})
    void elementsMayBeOfAnySize(double size) {
        for (Normalization.Kind kind : Normalization.Kind.values()) {
            for (int columns : new int[] {5, 30, 64, 257}) {
                SplittableRandom random = new SplittableRandom(SEED);
                NormalizationCase example = new NormalizationCase(
                        "size " + size,
                        kind,
                        0,
                        3,
                        columns,
                        false,
                        false,
                        () -> size * random.nextDouble(1, 3),
                        random);
                float[] y = example.run(normalization()).y;
                for (int i = 0; i < y.length; i += columns) {
                    double[] x = new double[columns];
                    for (int j = 0; j < columns; j++) {
                        x[j] = example.x[i + j];
                    }
                    double[] h = new ExactNormalization(x, kind == Normalization.Kind.LAYER, 0).normalized();
                    for (int j = 0; j < columns; j++) {
                        assertThat((double) y[i + j])
                                .as("%s: y[%d]", example.name, i + j)
                                .isCloseTo(h[j], within(0x1p-19));
                    }
                }
            }
        }
    }

    /** Differences from the mean, or products with r, exceed the range of binary32. */
    @ParameterizedTest
    @ValueSource(floats = {3e38f, 1e-38f})
    void gradientsOfRowsOfAnySizeAreThoseOfTheReference(float size) {
        for (int columns : new int[] {5, 30, 40, 64}) {
            NormalizationCase example = new NormalizationCase(
                    "size " + size,
                    Normalization.Kind.LAYER,
                    0,
                    3,
                    columns,
                    true,
                    true,
                    () -> -size,
                    new SplittableRandom(SEED));
            for (int i = 0; i < 3 * columns; i += columns) {
                Arrays.fill(example.x, i, i + 2, size);
            }
            NormalizationCase.Result result = example.run(normalization());
            NormalizationCase.Result expected = example.run(new ScalarNormalization());
            assertThat(result.dx).as(example.name).isEqualTo(expected.dx);
            assertThat(result.dgain).as(example.name).isEqualTo(expected.dgain);
            for (float gradient : result.dgain) {
                assertThat(gradient).isFinite();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void outputsMayReplaceInputs(Normalization.Kind kind) {
        for (int columns : new int[] {1, LANES - 1, LANES, LANES + 1, 2 * LANES + 3, 4 * LANES - 1, 8 * LANES + 5}) {
            NormalizationCase example = NormalizationCase.random(kind, 9, columns, true, true, SEED);
            NormalizationCase.Result apart = example.check(normalization());
            example.inPlace = true;
            NormalizationCase.Result inPlace = example.check(normalization());
            assertThat(inPlace.y).containsExactly(apart.y);
            assertThat(inPlace.dx).containsExactly(apart.dx);
            assertThat(inPlace.dgain).containsExactly(apart.dgain);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 64, 257})
    void equalElementsGiveTheShift(int columns) {
        SplittableRandom random = new SplittableRandom(SEED);
        NormalizationCase example = new NormalizationCase(
                "equal", Normalization.Kind.LAYER, 1e-5f, 3, columns, true, true, () -> 1234.567, random);
        float[] y = example.run(normalization()).y;
        for (int i = 0; i < 3; i++) {
            assertThat(Arrays.copyOfRange(y, i * columns, (i + 1) * columns)).containsExactly(example.shift);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutEpsilonARowOfZerosGivesNan(Normalization.Kind kind) {
        for (int columns : new int[] {1, 30, 64, 257}) {
            NormalizationCase example =
                    new NormalizationCase("zeros", kind, 0, 2, columns, false, false, () -> 0, new SplittableRandom(1));
            assertThat(example.run(normalization()).y).containsOnly(Float.NaN);
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void anUnusualElementStaysInItsRow(float special) {
        for (Normalization.Kind kind : Normalization.Kind.values()) {
            for (int columns : new int[] {3, LANES, LANES + 3, 4 * LANES - 1, 9 * LANES + 1}) {
                for (int place : new int[] {0, columns / 2, columns - 1}) {
                    NormalizationCase example = NormalizationCase.random(kind, 3, columns, false, false, SEED);
                    float[] usual = example.run(normalization()).y;
                    example.x[columns + place] = special;
                    float[] y = example.run(normalization()).y;
                    boolean zeros = kind == Normalization.Kind.ROOT_MEAN_SQUARE && !Float.isNaN(special);
                    for (int j = 0; j < columns; j++) {
                        String name = example.name + ", " + special + " at " + place + ": column " + j;
                        assertThat(y[j]).as(name).isEqualTo(usual[j]);
                        assertThat(y[2 * columns + j]).as(name).isEqualTo(usual[2 * columns + j]);
                        Float expected = zeros && j != place ? 0 : Float.NaN;
                        assertThat(Math.abs(y[columns + j])).as(name).isEqualTo(expected);
                    }
                }
            }
        }
    }

    /** Compares the oracle's closed form with central differences of its forward pass. */
    @ParameterizedTest
    @EnumSource
    void theClosedFormIsTheDerivative(Normalization.Kind kind) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] x = random.doubles(9, -1, 2).toArray();
        double[] g = random.doubles(9, -1, 1).toArray();
        boolean layer = kind == Normalization.Kind.LAYER;
        double[] dx = new ExactNormalization(x, layer, 0.25).gradient(g);
        var loss = new CentralDifferences(x, () -> {
            double[] h = new ExactNormalization(x, layer, 0.25).normalized();
            return IntStream.range(0, h.length).mapToDouble(l -> g[l] * h[l]).sum();
        });
        for (int j = 0; j < x.length; j++) {
            assertThat(dx[j]).isCloseTo(loss.derivative(j, 1e-6), within(1e-9));
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        Normalization.Kind kind = Normalization.Kind.LAYER;
        Matrix x = Matrix.of(new float[6], 2, 3);
        Matrix statistics = Matrix.of(new float[6], 2, 3);
        Matrix other = Matrix.of(new float[6], 3, 2);
        GainAndShift none = GainAndShift.NONE;
        for (float epsilon : new float[] {-1, Float.NaN}) {
            assertRefused(
                    () -> normalization().forward(x, null, x, none, kind, epsilon),
                    "epsilon: expected a number from 0 on, got " + epsilon);
        }
        assertRefused(() -> normalization().forward(other, null, x, none, kind, 0), "y: expected 2 x 3, got 3 x 2");
        assertRefused(
                () -> normalization().forward(x, other, x, none, kind, 0), "statistics: expected 2 x 3, got 3 x 2");
        for (GainAndShift parameters : List.of(new GainAndShift(other, null), new GainAndShift(null, other))) {
            String name = parameters.gain() == null ? "shift" : "gain";
            assertRefused(
                    () -> normalization().forward(x, null, x, parameters, kind, 0),
                    name + ": expected 1 x 3, got 3 x 2");
            assertRefused(
                    () -> normalization().backward(x, none, x, statistics, x, parameters, kind),
                    name + ": expected 1 x 3, got 3 x 2");
            assertRefused(
                    () -> normalization().backward(x, parameters, x, statistics, x, none, kind),
                    "d" + name + ": expected 1 x 3, got 3 x 2");
        }
        assertRefused(
                () -> normalization().backward(other, none, x, statistics, x, none, kind),
                "dx: expected 2 x 3, got 3 x 2");
        assertRefused(
                () -> normalization().backward(x, none, other, statistics, x, none, kind),
                "dy: expected 2 x 3, got 3 x 2");
        assertRefused(
                () -> normalization().backward(x, none, x, other, x, none, kind),
                "statistics: expected 2 x 3, got 3 x 2");
    }
}
