package org.lemmata.oracle;

import java.util.function.DoubleUnaryOperator;

/**
 * y = f(norm(x W1 + b1)) W2 + b2 in binary64. One array has all parameters, in the order W1, b1, gain, shift, W2, b2.
 *
 * @param layer whether the mean is also subtracted
 */
public record ExactFeedForward(
        int inputs,
        int hidden,
        int outputs,
        DoubleUnaryOperator activation,
        boolean normalized,
        boolean layer,
        double epsilon) {

    public int parameters() {
        return inputs * hidden + 3 * hidden + hidden * outputs + outputs;
    }

    /** The outputs of one row. */
    public double[] forward(double[] x, double[] parameters) {
        int b1 = inputs * hidden;
        int gain = b1 + hidden;
        int shift = gain + hidden;
        int w2 = shift + hidden;
        int b2 = w2 + hidden * outputs;
        double[] h = new double[hidden];
        for (int j = 0; j < hidden; j++) {
            h[j] = parameters[b1 + j];
            for (int i = 0; i < inputs; i++) {
                h[j] += x[i] * parameters[i * hidden + j];
            }
        }
        if (normalized) {
            double[] unit = new ExactNormalization(h, layer, epsilon).normalized();
            for (int j = 0; j < hidden; j++) {
                h[j] = parameters[gain + j] * unit[j] + parameters[shift + j];
            }
        }
        double[] y = new double[outputs];
        for (int k = 0; k < outputs; k++) {
            y[k] = parameters[b2 + k];
            for (int j = 0; j < hidden; j++) {
                y[k] += activation.applyAsDouble(h[j]) * parameters[w2 + j * outputs + k];
            }
        }
        return y;
    }

    /** sum_k dy_k y_k of one row. */
    public double loss(double[] x, double[] parameters, double[] dy) {
        double[] y = forward(x, parameters);
        double loss = 0;
        for (int k = 0; k < outputs; k++) {
            loss += dy[k] * y[k];
        }
        return loss;
    }
}
