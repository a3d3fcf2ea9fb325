package org.lemmata.model;

import java.util.random.RandomGenerator;

/**
 * The parameters of a transformer in binary32: named views over one flat array.
 *
 * @param architecture determines the layout of the array
 * @param values the array, not copied, because training writes into it
 */
@SuppressWarnings("ArrayRecordComponent") // The trained array; it is never compared or printed.
public record Parameters(Architecture architecture, float[] values) {

    public Parameters {
        if (values.length != architecture.parameterCount()) {
            throw new IllegalArgumentException(
                    "values: expected " + architecture.parameterCount() + " elements, got " + values.length);
        }
    }

    /** Draws independent normal parameters with mean 0 and the given standard deviation. */
    public static Parameters normal(Architecture architecture, double standardDeviation, RandomGenerator random) {
        float[] values = new float[architecture.parameterCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian(0, standardDeviation);
        }
        return new Parameters(architecture, values);
    }

    public ExactParameters widen() {
        return new ExactParameters(architecture, Transformer.widen(values));
    }
}
