package org.lemmata.kernel.optimizer;

import org.lemmata.kernel.elementary.Extents;

/**
 * sum_i dp_i^2 over a range: what a step is clipped by.
 *
 * <p>Computed in binary64, where the square of a binary32 number is exact and no sum overflows: the only errors are
 * those of the additions. Every implementation gives the same bits: the range is cut into blocks of {@value #BLOCK}
 * from its start, the last one shorter; element i of a block goes to partial sum i mod {@value #SUMS}, in ascending
 * order; the partial sums of a block are added in ascending order, and so are the blocks. The empty sum is 0.
 */
public sealed interface GradientNorm permits ScalarGradientNorm, VectorGradientNorm {

    /** Elements of a block: few enough to stay in the first-level cache. */
    int BLOCK = 1 << 12;

    /** Partial sums of a block: as many as hide the latency of additions on the widest lanes. */
    int SUMS = 32;

    /**
     * The squared norm of the gradients from {@code from} to before {@code to}.
     *
     * @throws IllegalArgumentException if the range does not lie within the array
     */
    default double squaredNorm(float[] gradients, int from, int to) {
        return squaredNorm(0, gradients, from, to);
    }

    /**
     * The same added to {@code before}, block after block: the sum of a range may be taken in pieces, if each but the
     * last is of whole blocks.
     *
     * @throws IllegalArgumentException if the range does not lie within the array
     */
    double squaredNorm(double before, float[] gradients, int from, int to);

    /** The argument check that every implementation makes first. */
    static void check(float[] gradients, int from, int to) {
        if (from > to) {
            throw new IllegalArgumentException("from, to: expected from <= to, got " + from + ", " + to);
        }
        Extents.checkVector("gradients", gradients, from, to - from);
    }
}
