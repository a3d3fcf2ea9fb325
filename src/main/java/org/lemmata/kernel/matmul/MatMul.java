package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;

/**
 * Matrix products: C = op(A) op(B), C += op(A) op(B) or C = 1 bias + op(A) op(B), where op is the identity or the
 * transpose, and 1 is a column of ones.
 *
 * <p>C is m x n and the inner size is k. C must not overlap A, B or the bias.
 */
public sealed interface MatMul permits RoundedMatMul, ScalarMatMul, ScalarRoundedMatMul, VectorMatMul {

    /** Which operands are read transposed: {@code NT} computes C = A Bᵀ, {@code TN} computes C = Aᵀ B. */
    enum Form {
        /** A is m x k, B is k x n. */
        NN,
        /** A is m x k, B is n x k. */
        NT,
        /** A is k x m, B is k x n. */
        TN;

        int inner(Matrix a) {
            return this == TN ? a.rows() : a.columns();
        }

        public int rowsOfA(int m, int k) {
            return this == TN ? k : m;
        }

        public int columnsOfA(int m, int k) {
            return this == TN ? m : k;
        }

        public int rowsOfB(int n, int k) {
            return this == NT ? n : k;
        }

        public int columnsOfB(int n, int k) {
            return this == NT ? k : n;
        }
    }

    /**
     * Multiplies; with k = 0 the product is zero.
     *
     * @param accumulate whether to add the product to C instead of replacing C
     * @throws IllegalArgumentException if the sizes of A or B do not fit the sizes of C
     */
    void multiply(Form form, boolean accumulate, Matrix c, Matrix a, Matrix b);

    /**
     * C = 1 bias + op(A) op(B): each sum starts from the bias of its column. With k = 0, each row of C is the bias.
     *
     * @param bias 1 x n, or null for zeros
     * @throws IllegalArgumentException as in {@link #multiply}, or if the bias is not 1 x n
     */
    void multiplyAddBias(Form form, Matrix c, Matrix a, Matrix b, @Nullable Matrix bias);

    static void check(Form form, Matrix c, Matrix a, Matrix b, @Nullable Matrix bias) {
        int m = c.rows();
        int n = c.columns();
        int k = form.inner(a);
        a.require("a", form.rowsOfA(m, k), form.columnsOfA(m, k));
        b.require("b", form.rowsOfB(n, k), form.columnsOfB(n, k));
        Matrix.requireIfPresent("bias", bias, 1, c.columns());
    }
}
