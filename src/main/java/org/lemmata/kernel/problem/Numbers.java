package org.lemmata.kernel.problem;

import java.util.random.RandomGenerator;

/** Random arrays. */
public final class Numbers {

    private Numbers() {}

    /** Independent and uniform. */
    public static float[] uniform(int length, double from, double to, RandomGenerator random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(from, to);
        }
        return x;
    }

    /** Independent and normal. */
    public static float[] gaussian(int length, RandomGenerator random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextGaussian();
        }
        return x;
    }
}
