package org.lemmata.oracle;

import java.math.BigDecimal;

/** Optimizer steps in binary64, one parameter at a time, by the formulas of the papers. */
public final class ExactOptimizer {

    /** The parameter and its moments. */
    public record State(double parameter, double first, double second) {}

    private ExactOptimizer() {}

    /** SGD of Sutskever et al. (2013), with the learning rate outside the momentum. */
    public static State sgd(
            State state, double gradient, double learningRate, double momentum, boolean nesterov, double weightDecay) {
        double g = gradient + weightDecay * state.parameter;
        double b = momentum * state.first + g;
        double direction = nesterov ? g + momentum * b : b;
        return new State(state.parameter - learningRate * direction, b, 0);
    }

    /** Loshchilov and Hutter (2019), algorithm 2: Adam with L2 regularization, or with decoupled weight decay. */
    public static State adam(
            State state,
            double gradient,
            double learningRate,
            double beta1,
            double beta2,
            double epsilon,
            double weightDecay,
            boolean decoupled,
            long step) {
        double g = decoupled ? gradient : gradient + weightDecay * state.parameter;
        double m = beta1 * state.first + (1 - beta1) * g;
        double v = beta2 * state.second + (1 - beta2) * g * g;
        double meanCorrected = m / (1 - Math.pow(beta1, (double) step));
        double varianceCorrected = v / (1 - Math.pow(beta2, (double) step));
        double direction = meanCorrected / (Math.sqrt(varianceCorrected) + epsilon);
        if (decoupled) {
            direction += weightDecay * state.parameter;
        }
        return new State(state.parameter - learningRate * direction, m, v);
    }

    /** The sum of the squares of the elements from {@code from} to before {@code to}, exactly. */
    public static BigDecimal squaredNorm(float[] x, int from, int to) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = from; i < to; i++) {
            BigDecimal element = new BigDecimal(x[i]);
            sum = sum.add(element.multiply(element));
        }
        return sum;
    }
}
