package org.lemmata.oracle;

import java.util.Arrays;

/** Layer and root-mean-square normalization of one row in binary64, and its derivatives. */
public final class ExactNormalization {

    private final double[] normalized;
    private final double reciprocal;
    private final boolean layer;

    /** h = (x - m) r, with r = 1 / sqrt(mean (x - m)^2 + epsilon); m is the mean if {@code layer}, otherwise 0. */
    public ExactNormalization(double[] x, boolean layer, double epsilon) {
        this.layer = layer;
        double mean = layer ? Arrays.stream(x).sum() / x.length : 0;
        double variance = Arrays.stream(x)
                        .map(element -> (element - mean) * (element - mean))
                        .sum()
                / x.length;
        this.reciprocal = 1 / Math.sqrt(variance + epsilon);
        this.normalized =
                Arrays.stream(x).map(element -> (element - mean) * reciprocal).toArray();
    }

    public double[] normalized() {
        return normalized.clone();
    }

    public double reciprocal() {
        return reciprocal;
    }

    /** The gradient of sum_j g_j h_j with respect to x, for g constant. */
    public double[] gradient(double[] g) {
        int n = g.length;
        double center = layer ? Arrays.stream(g).sum() / n : 0;
        double inner = 0;
        for (int j = 0; j < n; j++) {
            inner += g[j] * normalized[j] / n;
        }
        double[] dx = new double[n];
        for (int j = 0; j < n; j++) {
            dx[j] = reciprocal * (g[j] - center - normalized[j] * inner);
        }
        return dx;
    }
}
