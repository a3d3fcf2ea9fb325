package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Rows become lanes, in squares of as many rows as a vector has lanes.
 *
 * <p>An unshuffle, in which the even and the odd elements of rows 2 i and 2 i + 1 become rows i and i + n / 2, is a
 * transpose after log2(n) times. Two go together, through memory: of four rows at a time. Source: Stone (1971), Parallel
 * processing with the perfect shuffle.
 *
 * <p>One object serves one thread.
 */
public final class LaneTranspose {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private static final int QUARTER = LANES / 4;

    private static final VectorShuffle<Float> EVEN = VectorShuffle.makeUnzip(SPECIES, 0);
    private static final VectorShuffle<Float> ODD = VectorShuffle.makeUnzip(SPECIES, 1);

    private final float[] square = new float[LANES * LANES];

    /**
     * Row l of {@code from}, at {@code at + l * stride}, becomes lane l, the last one also those behind: element d of
     * all rows is written at {@code toAt + d * toStride}.
     *
     * @param rows at most as many as a vector has lanes
     * @param columns how many elements of each; at least as many as a vector has lanes
     */
    public void run(float[] to, int toAt, int toStride, float[] from, int at, int stride, int rows, int columns) {
        for (int column = 0; column < columns; column += LANES) {
            // The last square overlaps the one before it.
            int d = Math.min(column, columns - LANES);
            int next = toAt + d * toStride;
            if (LANES == 4) {
                unshuffleTwice(to, next, toStride, from, at + d, stride, rows - 1);
                continue;
            }
            unshuffleTwice(square, 0, LANES, from, at + d, stride, rows - 1);
            if (LANES == 8) {
                unshuffle(to, next, toStride, square);
            } else {
                unshuffleTwice(to, next, toStride, square, 0, LANES, LANES - 1);
            }
        }
    }

    private static void unshuffleTwice(
            float[] to, int toAt, int toStride, float[] from, int at, int stride, int last) {
        for (int i = 0; i < QUARTER; i++) {
            int row = 4 * i;
            FloatVector row0 = FloatVector.fromArray(SPECIES, from, at + Math.min(row, last) * stride);
            FloatVector row1 = FloatVector.fromArray(SPECIES, from, at + Math.min(row + 1, last) * stride);
            FloatVector row2 = FloatVector.fromArray(SPECIES, from, at + Math.min(row + 2, last) * stride);
            FloatVector row3 = FloatVector.fromArray(SPECIES, from, at + Math.min(row + 3, last) * stride);
            FloatVector even01 = row0.rearrange(EVEN, row1);
            FloatVector even23 = row2.rearrange(EVEN, row3);
            FloatVector odd01 = row0.rearrange(ODD, row1);
            FloatVector odd23 = row2.rearrange(ODD, row3);
            int next = toAt + i * toStride;
            even01.rearrange(EVEN, even23).intoArray(to, next);
            odd01.rearrange(EVEN, odd23).intoArray(to, next + QUARTER * toStride);
            even01.rearrange(ODD, even23).intoArray(to, next + 2 * QUARTER * toStride);
            odd01.rearrange(ODD, odd23).intoArray(to, next + 3 * QUARTER * toStride);
        }
    }

    private static void unshuffle(float[] to, int toAt, int toStride, float[] from) {
        for (int i = 0; i < LANES / 2; i++) {
            FloatVector row0 = FloatVector.fromArray(SPECIES, from, 2 * i * LANES);
            FloatVector row1 = FloatVector.fromArray(SPECIES, from, (2 * i + 1) * LANES);
            row0.rearrange(EVEN, row1).intoArray(to, toAt + i * toStride);
            row0.rearrange(ODD, row1).intoArray(to, toAt + (i + LANES / 2) * toStride);
        }
    }
}
