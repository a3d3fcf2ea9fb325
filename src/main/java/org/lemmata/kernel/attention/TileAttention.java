package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * C = A B or C += A B for a tile of C whose sums stay in registers: all products of attention are made of it.
 *
 * <p>Twelve sums: {@link #ROWS} rows of two vectors or, where what is left of C is no wider than a vector,
 * {@link #NARROW_ROWS} rows of one. Twelve are more than the 8 that hide the latency of two multiply-add units of 4
 * cycles, and with the operands few enough for 16 registers.
 *
 * <p>Each sum runs over l = 0 ... count - 1 in ascending order, each step a fused multiply-add, from +0 or from the old
 * C. B is a panel: row l at {@code b0 + l * COLUMNS}; a constant stride spares the loop its bounds checks. Row r of C
 * is at {@code c0 + r * cStride}.
 */
public final class TileAttention {

    static final int ROWS = 6;

    public static final int NARROW_ROWS = 12;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** Columns of a narrow tile. */
    public static final int LANES = SPECIES.length();

    /** Columns of a tile. */
    static final int COLUMNS = 2 * LANES;

    /** What a tile starts from that adds to nothing. */
    static final float[] ZEROS = new float[COLUMNS];

    private TileAttention() {}

    /**
     * C += A B, with a_rl at {@code a0 + r * aStride + l}: A is part of the strip.
     *
     * @param aStride a distance of rows that the compiler does not know: where it does, it reads more elements of A
     *     ahead than 16 registers hold, and the sums go through memory
     */
    static void rows(float[] c, int c0, int cStride, float[] a, int a0, int aStride, float[] b, int b0, int count) {
        int c1 = c0 + cStride;
        int c2 = c1 + cStride;
        int c3 = c2 + cStride;
        int c4 = c3 + cStride;
        int c5 = c4 + cStride;
        int a1 = a0 + aStride;
        int a2 = a1 + aStride;
        int a3 = a2 + aStride;
        int a4 = a3 + aStride;
        int a5 = a4 + aStride;
        FloatVector s0 = FloatVector.fromArray(SPECIES, c, c0);
        FloatVector t0 = FloatVector.fromArray(SPECIES, c, c0 + LANES);
        FloatVector s1 = FloatVector.fromArray(SPECIES, c, c1);
        FloatVector t1 = FloatVector.fromArray(SPECIES, c, c1 + LANES);
        FloatVector s2 = FloatVector.fromArray(SPECIES, c, c2);
        FloatVector t2 = FloatVector.fromArray(SPECIES, c, c2 + LANES);
        FloatVector s3 = FloatVector.fromArray(SPECIES, c, c3);
        FloatVector t3 = FloatVector.fromArray(SPECIES, c, c3 + LANES);
        FloatVector s4 = FloatVector.fromArray(SPECIES, c, c4);
        FloatVector t4 = FloatVector.fromArray(SPECIES, c, c4 + LANES);
        FloatVector s5 = FloatVector.fromArray(SPECIES, c, c5);
        FloatVector t5 = FloatVector.fromArray(SPECIES, c, c5 + LANES);
        for (int l = 0; l < count; l++) {
            FloatVector bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS);
            FloatVector bt = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + LANES);
            FloatVector x = FloatVector.broadcast(SPECIES, a[a0 + l]);
            s0 = x.fma(bs, s0);
            t0 = x.fma(bt, t0);
            x = FloatVector.broadcast(SPECIES, a[a1 + l]);
            s1 = x.fma(bs, s1);
            t1 = x.fma(bt, t1);
            x = FloatVector.broadcast(SPECIES, a[a2 + l]);
            s2 = x.fma(bs, s2);
            t2 = x.fma(bt, t2);
            x = FloatVector.broadcast(SPECIES, a[a3 + l]);
            s3 = x.fma(bs, s3);
            t3 = x.fma(bt, t3);
            x = FloatVector.broadcast(SPECIES, a[a4 + l]);
            s4 = x.fma(bs, s4);
            t4 = x.fma(bt, t4);
            x = FloatVector.broadcast(SPECIES, a[a5 + l]);
            s5 = x.fma(bs, s5);
            t5 = x.fma(bt, t5);
        }
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

    /**
     * C = start + A B, with a_rl at {@code a0 + l * QUERIES + r}: A is read transposed.
     *
     * @param start C itself, or {@link #ZEROS} with a stride of 0
     */
    static void columns(
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
            float[] a,
            int a0,
            float[] b,
            int b0,
            int count) {
        int even = count & -2;
        evenColumns(start, start0, startStride, c, c0, cStride, a, a0, b, b0, even);
        if (even < count) {
            rows(c, c0, cStride, a, a0 + even * QUERIES, 1, b, b0 + even * COLUMNS, 1);
        }
    }

    private static void evenColumns(
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
            float[] a,
            int a0,
            float[] b,
            int b0,
            int even) {
        int start1 = start0 + startStride;
        int start2 = start1 + startStride;
        int start3 = start2 + startStride;
        int start4 = start3 + startStride;
        int start5 = start4 + startStride;
        int c1 = c0 + cStride;
        int c2 = c1 + cStride;
        int c3 = c2 + cStride;
        int c4 = c3 + cStride;
        int c5 = c4 + cStride;
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
        for (int l = 0; l < even; l += 2) {
            FloatVector bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS);
            FloatVector bt = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + LANES);
            FloatVector x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES]);
            s0 = x.fma(bs, s0);
            t0 = x.fma(bt, t0);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + 1]);
            s1 = x.fma(bs, s1);
            t1 = x.fma(bt, t1);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + 2]);
            s2 = x.fma(bs, s2);
            t2 = x.fma(bt, t2);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + 3]);
            s3 = x.fma(bs, s3);
            t3 = x.fma(bt, t3);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + 4]);
            s4 = x.fma(bs, s4);
            t4 = x.fma(bt, t4);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + 5]);
            s5 = x.fma(bs, s5);
            t5 = x.fma(bt, t5);
            // Never taken: it ends the code that is scheduled together, as in Tile6x2 of products.
            if (l + 1 == even) {
                break;
            }
            bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + COLUMNS);
            bt = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS + COLUMNS + LANES);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + QUERIES]);
            s0 = x.fma(bs, s0);
            t0 = x.fma(bt, t0);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + QUERIES + 1]);
            s1 = x.fma(bs, s1);
            t1 = x.fma(bt, t1);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + QUERIES + 2]);
            s2 = x.fma(bs, s2);
            t2 = x.fma(bt, t2);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + QUERIES + 3]);
            s3 = x.fma(bs, s3);
            t3 = x.fma(bt, t3);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + QUERIES + 4]);
            s4 = x.fma(bs, s4);
            t4 = x.fma(bt, t4);
            x = FloatVector.broadcast(SPECIES, a[a0 + l * QUERIES + QUERIES + 5]);
            s5 = x.fma(bs, s5);
            t5 = x.fma(bt, t5);
        }
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

    /** {@link #rows} for a narrow tile. */
    static void narrowRows(float[] c, int c0, int cStride, float[] a, int a0, float[] b, int b0, int count) {
        int c1 = c0 + cStride;
        int c2 = c1 + cStride;
        int c3 = c2 + cStride;
        int c4 = c3 + cStride;
        int c5 = c4 + cStride;
        int c6 = c5 + cStride;
        int c7 = c6 + cStride;
        int c8 = c7 + cStride;
        int c9 = c8 + cStride;
        int c10 = c9 + cStride;
        int c11 = c10 + cStride;
        int a1 = a0 + QUERIES;
        int a2 = a1 + QUERIES;
        int a3 = a2 + QUERIES;
        int a4 = a3 + QUERIES;
        int a5 = a4 + QUERIES;
        int a6 = a5 + QUERIES;
        int a7 = a6 + QUERIES;
        int a8 = a7 + QUERIES;
        int a9 = a8 + QUERIES;
        int a10 = a9 + QUERIES;
        int a11 = a10 + QUERIES;
        FloatVector s0 = FloatVector.fromArray(SPECIES, c, c0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, c, c1);
        FloatVector s2 = FloatVector.fromArray(SPECIES, c, c2);
        FloatVector s3 = FloatVector.fromArray(SPECIES, c, c3);
        FloatVector s4 = FloatVector.fromArray(SPECIES, c, c4);
        FloatVector s5 = FloatVector.fromArray(SPECIES, c, c5);
        FloatVector s6 = FloatVector.fromArray(SPECIES, c, c6);
        FloatVector s7 = FloatVector.fromArray(SPECIES, c, c7);
        FloatVector s8 = FloatVector.fromArray(SPECIES, c, c8);
        FloatVector s9 = FloatVector.fromArray(SPECIES, c, c9);
        FloatVector s10 = FloatVector.fromArray(SPECIES, c, c10);
        FloatVector s11 = FloatVector.fromArray(SPECIES, c, c11);
        for (int l = 0; l < count; l++) {
            FloatVector bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS);
            FloatVector x = FloatVector.broadcast(SPECIES, a[a0 + l]);
            s0 = x.fma(bs, s0);
            x = FloatVector.broadcast(SPECIES, a[a1 + l]);
            s1 = x.fma(bs, s1);
            x = FloatVector.broadcast(SPECIES, a[a2 + l]);
            s2 = x.fma(bs, s2);
            x = FloatVector.broadcast(SPECIES, a[a3 + l]);
            s3 = x.fma(bs, s3);
            x = FloatVector.broadcast(SPECIES, a[a4 + l]);
            s4 = x.fma(bs, s4);
            x = FloatVector.broadcast(SPECIES, a[a5 + l]);
            s5 = x.fma(bs, s5);
            x = FloatVector.broadcast(SPECIES, a[a6 + l]);
            s6 = x.fma(bs, s6);
            x = FloatVector.broadcast(SPECIES, a[a7 + l]);
            s7 = x.fma(bs, s7);
            x = FloatVector.broadcast(SPECIES, a[a8 + l]);
            s8 = x.fma(bs, s8);
            x = FloatVector.broadcast(SPECIES, a[a9 + l]);
            s9 = x.fma(bs, s9);
            x = FloatVector.broadcast(SPECIES, a[a10 + l]);
            s10 = x.fma(bs, s10);
            x = FloatVector.broadcast(SPECIES, a[a11 + l]);
            s11 = x.fma(bs, s11);
        }
        s0.intoArray(c, c0);
        s1.intoArray(c, c1);
        s2.intoArray(c, c2);
        s3.intoArray(c, c3);
        s4.intoArray(c, c4);
        s5.intoArray(c, c5);
        s6.intoArray(c, c6);
        s7.intoArray(c, c7);
        s8.intoArray(c, c8);
        s9.intoArray(c, c9);
        s10.intoArray(c, c10);
        s11.intoArray(c, c11);
    }

    /** {@link #columns} for a narrow tile. */
    static void narrowColumns(
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
            float[] a,
            int a0,
            float[] b,
            int b0,
            int count) {
        int start1 = start0 + startStride;
        int start2 = start1 + startStride;
        int start3 = start2 + startStride;
        int start4 = start3 + startStride;
        int start5 = start4 + startStride;
        int start6 = start5 + startStride;
        int start7 = start6 + startStride;
        int start8 = start7 + startStride;
        int start9 = start8 + startStride;
        int start10 = start9 + startStride;
        int start11 = start10 + startStride;
        int c1 = c0 + cStride;
        int c2 = c1 + cStride;
        int c3 = c2 + cStride;
        int c4 = c3 + cStride;
        int c5 = c4 + cStride;
        int c6 = c5 + cStride;
        int c7 = c6 + cStride;
        int c8 = c7 + cStride;
        int c9 = c8 + cStride;
        int c10 = c9 + cStride;
        int c11 = c10 + cStride;
        FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, start, start1);
        FloatVector s2 = FloatVector.fromArray(SPECIES, start, start2);
        FloatVector s3 = FloatVector.fromArray(SPECIES, start, start3);
        FloatVector s4 = FloatVector.fromArray(SPECIES, start, start4);
        FloatVector s5 = FloatVector.fromArray(SPECIES, start, start5);
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start6);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start7);
        FloatVector s8 = FloatVector.fromArray(SPECIES, start, start8);
        FloatVector s9 = FloatVector.fromArray(SPECIES, start, start9);
        FloatVector s10 = FloatVector.fromArray(SPECIES, start, start10);
        FloatVector s11 = FloatVector.fromArray(SPECIES, start, start11);
        for (int l = 0; l < count; l++) {
            FloatVector bs = FloatVector.fromArray(SPECIES, b, b0 + l * COLUMNS);
            int at = a0 + l * QUERIES;
            FloatVector x = FloatVector.broadcast(SPECIES, a[at]);
            s0 = x.fma(bs, s0);
            x = FloatVector.broadcast(SPECIES, a[at + 1]);
            s1 = x.fma(bs, s1);
            x = FloatVector.broadcast(SPECIES, a[at + 2]);
            s2 = x.fma(bs, s2);
            x = FloatVector.broadcast(SPECIES, a[at + 3]);
            s3 = x.fma(bs, s3);
            x = FloatVector.broadcast(SPECIES, a[at + 4]);
            s4 = x.fma(bs, s4);
            x = FloatVector.broadcast(SPECIES, a[at + 5]);
            s5 = x.fma(bs, s5);
            x = FloatVector.broadcast(SPECIES, a[at + 6]);
            s6 = x.fma(bs, s6);
            x = FloatVector.broadcast(SPECIES, a[at + 7]);
            s7 = x.fma(bs, s7);
            x = FloatVector.broadcast(SPECIES, a[at + 8]);
            s8 = x.fma(bs, s8);
            x = FloatVector.broadcast(SPECIES, a[at + 9]);
            s9 = x.fma(bs, s9);
            x = FloatVector.broadcast(SPECIES, a[at + 10]);
            s10 = x.fma(bs, s10);
            x = FloatVector.broadcast(SPECIES, a[at + 11]);
            s11 = x.fma(bs, s11);
        }
        s0.intoArray(c, c0);
        s1.intoArray(c, c1);
        s2.intoArray(c, c2);
        s3.intoArray(c, c3);
        s4.intoArray(c, c4);
        s5.intoArray(c, c5);
        s6.intoArray(c, c6);
        s7.intoArray(c, c7);
        s8.intoArray(c, c8);
        s9.intoArray(c, c9);
        s10.intoArray(c, c10);
        s11.intoArray(c, c11);
    }
}
