package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Six rows of two vectors of C, for 16 registers. With 32 registers it computes shallow products and the last rows of
 * other products.
 *
 * <p>Twelve sums and three operands fit in the sixteen registers of AVX2. Two multiply-adds per cycle with a latency of
 * four need at least eight independent chains. {@link Tile12x2} explains the start and the second vector. A second
 * vector at distance 0 makes this tile one vector wide.
 */
public final class Tile6x2 {

    public static final int ROWS = 6;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
    private static final boolean TALL = Blocking.CHOSEN.tall();

    private Tile6x2() {}

    /**
     * C tile = start + A B, with a_il at {@code a0 + i * aStride + l} and b_lj at {@code b0 + l * bStep + j}.
     *
     * @param bStep must be {@link Blocking#COLUMNS} on machines with 16 registers. With a constant step, the compiler
     *     removes bounds checks, which take a fifth of the loop's time
     * @param rows number of rows of the tile, from 1 to {@link #ROWS}; missing rows repeat the last one
     */
    public static void rows(
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
        int start1 = start0 + (rows > 1 ? startStride : 0);
        int start2 = start1 + (rows > 2 ? startStride : 0);
        int start3 = start2 + (rows > 3 ? startStride : 0);
        int start4 = start3 + (rows > 4 ? startStride : 0);
        int start5 = start4 + (rows > 5 ? startStride : 0);
        int a1 = a0 + (rows > 1 ? aStride : 0);
        int a2 = a1 + (rows > 2 ? aStride : 0);
        int a3 = a2 + (rows > 3 ? aStride : 0);
        int a4 = a3 + (rows > 4 ? aStride : 0);
        int a5 = a4 + (rows > 5 ? aStride : 0);
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
        // Computed after the loop, so that these offsets are not spilled to memory during it.
        int c1 = c0 + (rows > 1 ? cStride : 0);
        int c2 = c1 + (rows > 2 ? cStride : 0);
        int c3 = c2 + (rows > 3 ? cStride : 0);
        int c4 = c3 + (rows > 4 ? cStride : 0);
        int c5 = c4 + (rows > 5 ? cStride : 0);
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
     * Computes {@code count} tiles of six whole rows and two vectors. At depth 16 with AVX2, this is an eighth faster
     * than one call of {@link #rows} per tile. The offsets belong to the first tile, as in {@link #rows}.
     *
     * @param down whether the next tile is below the current tile and uses the same panel of B, or to the right and
     *     uses the next panel
     */
    public static void tiles(
            float[] start,
            int startAt,
            int startStride,
            int startColumnStep,
            float[] c,
            int cAt,
            int cStride,
            float[] a,
            int aAt,
            int aStride,
            float[] b,
            int bAt,
            boolean down,
            int k,
            int count) {
        int startStep = down ? ROWS * startStride : COLUMNS * startColumnStep;
        int cStep = down ? ROWS * cStride : COLUMNS;
        int aStep = down ? ROWS * aStride : 0;
        int bStep = down ? 0 : k * COLUMNS;
        for (int tile = 0; tile < count; tile++) {
            int start0 = startAt + tile * startStep;
            int a0 = aAt + tile * aStep;
            int b0 = bAt + tile * bStep;
            FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
            FloatVector t0 = FloatVector.fromArray(SPECIES, start, start0 + LANES);
            FloatVector s1 = FloatVector.fromArray(SPECIES, start, start0 + startStride);
            FloatVector t1 = FloatVector.fromArray(SPECIES, start, start0 + startStride + LANES);
            FloatVector s2 = FloatVector.fromArray(SPECIES, start, start0 + 2 * startStride);
            FloatVector t2 = FloatVector.fromArray(SPECIES, start, start0 + 2 * startStride + LANES);
            FloatVector s3 = FloatVector.fromArray(SPECIES, start, start0 + 3 * startStride);
            FloatVector t3 = FloatVector.fromArray(SPECIES, start, start0 + 3 * startStride + LANES);
            FloatVector s4 = FloatVector.fromArray(SPECIES, start, start0 + 4 * startStride);
            FloatVector t4 = FloatVector.fromArray(SPECIES, start, start0 + 4 * startStride + LANES);
            FloatVector s5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride);
            FloatVector t5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride + LANES);
            for (int l = 0; l < k; l++) {
                FloatVector bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS);
                FloatVector bt = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + LANES);
                FloatVector ai = FloatVector.broadcast(SPECIES, a[a0 + l]);
                s0 = ai.fma(bs, s0);
                t0 = ai.fma(bt, t0);
                ai = FloatVector.broadcast(SPECIES, a[a0 + aStride + l]);
                s1 = ai.fma(bs, s1);
                t1 = ai.fma(bt, t1);
                ai = FloatVector.broadcast(SPECIES, a[a0 + 2 * aStride + l]);
                s2 = ai.fma(bs, s2);
                t2 = ai.fma(bt, t2);
                ai = FloatVector.broadcast(SPECIES, a[a0 + 3 * aStride + l]);
                s3 = ai.fma(bs, s3);
                t3 = ai.fma(bt, t3);
                ai = FloatVector.broadcast(SPECIES, a[a0 + 4 * aStride + l]);
                s4 = ai.fma(bs, s4);
                t4 = ai.fma(bt, t4);
                ai = FloatVector.broadcast(SPECIES, a[a0 + 5 * aStride + l]);
                s5 = ai.fma(bs, s5);
                t5 = ai.fma(bt, t5);
            }
            int c0 = cAt + tile * cStep;
            s0.intoArray(c, c0);
            t0.intoArray(c, c0 + LANES);
            s1.intoArray(c, c0 + cStride);
            t1.intoArray(c, c0 + cStride + LANES);
            s2.intoArray(c, c0 + 2 * cStride);
            t2.intoArray(c, c0 + 2 * cStride + LANES);
            s3.intoArray(c, c0 + 3 * cStride);
            t3.intoArray(c, c0 + 3 * cStride + LANES);
            s4.intoArray(c, c0 + 4 * cStride);
            t4.intoArray(c, c0 + 4 * cStride + LANES);
            s5.intoArray(c, c0 + 5 * cStride);
            t5.intoArray(c, c0 + 5 * cStride + LANES);
        }
    }

    /**
     * Computes {@code count} neighbouring tiles of six whole rows of a packed A, with a_il at {@code aAt + l * ROWS +
     * i}, and the panels of B from {@code bAt} on. Start and C are as in {@link #tiles}.
     */
    static void packed(
            float[] start,
            int startAt,
            int startStride,
            int startColumnStep,
            float[] c,
            int cAt,
            int cStride,
            float[] a,
            int aAt,
            float[] b,
            int bAt,
            int k,
            int count) {
        int even = k & -2;
        int panel = k * COLUMNS;
        evenSteps(start, startAt, startStride, startColumnStep, c, cAt, cStride, a, aAt, b, bAt, panel, even, count);
        int lastOfA = aAt + even * ROWS;
        for (int tile = 0; tile < count && even < k; tile++) {
            int to = cAt + tile * COLUMNS;
            int row = bAt + tile * panel + even * COLUMNS;
            rows(c, to, cStride, c, to, cStride, LANES, a, lastOfA, 1, b, row, COLUMNS, ROWS, 1);
        }
    }

    /**
     * Computes the tiles for an even k, with panels {@code panel} apart.
     *
     * <p>Each iteration has two steps, with a branch between them that is never taken. Without the branch, the compiler
     * loads operands of the second step before the first step has used its own, and both sets do not fit in 16
     * registers. With one base address for A, there are 2.2 instructions per multiply-add, compared with 2.9 in
     * {@link #tiles}. This matters if another hardware thread uses half of the core's instruction slots. If the branch
     * were ever taken, the compiler would box the sums that are live there.
     */
    private static void evenSteps(
            float[] start,
            int startAt,
            int startStride,
            int startColumnStep,
            float[] c,
            int cAt,
            int cStride,
            float[] a,
            int aAt,
            float[] b,
            int bAt,
            int panel,
            int k,
            int count) {
        for (int tile = 0; tile < count; tile++) {
            int start0 = startAt + tile * COLUMNS * startColumnStep;
            int b0 = bAt + tile * panel;
            int start1 = start0 + startStride;
            int start2 = start1 + startStride;
            int start3 = start2 + startStride;
            int start4 = start3 + startStride;
            int start5 = start4 + startStride;
            FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
            FloatVector t0 = FloatVector.fromArray(SPECIES, start, start0 + LANES);
            FloatVector s1 = FloatVector.fromArray(SPECIES, start, start1);
            FloatVector t1 = FloatVector.fromArray(SPECIES, start, start1 + LANES);
            FloatVector s2 = FloatVector.fromArray(SPECIES, start, start2);
            FloatVector t2 = FloatVector.fromArray(SPECIES, start, start2 + LANES);
            FloatVector s3 = FloatVector.fromArray(SPECIES, start, start3);
            FloatVector t3 = FloatVector.fromArray(SPECIES, start, start3 + LANES);
            FloatVector s4 = FloatVector.fromArray(SPECIES, start, start4);
            FloatVector t4 = FloatVector.fromArray(SPECIES, start, start4 + LANES);
            FloatVector s5 = FloatVector.fromArray(SPECIES, start, start5);
            FloatVector t5 = FloatVector.fromArray(SPECIES, start, start5 + LANES);
            for (int l = 0; l < k; l += 2) {
                FloatVector bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS);
                FloatVector bt = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + LANES);
                FloatVector ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS]);
                s0 = ai.fma(bs, s0);
                t0 = ai.fma(bt, t0);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 1]);
                s1 = ai.fma(bs, s1);
                t1 = ai.fma(bt, t1);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 2]);
                s2 = ai.fma(bs, s2);
                t2 = ai.fma(bt, t2);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 3]);
                s3 = ai.fma(bs, s3);
                t3 = ai.fma(bt, t3);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 4]);
                s4 = ai.fma(bs, s4);
                t4 = ai.fma(bt, t4);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 5]);
                s5 = ai.fma(bs, s5);
                t5 = ai.fma(bt, t5);
                if (l + 1 == k) {
                    break;
                }
                bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + COLUMNS);
                bt = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + COLUMNS + LANES);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + ROWS]);
                s0 = ai.fma(bs, s0);
                t0 = ai.fma(bt, t0);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 7]);
                s1 = ai.fma(bs, s1);
                t1 = ai.fma(bt, t1);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 8]);
                s2 = ai.fma(bs, s2);
                t2 = ai.fma(bt, t2);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 9]);
                s3 = ai.fma(bs, s3);
                t3 = ai.fma(bt, t3);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 10]);
                s4 = ai.fma(bs, s4);
                t4 = ai.fma(bt, t4);
                ai = FloatVector.broadcast(SPECIES, a[aAt + l * ROWS + 11]);
                s5 = ai.fma(bs, s5);
                t5 = ai.fma(bt, t5);
            }
            int c0 = cAt + tile * COLUMNS;
            int c1 = c0 + cStride;
            int c2 = c1 + cStride;
            int c3 = c2 + cStride;
            int c4 = c3 + cStride;
            int c5 = c4 + cStride;
            s0.intoArray(c, c0);
            t0.intoArray(c, c0 + LANES);
            s1.intoArray(c, c1);
            t1.intoArray(c, c1 + LANES);
            s2.intoArray(c, c2);
            t2.intoArray(c, c2 + LANES);
            s3.intoArray(c, c3);
            t3.intoArray(c, c3 + LANES);
            s4.intoArray(c, c4);
            t4.intoArray(c, c4 + LANES);
            s5.intoArray(c, c5);
            t5.intoArray(c, c5 + LANES);
        }
    }
}
