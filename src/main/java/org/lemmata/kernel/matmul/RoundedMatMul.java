package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Extents;
import org.lemmata.number.Rounding;

/**
 * c_ij = outputs(s_k), s_l = sums(s_(l-1) + products(a_il b_lj)), with each site of a {@link MatMulRounding} rounded to
 * its own number format.
 *
 * <p>The sum runs over the inner index in ascending order, from +0, from bias_j or from the old c_ij, never fused.
 * Products and sums of binary32 operands reach their site as if exact. What a site gives is then stored in binary32,
 * which changes nothing for a format that binary32 contains.
 */
public final class RoundedMatMul implements MatMul {

    private static final float[] ZERO = {0};

    private final MatMulRounding rounding;

    public RoundedMatMul(MatMulRounding rounding) {
        this.rounding = rounding;
    }

    public MatMulRounding rounding() {
        return rounding;
    }

    @Override
    public void multiply(
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
            int k) {
        MatMul.check(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
        float[] start = accumulate ? c : ZERO;
        int startOffset = accumulate ? cOffset : 0;
        int startRowStep = accumulate ? cStride : 0;
        int startColumnStep = accumulate ? 1 : 0;
        multiply(
                form,
                start,
                startOffset,
                startRowStep,
                startColumnStep,
                c,
                cOffset,
                cStride,
                a,
                aOffset,
                aStride,
                b,
                bOffset,
                bStride,
                m,
                n,
                k);
    }

    @Override
    public void multiplyAddBias(
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
            int k) {
        MatMul.check(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
        Extents.checkVector("bias", bias, biasOffset, n);
        multiply(form, bias, biasOffset, 0, 1, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
    }

    /** Each sum starts from {@code start[startOffset + i * startRowStep + j * startColumnStep]}. */
    private void multiply(
            Form form,
            float[] start,
            int startOffset,
            int startRowStep,
            int startColumnStep,
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
        int aRowStep = form == Form.TN ? 1 : aStride;
        int aInnerStep = form == Form.TN ? aStride : 1;
        int bInnerStep = form == Form.NT ? 1 : bStride;
        int bColumnStep = form == Form.NT ? bStride : 1;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                int at = cOffset + i * cStride + j;
                float sum = start[startOffset + i * startRowStep + j * startColumnStep];
                for (int l = 0; l < k; l++) {
                    double left = a[aOffset + i * aRowStep + l * aInnerStep];
                    float product = narrow(rounding.products(), left * b[bOffset + l * bInnerStep + j * bColumnStep]);
                    sum = rounding.sums() == null
                            ? sum + product
                            : rounding.sums().roundSum(sum, product);
                }
                c[at] = narrow(rounding.outputs(), sum);
            }
        }
    }

    private static float narrow(@Nullable Rounding rounding, double x) {
        return (float) (rounding == null ? x : rounding.round(x));
    }
}
