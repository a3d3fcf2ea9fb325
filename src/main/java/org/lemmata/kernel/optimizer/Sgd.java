package org.lemmata.kernel.optimizer;

import org.lemmata.argument.Refuse;

/**
 * Stochastic gradient descent: g = dp + lambda p; b = mu b + g; p = p - eta b, or with Nesterov's momentum p = p - eta
 * (g + mu b).
 *
 * <p>b is the first moment and starts at 0, so the first step follows the gradient itself. Without momentum there is no
 * b. The weight decay lambda is the derivative of an L2 penalty lambda |p|^2 / 2.
 *
 * <p>Source: Sutskever, Martens, Dahl and Hinton (2013), On the importance of initialization and momentum in deep
 * learning, equations 1 to 4, in the form with the learning rate outside b, as in PyTorch.
 *
 * @param learningRate eta, at least 0
 * @param momentum mu, in [0, 1)
 * @param nesterov whether the step looks ahead along b; needs momentum
 * @param weightDecay lambda, at least 0
 */
public record Sgd(double learningRate, double momentum, boolean nesterov, double weightDecay) implements UpdateRule {

    public Sgd {
        UpdateRule.requireNonNegative("learningRate", learningRate);
        UpdateRule.requireDecayRate("momentum", momentum);
        UpdateRule.requireNonNegative("weightDecay", weightDecay);
        Refuse.when(nesterov && momentum == 0, "nesterov", "a momentum above 0 with it", 0);
    }

    @Override
    public int moments() {
        return momentum == 0 ? 0 : 1;
    }
}
