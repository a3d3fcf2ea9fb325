package org.lemmata.kernel.softmax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.elementary.Species;
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
            softmax().forwardInto(values, offset, stride, rows.length, columns);
            for (int i = 0; i < rows.length; i++) {
                int start = offset + i * stride;
                checkRow(name + ", row " + i, rows[i], Arrays.copyOfRange(values, start, start + columns));
                Arrays.fill(values, start, start + columns, SENTINEL);
            }
            assertThat(values).as("%s: surroundings", name).containsOnly(SENTINEL);
        }
    }

    /**
     * |y - exact| &lt;= (n + 4 + d) u exact + 2^-126, u = 2^-24, d = max x - x: n - 1 additions of positive numbers,
     * two exponentials within 1 ulp (2 u each at most), a division, and the rounding of x - max, which exp multiplies
     * by d; what falls below 2^-126 may be 0.
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
            double relative = (x.length + 5 + Math.max(0, Math.min(max - x[j], 1000))) * 0x1p-24;
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
            softmax().forwardInto(x, 0, columns, 1, columns);
            assertThat(x).as("columns %d", columns).containsOnly(Float.NaN);
        }
    }

    @Test
    void minusInfinityHasNoWeight() {
        float[] x = {0, Float.NEGATIVE_INFINITY, 0, Float.NEGATIVE_INFINITY};
        softmax().forwardInto(x, 0, 4, 1, 4);
        assertThat(x).containsExactly(0.5f, 0, 0.5f, 0);
    }

    @Test
    void aNanStaysInItsRow() {
        float[] x = {0, 0, Float.NaN, 0, 0, 0};
        softmax().forwardInto(x, 0, 2, 3, 2);
        assertThat(x).containsExactly(0.5f, 0.5f, Float.NaN, Float.NaN, 0.5f, 0.5f);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 2, 2, 2",
        "0, 1, 2, 2",
        "1, 2, 2, 2",
        "0, 3, 2, 2",
        "0, 2, -1, 2",
        "0, 2, 2, -1",
        "2147483647, 2, 2, 2"
    })
    void refusesRowsOutsideTheArray(int offset, int stride, int rows, int columns) {
        assertThatThrownBy(() -> softmax().forwardInto(new float[4], offset, stride, rows, columns))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values: expected " + rows + " x " + columns + " within 4 elements, got offset " + offset
                        + " and stride " + stride);
    }
}
