package org.lemmata.kernel.arithmetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.kernel.Guarded.assertWithin;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;

/**
 * Tests of the scalar {@link Arithmetic}, which those of others inherit; binary64 is exact for two addends or factors,
 * and nearly exact for many.
 */
class ScalarArithmeticTest {

    private static final int LANES = Species.FLOAT.length();
    static final long SEED = 20260406;

    Arithmetic arithmetic() {
        return new ScalarArithmetic();
    }

    private void checkElements(String name, int length, RandomGenerator random) {
        float[] x = Guarded.uniform(length, 2, random);
        float[] y = Guarded.uniform(length, 2, random);
        Matrix ofX = Guarded.operand(x);
        Matrix sums = Guarded.operand(y);
        Matrix products = Guarded.result(1, length);
        arithmetic().addInto(sums.array(), sums.offset(), ofX.array(), ofX.offset(), length);
        arithmetic().scaleInto(products.array(), products.offset(), ofX.array(), ofX.offset(), length, 0.3f);
        float[] sum = Guarded.numbers(sums);
        float[] product = Guarded.numbers(products);
        for (int i = 0; i < length; i++) {
            assertThat(sum[i]).as("%s: sum %d", name, i).isEqualTo((float) ((double) x[i] + y[i]));
            assertThat(product[i]).as("%s: product %d", name, i).isEqualTo((float) ((double) 0.3f * x[i]));
        }
        arithmetic().scaleInto(ofX.array(), ofX.offset(), ofX.array(), ofX.offset(), length, 0.3f);
        assertThat(Guarded.numbers(ofX)).as("%s: in place", name).isEqualTo(product);
    }

    @Test
    void elementsOfEveryLengthUpToTwiceTheLanes() {
        for (int length = 0; length <= 2 * LANES + 1; length++) {
            checkElements("seed " + SEED + ", length " + length, length, new SplittableRandom(SEED));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {97, 1024, 65535, 65536, 65537, 131073})
    void elementsOfPrimesPowersOfTwoAndChunks(int length) {
        checkElements("seed " + SEED + ", length " + length, length, new SplittableRandom(SEED));
    }

    /** The tolerance is for n additions, each with an error of at most u = 2^-24 of the sum of absolute terms. */
    private void checkRows(String name, int rows, int columns, int padding, RandomGenerator random) {
        int stride = columns + padding;
        float[] x = Guarded.uniform(2 + rows * stride + columns, 2, random);
        float[] before = Guarded.uniform(columns, 2, random);
        Matrix sums = Guarded.operand(before);
        float[] inputs = x.clone();
        arithmetic().addRowsInto(sums.array(), sums.offset(), x, 2, stride, rows, columns);
        assertThat(x).as("%s: x", name).isEqualTo(inputs);
        float[] actual = Guarded.numbers(sums);
        for (int j = 0; j < columns; j++) {
            double exact = before[j];
            double size = Math.abs(exact);
            for (int i = 0; i < rows; i++) {
                exact += x[2 + i * stride + j];
                size += Math.abs(x[2 + i * stride + j]);
            }
            double bound = (rows + 1) * 0x1p-24 * size;
            int column = j;
            assertWithin(actual[j], exact, bound, () -> name + ": column " + column);
        }
    }

    @Test
    void rowsOfEveryWidthUpToTwiceTheLanes() {
        for (int columns = 0; columns <= 2 * LANES + 1; columns++) {
            for (int rows : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 13}) {
                String name = "seed " + SEED + ", " + rows + " x " + columns;
                checkRows(name, rows, columns, columns % 3, new SplittableRandom(SEED));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1000, 97", "700, 257", "9, 20000", "130, 1024", "5, 70000", "137, 17000"})
    void rowsOfSeveralBlocks(int rows, int columns) {
        checkRows("seed " + SEED + ", " + rows + " x " + columns, rows, columns, 1, new SplittableRandom(SEED));
    }

    @Test
    void freshSeeds() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            int rows = random.nextInt(100);
            int columns = random.nextInt(100);
            checkRows("seed " + seed + ", " + rows + " x " + columns, rows, columns, random.nextInt(3), random);
            checkElements("seed " + seed + ", run " + i, random.nextInt(300), random);
        }
    }

    /** The sum of these numbers reveals the order of additions, which must be that of the interface. */
    @Test
    void addsRowsInTheStatedOrder() {
        int rows = Arithmetic.blockRows(10, 20000) + 6;
        assertThat(rows).isEqualTo(10);
        float[] x = Guarded.uniform(rows * 20000, 2, new SplittableRandom(SEED));
        float[] sums = new float[20000];
        Arrays.fill(sums, 0.1f);
        arithmetic().addRowsInto(sums, 0, x, 0, 20000, rows, 20000);
        for (int j = 0; j < 20000; j++) {
            float[] c = new float[rows];
            for (int i = 0; i < rows; i++) {
                c[i] = x[i * 20000 + j];
            }
            float first = (c[0] + c[1]) + (c[2] + c[3]);
            float second = (c[4] + c[5]) + (c[6] + c[7]);
            float third = c[8] + c[9];
            assertThat(sums[j]).as("column %d", j).isEqualTo(((0.1f + first) + second) + third);
        }
    }

    /** With wide rows, one block per four rows would need a quarter of the matrix. */
    @ParameterizedTest
    @CsvSource({"0, 50257, 4", "8192, 50257, 256", "8193, 50257, 260", "129, 16384, 8", "5000, 45, 1456"})
    void blocksAreFew(int rows, int columns, int expected) {
        int blockRows = Arithmetic.blockRows(rows, columns);
        assertThat(blockRows).isEqualTo(expected);
        assertThat(Math.ceilDiv(rows, blockRows)).isLessThanOrEqualTo(Arithmetic.MAX_BLOCKS);
    }

    @Test
    void specialValuesStayInTheirColumn() {
        for (float special : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            for (int column = 0; column < LANES + 3; column++) {
                float[] x = new float[6 * (LANES + 3)];
                x[3 * (LANES + 3) + column] = special;
                float[] sums = new float[LANES + 3];
                arithmetic().addRowsInto(sums, 0, x, 0, LANES + 3, 6, LANES + 3);
                float[] expected = new float[LANES + 3];
                expected[column] = special;
                assertThat(sums).isEqualTo(expected);
            }
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        float[] four = new float[4];
        assertRefused(() -> arithmetic().addInto(four, 1, four, 0, 4), "y: expected 4 elements within 4, got offset 1");
        assertThatThrownBy(() -> arithmetic().scaleInto(four, 0, four, -1, 4, 1))
                .hasMessageStartingWith("x: ");
        assertRefused(
                () -> arithmetic().addRowsInto(four, 0, four, 0, 1, 2, 2),
                "x: expected 2 x 2 within 4 elements, got offset 0 and stride 1");
        assertThatThrownBy(() -> arithmetic().addRowsInto(four, 3, four, 0, 2, 2, 2))
                .hasMessageStartingWith("sums: ");
        assertThatThrownBy(() -> arithmetic().addRowsInto(four, 0, four, 0, 2, -1, 2))
                .hasMessageStartingWith("x: ");
    }
}
