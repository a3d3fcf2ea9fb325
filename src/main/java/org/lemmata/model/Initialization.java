package org.lemmata.model;

import java.util.random.RandomGenerator;

/**
 * The law of a transformer's parameters before training: W_ij ~ N(0, deviation(W)^2), independent; gains are 1, biases,
 * shifts, score biases and the factors a and b of the identities are 0.
 *
 * <p>Each parameter has random numbers of its own, which its role and layer name, taken row by row. An option more or
 * less, or a layer more, leaves the other parameters as they were, up to their deviations; so does another law.
 */
public sealed interface Initialization
        permits Gpt2Initialization, MaximalUpdateInitialization, MeanFieldInitialization {

    /**
     * The standard deviation of a matrix or table of the architecture; vectors have none.
     *
     * @throws IllegalArgumentException if the law does not cover the architecture
     */
    double deviation(Architecture architecture, ParameterView view);

    /**
     * What the learning rate of Adam is multiplied by for a parameter, so that the law keeps its promise while the
     * model is trained: 1 unless the law says otherwise.
     */
    default double adamRateFactor(Architecture architecture, ParameterView view) {
        return 1;
    }

    /**
     * Parameters drawn by this law.
     *
     * @param random gives one number, the key of all the others
     * @throws IllegalArgumentException if the law does not cover the architecture
     */
    default Parameters draw(Architecture architecture, RandomGenerator random) {
        long key = random.nextLong();
        float[] values = new float[architecture.parameterCount()];
        for (ParameterView view : architecture.layout()) {
            double mean = view.role().isGain() ? 1 : 0;
            boolean constant = view.vector() || view.role() == ParameterRole.SCORE_BIAS;
            double deviation = constant ? 0 : deviation(architecture, view);
            NormalParameters.fill(values, view, mean, deviation, key);
        }
        return new Parameters(architecture, values);
    }
}
