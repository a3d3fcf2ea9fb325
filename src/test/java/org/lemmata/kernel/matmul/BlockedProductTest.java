package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.kernel.Guarded.SENTINEL;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;

/** Low tiles over copies of A, on every machine, with blocks so small that small products reach their edges. */
class BlockedProductTest {

    private static final int COLUMNS = Blocking.COLUMNS;

    private static final int PADDING = 3;

    /** C in an array whose rows are {@link #PADDING} longer; sums start from its old content if {@code added}. */
    private static float[] multiply(
            Blocking blocking, MatMul.Form form, boolean added, float[] a, float[] b, int m, int n, int k) {
        float[] c = new float[m * (n + PADDING)];
        Arrays.fill(c, SENTINEL);
        Product product = new Product();
        product.start = added ? c : new float[COLUMNS];
        product.startRowStep = added ? n + PADDING : 0;
        product.startColumnStep = added ? 1 : 0;
        product.form = form;
        product.c = Matrix.of(c, 0, m, n, n + PADDING);
        product.a = Matrix.of(a, form.rowsOfA(m, k), form.columnsOfA(m, k));
        product.b = Matrix.of(b, form.rowsOfB(n, k), form.columnsOfB(n, k));
        product.k = k;
        // In two parts: the content that the first leaves in the common working space must not matter.
        BlockedProduct blocks = new BlockedProduct(blocking);
        blocks.multiply(product, 0, m / 3, 0, n);
        blocks.multiply(product, m / 3, m - m / 3, 0, n);
        return c;
    }

    private static float[] chains(MatMul.Form form, boolean added, float[] a, float[] b, int m, int n, int k) {
        float[] c = new float[m * (n + PADDING)];
        Arrays.fill(c, SENTINEL);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                float sum = added ? SENTINEL : 0;
                for (int l = 0; l < k; l++) {
                    float ofA = form == MatMul.Form.TN ? a[l * m + i] : a[i * k + l];
                    float ofB = form == MatMul.Form.NT ? b[j * k + l] : b[l * n + j];
                    sum = Math.fma(ofA, ofB, sum);
                }
                c[i * (n + PADDING) + j] = sum;
            }
        }
        return c;
    }

    /**
     * A depth at which C is written before its tiles. Depths that end inside an iteration of the loop, at its end, and
     * in a block of one step; incomplete tiles of rows; last columns of every kind, with all of A copied (m below n) or
     * a few rows at a time.
     */
    @ParameterizedTest
    @CsvSource({
        "25, 2, 16",
        "24, 0, 33",
        "25, 1, 34",
        "31, 3, 65",
        "7, 9, 97",
        "23, 15, 128",
        "901, 5, 67",
        "905, 0, 96",
        "912, 12, 41",
    })
    void everyBlockingSumsTheSameChain(int m, int beyond, int k) {
        int n = 12 * COLUMNS + beyond;
        SplittableRandom random = new SplittableRandom(k);
        float[] a = Guarded.uniform(m * k, 1, random);
        float[] b = Guarded.uniform(k * n, 1, random);
        for (MatMul.Form form : MatMul.Form.values()) {
            for (boolean added : new boolean[] {false, true}) {
                float[] expected = chains(form, added, a, b, m, n, k);
                for (Blocking blocking : new Blocking[] {
                    new Blocking(false, 32, 4 * COLUMNS, 2 * COLUMNS, 12, Integer.MAX_VALUE),
                    new Blocking(false, 34, 64 * COLUMNS, COLUMNS, 6, 0),
                    new Blocking(false, 1024, 1024, 4 * COLUMNS, 24, 0)
                }) {
                    assertThat(Arrays.equals(multiply(blocking, form, added, a, b, m, n, k), expected))
                            .as("%s, %s, added to %s", blocking, form, added)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void isWhatProductsOfThisMachineAreCutBy() {
        assertThat(Blocking.CHOSEN).isEqualTo(Blocking.of(Species.FLOAT, Species.REGISTERS, Caches.OF_MACHINE));
    }

    /** Cache sizes of Zen 3, Zen 4, Golden Cove, Skylake, a machine that reports none, and virtual machines. */
    @ParameterizedTest
    @CsvSource({
        "32, 512, 32768",
        "32, 1024, 32768",
        "48, 2048, 30720",
        "32, 256, 8192",
        "32, 256, 4096",
        "16, 128, 0",
        "32, 65536, 0",
        "2, 4096, 16384",
    })
    void blocksFitTheCaches(int first, int second, int third) {
        Caches caches = new Caches(first << 10, second << 10, third << 10);
        Blocking blocking = Blocking.of(Species.FLOAT, 16, caches);
        if (Species.FLOAT.vectorBitSize() == 512) {
            assertThat(blocking.tall()).isTrue();
            return;
        }
        int step = blocking.depth() * Float.BYTES;
        assertThat(blocking.tall()).isFalse();
        assertThat(Tile6x2.ROWS * step).isLessThanOrEqualTo(caches.first() * 3 / 4);
        // The second-level cache keeps a part of the block of B, some rows of A, and a tile of C.
        assertThat((blocking.nearColumns() + blocking.rows()) * step).isLessThanOrEqualTo(caches.second() * 3 / 4);
        assertThat(blocking.columns()).isGreaterThanOrEqualTo(blocking.nearColumns());
        assertThat(blocking.columns() * step).isLessThanOrEqualTo(Math.max(caches.third() / 8, caches.second() / 2));
        assertThat(blocking.nearColumns() % COLUMNS).isZero();
        assertThat(blocking.rows() % Tile6x2.ROWS).isZero();
        assertThat(blocking.depth()).isGreaterThanOrEqualTo(Math.min(1024, first * 32));
    }
}
