package org.lemmata.construct.symbol;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * The kernel of an attention layer's random features, computed by tensor quadrature: K(X, Y) = E smax(beta m(X))ᵀ (X Yᵀ
 * + gamma² I) smax(beta m(Y)). Here m(X)_a = zeta_{x_a} + gamma p_a, with independent standard normal zeta of tokens
 * and p of positions, which X and Y share.
 *
 * <p>K is a product E phi_x . phi_y of features. Given the shared variables, the softmax of each string has its own
 * mean f, and phi is [sum of f_a over x_a = t, for each shared token t; gamma f]. The dimensions that belong only to x
 * can therefore be summed separately from those that belong only to y.
 *
 * <p>Source: Boix-Adsera et al. (2024), equation 3 and appendix F.
 *
 * @param beta the inverse temperature, in [0, 16 / sqrt(1 + gamma²)]
 * @param gamma the strength of positions, at least 0
 * @param tolerance approximate error, from 1e-12 to 0.01
 */
public record AttentionKernel(double beta, double gamma, double tolerance) implements TokenSymmetricKernel {

    /** The maximum score scale, which keeps exponentials of scores finite at every node. */
    private static final double MAX_SCORE = 16;

    private static final double MIN_TOLERANCE = 1e-12;
    private static final double MAX_TOLERANCE = 0.01;

    public AttentionKernel {
        Refuse.when(!(gamma >= 0 && gamma < 1 / MIN_TOLERANCE), "gamma", "at least 0, and finite", gamma);
        double maximum = MAX_SCORE / Math.sqrt(1 + gamma * gamma);
        Refuse.when(!(beta >= 0 && beta <= maximum), "beta", "0 to 16 / sqrt(1 + gamma²) = " + maximum, beta);
        Refuse.when(
                !(tolerance >= MIN_TOLERANCE && tolerance <= MAX_TOLERANCE),
                "tolerance",
                MIN_TOLERANCE + " to " + MAX_TOLERANCE,
                tolerance);
    }

    /**
     * This kernel with beta times a factor. Networks of appendix H converge to the kernel with sqrt(1 + gamma²) times
     * their beta.
     */
    public AttentionKernel hotter(double factor) {
        return new AttentionKernel(factor * beta, gamma, tolerance);
    }

    /**
     * K(x, y).
     *
     * @throws IllegalArgumentException if the strings differ in length, or need too many nodes
     */
    @Override
    public double of(int[] x, int[] y) {
        return Arrays.equals(x, y)
                ? features(List.of(x), IntList.of(Arrays.stream(x).distinct().toArray()))
                        .products()[0][0]
                : features(List.of(x, y), ScoreNodes.inBoth(x, y)).products()[0][1];
    }

    /**
     * The products and distances of the features of strings.
     *
     * @param shared the tokens that strings share; all other tokens count as different in different strings, and even
     *     in a string and itself
     */
    Features features(List<int[]> strings, IntList shared) {
        ScoreNodes nodes =
                ScoreNodes.of(strings, shared, beta, gamma, range -> GaussianRule.ofSoftmax(tolerance, range));
        int k = nodes.length();
        GaussianNodes common = nodes.common().exponentials();
        List<GaussianNodes> own =
                nodes.own().stream().map(GaussianNodes::exponentials).toList();
        var features =
                new Features(new double[strings.size()][strings.size()], new double[strings.size()][strings.size()]);
        double[][] phi = new double[strings.size()][shared.size() + k];
        double[] mean = new double[k];
        double[] base = new double[k];
        for (int node = 0; node < common.count(); node++) {
            for (int i = 0; i < strings.size(); i++) {
                for (int a = 0; a < k; a++) {
                    base[a] = common.value(node, i * k + a);
                }
                meanSoftmax(mean, base, own.get(i));
                Arrays.fill(phi[i], 0);
                for (int a = 0; a < k; a++) {
                    int token = shared.indexOf(strings.get(i)[a]);
                    if (token >= 0) {
                        phi[i][token] += mean[a];
                    }
                    phi[i][shared.size() + a] = gamma * mean[a];
                }
            }
            features.add(common.weights()[node], phi);
        }
        return features;
    }

    /** The mean of e_a / sum_a e_a over the string's own nodes, where e is the product of exponentials. */
    private static void meanSoftmax(double[] mean, double[] base, GaussianNodes own) {
        Arrays.fill(mean, 0);
        for (int node = 0; node < own.count(); node++) {
            double sum = 0;
            for (int a = 0; a < base.length; a++) {
                sum += base[a] * own.value(node, a);
            }
            double scale = own.weights()[node] / sum;
            for (int a = 0; a < base.length; a++) {
                mean[a] += scale * base[a] * own.value(node, a);
            }
        }
    }

    /**
     * The features of n strings, by their products.
     *
     * @param products E phi_i . phi_j
     * @param distances E |phi_i - phi_j|², summed as squares to avoid cancellation of products
     */
    // Arrays, because they are summed in place; only this package uses them.
    @SuppressWarnings("ArrayRecordComponent")
    record Features(double[][] products, double[][] distances) {

        private void add(double weight, double[][] phi) {
            for (int i = 0; i < phi.length; i++) {
                for (int j = 0; j <= i; j++) {
                    double product = 0;
                    double distance = 0;
                    for (int c = 0; c < phi[i].length; c++) {
                        product += phi[i][c] * phi[j][c];
                        distance += (phi[i][c] - phi[j][c]) * (phi[i][c] - phi[j][c]);
                    }
                    products[i][j] += weight * product;
                    distances[i][j] += weight * distance;
                    products[j][i] = products[i][j];
                    distances[j][i] = distances[i][j];
                }
            }
        }
    }
}
