package org.lemmata.kernel.matmul;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Twelve rows of two vectors of C, with all 24 sums in registers. Needs 32 registers, as in AVX-512.
 *
 * <p>A step of the inner index loads two vectors of B and twelve elements of A for 24 multiply-adds. The second vector
 * begins {@code second} columns after the first, in C, in the start and in B. If a panel is narrower than two vectors,
 * the vectors overlap. The overlap is computed twice, with the same bits, because all of the start is read before C is
 * written.
 *
 * <p>The sums start from {@code start}, with row i at {@code start0 + i * startStride}. To add to C, pass C itself; to
 * start every row from zeros or biases, pass one row with stride 0.
 */
public final class Tile12x2 {

    static final int ROWS = 12;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private Tile12x2() {}

    /** C tile = start + A B, with a_il at {@code a0 + i * aStride + l} and b_lj at {@code b0 + l * bStep + j}. */
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
            int k) {
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
        FloatVector s5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride);
        FloatVector t5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride + second);
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start0 + 6 * startStride);
        FloatVector t6 = FloatVector.fromArray(SPECIES, start, start0 + 6 * startStride + second);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start0 + 7 * startStride);
        FloatVector t7 = FloatVector.fromArray(SPECIES, start, start0 + 7 * startStride + second);
        FloatVector s8 = FloatVector.fromArray(SPECIES, start, start0 + 8 * startStride);
        FloatVector t8 = FloatVector.fromArray(SPECIES, start, start0 + 8 * startStride + second);
        FloatVector s9 = FloatVector.fromArray(SPECIES, start, start0 + 9 * startStride);
        FloatVector t9 = FloatVector.fromArray(SPECIES, start, start0 + 9 * startStride + second);
        FloatVector s10 = FloatVector.fromArray(SPECIES, start, start0 + 10 * startStride);
        FloatVector t10 = FloatVector.fromArray(SPECIES, start, start0 + 10 * startStride + second);
        FloatVector s11 = FloatVector.fromArray(SPECIES, start, start0 + 11 * startStride);
        FloatVector t11 = FloatVector.fromArray(SPECIES, start, start0 + 11 * startStride + second);
        for (int l = 0; l < k; l++) {
            int bAt = b0 + l * bStep;
            FloatVector bs = FloatVector.fromArray(SPECIES, b, bAt);
            FloatVector bt = FloatVector.fromArray(SPECIES, b, bAt + second);
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
            ai = FloatVector.broadcast(SPECIES, a[a0 + 6 * aStride + l]);
            s6 = ai.fma(bs, s6);
            t6 = ai.fma(bt, t6);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 7 * aStride + l]);
            s7 = ai.fma(bs, s7);
            t7 = ai.fma(bt, t7);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 8 * aStride + l]);
            s8 = ai.fma(bs, s8);
            t8 = ai.fma(bt, t8);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 9 * aStride + l]);
            s9 = ai.fma(bs, s9);
            t9 = ai.fma(bt, t9);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 10 * aStride + l]);
            s10 = ai.fma(bs, s10);
            t10 = ai.fma(bt, t10);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 11 * aStride + l]);
            s11 = ai.fma(bs, s11);
            t11 = ai.fma(bt, t11);
        }
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
        s5.intoArray(c, c0 + 5 * cStride);
        t5.intoArray(c, c0 + 5 * cStride + second);
        s6.intoArray(c, c0 + 6 * cStride);
        t6.intoArray(c, c0 + 6 * cStride + second);
        s7.intoArray(c, c0 + 7 * cStride);
        t7.intoArray(c, c0 + 7 * cStride + second);
        s8.intoArray(c, c0 + 8 * cStride);
        t8.intoArray(c, c0 + 8 * cStride + second);
        s9.intoArray(c, c0 + 9 * cStride);
        t9.intoArray(c, c0 + 9 * cStride + second);
        s10.intoArray(c, c0 + 10 * cStride);
        t10.intoArray(c, c0 + 10 * cStride + second);
        s11.intoArray(c, c0 + 11 * cStride);
        t11.intoArray(c, c0 + 11 * cStride + second);
    }

    /** C tile = start + Aᵀ B, with a_li at {@code a0 + l * aStep + i} and b_lj at {@code b0 + l * bStep + j}. */
    public static void columns(
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
            int second,
            float[] a,
            int a0,
            int aStep,
            float[] b,
            int b0,
            int bStep,
            int k) {
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
        FloatVector s5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride);
        FloatVector t5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride + second);
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start0 + 6 * startStride);
        FloatVector t6 = FloatVector.fromArray(SPECIES, start, start0 + 6 * startStride + second);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start0 + 7 * startStride);
        FloatVector t7 = FloatVector.fromArray(SPECIES, start, start0 + 7 * startStride + second);
        FloatVector s8 = FloatVector.fromArray(SPECIES, start, start0 + 8 * startStride);
        FloatVector t8 = FloatVector.fromArray(SPECIES, start, start0 + 8 * startStride + second);
        FloatVector s9 = FloatVector.fromArray(SPECIES, start, start0 + 9 * startStride);
        FloatVector t9 = FloatVector.fromArray(SPECIES, start, start0 + 9 * startStride + second);
        FloatVector s10 = FloatVector.fromArray(SPECIES, start, start0 + 10 * startStride);
        FloatVector t10 = FloatVector.fromArray(SPECIES, start, start0 + 10 * startStride + second);
        FloatVector s11 = FloatVector.fromArray(SPECIES, start, start0 + 11 * startStride);
        FloatVector t11 = FloatVector.fromArray(SPECIES, start, start0 + 11 * startStride + second);
        for (int l = 0; l < k; l++) {
            int bAt = b0 + l * bStep;
            FloatVector bs = FloatVector.fromArray(SPECIES, b, bAt);
            FloatVector bt = FloatVector.fromArray(SPECIES, b, bAt + second);
            int aAt = a0 + l * aStep;
            FloatVector ai = FloatVector.broadcast(SPECIES, a[aAt]);
            s0 = ai.fma(bs, s0);
            t0 = ai.fma(bt, t0);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 1]);
            s1 = ai.fma(bs, s1);
            t1 = ai.fma(bt, t1);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 2]);
            s2 = ai.fma(bs, s2);
            t2 = ai.fma(bt, t2);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 3]);
            s3 = ai.fma(bs, s3);
            t3 = ai.fma(bt, t3);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 4]);
            s4 = ai.fma(bs, s4);
            t4 = ai.fma(bt, t4);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 5]);
            s5 = ai.fma(bs, s5);
            t5 = ai.fma(bt, t5);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 6]);
            s6 = ai.fma(bs, s6);
            t6 = ai.fma(bt, t6);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 7]);
            s7 = ai.fma(bs, s7);
            t7 = ai.fma(bt, t7);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 8]);
            s8 = ai.fma(bs, s8);
            t8 = ai.fma(bt, t8);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 9]);
            s9 = ai.fma(bs, s9);
            t9 = ai.fma(bt, t9);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 10]);
            s10 = ai.fma(bs, s10);
            t10 = ai.fma(bt, t10);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 11]);
            s11 = ai.fma(bs, s11);
            t11 = ai.fma(bt, t11);
        }
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
        s5.intoArray(c, c0 + 5 * cStride);
        t5.intoArray(c, c0 + 5 * cStride + second);
        s6.intoArray(c, c0 + 6 * cStride);
        t6.intoArray(c, c0 + 6 * cStride + second);
        s7.intoArray(c, c0 + 7 * cStride);
        t7.intoArray(c, c0 + 7 * cStride + second);
        s8.intoArray(c, c0 + 8 * cStride);
        t8.intoArray(c, c0 + 8 * cStride + second);
        s9.intoArray(c, c0 + 9 * cStride);
        t9.intoArray(c, c0 + 9 * cStride + second);
        s10.intoArray(c, c0 + 10 * cStride);
        t10.intoArray(c, c0 + 10 * cStride + second);
        s11.intoArray(c, c0 + 11 * cStride);
        t11.intoArray(c, c0 + 11 * cStride + second);
    }
}
