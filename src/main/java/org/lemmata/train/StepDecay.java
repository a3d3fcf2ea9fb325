package org.lemmata.train;

/**
 * f(t) = ratio^floor((t - 1) / every): the rate falls after each {@code every} steps.
 *
 * @param every steps with one rate, at least 1
 * @param ratio a rate over the one before, in [0, 1]
 */
public record StepDecay(long every, double ratio) implements Schedule {

    public StepDecay {
        Schedule.requireSteps("every", every, 1);
        Schedule.requireFraction("ratio", ratio);
    }

    @Override
    public double factor(long step) {
        long decays = (step - 1) / every;
        return StrictMath.pow(ratio, (double) decays);
    }
}
