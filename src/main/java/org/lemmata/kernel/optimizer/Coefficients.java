package org.lemmata.kernel.optimizer;

/** A rule at one step, as the binary32 numbers that the arithmetic of {@link OptimizerStep} takes. */
final class Coefficients {

    float gradientScale;

    /** lambda where it is part of the gradient, else 0. */
    float coupledDecay;

    /** eta lambda where it is no part of the gradient, else 0. */
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

    /**
     * The coefficients of {@code rule} at step {@code step}, its eta multiplied by {@code rateFactor}; leaves those
     * alone that the rule does not have.
     */
    void set(UpdateRule rule, double rateFactor, long step, float gradientScale) {
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
