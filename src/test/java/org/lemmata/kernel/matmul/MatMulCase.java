package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import org.lemmata.oracle.ExactMatMul;

/**
 * One product: operands laid into arrays with offsets and wide strides, and everything around them poisoned.
 *
 * <p>Around A and B lies NaN, which any element read in excess carries into C; around C lies a sentinel that must
 * survive.
 */
final class MatMulCase {

    private static final float SENTINEL = -12345;
    private static final int PADDING = 3;

    private final MatMul.Form form;
    private final boolean accumulate;
    private final int m;
    private final int n;
    private final int k;
    /** op(A), m x k, and op(B), k x n, and the old C: rows without padding. */
    private final float[] left;

    private final float[] right;
    private final float[] old;

    MatMulCase(MatMul.Form form, boolean accumulate, int m, int n, int k, DoubleSupplier elements) {
        this.form = form;
        this.accumulate = accumulate;
        this.m = m;
        this.n = n;
        this.k = k;
        this.left = filled(m * k, elements);
        this.right = filled(k * n, elements);
        this.old = filled(m * n, elements);
    }

    static MatMulCase random(MatMul.Form form, boolean accumulate, int m, int n, int k, RandomGenerator random) {
        return new MatMulCase(form, accumulate, m, n, k, () -> random.nextDouble(-1, 1));
    }

    private static float[] filled(int length, DoubleSupplier elements) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) elements.getAsDouble();
        }
        return x;
    }

    /** Runs the product; checks that nothing around C was written; returns C without padding. */
    float[] run(MatMul matMul) {
        int aRows = form.rowsOfA(m, k);
        int aColumns = form.columnsOfA(m, k);
        int bRows = form.rowsOfB(n, k);
        int bColumns = form.columnsOfB(n, k);
        float[] a = laid(form == MatMul.Form.TN ? transposed(left, m, k) : left, aRows, aColumns, Float.NaN);
        float[] b = laid(form == MatMul.Form.NT ? transposed(right, k, n) : right, bRows, bColumns, Float.NaN);
        float[] c = laid(old, m, n, SENTINEL);
        float[] aBefore = a.clone();
        float[] bBefore = b.clone();
        matMul.multiply(
                form,
                accumulate,
                c,
                offset(n),
                n + PADDING,
                a,
                offset(aColumns),
                aColumns + PADDING,
                b,
                offset(bColumns),
                bColumns + PADDING,
                m,
                n,
                k);
        assertThat(Arrays.equals(a, aBefore) && Arrays.equals(b, bBefore))
                .as("%s: operands unchanged", this)
                .isTrue();
        float[] result = new float[m * n];
        for (int i = 0; i < m; i++) {
            System.arraycopy(c, offset(n) + i * (n + PADDING), result, i * n, n);
        }
        // Once the result is replaced by the old C, the array must be as it was.
        for (int i = 0; i < m; i++) {
            System.arraycopy(old, i * n, c, offset(n) + i * (n + PADDING), n);
        }
        assertThat(Arrays.equals(c, laid(old, m, n, SENTINEL)))
                .as("%s: surroundings of C unchanged", this)
                .isTrue();
        return result;
    }

    private static int offset(int columns) {
        return 5 + columns % 4;
    }

    private static float[] laid(float[] dense, int rows, int columns, float around) {
        float[] x = new float[offset(columns) + rows * (columns + PADDING) + 2];
        Arrays.fill(x, around);
        for (int i = 0; i < rows; i++) {
            System.arraycopy(dense, i * columns, x, offset(columns) + i * (columns + PADDING), columns);
        }
        return x;
    }

    private static float[] transposed(float[] x, int rows, int columns) {
        float[] y = new float[x.length];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                y[j * rows + i] = x[i * columns + j];
            }
        }
        return y;
    }

    /**
     * Checks |c - exact| &lt;= gamma_(k+1) (|C| + |A| |B|) + k 2^-150 + 2^-40 of the same, with gamma_n = n u / (1 - n
     * u), u = 2^-24.
     *
     * <p>The first term holds for any order of k products and k additions, fused or not (Higham 2002, section 3.1); the
     * second for products that underflow; the third for the binary64 sums of the oracle.
     */
    void checkWithinBound(MatMul matMul) {
        float[] actual = run(matMul);
        double[] exact = exact();
        double[] absolute = ExactMatMul.absoluteProduct(left, right, m, n, k);
        double nu = (k + 1) * 0x1p-24;
        for (int i = 0; i < actual.length; i++) {
            if (!Double.isFinite(exact[i])) {
                assertThat((double) actual[i])
                        .as("%s: c[%d][%d]", this, i / n, i % n)
                        .isEqualTo((Double) exact[i]);
                continue;
            }
            double magnitude = absolute[i] + (accumulate ? Math.abs(old[i]) : 0);
            double bound = (nu / (1 - nu) + 0x1p-40) * magnitude + k * 0x1p-150;
            if (!(Math.abs(actual[i] - exact[i]) <= bound)) {
                assertThat((double) actual[i])
                        .as("%s: c[%d][%d], error bound %s", this, i / n, i % n, bound)
                        .isEqualTo(exact[i]);
            }
        }
    }

    private double[] exact() {
        double[] exact = ExactMatMul.product(left, right, m, n, k);
        for (int i = 0; accumulate && i < exact.length; i++) {
            exact[i] += old[i];
        }
        return exact;
    }

    /** Checks that every element is the ascending chain of fused multiply-adds, to the bit. */
    void checkFusedChain(MatMul matMul) {
        float[] expected = new float[m * n];
        for (int i = 0; i < expected.length; i++) {
            float sum = accumulate ? old[i] : 0;
            for (int l = 0; l < k; l++) {
                sum = Math.fma(left[i / n * k + l], right[l * n + i % n], sum);
            }
            expected[i] = sum;
        }
        assertThat(run(matMul)).as("%s", this).isEqualTo(expected);
    }

    @Override
    public String toString() {
        return form + (accumulate ? " +=" : " =") + " m " + m + " n " + n + " k " + k;
    }
}
