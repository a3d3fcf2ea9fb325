package org.lemmata.kernel.optimizer;

import org.lemmata.argument.Refuse;

/** The update rule of a range of parameters, with its hyper-parameters. */
public sealed interface UpdateRule permits Sgd, Adam, AdamW {

    /** The number of moments per parameter, 0 to 2; a checkpoint contains them in addition to the parameters. */
    int moments();

    /** eta, at least 0. */
    double learningRate();

    /** lambda, at least 0. */
    double weightDecay();

    static void requireNonNegative(String name, double value) {
        Refuse.when(!(value >= 0 && value < Double.POSITIVE_INFINITY), name, "a finite number of at least 0", value);
    }

    /** Rejects a decay rate of a running mean that does not round to a binary32 number in [0, 1). */
    static void requireDecayRate(String name, double value) {
        Refuse.when(!(value >= 0 && (float) value < 1), name, "a binary32 number in [0, 1)", value);
    }

    static void requireOfAdam(double learningRate, double beta1, double beta2, double epsilon, double weightDecay) {
        requireNonNegative("learningRate", learningRate);
        requireDecayRate("beta1", beta1);
        requireDecayRate("beta2", beta2);
        requireNonNegative("epsilon", epsilon);
        requireNonNegative("weightDecay", weightDecay);
    }
}
