package org.lemmata.kernel.matmul;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Products of a few rows of A with one packed panel of B, all sums being held in registers.
 *
 * <p>A tile of C has {@value #ROWS} rows and two vectors a row, the second one {@code second} columns after the first.
 * The panel holds the columns of B in the same order: row l has {@code COLUMNS} elements at {@code panelAt + l *
 * COLUMNS}. A tile narrower than two vectors, or lower than {@value #ROWS} rows, overlaps itself: what is computed
 * twice gives the same bits twice, and C is read before it is written, so that edges need neither masks nor other code.
 *
 * <p>Twelve sums and three operands fit the sixteen registers of AVX2, and are more than the eight independent chains
 * that two fused multiply-adds a cycle with a latency of four ask for.
 */
final class MicroKernel {

    static final int ROWS = 6;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    static final int LANES = SPECIES.length();

    static final int COLUMNS = 2 * LANES;

    private MicroKernel() {}

    /**
     * C tile += A panel, or C tile = A panel, with a_il at {@code a0 + i * aStride + l}.
     *
     * @param rows how many rows the tile has, from 1 to {@link #ROWS}; those that it lacks repeat the last one
     */
    static void rows(
            boolean accumulate,
            float[] c,
            int c0,
            int cStride,
            int second,
            float[] a,
            int a0,
            int aStride,
            float[] panel,
            int panelAt,
            int rows,
            int k) {
        int c1 = c0 + (rows > 1 ? cStride : 0);
        int c2 = c1 + (rows > 2 ? cStride : 0);
        int c3 = c2 + (rows > 3 ? cStride : 0);
        int c4 = c3 + (rows > 4 ? cStride : 0);
        int c5 = c4 + (rows > 5 ? cStride : 0);
        int a1 = a0 + (rows > 1 ? aStride : 0);
        int a2 = a1 + (rows > 2 ? aStride : 0);
        int a3 = a2 + (rows > 3 ? aStride : 0);
        int a4 = a3 + (rows > 4 ? aStride : 0);
        int a5 = a4 + (rows > 5 ? aStride : 0);
        if (!accumulate) {
            FloatVector zero = FloatVector.zero(SPECIES);
            zero.intoArray(c, c0);
            zero.intoArray(c, c0 + second);
            zero.intoArray(c, c1);
            zero.intoArray(c, c1 + second);
            zero.intoArray(c, c2);
            zero.intoArray(c, c2 + second);
            zero.intoArray(c, c3);
            zero.intoArray(c, c3 + second);
            zero.intoArray(c, c4);
            zero.intoArray(c, c4 + second);
            zero.intoArray(c, c5);
            zero.intoArray(c, c5 + second);
        }
        FloatVector s0 = FloatVector.fromArray(SPECIES, c, c0);
        FloatVector t0 = FloatVector.fromArray(SPECIES, c, c0 + second);
        FloatVector s1 = FloatVector.fromArray(SPECIES, c, c1);
        FloatVector t1 = FloatVector.fromArray(SPECIES, c, c1 + second);
        FloatVector s2 = FloatVector.fromArray(SPECIES, c, c2);
        FloatVector t2 = FloatVector.fromArray(SPECIES, c, c2 + second);
        FloatVector s3 = FloatVector.fromArray(SPECIES, c, c3);
        FloatVector t3 = FloatVector.fromArray(SPECIES, c, c3 + second);
        FloatVector s4 = FloatVector.fromArray(SPECIES, c, c4);
        FloatVector t4 = FloatVector.fromArray(SPECIES, c, c4 + second);
        FloatVector s5 = FloatVector.fromArray(SPECIES, c, c5);
        FloatVector t5 = FloatVector.fromArray(SPECIES, c, c5 + second);
        // Two steps a turn share their addresses: with one, address arithmetic and not the multiply-adds sets the pace.
        int l = 0;
        for (; l < k - 1; l += 2) {
            FloatVector bs = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS);
            FloatVector bt = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS + LANES);
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
            FloatVector nextBs = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS + COLUMNS);
            FloatVector nextBt = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS + COLUMNS + LANES);
            FloatVector nextAi = FloatVector.broadcast(SPECIES, a[a0 + l + 1]);
            s0 = nextAi.fma(nextBs, s0);
            t0 = nextAi.fma(nextBt, t0);
            nextAi = FloatVector.broadcast(SPECIES, a[a1 + l + 1]);
            s1 = nextAi.fma(nextBs, s1);
            t1 = nextAi.fma(nextBt, t1);
            nextAi = FloatVector.broadcast(SPECIES, a[a2 + l + 1]);
            s2 = nextAi.fma(nextBs, s2);
            t2 = nextAi.fma(nextBt, t2);
            nextAi = FloatVector.broadcast(SPECIES, a[a3 + l + 1]);
            s3 = nextAi.fma(nextBs, s3);
            t3 = nextAi.fma(nextBt, t3);
            nextAi = FloatVector.broadcast(SPECIES, a[a4 + l + 1]);
            s4 = nextAi.fma(nextBs, s4);
            t4 = nextAi.fma(nextBt, t4);
            nextAi = FloatVector.broadcast(SPECIES, a[a5 + l + 1]);
            s5 = nextAi.fma(nextBs, s5);
            t5 = nextAi.fma(nextBt, t5);
        }
        if (l < k) {
            FloatVector bs = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS);
            FloatVector bt = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS + LANES);
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

    /**
     * C tile += Aᵀ panel, or C tile = Aᵀ panel, with a_li at {@code a0 + l * aStride + i}, for all {@link #ROWS} rows.
     */
    static void columns(
            boolean accumulate,
            float[] c,
            int c0,
            int cStride,
            int second,
            float[] a,
            int a0,
            int aStride,
            float[] panel,
            int panelAt,
            int k) {
        int c1 = c0 + cStride;
        int c2 = c1 + cStride;
        int c3 = c2 + cStride;
        int c4 = c3 + cStride;
        int c5 = c4 + cStride;
        if (!accumulate) {
            FloatVector zero = FloatVector.zero(SPECIES);
            zero.intoArray(c, c0);
            zero.intoArray(c, c0 + second);
            zero.intoArray(c, c1);
            zero.intoArray(c, c1 + second);
            zero.intoArray(c, c2);
            zero.intoArray(c, c2 + second);
            zero.intoArray(c, c3);
            zero.intoArray(c, c3 + second);
            zero.intoArray(c, c4);
            zero.intoArray(c, c4 + second);
            zero.intoArray(c, c5);
            zero.intoArray(c, c5 + second);
        }
        FloatVector s0 = FloatVector.fromArray(SPECIES, c, c0);
        FloatVector t0 = FloatVector.fromArray(SPECIES, c, c0 + second);
        FloatVector s1 = FloatVector.fromArray(SPECIES, c, c1);
        FloatVector t1 = FloatVector.fromArray(SPECIES, c, c1 + second);
        FloatVector s2 = FloatVector.fromArray(SPECIES, c, c2);
        FloatVector t2 = FloatVector.fromArray(SPECIES, c, c2 + second);
        FloatVector s3 = FloatVector.fromArray(SPECIES, c, c3);
        FloatVector t3 = FloatVector.fromArray(SPECIES, c, c3 + second);
        FloatVector s4 = FloatVector.fromArray(SPECIES, c, c4);
        FloatVector t4 = FloatVector.fromArray(SPECIES, c, c4 + second);
        FloatVector s5 = FloatVector.fromArray(SPECIES, c, c5);
        FloatVector t5 = FloatVector.fromArray(SPECIES, c, c5 + second);
        for (int l = 0; l < k; l++) {
            FloatVector bs = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS);
            FloatVector bt = FloatVector.fromArray(SPECIES, panel, panelAt + l * COLUMNS + LANES);
            int at = a0 + l * aStride;
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
            ai = FloatVector.broadcast(SPECIES, a[at + 5]);
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
