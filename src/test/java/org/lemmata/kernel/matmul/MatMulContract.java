package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.elementary.Species;

/** What every {@link MatMul} that does not round on purpose must do. */
abstract class MatMulContract {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260101;

    abstract MatMul matMul();

    private interface Check {
        void accept(MatMul.Form form, MatMulCase.Start start);
    }

    private static void forEachKind(Check check) {
        for (MatMul.Form form : MatMul.Form.values()) {
            for (MatMulCase.Start start : MatMulCase.Start.values()) {
                check.accept(form, start);
            }
        }
    }

    private void checkRandom(long seed, int m, int n, int k) {
        forEachKind((form, start) -> {
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

    /** Elements drawn from a few: a product or sum is NaN or infinite in binary32 exactly if it is in binary64. */
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
        forEachKind(
                (form, start) -> new MatMulCase(form, start, 13, 2 * LANES + 3, k, draw).checkWithinBound(matMul()));
    }

    @Test
    void overflowsToInfinity() {
        float[] c = {0};
        matMul().multiply(
                        MatMul.Form.NN,
                        false,
                        c,
                        0,
                        1,
                        new float[] {Float.MAX_VALUE},
                        0,
                        1,
                        new float[] {2},
                        0,
                        1,
                        1,
                        1,
                        1);
        assertThat(c).containsExactly(Float.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @EnumSource
    void theEmptyProductIsZeroAndReplacesNan(MatMul.Form form) {
        float[] c = {Float.NaN, Float.NaN};
        matMul().multiply(form, false, c, 0, 2, new float[0], 0, 0, new float[0], 0, 2, 1, 2, 0);
        assertThat(c).containsExactly(0, 0);
    }

    @ParameterizedTest
    @EnumSource
    void theEmptyProductIsTheBias(MatMul.Form form) {
        float[] c = {Float.NaN, Float.NaN};
        float[] bias = {7, 1, 2};
        matMul().multiplyAddBias(form, c, 0, 2, new float[0], 0, 0, new float[0], 0, 2, bias, 1, 1, 2, 0);
        assertThat(c).containsExactly(1, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 3, Integer.MAX_VALUE})
    void refusesABiasOutsideItsArray(int offset) {
        float[] x = new float[4];
        assertThatThrownBy(() -> matMul().multiplyAddBias(
                                MatMul.Form.NN, new float[4], 0, 2, x, 0, 2, x, 0, 2, x, offset, 2, 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bias: expected 2 elements within 4, got offset " + offset);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "a", "b"})
    void refusesMatricesOutsideTheirArrays(String name) {
        for (MatMul.Form form : MatMul.Form.values()) {
            for (int[] offsetAndStride : new int[][] {{-1, 4}, {1, 4}, {0, 3}, {0, 5}, {Integer.MAX_VALUE, 4}}) {
                int[] c = name.equals("c") ? offsetAndStride : new int[] {0, 4};
                int[] a = name.equals("a") ? offsetAndStride : new int[] {0, 4};
                int[] b = name.equals("b") ? offsetAndStride : new int[] {0, 4};
                assertThatThrownBy(() -> matMul().multiply(
                                        form,
                                        false,
                                        new float[16],
                                        c[0],
                                        c[1],
                                        new float[16],
                                        a[0],
                                        a[1],
                                        new float[16],
                                        b[0],
                                        b[1],
                                        4,
                                        4,
                                        4))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(name + ": expected 4 x 4 within 16 elements, got offset " + offsetAndStride[0]
                                + " and stride " + offsetAndStride[1]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 1, 1", "1, -1, 1", "1, 1, -1"})
    void refusesNegativeSizes(int m, int n, int k) {
        float[] x = new float[4];
        assertThatThrownBy(() -> matMul().multiply(MatMul.Form.NN, false, x, 0, 1, x, 0, 1, x, 0, 1, m, n, k))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("m, n, k: expected no negative size, got " + m + ", " + n + ", " + k);
    }
}
