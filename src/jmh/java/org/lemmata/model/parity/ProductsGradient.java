package org.lemmata.model.parity;

import java.util.Arrays;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The gradient at W = 0 by matrix products in binary32, for comparison with {@link InitialGradient}. For a block of
 * samples, G contains g(z_m, x_m) of each node ({@link InitialGradient}), and X the signs of all nodes. The sums sum_i
 * g x_j are the elements of Gᵀ X, of which about three quarters are needed.
 */
final class ProductsGradient {

    private static final int SAMPLES = 4096;

    private final ChainWeights layout;
    private final ParityLink link;
    private final Kernels kernels;
    private final float[] products;
    private final float[] errors;
    private final float[] signs;
    private final int[] negatives = new int[SAMPLES];

    ProductsGradient(ChainWeights layout, ParityLink link, Kernels kernels) {
        this.layout = layout;
        this.link = link;
        this.kernels = kernels;
        ParityTree tree = layout.tree();
        products = new float[(tree.size() - 1) * tree.nodes()];
        errors = new float[SAMPLES * (tree.size() - 1)];
        signs = new float[SAMPLES * tree.nodes()];
    }

    void run(SignColumns columns, double[] gradient) {
        ParityTree tree = layout.tree();
        int d = tree.bits();
        int parities = tree.size() - 1;
        int nodes = tree.nodes();
        double[] own = new double[parities];
        float[][] table = new float[parities][];
        for (int i = 0; i < parities; i++) {
            int visible = layout.visible(d + 1 + i);
            table[i] = new float[2 * (visible + 1)];
            for (int at = 0; at < table[i].length; at++) {
                double z = (double) (visible - 2 * (at >> 1)) / visible;
                table[i][at] = (float) ((link.value(z) - ((at & 1) == 0 ? 1 : -1)) * link.slope(z));
            }
        }
        for (int from = 0; from < columns.samples(); from += SAMPLES) {
            int count = Math.min(SAMPLES, columns.samples() - from);
            Arrays.fill(negatives, 0);
            int seen = 0;
            for (int i = 0; i < parities; i++) {
                int visible = layout.visible(d + 1 + i);
                for (; seen < visible; seen++) {
                    fill(columns, from, count, seen);
                }
                for (int sample = 0; sample < count; sample++) {
                    int minus = columns.sign(d + i, from + sample) < 0 ? 1 : 0;
                    float g = table[i][2 * negatives[sample] + minus];
                    errors[sample * parities + i] = g;
                    own[i] += g * (double) (visible - 2 * negatives[sample]) / visible;
                }
            }
            for (; seen < nodes; seen++) {
                fill(columns, from, count, seen);
            }
            kernels.matMul()
                    .multiply(
                            MatMul.Form.TN,
                            from > 0,
                            Matrix.of(products, parities, nodes),
                            Matrix.of(errors, count, parities),
                            Matrix.of(signs, count, nodes));
        }
        for (int i = 0; i < parities; i++) {
            int node = d + 1 + i;
            int visible = layout.visible(node);
            for (int j = 0; j < visible; j++) {
                gradient[layout.offset(node) + j] =
                        (products[i * nodes + j] - own[i]) / ((double) columns.samples() * visible);
            }
        }
    }

    private void fill(SignColumns columns, int from, int count, int node) {
        int nodes = columns.columns();
        for (int sample = 0; sample < count; sample++) {
            int sign = columns.sign(node, from + sample);
            signs[sample * nodes + node] = sign;
            negatives[sample] += sign < 0 ? 1 : 0;
        }
    }
}
