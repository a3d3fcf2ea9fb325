package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;

/** Tests of the scalar {@link MatMul}, which those of others without rounding sites inherit. */
class ScalarMatMulTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260101;

    MatMul matMul() {
        return new ScalarMatMul();
    }

    private void checkRandom(long seed, int m, int n, int k) {
        MatMulCase.forEachKind((form, start) -> {
            try {
                MatMulCase.random(form, start, m, n, k, new SplittableRandom(seed))
                        .checkWithinBound(matMul());
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        });
    }

    @Test
    void everySizeUpToTwiceTheLanes() {
        for (int size = 0; size <= 2 * LANES + 1; size++) {
            checkRandom(SEED + size, size, 2 * LANES - 1, 5);
            checkRandom(SEED + size, 7, size, 6);
            checkRandom(SEED + size, 8, LANES + 1, size);
            checkRandom(SEED + size, size, size, size);
        }
    }

    @Test
    void allSmallTriples() {
        int[] sizes = {0, 1, 2, 3, 5, 6, 7, 13};
        for (int m : sizes) {
            for (int n : sizes) {
                for (int k : sizes) {
                    checkRandom(SEED, m, n, k);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "31, 37, 41",
        "64, 64, 64",
        "101, 2, 97",
        "1, 1, 1024",
        "128, 1, 3",
        "2, 257, 193",
        // Beyond one block in rows, columns and inner index.
        "199, 131, 17",
        "7, 1061, 9",
        "13, 140, 401",
        "3, 33, 577"
    })
    void primesPowersOfTwoAndSeveralBlocks(int m, int n, int k) {
        checkRandom(SEED, m, n, k);
    }

    @Test
    void freshSeeds() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom sizes = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            checkRandom(seed, sizes.nextInt(80), sizes.nextInt(80), sizes.nextInt(80));
        }
    }

    /** With these elements, a product or sum is NaN or infinite in binary32 exactly if it is in binary64. */
    @Test
    void nanAndInfinity() {
        float[] elements = {1, 2, -1, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 0, -0f, 3, 5, 7, 9};
        checkElements(elements, 3);
    }

    @Test
    void denormals() {
        checkElements(
                new float[] {Float.MIN_VALUE, -3 * Float.MIN_VALUE, Float.MIN_NORMAL, 1, 0.5f, -2, 0x1p-70f, -0x1p-75f},
                20);
    }

    @Test
    void extremes() {
        checkElements(new float[] {0x1.fp62f, -0x1.8p60f, 0x1p-60f, -0x1.4p-62f, 1, 0x1.1p20f}, 20);
    }

    private void checkElements(float[] elements, int k) {
        SplittableRandom random = new SplittableRandom(SEED);
        DoubleSupplier draw = () -> elements[random.nextInt(elements.length)];
        MatMulCase.forEachKind(
                (form, start) -> new MatMulCase(form, start, 13, 2 * LANES + 3, k, draw).checkWithinBound(matMul()));
    }

    @Test
    void overflowsToInfinity() {
        float[] c = {0};
        matMul().multiply(
                        MatMul.Form.NN,
                        false,
                        Matrix.of(c, 1, 1),
                        Matrix.of(new float[] {Float.MAX_VALUE}, 1, 1),
                        Matrix.of(new float[] {2}, 1, 1));
        assertThat(c).containsExactly(Float.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "2, 2", "0, 2"})
    void refusesABiasOfOtherSizes(int rows, int columns) {
        Matrix x = Matrix.of(new float[4], 2, 2);
        Matrix bias = Matrix.of(new float[6], rows, columns);
        assertRefused(
                () -> matMul().multiplyAddBias(MatMul.Form.NN, Matrix.of(new float[4], 2, 2), x, x, bias),
                "bias: expected 1 x 2, got " + rows + " x " + columns);
    }

    /** C is 2 x 3, and the inner size 4. */
    @ParameterizedTest
    @CsvSource({
        "NN, a, 3 x 4, 2 x 4",
        "NN, b, 4 x 2, 4 x 3",
        "NN, b, 5 x 3, 4 x 3",
        "NT, a, 3 x 4, 2 x 4",
        "NT, b, 4 x 3, 3 x 4",
        "NT, b, 3 x 5, 3 x 4",
        "TN, a, 4 x 3, 4 x 2",
        "TN, b, 4 x 2, 4 x 3",
        "TN, b, 3 x 3, 4 x 3"
    })
    void refusesOperandsOfOtherSizes(MatMul.Form form, String name, String sizes, String expected) {
        Matrix c = Matrix.of(new float[6], 2, 3);
        Matrix other = Matrix.of(new float[20], sizes.charAt(0) - '0', sizes.charAt(4) - '0');
        Matrix a = name.equals("a") ? other : Matrix.of(new float[8], form.rowsOfA(2, 4), form.columnsOfA(2, 4));
        Matrix b = name.equals("b") ? other : Matrix.of(new float[12], form.rowsOfB(3, 4), form.columnsOfB(3, 4));
        String message = name + ": expected " + expected + ", got " + sizes;
        assertRefused(() -> matMul().multiply(form, false, c, a, b), message);
        assertRefused(() -> matMul().multiplyAddBias(form, c, a, b, Matrix.of(new float[3], 1, 3)), message);
    }
}
