package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The scalar reference. c_ij is summed over the inner index in ascending order, from 0, from bias_j or from the old
 * c_ij. Each product and each sum is rounded to binary32.
 */
public final class ScalarMatMul implements MatMul {

    private static final Matrix ZERO = Matrix.of(new float[1], 1, 1);

    @Override
    public void multiply(Form form, boolean accumulate, Matrix c, Matrix a, Matrix b) {
        MatMul.check(form, c, a, b, null);
        multiply(form, accumulate ? c : ZERO, accumulate ? c.stride() : 0, c, a, b);
    }

    @Override
    public void multiplyAddBias(Form form, Matrix c, Matrix a, Matrix b, @Nullable Matrix bias) {
        MatMul.check(form, c, a, b, bias);
        multiply(form, bias == null ? ZERO : bias, 0, c, a, b);
    }

    /**
     * The sum of c_ij starts from element i * {@code startRowStep} + j of {@code start}, or from element i *
     * {@code startRowStep} if {@code start} has only one column.
     */
    private static void multiply(Form form, Matrix start, int startRowStep, Matrix c, Matrix a, Matrix b) {
        int startColumnStep = start.columns() == 1 ? 0 : 1;
        int k = form.inner(a);
        int aRowStep = form == Form.TN ? 1 : a.stride();
        int aInnerStep = form == Form.TN ? a.stride() : 1;
        int bInnerStep = form == Form.NT ? 1 : b.stride();
        int bColumnStep = form == Form.NT ? b.stride() : 1;
        float[] left = a.array();
        float[] right = b.array();
        for (int i = 0; i < c.rows(); i++) {
            int aAt = a.offset() + i * aRowStep;
            for (int j = 0; j < c.columns(); j++) {
                int bAt = b.offset() + j * bColumnStep;
                float sum = start.array()[start.offset() + i * startRowStep + j * startColumnStep];
                for (int l = 0; l < k; l++) {
                    sum += left[aAt + l * aInnerStep] * right[bAt + l * bInnerStep];
                }
                c.array()[c.offset() + i * c.stride() + j] = sum;
            }
        }
    }
}
