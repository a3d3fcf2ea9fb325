package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.TileAttention.COLUMNS;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.Panels;

/**
 * The right operand of a product: rows of one head or their transpose, with identity terms as additional columns.
 *
 * <p>Each object serves one thread and keeps its arrays, which grow to the largest head so far.
 */
final class AttentionPanels {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    final Panels panels = new Panels();

    private float[] joined = {};

    /**
     * Packs {@code rows} rows of a head from {@code position} on. {@code matrix} has the columns of all heads;
     * {@code tokens} has the identity columns.
     */
    void pack(AttentionUnit unit, float[] matrix, float[] tokens, int position, int rows) {
        AttentionShape shape = unit.shape();
        if (shape.identityWidth() == 0) {
            panels.pack(matrix, unit.at(position), shape.width(), rows, shape.headWidth());
        } else {
            int width = join(unit, matrix, tokens, position, rows);
            panels.pack(joined, 0, width, rows, width);
        }
    }

    /** Packs the transpose of the rows that {@link #pack} packs. */
    void packTransposed(AttentionUnit unit, float[] matrix, float[] tokens, int position, int rows) {
        AttentionShape shape = unit.shape();
        if (shape.identityWidth() == 0) {
            panels.packTransposed(matrix, unit.at(position), shape.width(), shape.headWidth(), rows);
        } else {
            int width = join(unit, matrix, tokens, position, rows);
            panels.packTransposed(joined, 0, width, width, rows);
        }
    }

    private int join(AttentionUnit unit, float[] matrix, float[] tokens, int position, int rows) {
        int width = unit.shape().headWidth() + unit.shape().identityWidth();
        joined = AttentionPacking.atLeast(joined, rows * width);
        AttentionPacking.packRows(joined, unit, matrix, tokens, position, rows, 1);
        return width;
    }

    void scale(float factor) {
        float[] data = panels.data();
        for (int at = 0; at < panels.size(); at++) {
            data[at] *= factor;
        }
    }

    /**
     * Whether rows {@code row} ... {@code row + rows - 1} are all finite, so that 0 times any of their elements is 0.
     */
    boolean isFinite(int row, int rows) {
        float[] data = panels.data();
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int column = 0, width; column < panels.columns(); column += width) {
            width = panels.width(column);
            int second = Math.max(0, width - LANES);
            int from = panels.at(column) + row * COLUMNS;
            for (int at = from; at < from + rows * COLUMNS; at += COLUMNS) {
                sum = FloatVector.fromArray(SPECIES, data, at).fma(FloatVector.zero(SPECIES), sum);
                sum = FloatVector.fromArray(SPECIES, data, at + second).fma(FloatVector.zero(SPECIES), sum);
            }
        }
        return sum.compare(VectorOperators.EQ, 0f).allTrue();
    }
}
