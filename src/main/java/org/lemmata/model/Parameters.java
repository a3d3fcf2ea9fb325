package org.lemmata.model;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** The parameters of a transformer in binary32: named views over one flat array. */
public final class Parameters {

    private final Architecture architecture;
    private final float[] values;

    /**
     * @param architecture determines the layout of the array
     * @param values the array, not copied, because training writes into it
     */
    public Parameters(Architecture architecture, float[] values) {
        if (values.length != architecture.parameterCount()) {
            throw new IllegalArgumentException(
                    "values: expected " + architecture.parameterCount() + " elements, got " + values.length);
        }
        this.architecture = architecture;
        this.values = values;
    }

    public Architecture architecture() {
        return architecture;
    }

    /** The array, not a copy. */
    public float[] values() {
        return values;
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
        double[] wide = new double[values.length];
        Arrays.setAll(wide, i -> values[i]);
        return new ExactParameters(architecture, wide);
    }
}
