package org.lemmata.kernel.optimizer;

import org.lemmata.kernel.elementary.Extents;

/**
 * The squared norm sum_i dp_i^2 of a range of gradients, used for gradient clipping.
 *
 * <p>Computed in binary64, where the square of a binary32 number is exact and no sum overflows, so only additions have
 * rounding errors. All implementations are bit-identical. The range is divided into blocks of {@value #BLOCK} from its
 * start; the last block may be shorter. Element i of a block is added to partial sum i mod {@value #SUMS}, in ascending
 * order. The partial sums of a block, and then the blocks, are added in ascending order. The empty sum is 0.
 */
public sealed interface GradientNorm permits ScalarGradientNorm, VectorGradientNorm {

    /** The number of elements in a block, which stays in the first-level cache. */
    int BLOCK = 1 << 12;

    /** The number of partial sums of a block: enough to hide the latency of additions of the widest vectors. */
    int SUMS = 32;

    /**
     * Adds the squared norm of the gradients from {@code from} up to {@code to} (exclusive) to {@code before}, block
     * after block. The sum over a range can thus be computed in pieces, if each piece except the last has whole blocks.
     *
     * @throws IllegalArgumentException if the range does not lie within the array
     */
    double squaredNorm(double before, float[] gradients, int from, int to);

    static void check(float[] gradients, int from, int to) {
        if (from > to) {
            throw new IllegalArgumentException("from, to: expected from <= to, got " + from + ", " + to);
        }
        Extents.checkVector("gradients", gradients, from, to - from);
    }
}
