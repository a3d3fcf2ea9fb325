package org.lemmata.oracle;

import java.util.Arrays;

/** E smax(beta m(X))ᵀ (X Yᵀ + gamma² I) smax(beta m(Y)), directly by the trapezoidal rule over all zeta and all p. */
public final class PlainAttentionKernel {

    private static final double STEP = 0.55;
    private static final int SIDE = 10;

    private PlainAttentionKernel() {}

    /** The kernel for short strings of few tokens: the cost is 21 to the power of the tokens and positions. */
    public static double of(int[] x, int[] y, double beta, double gamma) {
        int k = x.length;
        int[] tokens = Arrays.stream(new int[][] {x, y})
                .flatMapToInt(Arrays::stream)
                .distinct()
                .toArray();
        int[] place = new int[tokens.length + k];
        double sum = 0;
        double weights = 0;
        while (true) {
            double squares = 0;
            for (int at : place) {
                squares += STEP * (at - SIDE) * STEP * (at - SIDE);
            }
            double weight = Math.exp(-squares / 2);
            weights += weight;
            sum += weight * integrand(x, y, tokens, place, beta, gamma);
            int next = 0;
            while (next < place.length && place[next] == 2 * SIDE) {
                place[next++] = 0;
            }
            if (next == place.length) {
                return sum / weights;
            }
            place[next]++;
        }
    }

    private static double integrand(int[] x, int[] y, int[] tokens, int[] place, double beta, double gamma) {
        double[] readX = softmax(x, tokens, place, beta, gamma);
        double[] readY = softmax(y, tokens, place, beta, gamma);
        double sum = 0;
        for (int a = 0; a < x.length; a++) {
            for (int b = 0; b < y.length; b++) {
                sum += readX[a] * readY[b] * ((x[a] == y[b] ? 1 : 0) + (a == b ? gamma * gamma : 0));
            }
        }
        return sum;
    }

    private static double[] softmax(int[] x, int[] tokens, int[] place, double beta, double gamma) {
        double[] weights = new double[x.length];
        double sum = 0;
        for (int a = 0; a < x.length; a++) {
            int token = 0;
            while (tokens[token] != x[a]) {
                token++;
            }
            double zeta = STEP * (place[token] - SIDE);
            double p = STEP * (place[tokens.length + a] - SIDE);
            weights[a] = Math.exp(beta * (zeta + gamma * p));
            sum += weights[a];
        }
        for (int a = 0; a < x.length; a++) {
            weights[a] /= sum;
        }
        return weights;
    }
}
