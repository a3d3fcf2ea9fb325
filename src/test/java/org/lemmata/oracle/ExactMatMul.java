package org.lemmata.oracle;

/** C = A B in binary64 for matrices without offsets or padding. Products of binary32 numbers are exact, sums nearly. */
public final class ExactMatMul {

    private ExactMatMul() {}

    /** The m x n product of an m x k and a k x n matrix. */
    public static double[] product(float[] a, float[] b, int m, int n, int k) {
        double[] c = new double[m * n];
        for (int i = 0; i < m; i++) {
            for (int l = 0; l < k; l++) {
                for (int j = 0; j < n; j++) {
                    c[i * n + j] += (double) a[i * k + l] * b[l * n + j];
                }
            }
        }
        return c;
    }

    /** |A| |B|, to which error bounds are proportional. */
    public static double[] absoluteProduct(float[] a, float[] b, int m, int n, int k) {
        return product(absolute(a), absolute(b), m, n, k);
    }

    private static float[] absolute(float[] x) {
        float[] y = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            y[i] = Math.abs(x[i]);
        }
        return y;
    }
}
