package org.lemmata.construct.symbol;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;

/**
 * A Monte Carlo estimate of the attention kernel in binary32, for strings that need too many nodes in
 * {@link AttentionKernel}. The mean of smax(beta m(X))ᵀ (X Yᵀ + gamma² I) smax(beta m(Y)) over the draws estimates the
 * kernel.
 *
 * <p>Source: Boix-Adsera et al. (2024), equation 3.
 */
public record AttentionKernelDraws(double beta, double gamma, Kernels kernels) {

    /**
     * Standard normal numbers, one row per draw: zeta of each token, then p of each position.
     *
     * @param columns the number of tokens and positions
     */
    public static Matrix normals(int draws, int columns, RandomGenerator random) {
        float[] values = new float[Math.multiplyExact(draws, columns)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return Matrix.of(values, draws, columns);
    }

    /**
     * The value of smax(beta m(x))ᵀ (X Yᵀ + gamma² I) smax(beta m(y)) for each draw.
     *
     * @param tokens the tokens of the first columns of {@code normals}, including all tokens of x and y
     */
    public double[] integrands(int[] x, int[] y, IntList tokens, Matrix normals) {
        int k = x.length;
        float[] readX = softmax(x, tokens, normals);
        float[] readY = softmax(y, tokens, normals);
        float[] alike = new float[k * k];
        for (int a = 0; a < k; a++) {
            for (int b = 0; b < k; b++) {
                alike[a * k + b] = (float) ((x[a] == y[b] ? 1 : 0) + (a == b ? gamma * gamma : 0));
            }
        }
        float[] weighted = new float[readX.length];
        int n = normals.rows();
        kernels.matMul()
                .multiply(
                        MatMul.Form.NN,
                        false,
                        Matrix.of(weighted, n, k),
                        Matrix.of(readX, n, k),
                        Matrix.of(alike, k, k));
        double[] integrands = new double[n];
        for (int i = 0; i < n; i++) {
            for (int a = 0; a < k; a++) {
                integrands[i] += (double) weighted[i * k + a] * readY[i * k + a];
            }
        }
        return integrands;
    }

    /** smax(beta m(X)) for each draw. */
    private float[] softmax(int[] x, IntList tokens, Matrix normals) {
        int k = x.length;
        float[] loadings = new float[(tokens.size() + k) * k];
        for (int a = 0; a < k; a++) {
            loadings[tokens.indexOf(x[a]) * k + a] = (float) beta;
            loadings[(tokens.size() + a) * k + a] = (float) (beta * gamma);
        }
        float[] scores = new float[normals.rows() * k];
        Matrix view = Matrix.of(scores, normals.rows(), k);
        kernels.matMul().multiply(MatMul.Form.NN, false, view, normals, Matrix.of(loadings, tokens.size() + k, k));
        kernels.softmax().forwardInto(view, view);
        return scores;
    }

    public static IntList tokens(List<int[]> strings) {
        return IntList.of(
                strings.stream().flatMapToInt(Arrays::stream).distinct().toArray());
    }
}
