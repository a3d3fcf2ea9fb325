package org.lemmata.model;

import java.util.random.RandomGenerator;
import org.lemmata.random.PhiloxGenerator;

/** Normal random numbers for parameters: each parameter has some of its own, which a key, its role and layer name. */
final class NormalParameters {

    private NormalParameters() {}

    /** Overwrites the elements of a parameter, in their order. */
    static void fill(float[] values, ParameterView view, double mean, double deviation, long key) {
        // The hash of a string is specified: the numbers stay the same when roles are added.
        RandomGenerator random = new PhiloxGenerator(key, view.role().name().hashCode(), view.layer());
        for (int i = view.offset(); i < view.offset() + view.size(); i++) {
            values[i] = (float) (deviation == 0 ? mean : mean + deviation * random.nextGaussian());
        }
    }
}
