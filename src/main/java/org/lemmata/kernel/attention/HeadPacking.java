package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.TileAttention.COLUMNS;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.Panels;

/**
 * Packs rows for {@link ShortProducts}: the heads of a row, which lie one after the other, come to lie in the lanes.
 */
final class HeadPacking {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    // The halves of two vectors whose elements come by turns.
    private static final VectorShuffle<Float> LOW = VectorShuffle.fromOp(SPECIES, lane -> lane % 2 * LANES + lane / 2);
    private static final VectorShuffle<Float> HIGH =
            VectorShuffle.fromOp(SPECIES, lane -> lane % 2 * LANES + lane / 2 + LANES / 2);

    /** A square whose elements are transposed by two turns of {@link #interleaveFour}. */
    private static final int SQUARE = 16;

    private final float[] half = new float[SQUARE * SQUARE];

    /** The heads of a unit and behind it in a matrix of rows of all heads. */
    void pack(float[] packed, AttentionUnit unit, float[] matrix, int heads) {
        int columns = unit.shape().headWidth();
        for (int i = 0; i < unit.length(); i++) {
            int to = ShortProducts.row(i, columns);
            if (heads == SQUARE && LANES == SQUARE) {
                packSquares(packed, to, matrix, unit.at(i), columns);
            } else {
                Panels.packVectors(packed, to, matrix, unit.at(i), columns, heads, columns);
            }
        }
    }

    private void packSquares(float[] packed, int to, float[] matrix, int at, int columns) {
        for (int d = 0; d < columns; d += SQUARE) {
            for (int r = 0; r < 4; r++) {
                interleaveFour(half, 4 * r * SQUARE, SQUARE, matrix, at + r * columns + d, 4 * columns);
            }
            for (int r = 0; r < 4; r++) {
                interleaveFour(packed, to + (d + 4 * r) * COLUMNS, COLUMNS, half, r * SQUARE, 4 * SQUARE);
            }
        }
    }

    /** Four vectors of which the elements of four others come by turns. */
    private static void interleaveFour(float[] to, int toAt, int toStride, float[] from, int at, int stride) {
        FloatVector row0 = FloatVector.fromArray(SPECIES, from, at);
        FloatVector row1 = FloatVector.fromArray(SPECIES, from, at + stride);
        FloatVector row2 = FloatVector.fromArray(SPECIES, from, at + 2 * stride);
        FloatVector row3 = FloatVector.fromArray(SPECIES, from, at + 3 * stride);
        FloatVector low02 = row0.rearrange(LOW, row2);
        FloatVector low13 = row1.rearrange(LOW, row3);
        FloatVector high02 = row0.rearrange(HIGH, row2);
        FloatVector high13 = row1.rearrange(HIGH, row3);
        low02.rearrange(LOW, low13).intoArray(to, toAt);
        low02.rearrange(HIGH, low13).intoArray(to, toAt + toStride);
        high02.rearrange(LOW, high13).intoArray(to, toAt + 2 * toStride);
        high02.rearrange(HIGH, high13).intoArray(to, toAt + 3 * toStride);
    }

    /** Rows of tokens, which every head has alike. */
    static void packTokens(float[] packed, AttentionUnit unit, float[] matrix) {
        int width = unit.shape().identityWidth();
        for (int i = 0; i < unit.length(); i++) {
            int to = ShortProducts.row(i, width);
            for (int d = 0; d < width; d++) {
                FloatVector.broadcast(SPECIES, matrix[unit.tokenAt(i) + d]).intoArray(packed, to + d * COLUMNS);
            }
        }
    }
}
