package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The factors and summands of the columns in a normalization, or their gradients.
 *
 * @param gain 1 x n, or null for ones; as a gradient, null if it is not needed
 * @param shift 1 x n, or null for zeros; as a gradient, null if it is not needed
 */
public record GainAndShift(@Nullable Matrix gain, @Nullable Matrix shift) {

    /** Neither gain nor shift. Passed as gradients, it means that none are computed. */
    public static final GainAndShift NONE = new GainAndShift(null, null);

    void require(String gainName, String shiftName, int columns) {
        Matrix.requireIfPresent(gainName, gain, 1, columns);
        Matrix.requireIfPresent(shiftName, shift, 1, columns);
    }
}
