package org.lemmata.kernel.optimizer;

/**
 * Adam, for a parameter p with gradient dp: g = dp + lambda p; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2)
 * g^2; p = p - eta (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon), at step t = 1, 2, ...
 *
 * <p>The weight decay lambda is the derivative of an L2 penalty and is part of the moments; in {@link AdamW} it is not.
 *
 * <p>Source: Kingma and Ba (2015), Adam: a method for stochastic optimization, algorithm 1.
 *
 * @param learningRate eta, at least 0
 * @param beta1 the decay of the first moment, in [0, 1)
 * @param beta2 the decay of the second moment, in [0, 1)
 * @param epsilon at least 0; if it is 0, a parameter whose g was always 0 becomes NaN
 * @param weightDecay lambda, at least 0
 */
public record Adam(double learningRate, double beta1, double beta2, double epsilon, double weightDecay)
        implements UpdateRule {

    public Adam {
        UpdateRule.requireOfAdam(learningRate, beta1, beta2, epsilon, weightDecay);
    }

    @Override
    public int moments() {
        return 2;
    }
}
