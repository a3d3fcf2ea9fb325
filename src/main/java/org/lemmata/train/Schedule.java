package org.lemmata.train;

/**
 * f(t), what the learning rate is multiplied by at step t = 1, 2, ...: eta_t = eta f(t).
 *
 * <p>A schedule has no state, and the same bits on every machine.
 */
public sealed interface Schedule permits ConstantRate, LinearWarmUp, CosineDecay, StepDecay {

    /**
     * f(t).
     *
     * @param step t, at least 1
     */
    double factor(long step);

    /** Refuses a number of steps below {@code minimum}. */
    static void requireSteps(String name, long steps, long minimum) {
        if (steps < minimum) {
            throw new IllegalArgumentException(name + ": expected at least " + minimum + ", got " + steps);
        }
    }

    /** Refuses what is no number in [0, 1]. */
    static void requireFraction(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + ": expected a number from 0 to 1, got " + value);
        }
    }
}
