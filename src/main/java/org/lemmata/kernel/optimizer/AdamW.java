package org.lemmata.kernel.optimizer;

/**
 * AdamW, for a parameter p with gradient dp: m = beta1 m + (1 - beta1) dp; v = beta2 v + (1 - beta2) dp^2; p = p - eta
 * ((m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon) + lambda p), at step t = 1, 2, ...
 *
 * <p>The weight decay lambda is multiplied by the learning rate, as in PyTorch; the paper multiplies it only by the
 * schedule.
 *
 * <p>Source: Loshchilov and Hutter (2019), Decoupled weight decay regularization, algorithm 2.
 *
 * @param learningRate eta, at least 0
 * @param beta1 the decay of the first moment, in [0, 1)
 * @param beta2 the decay of the second moment, in [0, 1)
 * @param epsilon at least 0; if it is 0, a parameter whose gradients were all 0 becomes NaN
 * @param weightDecay lambda, at least 0
 */
public record AdamW(double learningRate, double beta1, double beta2, double epsilon, double weightDecay)
        implements UpdateRule {

    public AdamW {
        UpdateRule.requireOfAdam(learningRate, beta1, beta2, epsilon, weightDecay);
    }

    @Override
    public int moments() {
        return 2;
    }
}
