package org.lemmata.kernel.matmul;

/** The reference: c_ij is summed over the inner index in ascending order, product and sum each rounded to binary32. */
public final class ScalarMatMul implements MatMul {

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
        int aRowStep = form == Form.TN ? 1 : aStride;
        int aInnerStep = form == Form.TN ? aStride : 1;
        int bInnerStep = form == Form.NT ? 1 : bStride;
        int bColumnStep = form == Form.NT ? bStride : 1;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                int at = cOffset + i * cStride + j;
                float sum = accumulate ? c[at] : 0;
                for (int l = 0; l < k; l++) {
                    sum += a[aOffset + i * aRowStep + l * aInnerStep] * b[bOffset + l * bInnerStep + j * bColumnStep];
                }
                c[at] = sum;
            }
        }
    }
}
