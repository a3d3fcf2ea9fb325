package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.Tile6x2;

/**
 * C = A B or C += A B for a tile of C with {@link #ROWS} rows of two vectors, whose sums stay in registers. A is read
 * transposed. Other products of attention use the tiles of {@code kernel.matmul}.
 *
 * <p>Eight sums would suffice to hide the latency (4 cycles) of two multiply-add units; twelve still fit in 16
 * registers together with the operands.
 *
 * <p>Each sum runs over l = 0 ... count - 1 in ascending order, each step a fused multiply-add, from +0 or from the old
 * C. B is a panel, with row l at {@code b0 + l * COLUMNS}; because this stride is constant, the loop needs no bounds
 * checks. Row r of C is at {@code c0 + r * cStride}.
 */
public final class TileAttention {

    static final int ROWS = 6;

    static final int NARROW_ROWS = 12;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** The number of columns of a narrow tile. */
    public static final int LANES = SPECIES.length();

    /** The number of columns of a tile. */
    static final int COLUMNS = 2 * LANES;

    static final float[] ZEROS = new float[COLUMNS];

    private TileAttention() {}

    /**
     * C = start + A B, with a_rl at {@code a0 + l * QUERIES + r}. To compute C += A B, {@code start} is C; to compute C
     * = A B, it is {@link #ZEROS} with a stride of 0.
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
            int last = a0 + even * QUERIES;
            int row = b0 + even * COLUMNS;
            Tile6x2.rows(c, c0, cStride, c, c0, cStride, LANES, a, last, 1, b, row, COLUMNS, ROWS, 1);
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
            // This branch is never taken. It limits how much code the compiler schedules together, as in Tile6x2.
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
}
