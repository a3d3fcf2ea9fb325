package org.lemmata.kernel.softmax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.ExactSoftmax;

/** What every {@link Softmax} must do. */
abstract class SoftmaxContract {

    private static final int LANES = Species.FLOAT.length();
    private static final float SENTINEL = -12345;
    private static final long SEED = 20260102;

    abstract Softmax softmax();

    private static float[] random(int length, double range, RandomGenerator random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-range, range);
        }
        return x;
    }

    /** Lays rows into a poisoned array, runs, checks the surroundings, and checks each row. */
    private void check(String name, float[]... rows) {
        int columns = rows[0].length;
        for (int padding : new int[] {0, 3}) {
            int stride = columns + padding;
            int offset = 1 + columns % 5;
            float[] values = new float[offset + rows.length * stride + 2];
            Arrays.fill(values, SENTINEL);
            for (int i = 0; i < rows.length; i++) {
                System.arraycopy(rows[i], 0, values, offset + i * stride, columns);
            }
            float[] x = values.clone();
            float[] apart = new float[values.length + 1];
            Arrays.fill(apart, SENTINEL);
            softmax()
                    .forwardInto(
                            Matrix.of(apart, offset + 1, rows.length, columns, stride),
                            Matrix.of(x, offset, rows.length, columns, stride));
            assertThat(x).as("%s: x", name).isEqualTo(values);
            softmax()
                    .forwardInto(
                            Matrix.of(values, offset, rows.length, columns, stride),
                            Matrix.of(values, offset, rows.length, columns, stride));
            assertThat(Arrays.copyOfRange(apart, 1, apart.length))
                    .as("%s: apart", name)
                    .isEqualTo(values);
            for (int i = 0; i < rows.length; i++) {
                int start = offset + i * stride;
                checkRow(name + ", row " + i, rows[i], Arrays.copyOfRange(values, start, start + columns));
                Arrays.fill(values, start, start + columns, SENTINEL);
            }
            assertThat(values).as("%s: surroundings", name).containsOnly(SENTINEL);
        }
    }

    /**
     * |y - exact| &lt;= (n + 5 + d) u exact + 2^-126, u = 2^-24, d = max x - x: n - 1 additions of positive numbers,
     * two exponentials within 1 ulp (2 u each at most), a reciprocal and a product, and the rounding of x - max, which
     * exp multiplies by d; what falls below 2^-126 may be 0.
     */
    private static void checkRow(String name, float[] x, float[] actual) {
        double[] exact = ExactSoftmax.softmax(x);
        double max = Double.NEGATIVE_INFINITY;
        for (float element : x) {
            max = Math.max(max, element);
        }
        for (int j = 0; j < x.length; j++) {
            if (Double.isNaN(exact[j])) {
                assertThat(actual[j]).as("%s: y[%d]", name, j).isNaN();
                continue;
            }
            // The sum's own elements carry their d, weighted by e^-d: at most 1/e each.
            double relative = (x.length + 6 + Math.max(0, Math.min(max - x[j], 1000))) * 0x1p-24;
            double bound = relative * (1 + relative) * exact[j] + 0x1p-126;
            if (!(Math.abs(actual[j] - exact[j]) <= bound)) {
                assertThat((double) actual[j])
                        .as("%s: y[%d], error bound %s", name, j, bound)
                        .isEqualTo(exact[j]);
            }
        }
    }

    @Test
    void everyLengthUpToTwiceTheLanes() {
        for (int columns = 0; columns <= 2 * LANES + 1; columns++) {
            SplittableRandom random = new SplittableRandom(SEED + columns);
            String name = "seed " + (SEED + columns) + ", columns " + columns;
            check(name, random(columns, 3, random), random(columns, 30, random), random(columns, 1, random));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {37, 64, 97, 128, 257, 700, 1009, 1024})
    void primesAndPowersOfTwo(int columns) {
        check("seed " + SEED + ", columns " + columns, random(columns, 8, new SplittableRandom(SEED)));
    }

    @Test
    void freshSeeds() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            int columns = 1 + random.nextInt(200);
            check("seed " + seed + ", columns " + columns, random(columns, 100, random), random(columns, 1e-3, random));
        }
    }

    /** Every special value at the ends of a vector and of the rest after it. */
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
            float[] x = random(LANES + 3, 1, new SplittableRandom(SEED));
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
    void minusInfinityHasNoWeight() {
        float[] x = {0, Float.NEGATIVE_INFINITY, 0, Float.NEGATIVE_INFINITY};
        softmax().forwardInto(Matrix.of(x, 1, 4), Matrix.of(x, 1, 4));
        assertThat(x).containsExactly(0.5f, 0, 0.5f, 0);
    }

    @Test
    void aNanStaysInItsRow() {
        float[] x = {0, 0, Float.NaN, 0, 0, 0};
        softmax().forwardInto(Matrix.of(x, 3, 2), Matrix.of(x, 3, 2));
        assertThat(x).containsExactly(0.5f, 0.5f, Float.NaN, Float.NaN, 0.5f, 0.5f);
    }

    /**
     * Three rows amid NaN, dx amid a sentinel: |dx - exact| &lt;= (n + 4) u y (|dy| + sum_l |dy_l| y_l), u = 2^-24.
     *
     * @param place where dx lies: 0 apart, 1 on dy, 2 on y
     */
    private void checkBackward(String name, int columns, int place, RandomGenerator random) {
        int rows = 3;
        int stride = columns + 3;
        int offset = 2;
        float[] y = new float[offset + rows * stride];
        float[] dy = new float[y.length];
        Arrays.fill(y, Float.NaN);
        Arrays.fill(dy, Float.NaN);
        for (int i = 0; i < rows; i++) {
            double[] weights = ExactSoftmax.softmax(random(columns, 4, random));
            float[] upstream = random(columns, 2, random);
            for (int j = 0; j < columns; j++) {
                y[offset + i * stride + j] = (float) weights[j];
            }
            System.arraycopy(upstream, 0, dy, offset + i * stride, columns);
        }
        float[] inputs = y.clone();
        float[] gradients = dy.clone();
        float[] dx = place == 0 ? new float[y.length] : place == 1 ? gradients : inputs;
        float around = place == 0 ? SENTINEL : Float.NaN;
        Arrays.fill(dx, 0, place == 0 ? dx.length : 0, SENTINEL);
        softmax()
                .backwardInto(
                        Matrix.of(dx, offset, rows, columns, stride),
                        Matrix.of(gradients, offset, rows, columns, stride),
                        Matrix.of(inputs, offset, rows, columns, stride));
        for (int i = 0; i < rows; i++) {
            int start = offset + i * stride;
            double[] weights = new double[columns];
            double[] upstream = new double[columns];
            double absolute = 0;
            for (int j = 0; j < columns; j++) {
                weights[j] = y[start + j];
                upstream[j] = dy[start + j];
                absolute += Math.abs(upstream[j]) * weights[j];
            }
            double[] exact = ExactSoftmax.gradient(weights, upstream);
            for (int j = 0; j < columns; j++) {
                double bound = (columns + 4) * 0x1p-24 * weights[j] * (Math.abs(upstream[j]) + absolute);
                if (!(Math.abs(dx[start + j] - exact[j]) <= bound)) {
                    assertThat((double) dx[start + j])
                            .as("%s, columns %d, dx %d: dx[%d][%d]", name, columns, place, i, j)
                            .isEqualTo(exact[j]);
                }
            }
            Arrays.fill(dx, start, start + columns, around);
        }
        assertThat(dx).as("%s, columns %d: around dx", name, columns).containsOnly(around);
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

    /** The oracle's closed form against central differences of its own softmax, of steps that binary32 holds. */
    @Test
    void theClosedFormIsTheDerivative() {
        float[] x = {0.5f, -1, 0.25f, 2, 0};
        double[] dy = {1, -2, 0.5, 0.75, -1};
        double[] dx = ExactSoftmax.gradient(ExactSoftmax.softmax(x), dy);
        float step = 0x1p-12f;
        for (int j = 0; j < x.length; j++) {
            double difference = 0;
            for (int side = -1; side <= 1; side += 2) {
                float[] moved = x.clone();
                moved[j] += side * step;
                double[] y = ExactSoftmax.softmax(moved);
                for (int l = 0; l < y.length; l++) {
                    difference += side * dy[l] * y[l];
                }
            }
            assertThat(dx[j]).isCloseTo(difference / (2 * step), within(1e-7));
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
        assertThatThrownBy(() -> softmax().forwardInto(other, x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("y" + message);
        assertThatThrownBy(() -> softmax().backwardInto(other, x, x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dx" + message);
        assertThatThrownBy(() -> softmax().backwardInto(x, other, x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dy" + message);
    }
}
