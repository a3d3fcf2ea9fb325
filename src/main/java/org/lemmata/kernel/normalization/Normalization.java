package org.lemmata.kernel.normalization;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Extents;

/**
 * y_ij = gain_j (x_ij - m_i) r_i + shift_j with r_i = 1 / sqrt(1/n sum_j (x_ij - m_i)^2 + epsilon), for each row i of a
 * matrix of n columns; m_i is the mean 1/n sum_j x_ij in layer normalization, and 0 in root-mean-square normalization.
 *
 * <p>Rows lie row-major: element (i, j) at {@code offset + i * stride + j}. Queries and keys of several heads, side by
 * side in rows of heads x head width, are a matrix of tokens x heads rows whose stride is the head width. Gain and
 * shift have one element a column; null stands for ones and for zeros.
 *
 * <p>Epsilon may be 0, as in Hayakawa and Sato: then a row of zeros, and in layer normalization a row of equal
 * elements, gives NaN, which is 0 times the infinity that r_i is. A NaN or an infinity reaches no other row: it makes
 * its own row NaN, except that under root-mean-square normalization the finite elements beside an infinity become 0.
 * Finite elements may be of any size: where a sum of squares leaves the range of binary32, it is formed in binary64.
 *
 * <p>The forward pass leaves the statistics that the backward pass reads, {@link Kind#statistics} numbers a row; those
 * of one implementation serve another.
 *
 * <p>Source: Ba, Kiros and Hinton (2016), Layer normalization, equation 3; Zhang and Sennrich (2019), Root mean square
 * layer normalization, equation 4; as LN_RMS with gain and shift and without epsilon in Hayakawa and Sato (2024),
 * equations 38 and 39.
 */
public sealed interface Normalization permits RoundedNormalization, ScalarNormalization, VectorNormalization {

    /** Which statistics of a row normalize it. */
    enum Kind {
        /**
         * Mean and standard deviation. Statistics of row i from {@code 3 i} on: r_i, then the mean in two parts, of
         * which the first alone would carry the rounding error of a mean far from 0 into every small difference from
         * it.
         */
        LAYER(3),
        /** Root mean square. Statistics of row i at {@code i}: r_i. */
        ROOT_MEAN_SQUARE(1);

        private final int statistics;

        Kind(int statistics) {
            this.statistics = statistics;
        }

        /** How many statistics each row leaves. */
        public int statistics() {
            return statistics;
        }
    }

    /**
     * Writes the normalized rows of {@code x} to {@code y}, which may be {@code x} at the same place and must not
     * overlap it otherwise.
     *
     * @param statistics {@code rows * kind.statistics()} elements to write, or null if no backward pass follows
     * @param gain n elements, or null for ones
     * @param shift n elements, or null for zeros
     * @throws IllegalArgumentException if epsilon is negative or NaN, or rows or vectors do not lie within their arrays
     */
    void forward(
            float[] y,
            int yOffset,
            int yStride,
            float @Nullable [] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            float @Nullable [] shift,
            int shiftOffset,
            Kind kind,
            float epsilon,
            int rows,
            int columns);

    /**
     * With h = (x - m) r and g = dy gain: overwrites dx_ij with r_i (g_ij - h_ij 1/n sum_l g_il h_il - c_i), where c_i
     * is 1/n sum_l g_il in layer normalization and 0 in root-mean-square normalization; adds sum_i dy_ij h_ij to
     * dgain_j, and sum_i dy_ij to dshift_j. Epsilon acts through r.
     *
     * @param dx may be {@code dy} or {@code x} at the same place, and must not overlap them otherwise
     * @param dgain n elements, or null if that gradient is not wanted
     * @param dshift n elements, or null if that gradient is not wanted
     * @param statistics what {@link #forward} left there
     * @param x the rows that were given to {@link #forward}
     * @param gain as given to {@link #forward}
     * @throws IllegalArgumentException if rows or vectors do not lie within their arrays
     */
    void backward(
            float[] dx,
            int dxOffset,
            int dxStride,
            float @Nullable [] dgain,
            int dgainOffset,
            float @Nullable [] dshift,
            int dshiftOffset,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            Kind kind,
            int rows,
            int columns);

    /** The argument check that every forward pass makes first. */
    static void checkForward(
            float[] y,
            int yOffset,
            int yStride,
            float @Nullable [] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            float @Nullable [] shift,
            int shiftOffset,
            Kind kind,
            float epsilon,
            int rows,
            int columns) {
        Objects.requireNonNull(kind, "kind");
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon: expected a number from 0 on, got " + epsilon);
        }
        Extents.checkMatrix("y", y, yOffset, yStride, rows, columns);
        checkVector("statistics", statistics, statisticsOffset, statisticsLength(kind, rows));
        Extents.checkMatrix("x", x, xOffset, xStride, rows, columns);
        checkVector("gain", gain, gainOffset, columns);
        checkVector("shift", shift, shiftOffset, columns);
    }

    /** The argument check that every backward pass makes first. */
    static void checkBackward(
            float[] dx,
            int dxOffset,
            int dxStride,
            float @Nullable [] dgain,
            int dgainOffset,
            float @Nullable [] dshift,
            int dshiftOffset,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float @Nullable [] gain,
            int gainOffset,
            Kind kind,
            int rows,
            int columns) {
        Objects.requireNonNull(kind, "kind");
        Extents.checkMatrix("dx", dx, dxOffset, dxStride, rows, columns);
        checkVector("dgain", dgain, dgainOffset, columns);
        checkVector("dshift", dshift, dshiftOffset, columns);
        Extents.checkMatrix("dy", dy, dyOffset, dyStride, rows, columns);
        checkVector("statistics", statistics, statisticsOffset, statisticsLength(kind, rows));
        Extents.checkMatrix("x", x, xOffset, xStride, rows, columns);
        checkVector("gain", gain, gainOffset, columns);
    }

    private static int statisticsLength(Kind kind, int rows) {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, (long) rows * kind.statistics()));
    }

    private static void checkVector(String name, float @Nullable [] data, int offset, int length) {
        if (data != null) {
            Extents.checkVector(name, data, offset, length);
        }
    }
}
