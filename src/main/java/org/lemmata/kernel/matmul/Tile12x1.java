package org.lemmata.kernel.matmul;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * A tile of C with twelve rows, one vector wide, for products whose width is an odd number of vectors. With 32
 * registers, {@link Tile1x1} replaces it in products A B of depth sixteen.
 *
 * <p>Each multiply-add needs a load, so loads limit the speed of this tile. {@link Tile12x2} explains {@code start}.
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
        FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, start, start0 + startStride);
        FloatVector s2 = FloatVector.fromArray(SPECIES, start, start0 + 2 * startStride);
        FloatVector s3 = FloatVector.fromArray(SPECIES, start, start0 + 3 * startStride);
        FloatVector s4 = FloatVector.fromArray(SPECIES, start, start0 + 4 * startStride);
        FloatVector s5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride);
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start0 + 6 * startStride);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start0 + 7 * startStride);
        FloatVector s8 = FloatVector.fromArray(SPECIES, start, start0 + 8 * startStride);
        FloatVector s9 = FloatVector.fromArray(SPECIES, start, start0 + 9 * startStride);
        FloatVector s10 = FloatVector.fromArray(SPECIES, start, start0 + 10 * startStride);
        FloatVector s11 = FloatVector.fromArray(SPECIES, start, start0 + 11 * startStride);
        for (int l = 0; l < k; l++) {
            int bAt = b0 + l * bStep;
            FloatVector bs = FloatVector.fromArray(SPECIES, b, bAt);
            FloatVector ai = FloatVector.broadcast(SPECIES, a[a0 + l]);
            s0 = ai.fma(bs, s0);
            ai = FloatVector.broadcast(SPECIES, a[a0 + aStride + l]);
            s1 = ai.fma(bs, s1);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 2 * aStride + l]);
            s2 = ai.fma(bs, s2);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 3 * aStride + l]);
            s3 = ai.fma(bs, s3);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 4 * aStride + l]);
            s4 = ai.fma(bs, s4);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 5 * aStride + l]);
            s5 = ai.fma(bs, s5);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 6 * aStride + l]);
            s6 = ai.fma(bs, s6);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 7 * aStride + l]);
            s7 = ai.fma(bs, s7);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 8 * aStride + l]);
            s8 = ai.fma(bs, s8);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 9 * aStride + l]);
            s9 = ai.fma(bs, s9);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 10 * aStride + l]);
            s10 = ai.fma(bs, s10);
            ai = FloatVector.broadcast(SPECIES, a[a0 + 11 * aStride + l]);
            s11 = ai.fma(bs, s11);
        }
        s0.intoArray(c, c0);
        s1.intoArray(c, c0 + cStride);
        s2.intoArray(c, c0 + 2 * cStride);
        s3.intoArray(c, c0 + 3 * cStride);
        s4.intoArray(c, c0 + 4 * cStride);
        s5.intoArray(c, c0 + 5 * cStride);
        s6.intoArray(c, c0 + 6 * cStride);
        s7.intoArray(c, c0 + 7 * cStride);
        s8.intoArray(c, c0 + 8 * cStride);
        s9.intoArray(c, c0 + 9 * cStride);
        s10.intoArray(c, c0 + 10 * cStride);
        s11.intoArray(c, c0 + 11 * cStride);
    }

    /** C tile = start + Aᵀ B, with a_li at {@code a0 + l * aStep + i} and b_lj at {@code b0 + l * bStep + j}. */
    public static void columns(
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
        FloatVector s0 = FloatVector.fromArray(SPECIES, start, start0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, start, start0 + startStride);
        FloatVector s2 = FloatVector.fromArray(SPECIES, start, start0 + 2 * startStride);
        FloatVector s3 = FloatVector.fromArray(SPECIES, start, start0 + 3 * startStride);
        FloatVector s4 = FloatVector.fromArray(SPECIES, start, start0 + 4 * startStride);
        FloatVector s5 = FloatVector.fromArray(SPECIES, start, start0 + 5 * startStride);
        FloatVector s6 = FloatVector.fromArray(SPECIES, start, start0 + 6 * startStride);
        FloatVector s7 = FloatVector.fromArray(SPECIES, start, start0 + 7 * startStride);
        FloatVector s8 = FloatVector.fromArray(SPECIES, start, start0 + 8 * startStride);
        FloatVector s9 = FloatVector.fromArray(SPECIES, start, start0 + 9 * startStride);
        FloatVector s10 = FloatVector.fromArray(SPECIES, start, start0 + 10 * startStride);
        FloatVector s11 = FloatVector.fromArray(SPECIES, start, start0 + 11 * startStride);
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
        s1.intoArray(c, c0 + cStride);
        s2.intoArray(c, c0 + 2 * cStride);
        s3.intoArray(c, c0 + 3 * cStride);
        s4.intoArray(c, c0 + 4 * cStride);
        s5.intoArray(c, c0 + 5 * cStride);
        s6.intoArray(c, c0 + 6 * cStride);
        s7.intoArray(c, c0 + 7 * cStride);
        s8.intoArray(c, c0 + 8 * cStride);
        s9.intoArray(c, c0 + 9 * cStride);
        s10.intoArray(c, c0 + 10 * cStride);
        s11.intoArray(c, c0 + 11 * cStride);
    }
}
