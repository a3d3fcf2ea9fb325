package org.lemmata.kernel.matmul;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Twelve rows of one vector of C, for the odd vector of a width: all of C where that is as narrow as a vector.
 * {@link Tile1x1} takes its place over sixteen steps.
 *
 * <p>Each multiply-add has a load of its own, so that this tile runs at the pace of loads. The start is that of
 * {@link Tile12x2}.
 */
public final class Tile12x1 {

    static final int ROWS = 12;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private Tile12x1() {}

    /** C tile = start + A B, with a_il at {@code a0 + i * aStride + l} and b_lj at {@code b0 + l * bStep + j}. */
    public static void rows(
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
        for (int l = 0; l < k; l++) {
            int bAt = b0 + l * bStep;
            FloatVector bs = FloatVector.fromArray(SPECIES, b, bAt);
            FloatVector ai = FloatVector.broadcast(SPECIES, a[a0 + l]);
            s0 = ai.fma(bs, s0);
            ai = FloatVector.broadcast(SPECIES, a[a1 + l]);
            s1 = ai.fma(bs, s1);
            ai = FloatVector.broadcast(SPECIES, a[a2 + l]);
            s2 = ai.fma(bs, s2);
            ai = FloatVector.broadcast(SPECIES, a[a3 + l]);
            s3 = ai.fma(bs, s3);
            ai = FloatVector.broadcast(SPECIES, a[a4 + l]);
            s4 = ai.fma(bs, s4);
            ai = FloatVector.broadcast(SPECIES, a[a5 + l]);
            s5 = ai.fma(bs, s5);
            ai = FloatVector.broadcast(SPECIES, a[a6 + l]);
            s6 = ai.fma(bs, s6);
            ai = FloatVector.broadcast(SPECIES, a[a7 + l]);
            s7 = ai.fma(bs, s7);
            ai = FloatVector.broadcast(SPECIES, a[a8 + l]);
            s8 = ai.fma(bs, s8);
            ai = FloatVector.broadcast(SPECIES, a[a9 + l]);
            s9 = ai.fma(bs, s9);
            ai = FloatVector.broadcast(SPECIES, a[a10 + l]);
            s10 = ai.fma(bs, s10);
            ai = FloatVector.broadcast(SPECIES, a[a11 + l]);
            s11 = ai.fma(bs, s11);
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

    /** C tile = start + Aᵀ B, with a_li at {@code a0 + l * aStep + i} and b_lj at {@code b0 + l * bStep + j}. */
    static void columns(
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
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
        for (int l = 0; l < k; l++) {
            int bAt = b0 + l * bStep;
            FloatVector bs = FloatVector.fromArray(SPECIES, b, bAt);
            int aAt = a0 + l * aStep;
            FloatVector ai = FloatVector.broadcast(SPECIES, a[aAt]);
            s0 = ai.fma(bs, s0);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 1]);
            s1 = ai.fma(bs, s1);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 2]);
            s2 = ai.fma(bs, s2);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 3]);
            s3 = ai.fma(bs, s3);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 4]);
            s4 = ai.fma(bs, s4);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 5]);
            s5 = ai.fma(bs, s5);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 6]);
            s6 = ai.fma(bs, s6);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 7]);
            s7 = ai.fma(bs, s7);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 8]);
            s8 = ai.fma(bs, s8);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 9]);
            s9 = ai.fma(bs, s9);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 10]);
            s10 = ai.fma(bs, s10);
            ai = FloatVector.broadcast(SPECIES, a[aAt + 11]);
            s11 = ai.fma(bs, s11);
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
