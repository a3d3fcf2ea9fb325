package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * One row of C, eight vectors at a time: a vector times a matrix, as in token-by-token generation.
 *
 * <p>Memory limits the speed: each number of B is read once, without a copy, for one multiply-add. Eight chains hide
 * the latency (4 cycles) of two multiply-add units, and a tile reads eight consecutive vectors of each row of B.
 * {@link Tile6x2} would compute the row six times, two vectors at a time, and packing B would take longer than the
 * product.
 */
final class Tile1x8 {

    private static final int VECTORS = 8;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private Tile1x8() {}

    /** Computes {@code n} columns of a row of A B from {@code column} on, at least {@link Blocking#LANES}. */
    static void multiply(Product product, int row, int column, int n) {
        float[] start = product.start;
        int start0 = product.startAt(row, column);
        int startStep = product.startColumnStep;
        float[] c = product.c.array();
        int c0 = product.c.start(row) + column;
        float[] a = product.a.array();
        int a0 = product.a.start(row);
        float[] b = product.b.array();
        int b0 = product.b.offset() + column;
        int bStride = product.b.stride();
        int k = product.k;
        for (int j = 0, width; j < n; j += width) {
            int left = n - j;
            // The width leaves no columns, or at least a vector, for the next tile, so that tiles do not overlap.
            width = left <= VECTORS * LANES ? left : (VECTORS - (left < (VECTORS + 1) * LANES ? 1 : 0)) * LANES;
            tile(start, start0 + j * startStep, startStep, c, c0 + j, a, a0, b, b0 + j, bStride, width, k);
        }
    }

    /**
     * c = start + a B for a tile, with b_lj at {@code b0 + l * bStride + j}. If it is narrower than eight vectors, its
     * last vector overlaps others and is repeated.
     */
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
            int width,
            int k) {
        int last = width - LANES;
        int j1 = Math.min(LANES, last);
        int j2 = Math.min(2 * LANES, last);
        int j3 = Math.min(3 * LANES, last);
        int j4 = Math.min(4 * LANES, last);
        int j5 = Math.min(5 * LANES, last);
        int j6 = Math.min(6 * LANES, last);
        int j7 = Math.min(7 * LANES, last);
        FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, start, start0 + j1 * startStep);
        FloatVector s2 = FloatVector.fromArray(SPECIES, start, start0 + j2 * startStep);
        FloatVector s3 = FloatVector.fromArray(SPECIES, start, start0 + j3 * startStep);
        FloatVector s4 = FloatVector.fromArray(SPECIES, start, start0 + j4 * startStep);
        FloatVector s5 = FloatVector.fromArray(SPECIES, start, start0 + j5 * startStep);
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start0 + j6 * startStep);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start0 + j7 * startStep);
        for (int l = 0; l < k; l++) {
            FloatVector x = FloatVector.broadcast(SPECIES, a[a0 + l]);
            int row = b0 + l * bStride;
            s0 = x.fma(FloatVector.fromArray(SPECIES, b, row), s0);
            s1 = x.fma(FloatVector.fromArray(SPECIES, b, row + j1), s1);
            s2 = x.fma(FloatVector.fromArray(SPECIES, b, row + j2), s2);
            s3 = x.fma(FloatVector.fromArray(SPECIES, b, row + j3), s3);
            s4 = x.fma(FloatVector.fromArray(SPECIES, b, row + j4), s4);
            s5 = x.fma(FloatVector.fromArray(SPECIES, b, row + j5), s5);
            s6 = x.fma(FloatVector.fromArray(SPECIES, b, row + j6), s6);
            s7 = x.fma(FloatVector.fromArray(SPECIES, b, row + j7), s7);
        }
        s0.intoArray(c, c0);
        s1.intoArray(c, c0 + j1);
        s2.intoArray(c, c0 + j2);
        s3.intoArray(c, c0 + j3);
        s4.intoArray(c, c0 + j4);
        s5.intoArray(c, c0 + j5);
        s6.intoArray(c, c0 + j6);
        s7.intoArray(c, c0 + j7);
    }
}
