package org.lemmata.kernel.loss;

import org.lemmata.kernel.elementary.Extents;

/** factor sum_i (y_i - t_i)^2; a factor of 1 over the count gives the mean. Infinities and NaN as IEEE 754 has it. */
public sealed interface SquaredError permits ScalarSquaredError, VectorSquaredError {

    /**
     * The loss; 0 for no elements.
     *
     * @throws IllegalArgumentException if the elements do not lie within their arrays
     */
    double forward(float[] y, int yOffset, float[] targets, int targetsOffset, double factor, int count);

    /**
     * Overwrites dy_i with 2 factor (y_i - t_i); returns the loss, with the bits that {@link #forward} gives it.
     *
     * @param dy may be {@code y} or {@code targets} at the same place, and must not overlap them otherwise
     * @throws IllegalArgumentException if the elements do not lie within their arrays
     */
    double backward(
            float[] dy,
            int dyOffset,
            float[] y,
            int yOffset,
            float[] targets,
            int targetsOffset,
            double factor,
            int count);

    /** The argument check that every forward pass makes first. */
    static void check(float[] y, int yOffset, float[] targets, int targetsOffset, int count) {
        Extents.checkVector("y", y, yOffset, count);
        Extents.checkVector("targets", targets, targetsOffset, count);
    }
}
