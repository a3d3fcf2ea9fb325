package org.lemmata.kernel.matmul;

import java.util.Objects;
import org.lemmata.kernel.elementary.Extents;

/**
 * C = op(A) op(B), C += op(A) op(B) or C = 1 biasᵀ + op(A) op(B), with op the identity or the transpose.
 *
 * <p>C is m x n and the inner size is k. All matrices lie row-major in {@code float[]}: element (i, j) at {@code offset
 * + i * stride + j}, the stride being at least the number of columns. C must not overlap A, B or the bias.
 */
public sealed interface MatMul permits RoundedMatMul, ScalarMatMul, ScalarRoundedMatMul, VectorMatMul {

    /** Which operands are read transposed: {@code NT} is C = A Bᵀ, {@code TN} is C = Aᵀ B. */
    enum Form {
        /** A is m x k, B is k x n. */
        NN,
        /** A is m x k, B is n x k. */
        NT,
        /** A is k x m, B is k x n. */
        TN;

        int rowsOfA(int m, int k) {
            return this == TN ? k : m;
        }

        int columnsOfA(int m, int k) {
            return this == TN ? m : k;
        }

        int rowsOfB(int n, int k) {
            return this == NT ? n : k;
        }

        int columnsOfB(int n, int k) {
            return this == NT ? k : n;
        }
    }

    /**
     * Multiplies; with k = 0 the product is zero.
     *
     * @param accumulate whether the product is added to C, or replaces it
     * @throws IllegalArgumentException if a size is negative, a stride is below the number of columns, or a matrix does
     *     not lie within its array
     */
    void multiply(
            Form form,
            boolean accumulate,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k);

    /**
     * C = 1 biasᵀ + op(A) op(B): each sum starts from the bias of its column, with k = 0 it is that bias.
     *
     * @param bias n elements, from {@code biasOffset} on
     * @throws IllegalArgumentException as {@link #multiply} does, or if the bias does not lie within its array
     */
    void multiplyAddBias(
            Form form,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            float[] bias,
            int biasOffset,
            int m,
            int n,
            int k);

    /** The argument check that every implementation makes first. */
    static void check(
            Form form,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k) {
        Objects.requireNonNull(form, "form");
        if (m < 0 || n < 0 || k < 0) {
            throw new IllegalArgumentException("m, n, k: expected no negative size, got " + m + ", " + n + ", " + k);
        }
        Extents.checkMatrix("c", c, cOffset, cStride, m, n);
        Extents.checkMatrix("a", a, aOffset, aStride, form.rowsOfA(m, k), form.columnsOfA(m, k));
        Extents.checkMatrix("b", b, bOffset, bStride, form.rowsOfB(n, k), form.columnsOfB(n, k));
    }
}
