package org.lemmata.kernel.matmul;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Computes a C one vector wide, row after row, at a depth of sixteen. The sixteen vectors of B stay in registers, so 32
 * registers are needed. Computing row by row avoids the fixed cost of a tile, about 25 ns on Zen 5.
 */
final class Tile1x1 {

    /** The only supported depth. */
    static final int STEPS = 16;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private Tile1x1() {}

    /** C = start + A B, with a_il at {@code a0 + i * aStride + l} and b_lj at {@code b0 + l * bStep + j}. */
    static void rows(
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
            float[] a,
            int a0,
            int aStride,
            float[] b,
            int b0,
            int bStep,
            int rows) {
        FloatVector bRow0 = FloatVector.fromArray(SPECIES, b, b0);
        FloatVector bRow1 = FloatVector.fromArray(SPECIES, b, b0 + bStep);
        FloatVector bRow2 = FloatVector.fromArray(SPECIES, b, b0 + 2 * bStep);
        FloatVector bRow3 = FloatVector.fromArray(SPECIES, b, b0 + 3 * bStep);
        FloatVector bRow4 = FloatVector.fromArray(SPECIES, b, b0 + 4 * bStep);
        FloatVector bRow5 = FloatVector.fromArray(SPECIES, b, b0 + 5 * bStep);
        FloatVector bRow6 = FloatVector.fromArray(SPECIES, b, b0 + 6 * bStep);
        FloatVector bRow7 = FloatVector.fromArray(SPECIES, b, b0 + 7 * bStep);
        FloatVector bRow8 = FloatVector.fromArray(SPECIES, b, b0 + 8 * bStep);
        FloatVector bRow9 = FloatVector.fromArray(SPECIES, b, b0 + 9 * bStep);
        FloatVector bRow10 = FloatVector.fromArray(SPECIES, b, b0 + 10 * bStep);
        FloatVector bRow11 = FloatVector.fromArray(SPECIES, b, b0 + 11 * bStep);
        FloatVector bRow12 = FloatVector.fromArray(SPECIES, b, b0 + 12 * bStep);
        FloatVector bRow13 = FloatVector.fromArray(SPECIES, b, b0 + 13 * bStep);
        FloatVector bRow14 = FloatVector.fromArray(SPECIES, b, b0 + 14 * bStep);
        FloatVector bRow15 = FloatVector.fromArray(SPECIES, b, b0 + 15 * bStep);
        for (int i = 0; i < rows; i++) {
            int at = a0 + i * aStride;
            FloatVector sum = FloatVector.fromArray(SPECIES, start, start0 + i * startStride);
            sum = FloatVector.broadcast(SPECIES, a[at]).fma(bRow0, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 1]).fma(bRow1, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 2]).fma(bRow2, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 3]).fma(bRow3, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 4]).fma(bRow4, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 5]).fma(bRow5, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 6]).fma(bRow6, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 7]).fma(bRow7, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 8]).fma(bRow8, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 9]).fma(bRow9, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 10]).fma(bRow10, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 11]).fma(bRow11, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 12]).fma(bRow12, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 13]).fma(bRow13, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 14]).fma(bRow14, sum);
            sum = FloatVector.broadcast(SPECIES, a[at + 15]).fma(bRow15, sum);
            sum.intoArray(c, c0 + i * cStride);
        }
    }
}
