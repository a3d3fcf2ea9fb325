package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rows of every length up to nine vectors, among elements that would change each result. */
class RowExponentialsTest {

    private static final int LANES = Species.FLOAT.length();

    private static final int FROM = 3;

    private final SplittableRandom random = new SplittableRandom(7);

    private static final int LONGEST = 9 * LANES;

    /** The row from {@link #FROM} on, with {@code outside} on both sides. */
    private float[] row(int columns, float outside) {
        float[] x = new float[columns + FROM + LANES];
        Arrays.fill(x, outside);
        for (int j = FROM; j < FROM + columns; j++) {
            x[j] = (float) random.nextDouble(-4, 0);
        }
        return x;
    }

    /** The sum in the documented order: each lane separately, then pairs of lanes; short rows in ascending order. */
    private static float sum(float[] x, int from, int columns) {
        float[] sums = new float[columns < LANES ? 1 : LANES];
        int whole = columns - columns % sums.length;
        for (int j = 0; j < columns; j++) {
            // The last vector ends with the row, so its elements are in other lanes than those of a vector after it.
            sums[j < whole ? j % sums.length : j + sums.length - columns] += x[from + j];
        }
        for (int distance = 1; distance < sums.length; distance *= 2) {
            float[] before = sums.clone();
            for (int lane = 0; lane < sums.length; lane++) {
                sums[lane] = before[lane] + before[lane ^ distance];
            }
        }
        return sums[0];
    }

    @Test
    void theMaximumIsFoundInEveryPlace() {
        for (int columns = 0; columns <= LONGEST; columns++) {
            float[] x = row(columns, 9);
            for (int j = FROM; j < FROM + columns; j++) {
                float before = x[j];
                x[j] = 1;
                assertThat(RowExponentials.maximum(x, FROM, columns))
                        .as("%d of %d", j, columns)
                        .isEqualTo(1);
                x[j] = Float.NaN;
                float others = Float.NEGATIVE_INFINITY;
                for (int i = FROM; i < FROM + columns; i++) {
                    others = x[i] > others ? x[i] : others;
                }
                assertThat(RowExponentials.maximum(x, FROM, columns)).isEqualTo(others);
                x[j] = before;
            }
        }
    }

    @Test
    void exponentialsAndSumsHaveTheBitsOfTheDocumentedOrder() {
        // Two orders of a sum may agree by chance, so there are several rows of each length.
        for (int i = 0; i <= 5 * LONGEST; i++) {
            int columns = i / 5;
            float[] x = row(columns, Float.NaN);
            float[] expected = new float[columns + FROM + LANES];
            Arrays.fill(expected, 7);
            float[] y = expected.clone();
            for (int j = 0; j < columns; j++) {
                expected[2 + j] = ScalarExp.exp(x[FROM + j] - 0.5f);
            }
            float[] lanes = new float[2 * LANES];
            Arrays.fill(lanes, Float.NaN);
            assertThat(RowExponentials.exponentiate(y, 2, x, FROM, columns, 0.5f, lanes))
                    .isEqualTo(sum(expected, 2, columns));
            assertThat(y).isEqualTo(expected);
            Arrays.fill(lanes, Float.NaN);
            assertThat(RowExponentials.sum(x, FROM, columns, lanes)).isEqualTo(sum(x, FROM, columns));
            assertThat(RowExponentials.exponentiate(x, FROM, x, FROM, columns, 0.5f, lanes))
                    .isEqualTo(sum(expected, 2, columns));
            assertThat(Arrays.copyOfRange(x, FROM, FROM + columns))
                    .isEqualTo(Arrays.copyOfRange(expected, 2, 2 + columns));
        }
    }

    @Test
    void onlyTheRowIsScaled() {
        for (int columns = 0; columns <= LONGEST; columns++) {
            float[] y = row(columns, 7);
            float[] expected = y.clone();
            for (int j = FROM; j < FROM + columns; j++) {
                expected[j] *= 1.1f;
            }
            RowExponentials.scale(y, FROM, columns, 1.1f);
            assertThat(y).isEqualTo(expected);
        }
    }
}
