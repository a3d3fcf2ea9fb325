package org.lemmata.kernel.softmax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.kernel.Guarded.assertWithin;
import static org.lemmata.kernel.Guarded.uniform;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.ExactSoftmax;

/** Tests of the scalar {@link Softmax}, which those of other implementations inherit. */
class ScalarSoftmaxTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260102;

    Softmax softmax() {
        return new ScalarSoftmax();
    }

    /** Runs with separate output and in place, on rows with and without padding; checks each row. */
    private void check(String name, float[]... rows) {
        int columns = rows[0].length;
        for (int padding : new int[] {0, 3}) {
            Matrix x = Guarded.of(padding, Float.NaN, rows);
            float[] before = x.array().clone();
            Matrix y = Guarded.result(rows.length, columns);
            softmax().forwardInto(y, x);
            assertThat(x.array()).as("%s: x", name).isEqualTo(before);
            float[] apart = Guarded.numbers(y);
            softmax().forwardInto(x, x);
            assertThat(Guarded.numbers(x)).as("%s: in place", name).isEqualTo(apart);
            for (int i = 0; i < rows.length; i++) {
                checkRow(name + ", row " + i, rows[i], Arrays.copyOfRange(apart, i * columns, (i + 1) * columns));
            }
        }
    }

    /**
     * |y - exact| &lt;= (n + 5 + d) u exact + 2^-126, u = 2^-24, d = max x - x: n - 1 additions of positive numbers,
     * two exponentials within 1 ulp (2 u each at most), a reciprocal and a product, and the rounding of x - max, which
     * exp multiplies by d; what falls below 2^-126 may be 0.
     */
    private static void checkRow(String name, float[] x, float[] actual) {
        double[] exact = ExactSoftmax.softmax(Guarded.widened(x));
        double max = Double.NEGATIVE_INFINITY;
        for (float element : x) {
            max = Math.max(max, element);
        }
        for (int j = 0; j < x.length; j++) {
            if (Double.isNaN(exact[j])) {
                assertThat(actual[j]).as("%s: y[%d]", name, j).isNaN();
                continue;
            }
            // Elements of the sum have their own d, weighted by e^-d: at most 1/e each.
            double relative = (x.length + 6 + Math.max(0, Math.min(max - x[j], 1000))) * 0x1p-24;
            double bound = relative * (1 + relative) * exact[j] + 0x1p-126;
            int column = j;
            assertWithin(actual[j], exact[j], bound, () -> name + ": y[" + column + "]");
        }
    }

    @Test
    void everyLengthUpToTwiceTheLanes() {
        for (int columns = 0; columns <= 2 * LANES + 1; columns++) {
            SplittableRandom random = new SplittableRandom(SEED + columns);
            String name = "seed " + (SEED + columns) + ", columns " + columns;
            check(name, uniform(columns, 3, random), uniform(columns, 30, random), uniform(columns, 1, random));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {37, 64, 97, 128, 257, 700, 1009, 1024})
    void primesAndPowersOfTwo(int columns) {
        check("seed " + SEED + ", columns " + columns, uniform(columns, 8, new SplittableRandom(SEED)));
    }

    @Test
    void freshSeeds() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            int columns = 1 + random.nextInt(200);
            check(
                    "seed " + seed + ", columns " + columns,
                    uniform(columns, 100, random),
                    uniform(columns, 1e-3, random));
        }
    }

    /** Every special value at both ends of a vector and of the elements after it. */
    @ParameterizedTest
    @ValueSource(
            floats = {
                Float.NaN,
                Float.POSITIVE_INFINITY,
                Float.NEGATIVE_INFINITY,
                Float.MAX_VALUE,
                -Float.MAX_VALUE,
                Float.MIN_VALUE,
                -Float.MIN_NORMAL,
                -0f,
                88.8f,
                -87.4f,
                -104
            })
    void specialValues(float special) {
        for (int place : new int[] {0, 1, LANES - 1, LANES, LANES + 2}) {
            float[] x = uniform(LANES + 3, 1, new SplittableRandom(SEED));
            x[place] = special;
            check(special + " at " + place, x);
            Arrays.fill(x, 0, place, special);
            check(special + " up to " + place, x);
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void rowsOfOneSpecialValueAreNan(float special) {
        for (int columns = 1; columns <= 2 * LANES + 1; columns++) {
            float[] x = new float[columns];
            Arrays.fill(x, special);
            softmax().forwardInto(Matrix.of(x, 1, columns), Matrix.of(x, 1, columns));
            assertThat(x).as("columns %d", columns).containsOnly(Float.NaN);
        }
    }

    @Test
    void aNanStaysInItsRow() {
        float[] x = {0, 0, Float.NaN, 0, 0, 0};
        softmax().forwardInto(Matrix.of(x, 3, 2), Matrix.of(x, 3, 2));
        assertThat(x).containsExactly(0.5f, 0.5f, Float.NaN, Float.NaN, 0.5f, 0.5f);
    }

    /**
     * Three rows amid NaN: |dx - exact| &lt;= (n + 4) u y (|dy| + sum_l |dy_l| y_l), u = 2^-24.
     *
     * @param place the array of dx: 0 its own, 1 that of dy, 2 that of y
     */
    private void checkBackward(String name, int columns, int place, RandomGenerator random) {
        int rows = 3;
        float[][] weights = new float[rows][columns];
        float[][] upstream = new float[rows][];
        for (int i = 0; i < rows; i++) {
            double[] exact = ExactSoftmax.softmax(Guarded.widened(uniform(columns, 4, random)));
            for (int j = 0; j < columns; j++) {
                weights[i][j] = (float) exact[j];
            }
            upstream[i] = uniform(columns, 2, random);
        }
        Matrix y = Guarded.operand(weights);
        Matrix dy = Guarded.operand(upstream);
        Matrix dx = place == 0 ? Guarded.result(rows, columns) : place == 1 ? dy : y;
        softmax().backwardInto(dx, dy, y);
        float[] actual = Guarded.numbers(dx);
        for (int i = 0; i < rows; i++) {
            double[] exact = ExactSoftmax.gradient(Guarded.widened(weights[i]), Guarded.widened(upstream[i]));
            double absolute = 0;
            for (int j = 0; j < columns; j++) {
                absolute += Math.abs((double) upstream[i][j]) * weights[i][j];
            }
            for (int j = 0; j < columns; j++) {
                double bound = (columns + 4) * 0x1p-24 * weights[i][j] * (Math.abs(upstream[i][j]) + absolute);
                String at = name + ", columns " + columns + ", dx " + place;
                assertWithin(actual[i * columns + j], exact[j], bound, () -> at);
            }
        }
    }

    @Test
    void backwardOfEveryLength() {
        for (int columns = 0; columns <= 4 * LANES + 1; columns++) {
            for (int place = 0; place < 3; place++) {
                checkBackward("seed " + SEED, columns, place, new SplittableRandom(SEED));
            }
        }
        long seed = ThreadLocalRandom.current().nextLong();
        for (int columns : new int[] {97, 128, 257, 1009, 1024}) {
            checkBackward("seed " + seed, columns, 0, new SplittableRandom(seed));
        }
    }

    @Test
    void theClosedFormIsTheDerivative() {
        double[] x = {0.5, -1, 0.25, 2, 0};
        double[] dy = {1, -2, 0.5, 0.75, -1};
        double[] dx = ExactSoftmax.gradient(ExactSoftmax.softmax(x), dy);
        var loss = new CentralDifferences(x, () -> {
            double[] y = ExactSoftmax.softmax(x);
            return IntStream.range(0, y.length).mapToDouble(l -> dy[l] * y[l]).sum();
        });
        for (int j = 0; j < x.length; j++) {
            assertThat(dx[j]).isCloseTo(loss.derivative(j, 1e-6), within(1e-9));
        }
    }

    @Test
    void backwardKeepsANanInItsRow() {
        float[] y = {0.5f, 0.5f, 0.5f, 0.5f};
        float[] dy = {1, Float.NaN, 1, 0};
        float[] dx = new float[4];
        softmax().backwardInto(Matrix.of(dx, 2, 2), Matrix.of(dy, 2, 2), Matrix.of(y, 2, 2));
        assertThat(dx).containsExactly(Float.NaN, Float.NaN, 0.25f, -0.25f);
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "3, 2", "2, 3", "0, 2"})
    void refusesOtherSizes(int rows, int columns) {
        Matrix x = Matrix.of(new float[4], 2, 2);
        Matrix other = Matrix.of(new float[6], rows, columns);
        String message = ": expected 2 x 2, got " + rows + " x " + columns;
        assertRefused(() -> softmax().forwardInto(other, x), "y" + message);
        assertRefused(() -> softmax().backwardInto(other, x, x), "dx" + message);
        assertRefused(() -> softmax().backwardInto(x, other, x), "dy" + message);
    }
}
