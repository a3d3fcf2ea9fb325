package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Six rows of two vectors of C: for 16 registers, and for the last rows where {@link Tile12x2} finds fewer than it has.
 *
 * <p>Twelve sums and three operands fit the sixteen registers of AVX2, and are more than the eight independent chains
 * that two multiply-adds a cycle with a latency of four ask for. Start and second vector are those of {@link Tile12x2};
 * a second vector at distance 0 makes this a tile one vector wide.
 */
final class Tile6x2 {

    static final int ROWS = 6;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
    private static final boolean TALL = Blocking.CHOSEN.tall();

    private Tile6x2() {}

    /**
     * C tile = start + A B, with a_il at {@code a0 + i * aStride + l} and b_lj at {@code b0 + l * bStep + j}.
     *
     * @param bStep {@link Blocking#COLUMNS}, unless tiles of 12 rows are the ones that matter: a step that the compiler
     *     knows spares the loop its bounds checks, a fifth of its time
     * @param rows how many rows the tile has, from 1 to {@link #ROWS}; those that it lacks repeat the last one
     */
    static void rows(
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
            int second,
            float[] a,
            int a0,
            int aStride,
            float[] b,
            int b0,
            int bStep,
            int rows,
            int k) {
        int start1 = start0 + Math.min(1, rows - 1) * startStride;
        int start2 = start0 + Math.min(2, rows - 1) * startStride;
        int start3 = start0 + Math.min(3, rows - 1) * startStride;
        int start4 = start0 + Math.min(4, rows - 1) * startStride;
        int start5 = start0 + Math.min(5, rows - 1) * startStride;
        int c1 = c0 + Math.min(1, rows - 1) * cStride;
        int c2 = c0 + Math.min(2, rows - 1) * cStride;
        int c3 = c0 + Math.min(3, rows - 1) * cStride;
        int c4 = c0 + Math.min(4, rows - 1) * cStride;
        int c5 = c0 + Math.min(5, rows - 1) * cStride;
        int a1 = a0 + Math.min(1, rows - 1) * aStride;
        int a2 = a0 + Math.min(2, rows - 1) * aStride;
        int a3 = a0 + Math.min(3, rows - 1) * aStride;
        int a4 = a0 + Math.min(4, rows - 1) * aStride;
        int a5 = a0 + Math.min(5, rows - 1) * aStride;
        FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
        FloatVector t0 = FloatVector.fromArray(SPECIES, start, start0 + second);
        FloatVector s1 = FloatVector.fromArray(SPECIES, start, start1);
        FloatVector t1 = FloatVector.fromArray(SPECIES, start, start1 + second);
        FloatVector s2 = FloatVector.fromArray(SPECIES, start, start2);
        FloatVector t2 = FloatVector.fromArray(SPECIES, start, start2 + second);
        FloatVector s3 = FloatVector.fromArray(SPECIES, start, start3);
        FloatVector t3 = FloatVector.fromArray(SPECIES, start, start3 + second);
        FloatVector s4 = FloatVector.fromArray(SPECIES, start, start4);
        FloatVector t4 = FloatVector.fromArray(SPECIES, start, start4 + second);
        FloatVector s5 = FloatVector.fromArray(SPECIES, start, start5);
        FloatVector t5 = FloatVector.fromArray(SPECIES, start, start5 + second);
        int step = TALL ? bStep : COLUMNS;
        for (int l = 0; l < k; l++) {
            FloatVector bs = FloatVector.fromArray(SPECIES, b, b0 + l * step);
            FloatVector bt = FloatVector.fromArray(SPECIES, b, b0 + l * step + second);
            FloatVector ai = FloatVector.broadcast(SPECIES, a[a0 + l]);
            s0 = ai.fma(bs, s0);
            t0 = ai.fma(bt, t0);
            ai = FloatVector.broadcast(SPECIES, a[a1 + l]);
            s1 = ai.fma(bs, s1);
            t1 = ai.fma(bt, t1);
            ai = FloatVector.broadcast(SPECIES, a[a2 + l]);
            s2 = ai.fma(bs, s2);
            t2 = ai.fma(bt, t2);
            ai = FloatVector.broadcast(SPECIES, a[a3 + l]);
            s3 = ai.fma(bs, s3);
            t3 = ai.fma(bt, t3);
            ai = FloatVector.broadcast(SPECIES, a[a4 + l]);
            s4 = ai.fma(bs, s4);
            t4 = ai.fma(bt, t4);
            ai = FloatVector.broadcast(SPECIES, a[a5 + l]);
            s5 = ai.fma(bs, s5);
            t5 = ai.fma(bt, t5);
        }
        s0.intoArray(c, c0);
        t0.intoArray(c, c0 + second);
        s1.intoArray(c, c1);
        t1.intoArray(c, c1 + second);
        s2.intoArray(c, c2);
        t2.intoArray(c, c2 + second);
        s3.intoArray(c, c3);
        t3.intoArray(c, c3 + second);
        s4.intoArray(c, c4);
        t4.intoArray(c, c4 + second);
        s5.intoArray(c, c5);
        t5.intoArray(c, c5 + second);
    }
}
