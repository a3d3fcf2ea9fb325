package org.lemmata.kernel.optimizer;

import org.lemmata.argument.Refuse;

/**
 * The binary32 coefficients of an update rule at one step, for {@link OptimizerStep}. Callers reuse an object by
 * calling {@link #set} for each step, so that a step allocates nothing.
 */
public final class Coefficients {

    int moments;
    float gradientScale;

    /** lambda in Sgd and Adam, 0 in AdamW. */
    float coupledDecay;

    /** eta lambda in AdamW, 0 in Adam, unused in Sgd. */
    float decoupledDecay;

    /** mu or beta1. */
    float firstRate;

    /** 1 - beta1. */
    float firstComplement;

    /** beta2. */
    float secondRate;

    /** 1 - beta2. */
    float secondComplement;

    /** eta, or eta / (1 - beta1^t). */
    float stepSize;

    /** 1 / sqrt(1 - beta2^t). */
    float rootCorrection;

    float epsilon;

    boolean nesterov;

    public static Coefficients of(UpdateRule rule, double rateFactor, long step, float gradientScale) {
        var coefficients = new Coefficients();
        coefficients.set(rule, rateFactor, step, gradientScale);
        return coefficients;
    }

    /**
     * Sets the coefficients of a rule at a step; coefficients that the rule does not use are unchanged.
     *
     * @param rateFactor factor of the rule's eta, in binary64: the value of the schedule at this step
     * @param step t: 1 at the first step; a checkpoint must contain it and the moments
     * @param gradientScale s, the factor of the gradients
     * @throws IllegalArgumentException if {@code step} is below 1, or {@code rateFactor} negative, infinite or NaN
     */
    public void set(UpdateRule rule, double rateFactor, long step, float gradientScale) {
        UpdateRule.requireNonNegative("rateFactor", rateFactor);
        Refuse.below("step", step, 1);
        moments = rule.moments();
        this.gradientScale = gradientScale;
        switch (rule) {
            case Sgd sgd -> {
                coupledDecay = (float) sgd.weightDecay();
                firstRate = (float) sgd.momentum();
                stepSize = (float) (sgd.learningRate() * rateFactor);
                nesterov = sgd.nesterov();
            }
            case Adam adam -> {
                setMoments(adam.learningRate() * rateFactor, adam.beta1(), adam.beta2(), adam.epsilon(), step);
                coupledDecay = (float) adam.weightDecay();
                decoupledDecay = 0;
            }
            case AdamW adamW -> {
                double learningRate = adamW.learningRate() * rateFactor;
                setMoments(learningRate, adamW.beta1(), adamW.beta2(), adamW.epsilon(), step);
                coupledDecay = 0;
                decoupledDecay = (float) (learningRate * adamW.weightDecay());
            }
        }
    }

    private void setMoments(double learningRate, double beta1, double beta2, double epsilon, long step) {
        firstRate = (float) beta1;
        firstComplement = 1 - firstRate;
        secondRate = (float) beta2;
        secondComplement = 1 - secondRate;
        stepSize = (float) (learningRate / (1 - StrictMath.pow(firstRate, (double) step)));
        rootCorrection = (float) (1 / Math.sqrt(1 - StrictMath.pow(secondRate, (double) step)));
        this.epsilon = (float) epsilon;
    }
}
