package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Five rows of two vectors of C = Aᵀ B, for 16 registers; A is read without a copy. With six rows, the compiler loads
 * elements of A so far ahead of their use that it spills sums to memory.
 */
final class Tile5x2 {

    static final int ROWS = 5;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private Tile5x2() {}

    /**
     * Computes {@code count} tiles, one below the other: C = start + Aᵀ B, with a_li at {@code aAt + l * aStep + i} and
     * b_lj at {@code bAt + l * COLUMNS + j}. {@link Tile12x2} explains the start and the second vector.
     */
    static void columns(
            float[] start,
            int startAt,
            int startStride,
            float[] c,
            int cAt,
            int cStride,
            int second,
            float[] a,
            int aAt,
            int aStep,
            float[] b,
            int bAt,
            int k,
            int count) {
        for (int tile = 0; tile < count; tile++) {
            int a0 = aAt + tile * ROWS;
            int start0 = startAt + tile * ROWS * startStride;
            FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
            FloatVector t0 = FloatVector.fromArray(SPECIES, start, start0 + second);
            FloatVector s1 = FloatVector.fromArray(SPECIES, start, start0 + startStride);
            FloatVector t1 = FloatVector.fromArray(SPECIES, start, start0 + startStride + second);
            FloatVector s2 = FloatVector.fromArray(SPECIES, start, start0 + 2 * startStride);
            FloatVector t2 = FloatVector.fromArray(SPECIES, start, start0 + 2 * startStride + second);
            FloatVector s3 = FloatVector.fromArray(SPECIES, start, start0 + 3 * startStride);
            FloatVector t3 = FloatVector.fromArray(SPECIES, start, start0 + 3 * startStride + second);
            FloatVector s4 = FloatVector.fromArray(SPECIES, start, start0 + 4 * startStride);
            FloatVector t4 = FloatVector.fromArray(SPECIES, start, start0 + 4 * startStride + second);
            for (int l = 0; l < k; l++) {
                int at = a0 + l * aStep;
                FloatVector bs = FloatVector.fromArray(SPECIES, b, bAt + l * COLUMNS);
                FloatVector bt = FloatVector.fromArray(SPECIES, b, bAt + l * COLUMNS + second);
                FloatVector ai = FloatVector.broadcast(SPECIES, a[at]);
                s0 = ai.fma(bs, s0);
                t0 = ai.fma(bt, t0);
                ai = FloatVector.broadcast(SPECIES, a[at + 1]);
                s1 = ai.fma(bs, s1);
                t1 = ai.fma(bt, t1);
                ai = FloatVector.broadcast(SPECIES, a[at + 2]);
                s2 = ai.fma(bs, s2);
                t2 = ai.fma(bt, t2);
                ai = FloatVector.broadcast(SPECIES, a[at + 3]);
                s3 = ai.fma(bs, s3);
                t3 = ai.fma(bt, t3);
                ai = FloatVector.broadcast(SPECIES, a[at + 4]);
                s4 = ai.fma(bs, s4);
                t4 = ai.fma(bt, t4);
            }
            int c0 = cAt + tile * ROWS * cStride;
            s0.intoArray(c, c0);
            t0.intoArray(c, c0 + second);
            s1.intoArray(c, c0 + cStride);
            t1.intoArray(c, c0 + cStride + second);
            s2.intoArray(c, c0 + 2 * cStride);
            t2.intoArray(c, c0 + 2 * cStride + second);
            s3.intoArray(c, c0 + 3 * cStride);
            t3.intoArray(c, c0 + 3 * cStride + second);
            s4.intoArray(c, c0 + 4 * cStride);
            t4.intoArray(c, c0 + 4 * cStride + second);
        }
    }
}
