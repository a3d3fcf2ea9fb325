package org.lemmata.construct.symbol;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;

/**
 * z_2(X) / sqrt(d), the input of the last layer of a one-layer transformer with random weights. All weights are
 * independent standard normal numbers:
 *
 * <pre>
 * Z = X W_E + gamma P,                                                  k x d
 * s_h = smax(beta Z W_K,hᵀ W_Q,h z_k / (d sqrt(d_head))),               k, of the last position
 * z_1 = sum_h W_O,hᵀ W_V,h Zᵀ s_h / sqrt(H d_head d),                   d
 * z_2 = W_Bᵀ phi(W_A z_1 / sqrt(d)) / sqrt(d_mlp),                      d
 * </pre>
 *
 * <p>As all widths grow, the products of two strings' features converge to K_trans with beta sqrt(1 + gamma²) in place
 * of beta.
 *
 * <p>Source: Boix-Adsera et al. (2024), appendix H.
 */
public final class RandomFeatures {

    private final int width;
    private final int length;
    private final AttentionKernel attention;
    private final CosineLink link;
    private final Kernels kernels;
    private final Matrix embedding;
    private final Matrix positions;
    private final Matrix query;
    private final Matrix key;
    private final Matrix value;
    private final Matrix output;
    private final Matrix first;
    private final Matrix second;

    /**
     * Draws the weights; all widths and the number of heads are equal.
     *
     * @param width d = d_head = d_mlp = H
     * @param tokens m
     * @param length k
     * @param attention gives beta and gamma
     */
    public RandomFeatures(
            int width,
            int tokens,
            int length,
            AttentionKernel attention,
            CosineLink link,
            RandomGenerator random,
            Kernels kernels) {
        Refuse.below("width", width, 1);
        this.width = width;
        this.length = length;
        this.attention = attention;
        this.link = link;
        this.kernels = kernels;
        int d = width;
        int heads = Math.multiplyExact(d, d);
        embedding = AttentionKernelDraws.normals(tokens, d, random);
        positions = AttentionKernelDraws.normals(length, d, random);
        query = AttentionKernelDraws.normals(heads, d, random);
        key = AttentionKernelDraws.normals(heads, d, random);
        value = AttentionKernelDraws.normals(heads, d, random);
        output = AttentionKernelDraws.normals(heads, d, random);
        first = AttentionKernelDraws.normals(d, d, random);
        second = AttentionKernelDraws.normals(d, d, random);
    }

    /** The features of strings of k tokens below m, one row per string: n x d. */
    public Matrix of(List<int[]> strings) {
        int n = strings.size();
        int d = width;
        Matrix z = embed(strings);
        Matrix last = Matrix.of(z.array(), (length - 1) * d, n, d, length * d);
        Matrix read = read(product(query, last), product(key, z), product(value, z));
        Matrix z1 = zeros(n, d);
        kernels.matMul().multiply(MatMul.Form.NN, false, z1, read, output);
        scale(z1, link.frequency() / (d * Math.sqrt(d)) / Math.sqrt(d));
        Matrix phases = zeros(1, d);
        Arrays.fill(phases.array(), (float) link.phase());
        Matrix hidden = zeros(n, d);
        kernels.matMul().multiplyAddBias(MatMul.Form.NT, hidden, z1, first, phases);
        kernels.activation().forwardInto(Activation.Kind.COSINE, hidden, hidden);
        Matrix z2 = zeros(n, d);
        kernels.matMul().multiply(MatMul.Form.NN, false, z2, hidden, second);
        scale(z2, 1.0 / d);
        return z2;
    }

    private static Matrix zeros(int rows, int columns) {
        return Matrix.of(new float[Math.multiplyExact(rows, columns)], rows, columns);
    }

    private void scale(Matrix matrix, double factor) {
        float[] array = matrix.array();
        kernels.arithmetic().scaleInto(array, 0, array, 0, array.length, (float) factor);
    }

    private Matrix embed(List<int[]> strings) {
        Matrix z = zeros(strings.size() * length, width);
        for (int row = 0; row < z.rows(); row++) {
            int token = strings.get(row / length)[row % length];
            int position = positions.start(row % length);
            kernels.arithmetic()
                    .scaleInto(z.array(), z.start(row), positions.array(), position, width, (float) attention.gamma());
            kernels.arithmetic().addInto(z.array(), z.start(row), embedding.array(), embedding.start(token), width);
        }
        return z;
    }

    /** The product with the weights of all heads, side by side; one row per row of {@code inputs}. */
    private Matrix product(Matrix weights, Matrix inputs) {
        Matrix product = zeros(inputs.rows(), weights.rows());
        kernels.matMul().multiply(MatMul.Form.NT, false, product, inputs, weights);
        return product;
    }

    /** W_V,h Zᵀ s_h, one row per string, with all heads side by side. */
    private Matrix read(Matrix queries, Matrix keys, Matrix values) {
        double scale = attention.beta() / (width * Math.sqrt(width));
        Matrix weights = zeros(queries.rows() * width, length);
        for (int row = 0; row < weights.rows(); row++) {
            int string = row / width;
            int head = row % width;
            for (int a = 0; a < length; a++) {
                double sum = 0;
                for (int c = head * width; c < (head + 1) * width; c++) {
                    sum += (double) queries.get(string, c) * keys.get(string * length + a, c);
                }
                weights.array()[weights.start(row) + a] = (float) (scale * sum);
            }
        }
        kernels.softmax().forwardInto(weights, weights);
        Matrix read = zeros(queries.rows(), queries.columns());
        for (int string = 0; string < read.rows(); string++) {
            for (int c = 0; c < read.columns(); c++) {
                for (int a = 0; a < length; a++) {
                    read.array()[read.start(string) + c] +=
                            weights.get(string * width + c / width, a) * values.get(string * length + a, c);
                }
            }
        }
        return read;
    }
}
