package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.kernel.Guarded.filled;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.matrix.Matrix;

/** One product of guarded matrices. C is NaN before the product unless it is added to. */
final class MatMulCase {

    /** The initial value of sums. */
    enum Start {
        ZERO,
        C,
        BIAS
    }

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

    /** Runs the product; checks that nothing around C was written; returns C without padding. */
    float[] run(MatMul matMul) {
        boolean aIsTransposed = form == MatMul.Form.TN;
        boolean bIsTransposed = form == MatMul.Form.NT;
        Matrix a = Guarded.operand(
                aIsTransposed ? transposed(left, m, k) : left, form.rowsOfA(m, k), form.columnsOfA(m, k));
        Matrix b = Guarded.operand(
                bIsTransposed ? transposed(right, k, n) : right, form.rowsOfB(n, k), form.columnsOfB(n, k));
        Matrix c = Guarded.result(old, m, n);
        float[] aBefore = a.array().clone();
        float[] bBefore = b.array().clone();
        if (start == Start.BIAS) {
            matMul.multiplyAddBias(form, c, a, b, Guarded.operand(bias, 1, n));
        } else {
            matMul.multiply(form, start == Start.C, c, a, b);
        }
        assertThat(Arrays.equals(a.array(), aBefore) && Arrays.equals(b.array(), bBefore))
                .as("%s: operands unchanged", this)
                .isTrue();
        return Guarded.numbers(c);
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
        double nu = (k + 1) * 0x1p-24;
        for (int i = 0; i < actual.length; i++) {
            int at = i;
            double exact = exact(i, x -> x);
            if (!Double.isFinite(exact)) {
                assertThat((double) actual[i])
                        .as("%s: c[%d][%d]", this, i / n, i % n)
                        .isEqualTo((Double) exact);
                continue;
            }
            double bound = (nu / (1 - nu) + 0x1p-40) * exact(i, Math::abs) + k * 0x1p-150;
            Guarded.assertWithin(actual[i], exact, bound, () -> this + ": c[" + at / n + "][" + at % n + "]");
        }
    }

    private float start(int i) {
        return switch (start) {
            case ZERO -> 0;
            case C -> old[i];
            case BIAS -> bias[i % n];
        };
    }

    /** The element in binary64, in which products are exact and sums nearly, with a function applied to each term. */
    private double exact(int at, DoubleUnaryOperator part) {
        double sum = 0;
        for (int l = 0; l < k; l++) {
            sum += part.applyAsDouble((double) left[at / n * k + l] * right[l * n + at % n]);
        }
        return sum + part.applyAsDouble(start(at));
    }

    /** One step of the sum of element (i, j), and the conversion after the last step. */
    interface Step {

        float next(float sum, float a, float b, int i, int l, int j);

        default float last(float sum, int i, int j) {
            return sum;
        }
    }

    /** Checks that every element has the bits of these steps over the inner index in ascending order. */
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

    /** Checks that every element has the bits of the ascending chain of fused multiply-adds. */
    void checkFusedChain(MatMul matMul) {
        checkSteps(matMul, (sum, a, b, _, _, _) -> Math.fma(a, b, sum));
    }

    interface Kind {
        void accept(MatMul.Form form, Start start);
    }

    static void forEachKind(Kind check) {
        for (MatMul.Form form : MatMul.Form.values()) {
            for (Start start : Start.values()) {
                check.accept(form, start);
            }
        }
    }

    @Override
    public String toString() {
        return form + " from " + start + " m " + m + " n " + n + " k " + k;
    }
}
