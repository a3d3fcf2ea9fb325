package org.lemmata.oracle;

/** y_j = exp(x_j - max x) / sum_l exp(x_l - max x) in binary64. */
public final class ExactSoftmax {

    private ExactSoftmax() {}

    public static double[] softmax(float[] x) {
        double max = Double.NEGATIVE_INFINITY;
        for (float element : x) {
            max = Math.max(max, element);
        }
        double[] y = new double[x.length];
        double sum = 0;
        for (int j = 0; j < x.length; j++) {
            y[j] = Math.exp(x[j] - max);
            sum += y[j];
        }
        for (int j = 0; j < x.length; j++) {
            y[j] /= sum;
        }
        return y;
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
