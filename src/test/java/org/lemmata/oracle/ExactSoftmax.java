package org.lemmata.oracle;

import java.util.Arrays;

/** y_j = exp(x_j - max x) / sum_l exp(x_l - max x) in binary64. */
public final class ExactSoftmax {

    private ExactSoftmax() {}

    public static double[] softmax(double[] x) {
        double max = Arrays.stream(x).max().orElse(Double.NEGATIVE_INFINITY);
        double[] y = Arrays.stream(x).map(element -> Math.exp(element - max)).toArray();
        double sum = Arrays.stream(y).sum();
        return Arrays.stream(y).map(weight -> weight / sum).toArray();
    }

    /** The gradient of sum_j dy_j y_j with respect to x, for dy constant and y = softmax(x). */
    public static double[] gradient(double[] y, double[] dy) {
        double inner = 0;
        for (int j = 0; j < y.length; j++) {
            inner += dy[j] * y[j];
        }
        double[] dx = new double[y.length];
        for (int j = 0; j < y.length; j++) {
            dx[j] = y[j] * (dy[j] - inner);
        }
        return dx;
    }
}
