package org.lemmata.kernel.matmul;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * One row of C, sixteen columns at a time: a vector times a transposed matrix, as in the output layer in decoding.
 *
 * <p>Memory limits the speed: each number of B is read once, without a copy. Rows of B are transposed in registers, in
 * squares of 4 x 4, because the lanes of a vector must belong to different columns of C. A vector of eight lanes has
 * two squares, which together have eight rows. Wider vectors would have to be blended from too many loads.
 */
final class TransposedRow {

    /** Columns of C (rows of B) per tile: enough chains to hide the latency of multiply-adds. */
    static final int COLUMNS = 16;

    private static final VectorSpecies<Float> SPECIES =
            Species.FLOAT.length() < 8 ? FloatVector.SPECIES_128 : FloatVector.SPECIES_256;

    private static final int LANES = SPECIES.length();

    private static final VectorShuffle<Float> SWAP_ONES = VectorShuffle.fromOp(SPECIES, lane -> lane ^ 1);
    private static final VectorShuffle<Float> SWAP_TWOS = VectorShuffle.fromOp(SPECIES, lane -> lane ^ 2);
    private static final VectorMask<Float> ODD_ONES = VectorMask.fromLong(SPECIES, 0b1010_1010);
    private static final VectorMask<Float> ODD_TWOS = VectorMask.fromLong(SPECIES, 0b1100_1100);
    private static final VectorMask<Float> ODD_FOURS = VectorMask.fromLong(SPECIES, 0b1111_0000);

    private TransposedRow() {}

    /** Computes {@code n} columns of a row of A Bᵀ from {@code column} on, a multiple of {@link #COLUMNS}. */
    static void multiply(Product product, int row, int column, int n) {
        float[] start = product.start;
        int start0 = product.startAt(row, column);
        int startStep = product.startColumnStep;
        float[] c = product.c.array();
        int c0 = product.c.start(row) + column;
        float[] a = product.a.array();
        int a0 = product.a.start(row);
        float[] b = product.b.array();
        int b0 = product.b.start(column);
        int bStride = product.b.stride();
        int k = product.k;
        for (int j = 0; j < n; j += COLUMNS) {
            tile(start, start0 + j * startStep, startStep, c, c0 + j, a, a0, b, b0 + j * bStride, bStride, k);
        }
    }

    private static void tile(
            float[] start,
            int start0,
            int startStep,
            float[] c,
            int c0,
            float[] a,
            int a0,
            float[] b,
            int b0,
            int bStride,
            int k) {
        FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, start, start0 + LANES * startStep);
        FloatVector s2 = s0;
        FloatVector s3 = s1;
        if (LANES == 4) {
            s2 = FloatVector.fromArray(SPECIES, start, start0 + 2 * LANES * startStep);
            s3 = FloatVector.fromArray(SPECIES, start, start0 + 3 * LANES * startStep);
        }
        int l = 0;
        for (; l <= k - 4; l += 4) {
            int at = b0 + l;
            s0 = fourSteps(s0, a, a0 + l, b, at, bStride);
            s1 = fourSteps(s1, a, a0 + l, b, at + LANES * bStride, bStride);
            if (LANES == 4) {
                s2 = fourSteps(s2, a, a0 + l, b, at + 2 * LANES * bStride, bStride);
                s3 = fourSteps(s3, a, a0 + l, b, at + 3 * LANES * bStride, bStride);
            }
        }
        s0.intoArray(c, c0);
        s1.intoArray(c, c0 + LANES);
        if (LANES == 4) {
            s2.intoArray(c, c0 + 2 * LANES);
            s3.intoArray(c, c0 + 3 * LANES);
        }
        for (; l < k; l++) {
            for (int j = 0; j < COLUMNS; j++) {
                c[c0 + j] = Math.fma(a[a0 + l], b[b0 + j * bStride + l], c[c0 + j]);
            }
        }
    }

    /** Adds four products to each lane's sum: lane i reads the row of B at {@code at + i * stride}. */
    private static FloatVector fourSteps(FloatVector sum, float[] a, int l, float[] b, int at, int stride) {
        FloatVector row0 = fours(b, at, stride);
        FloatVector row1 = fours(b, at + stride, stride);
        FloatVector row2 = fours(b, at + 2 * stride, stride);
        FloatVector row3 = fours(b, at + 3 * stride, stride);
        FloatVector swapped = row2.blend(row0, ODD_TWOS).rearrange(SWAP_TWOS);
        FloatVector low0 = row0.blend(swapped, ODD_TWOS);
        FloatVector high0 = swapped.blend(row2, ODD_TWOS);
        swapped = row3.blend(row1, ODD_TWOS).rearrange(SWAP_TWOS);
        FloatVector low1 = row1.blend(swapped, ODD_TWOS);
        FloatVector high1 = swapped.blend(row3, ODD_TWOS);
        swapped = low1.blend(low0, ODD_ONES).rearrange(SWAP_ONES);
        FloatVector s = FloatVector.broadcast(SPECIES, a[l]).fma(low0.blend(swapped, ODD_ONES), sum);
        s = FloatVector.broadcast(SPECIES, a[l + 1]).fma(swapped.blend(low1, ODD_ONES), s);
        swapped = high1.blend(high0, ODD_ONES).rearrange(SWAP_ONES);
        s = FloatVector.broadcast(SPECIES, a[l + 2]).fma(high0.blend(swapped, ODD_ONES), s);
        return FloatVector.broadcast(SPECIES, a[l + 3]).fma(swapped.blend(high1, ODD_ONES), s);
    }

    /** Four elements of a row. In vectors of eight lanes, four elements of the row four rows below follow. */
    private static FloatVector fours(float[] b, int at, int stride) {
        FloatVector first = FloatVector.fromArray(SPECIES, b, at);
        return LANES == 4 ? first : first.blend(FloatVector.fromArray(SPECIES, b, at + 4 * stride - 4), ODD_FOURS);
    }
}
