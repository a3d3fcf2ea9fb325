package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;

/**
 * Normalization of each row i of a matrix of n columns: y_ij = gain_j (x_ij - m_i) r_i + shift_j with r_i = 1 /
 * sqrt(1/n sum_j (x_ij - m_i)^2 + epsilon). m_i is the mean 1/n sum_j x_ij in layer normalization, and 0 in
 * root-mean-square normalization.
 *
 * <p>Rows may contain queries or keys of several heads. To normalize each head, view them as a matrix of (tokens *
 * heads) rows with the head width as stride.
 *
 * <p>Epsilon may be 0, as in Hayakawa and Sato. Then r_i is infinite for a row of zeros, and in layer normalization for
 * a row of equal elements, and the row becomes NaN. A NaN or an infinity affects only its own row and makes it NaN. In
 * root-mean-square normalization, however, finite elements of a row with an infinity become 0 before the shift. Finite
 * elements may be of any size: a sum of squares that exceeds the range of binary32 is computed in binary64.
 *
 * <p>The forward pass saves the statistics that the backward pass reads, {@link Kind#statistics} numbers per row.
 * Implementations can read each other's statistics.
 *
 * <p>Source: Ba, Kiros and Hinton (2016), Layer normalization, equation 3; Zhang and Sennrich (2019), Root mean square
 * layer normalization, equation 4; as LN_RMS with gain and shift and without epsilon in Hayakawa and Sato (2024),
 * equations 38 and 39.
 */
public sealed interface Normalization permits RoundedNormalization, ScalarNormalization, VectorNormalization {

    enum Kind {
        /**
         * Mean and standard deviation. Statistics of row i: r_i, then the mean as a sum of two numbers. If the mean is
         * far from 0, the rounding error of the first number is large compared with small differences from the mean.
         */
        LAYER(3),
        /** Root mean square. Statistics of row i: r_i. */
        ROOT_MEAN_SQUARE(1);

        private final int statistics;

        Kind(int statistics) {
            this.statistics = statistics;
        }

        public int statistics() {
            return statistics;
        }
    }

    /**
     * Writes the normalized rows of {@code x} to {@code y}, which may be {@code x} at the same offset and must not
     * overlap it otherwise.
     *
     * @param statistics rows x {@code kind.statistics()} to write, or null if no backward pass follows
     * @throws IllegalArgumentException if epsilon is negative or NaN, or a size does not fit the size of x
     */
    void forward(Matrix y, @Nullable Matrix statistics, Matrix x, GainAndShift weights, Kind kind, float epsilon);

    /**
     * Let h = (x - m) r and g = dy gain. Overwrites dx_ij with r_i (g_ij - h_ij 1/n sum_l g_il h_il - c_i), where c_i
     * is 1/n sum_l g_il in layer normalization and 0 in root-mean-square normalization. Adds sum_i dy_ij h_ij to
     * dgain_j, and sum_i dy_ij to dshift_j. Epsilon has an effect only through r.
     *
     * @param dx may be {@code dy} or {@code x} at the same offset, and must not overlap them otherwise
     * @param dweights dgain and dshift
     * @param statistics as written by {@link #forward}
     * @param x as passed to {@link #forward}
     * @param weights as passed to {@link #forward}
     * @throws IllegalArgumentException if a size does not fit the size of x
     */
    void backward(
            Matrix dx, GainAndShift dweights, Matrix dy, Matrix statistics, Matrix x, GainAndShift weights, Kind kind);

    static void checkForward(
            Matrix y, @Nullable Matrix statistics, Matrix x, GainAndShift weights, Kind kind, float epsilon) {
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon: expected a number from 0 on, got " + epsilon);
        }
        y.require("y", x.rows(), x.columns());
        Matrix.requireIfPresent("statistics", statistics, x.rows(), kind.statistics());
        weights.require("gain", "shift", x.columns());
    }

    static void checkBackward(
            Matrix dx, GainAndShift dweights, Matrix dy, Matrix statistics, Matrix x, GainAndShift weights, Kind kind) {
        dx.require("dx", x.rows(), x.columns());
        dweights.require("dgain", "dshift", x.columns());
        dy.require("dy", x.rows(), x.columns());
        statistics.require("statistics", x.rows(), kind.statistics());
        weights.require("gain", "shift", x.columns());
    }
}
