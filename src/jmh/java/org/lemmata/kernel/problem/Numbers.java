package org.lemmata.kernel.problem;

import java.util.random.RandomGenerator;
import org.lemmata.kernel.matrix.Matrix;

/** Random arrays. */
public final class Numbers {

    private Numbers() {}

    /** Independent, uniformly distributed numbers. */
    public static float[] uniform(int length, double from, double to, RandomGenerator random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(from, to);
        }
        return x;
    }

    /** A matrix without gaps between rows. */
    static Matrix uniform(int rows, int columns, double from, double to, RandomGenerator random) {
        return Matrix.of(uniform(rows * columns, from, to, random), rows, columns);
    }

    /** Independent, normally distributed numbers. */
    public static float[] gaussian(int length, RandomGenerator random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextGaussian();
        }
        return x;
    }
}
