package org.lemmata.kernel.optimizer;

import org.lemmata.argument.Refuse;

/** How parameters follow their gradients: the hyper-parameters of a range of parameters. */
public sealed interface UpdateRule permits Sgd, Adam, AdamW {

    /** How many moments the rule keeps of each parameter, 0 to 2: what a checkpoint holds beside the parameters. */
    int moments();

    /** eta, at least 0. */
    double learningRate();

    /** lambda, at least 0. */
    double weightDecay();

    /** Refuses what is negative, infinite or NaN. */
    static void requireNonNegative(String name, double value) {
        Refuse.when(!(value >= 0 && value < Double.POSITIVE_INFINITY), name, "a finite number of at least 0", value);
    }

    /** Refuses a decay rate of a running mean that does not round to a binary32 number in [0, 1). */
    static void requireDecayRate(String name, double value) {
        Refuse.when(!(value >= 0 && (float) value < 1), name, "a binary32 number in [0, 1)", value);
    }

    /** Refuses hyper-parameters that neither {@link Adam} nor {@link AdamW} has. */
    static void requireOfAdam(double learningRate, double beta1, double beta2, double epsilon, double weightDecay) {
        requireNonNegative("learningRate", learningRate);
        requireDecayRate("beta1", beta1);
        requireDecayRate("beta2", beta2);
        requireNonNegative("epsilon", epsilon);
        requireNonNegative("weightDecay", weightDecay);
    }
}
