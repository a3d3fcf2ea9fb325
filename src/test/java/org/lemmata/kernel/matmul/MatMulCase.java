package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.ExactMatMul;

/**
 * One product: operands laid into arrays with offsets and wide strides, and everything around them poisoned.
 *
 * <p>Around A and B lies NaN, which any element read in excess carries into C; around C lies a sentinel that must
 * survive. A C that is not added to holds NaN.
 */
final class MatMulCase {

    /** What the sums start from. */
    enum Start {
        ZERO,
        C,
        BIAS
    }

    private static final float SENTINEL = -12345;
    private static final int PADDING = 3;

    private final MatMul.Form form;
    private final Start start;
    private final int m;
    private final int n;
    private final int k;
    /** op(A), m x k, op(B), k x n, and the old C: rows without padding. */
    private final float[] left;

    private final float[] right;
    private final float[] old;
    private final float[] bias;

    MatMulCase(MatMul.Form form, Start start, int m, int n, int k, DoubleSupplier elements) {
        this.form = form;
        this.start = start;
        this.m = m;
        this.n = n;
        this.k = k;
        this.left = filled(m * k, elements);
        this.right = filled(k * n, elements);
        this.old = filled(m * n, start == Start.C ? elements : () -> Double.NaN);
        this.bias = filled(n, elements);
    }

    static MatMulCase random(MatMul.Form form, Start start, int m, int n, int k, RandomGenerator random) {
        return new MatMulCase(form, start, m, n, k, () -> random.nextDouble(-1, 1));
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
        if (start == Start.BIAS) {
            float[] biasAround = laid(bias, 1, n, Float.NaN);
            matMul.multiplyAddBias(
                    form,
                    Matrix.of(c, offset(n), m, n, n + PADDING),
                    Matrix.of(a, offset(aColumns), form.rowsOfA(m, k), form.columnsOfA(m, k), aColumns + PADDING),
                    Matrix.of(b, offset(bColumns), form.rowsOfB(n, k), form.columnsOfB(n, k), bColumns + PADDING),
                    Matrix.row(biasAround, offset(n), n));
        } else {
            matMul.multiply(
                    form,
                    start == Start.C,
                    Matrix.of(c, offset(n), m, n, n + PADDING),
                    Matrix.of(a, offset(aColumns), form.rowsOfA(m, k), form.columnsOfA(m, k), aColumns + PADDING),
                    Matrix.of(b, offset(bColumns), form.rowsOfB(n, k), form.columnsOfB(n, k), bColumns + PADDING));
        }
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
     * Checks |c - exact| &lt;= gamma_(k+1) (|start| + |A| |B|) + k 2^-150 + 2^-40 of the same, with gamma_n = n u / (1
     * - n u), u = 2^-24.
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
            double magnitude = absolute[i] + Math.abs(start(i));
            double bound = (nu / (1 - nu) + 0x1p-40) * magnitude + k * 0x1p-150;
            if (!(Math.abs(actual[i] - exact[i]) <= bound)) {
                assertThat((double) actual[i])
                        .as("%s: c[%d][%d], error bound %s", this, i / n, i % n, bound)
                        .isEqualTo(exact[i]);
            }
        }
    }

    private float start(int i) {
        return switch (start) {
            case ZERO -> 0;
            case C -> old[i];
            case BIAS -> bias[i % n];
        };
    }

    private double[] exact() {
        double[] exact = ExactMatMul.product(left, right, m, n, k);
        for (int i = 0; i < exact.length; i++) {
            exact[i] += start(i);
        }
        return exact;
    }

    /** One step of the sum of element (i, j), and what becomes of the sum after the last. */
    interface Step {
        float next(float sum, float a, float b, int i, int l, int j);

        float last(float sum, int i, int j);
    }

    /** Checks that every element is the chain of such steps over the inner index in ascending order, to the bit. */
    void checkSteps(MatMul matMul, Step step) {
        float[] expected = new float[m * n];
        for (int at = 0; at < expected.length; at++) {
            float sum = start(at);
            for (int l = 0; l < k; l++) {
                sum = step.next(sum, left[at / n * k + l], right[l * n + at % n], at / n, l, at % n);
            }
            expected[at] = step.last(sum, at / n, at % n);
        }
        assertThat(run(matMul)).as("%s", this).isEqualTo(expected);
    }

    /** Checks that every element is the ascending chain of fused multiply-adds, to the bit. */
    void checkFusedChain(MatMul matMul) {
        float[] expected = new float[m * n];
        for (int i = 0; i < expected.length; i++) {
            float sum = start(i);
            for (int l = 0; l < k; l++) {
                sum = Math.fma(left[i / n * k + l], right[l * n + i % n], sum);
            }
            expected[i] = sum;
        }
        assertThat(run(matMul)).as("%s", this).isEqualTo(expected);
    }

    @Override
    public String toString() {
        return form + " from " + start + " m " + m + " n " + n + " k " + k;
    }
}
