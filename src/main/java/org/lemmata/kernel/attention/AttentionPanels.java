package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.TileAttention.COLUMNS;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The right operand of a product: rows of one head, identity terms as further columns, in panels of
 * {@link TileAttention#COLUMNS} columns, the last of them narrow if no more than a vector is left.
 *
 * <p>One object serves one thread; its array grows to the largest head seen, and stays.
 */
public final class AttentionPanels {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private float[] data = {};
    private int height;
    private int width;

    /**
     * Takes {@code rows} rows of a head from {@code position} on; what stands behind their last column becomes 0.
     *
     * @param newHeight rows of a panel, at least {@code rows}
     * @param matrix with columns of all heads
     * @param tokens of the identity terms
     */
    public void pack(int newHeight, AttentionUnit unit, float[] matrix, float[] tokens, int position, int rows) {
        int headWidth = unit.shape().headWidth();
        int tokenWidth = unit.shape().identityWidth();
        height = newHeight;
        width = headWidth + tokenWidth;
        data = atLeast(data, height * paddedWidth(width));
        pack(0, matrix, unit.at(position), unit.shape().width(), rows, headWidth);
        if (tokenWidth > 0) {
            pack(headWidth, tokens, unit.tokenAt(position), tokenWidth, rows, tokenWidth);
        }
    }

    private void pack(int column, float[] source, int at, int stride, int rows, int columns) {
        int end = column + columns;
        for (int panel = 0; panel < width; panel += COLUMNS) {
            int panelStride = panelStride(panel);
            int first = Math.max(panel, column);
            int count = Math.min(panel + panelStride, end) - first;
            if (count > 0) {
                int zeros = end == width ? Math.max(0, panel + panelStride - end) : 0;
                int to = panel * height + first - panel;
                AttentionPacking.copyRows(
                        data, to, panelStride, source, at + first - column, stride, rows, count, zeros);
            }
        }
    }

    float[] data() {
        return data;
    }

    int width() {
        return width;
    }

    /** Elements from one row to the next of the panel that begins with a column. */
    int panelStride(int column) {
        return width - column > LANES ? COLUMNS : LANES;
    }

    /** Where a row of the panel begins that begins with a column. */
    int at(int row, int column) {
        return column * height + row * panelStride(column);
    }

    /** Whether rows {@code row} ... {@code row + rows - 1} are finite, and so times 0 is 0. */
    public boolean isFinite(int row, int rows) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int column = 0; column < width; column += COLUMNS) {
            int from = at(row, column);
            for (int at = from; at < from + rows * panelStride(column); at += LANES) {
                sum = FloatVector.fromArray(SPECIES, data, at).fma(FloatVector.zero(SPECIES), sum);
            }
        }
        return sum.compare(VectorOperators.EQ, 0f).allTrue();
    }
}
