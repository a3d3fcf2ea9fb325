package org.lemmata.kernel.matmul;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Twelve rows of two vectors of C, all 24 sums being held in registers: for 32 registers, as AVX-512 has.
 *
 * <p>A step of the inner index loads two vectors of B and twelve elements of A for 24 multiply-adds. The second vector
 * lies {@code second} columns after the first, in C, in the start and in B alike; where C is narrower than two vectors
 * they overlap: what is computed twice gives the same bits twice, and every start is read before C is written.
 *
 * <p>The sums start from {@code start}: row i at {@code start0 + i * startStride}. That is C itself to add to it, a row
 * of zeros or a row of biases with stride 0.
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
        int a1 = a0 + aStride;
        int a2 = a1 + aStride;
        int a3 = a2 + aStride;
        int a4 = a3 + aStride;
        int a5 = a4 + aStride;
        int a6 = a5 + aStride;
        int a7 = a6 + aStride;
        int a8 = a7 + aStride;
        int a9 = a8 + aStride;
        int a10 = a9 + aStride;
        int a11 = a10 + aStride;
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
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start6);
        FloatVector t6 = FloatVector.fromArray(SPECIES, start, start6 + second);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start7);
        FloatVector t7 = FloatVector.fromArray(SPECIES, start, start7 + second);
        FloatVector s8 = FloatVector.fromArray(SPECIES, start, start8);
        FloatVector t8 = FloatVector.fromArray(SPECIES, start, start8 + second);
        FloatVector s9 = FloatVector.fromArray(SPECIES, start, start9);
        FloatVector t9 = FloatVector.fromArray(SPECIES, start, start9 + second);
        FloatVector s10 = FloatVector.fromArray(SPECIES, start, start10);
        FloatVector t10 = FloatVector.fromArray(SPECIES, start, start10 + second);
        FloatVector s11 = FloatVector.fromArray(SPECIES, start, start11);
        FloatVector t11 = FloatVector.fromArray(SPECIES, start, start11 + second);
        for (int l = 0; l < k; l++) {
            int bAt = b0 + l * bStep;
            FloatVector bs = FloatVector.fromArray(SPECIES, b, bAt);
            FloatVector bt = FloatVector.fromArray(SPECIES, b, bAt + second);
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
            ai = FloatVector.broadcast(SPECIES, a[a6 + l]);
            s6 = ai.fma(bs, s6);
            t6 = ai.fma(bt, t6);
            ai = FloatVector.broadcast(SPECIES, a[a7 + l]);
            s7 = ai.fma(bs, s7);
            t7 = ai.fma(bt, t7);
            ai = FloatVector.broadcast(SPECIES, a[a8 + l]);
            s8 = ai.fma(bs, s8);
            t8 = ai.fma(bt, t8);
            ai = FloatVector.broadcast(SPECIES, a[a9 + l]);
            s9 = ai.fma(bs, s9);
            t9 = ai.fma(bt, t9);
            ai = FloatVector.broadcast(SPECIES, a[a10 + l]);
            s10 = ai.fma(bs, s10);
            t10 = ai.fma(bt, t10);
            ai = FloatVector.broadcast(SPECIES, a[a11 + l]);
            s11 = ai.fma(bs, s11);
            t11 = ai.fma(bt, t11);
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
        s6.intoArray(c, c6);
        t6.intoArray(c, c6 + second);
        s7.intoArray(c, c7);
        t7.intoArray(c, c7 + second);
        s8.intoArray(c, c8);
        t8.intoArray(c, c8 + second);
        s9.intoArray(c, c9);
        t9.intoArray(c, c9 + second);
        s10.intoArray(c, c10);
        t10.intoArray(c, c10 + second);
        s11.intoArray(c, c11);
        t11.intoArray(c, c11 + second);
    }

    /** C tile = start + Aᵀ B, with a_li at {@code a0 + l * aStep + i} and b_lj at {@code b0 + l * bStep + j}. */
    static void columns(
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
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start6);
        FloatVector t6 = FloatVector.fromArray(SPECIES, start, start6 + second);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start7);
        FloatVector t7 = FloatVector.fromArray(SPECIES, start, start7 + second);
        FloatVector s8 = FloatVector.fromArray(SPECIES, start, start8);
        FloatVector t8 = FloatVector.fromArray(SPECIES, start, start8 + second);
        FloatVector s9 = FloatVector.fromArray(SPECIES, start, start9);
        FloatVector t9 = FloatVector.fromArray(SPECIES, start, start9 + second);
        FloatVector s10 = FloatVector.fromArray(SPECIES, start, start10);
        FloatVector t10 = FloatVector.fromArray(SPECIES, start, start10 + second);
        FloatVector s11 = FloatVector.fromArray(SPECIES, start, start11);
        FloatVector t11 = FloatVector.fromArray(SPECIES, start, start11 + second);
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
        s6.intoArray(c, c6);
        t6.intoArray(c, c6 + second);
        s7.intoArray(c, c7);
        t7.intoArray(c, c7 + second);
        s8.intoArray(c, c8);
        t8.intoArray(c, c8 + second);
        s9.intoArray(c, c9);
        t9.intoArray(c, c9 + second);
        s10.intoArray(c, c10);
        t10.intoArray(c, c10 + second);
        s11.intoArray(c, c11);
        t11.intoArray(c, c11 + second);
    }
}
