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
}
