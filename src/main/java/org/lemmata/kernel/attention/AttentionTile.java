package org.lemmata.kernel.attention;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * C = scale A B for {@link #ROWS} rows and {@link #COLUMNS} columns of C: both products of attention are made of it.
 *
 * <p>Six rows of two vectors are 12 sums: more than the 8 that hide the latency of two multiply-add units of 4 cycles,
 * and with two vectors of B and one of A few enough for 16 registers.
 */
final class AttentionTile {

    static final int ROWS = 6;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
    private static final int LANES = SPECIES.length();

    static final int COLUMNS = 2 * LANES;

    private AttentionTile() {}

    /**
     * Sums over l = 0 ... count - 1 in ascending order, each step a fused multiply-add, from +0.
     *
     * @param c row r at {@code cOffset + r * cStride}
     * @param a row r at {@code aOffset + r * aStride}
     * @param b a panel: row l at {@code bOffset + l * COLUMNS}; a constant stride spares the loop its bounds checks
     */
    static void multiplyInto(
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int count,
            float scale) {
        int a0 = aOffset;
        int a1 = a0 + aStride;
        int a2 = a1 + aStride;
        int a3 = a2 + aStride;
        int a4 = a3 + aStride;
        int a5 = a4 + aStride;
        FloatVector c00 = FloatVector.zero(SPECIES);
        FloatVector c01 = c00;
        FloatVector c10 = c00;
        FloatVector c11 = c00;
        FloatVector c20 = c00;
        FloatVector c21 = c00;
        FloatVector c30 = c00;
        FloatVector c31 = c00;
        FloatVector c40 = c00;
        FloatVector c41 = c00;
        FloatVector c50 = c00;
        FloatVector c51 = c00;
        for (int l = 0; l < count; l++) {
            FloatVector b0 = FloatVector.fromArray(SPECIES, b, bOffset + l * COLUMNS);
            FloatVector b1 = FloatVector.fromArray(SPECIES, b, bOffset + l * COLUMNS + LANES);
            FloatVector row = FloatVector.broadcast(SPECIES, a[a0 + l]);
            c00 = row.fma(b0, c00);
            c01 = row.fma(b1, c01);
            row = FloatVector.broadcast(SPECIES, a[a1 + l]);
            c10 = row.fma(b0, c10);
            c11 = row.fma(b1, c11);
            row = FloatVector.broadcast(SPECIES, a[a2 + l]);
            c20 = row.fma(b0, c20);
            c21 = row.fma(b1, c21);
            row = FloatVector.broadcast(SPECIES, a[a3 + l]);
            c30 = row.fma(b0, c30);
            c31 = row.fma(b1, c31);
            row = FloatVector.broadcast(SPECIES, a[a4 + l]);
            c40 = row.fma(b0, c40);
            c41 = row.fma(b1, c41);
            row = FloatVector.broadcast(SPECIES, a[a5 + l]);
            c50 = row.fma(b0, c50);
            c51 = row.fma(b1, c51);
        }
        c00.mul(scale).intoArray(c, cOffset);
        c01.mul(scale).intoArray(c, cOffset + LANES);
        c10.mul(scale).intoArray(c, cOffset + cStride);
        c11.mul(scale).intoArray(c, cOffset + cStride + LANES);
        c20.mul(scale).intoArray(c, cOffset + 2 * cStride);
        c21.mul(scale).intoArray(c, cOffset + 2 * cStride + LANES);
        c30.mul(scale).intoArray(c, cOffset + 3 * cStride);
        c31.mul(scale).intoArray(c, cOffset + 3 * cStride + LANES);
        c40.mul(scale).intoArray(c, cOffset + 4 * cStride);
        c41.mul(scale).intoArray(c, cOffset + 4 * cStride + LANES);
        c50.mul(scale).intoArray(c, cOffset + 5 * cStride);
        c51.mul(scale).intoArray(c, cOffset + 5 * cStride + LANES);
    }
}
