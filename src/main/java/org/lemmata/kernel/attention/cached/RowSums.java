package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.elementary.Species;

/**
 * Weighted sums of rows, with a column per lane: sum_j w_j row_j, in ascending order of j with fused multiply-adds.
 *
 * <p>Rows are read in whole vectors, so the array must extend to the end of the last vector of the last row.
 */
final class RowSums {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int VECTORS = 4;

    float[] sums = {};

    /** The sum of the weights of the last call of {@link #add}. */
    float total;

    private final float[] totalLanes = new float[LANES];

    /** A copy of the rows of one head, for arrays that end before the last vector of the last row. */
    private float[] padded = {};

    /**
     * Rows of one head that can be read in whole vectors. This is {@code rows} itself, whose first row begins at
     * {@code at}, or a copy with the same stride that begins at element 0.
     */
    float[] readable(float[] rows, int at, int count, AttentionShape shape) {
        int before = (count - 1) * shape.width();
        if (at + before + paddedWidth(shape.headWidth()) <= rows.length) {
            return rows;
        }
        int size = before + shape.headWidth();
        padded = atLeast(padded, size + LANES);
        System.arraycopy(rows, at, padded, 0, size);
        return padded;
    }

    /** Sets the first {@code end} sums to 0. {@code end} must be a multiple of the number of lanes. */
    void clear(int end) {
        sums = atLeast(sums, end);
        Arrays.fill(sums, 0, end, 0);
    }

    /**
     * Adds {@code count} rows, multiplied by {@code weights[from]}, {@code weights[from + 1]} and so on.
     *
     * @param at offset, in {@link #sums}, of the sum of column 0; the sums are padded to whole vectors
     * @param rowsAt offset of column 0 of the first row
     */
    void add(int at, int columns, float[] weights, int from, int count, float[] rows, int rowsAt, int stride) {
        int last = paddedWidth(columns) - LANES;
        for (int column = 0; column < columns; column += VECTORS * LANES) {
            addColumns(at, column, last, weights, from, count, rows, rowsAt, stride);
        }
    }

    /**
     * Sums the four vectors of columns from {@code c0} on, and the weights. If fewer vectors are left, the last is
     * summed repeatedly. Because of the latency, a single chain would take as long as four.
     */
    private void addColumns(
            int at, int c0, int last, float[] weights, int from, int count, float[] rows, int rowsAt, int stride) {
        int c1 = Math.min(c0 + LANES, last);
        int c2 = Math.min(c0 + 2 * LANES, last);
        int c3 = Math.min(c0 + 3 * LANES, last);
        FloatVector s0 = FloatVector.fromArray(SPECIES, sums, at + c0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, sums, at + c1);
        FloatVector s2 = FloatVector.fromArray(SPECIES, sums, at + c2);
        FloatVector s3 = FloatVector.fromArray(SPECIES, sums, at + c3);
        FloatVector sumOfWeights = FloatVector.zero(SPECIES);
        for (int j = 0; j < count; j++) {
            FloatVector weight = FloatVector.broadcast(SPECIES, weights[from + j]);
            int row = rowsAt + j * stride;
            sumOfWeights = sumOfWeights.add(weight);
            s0 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c0), s0);
            s1 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c1), s1);
            s2 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c2), s2);
            s3 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c3), s3);
        }
        s0.intoArray(sums, at + c0);
        s1.intoArray(sums, at + c1);
        s2.intoArray(sums, at + c2);
        s3.intoArray(sums, at + c3);
        sumOfWeights.intoArray(totalLanes, 0);
        total = totalLanes[0];
    }

    void scale(int end, float factor) {
        for (int at = 0; at < end; at += LANES) {
            FloatVector.fromArray(SPECIES, sums, at).mul(factor).intoArray(sums, at);
        }
    }

    /** Divides all sums. Adds 0 first, as {@link org.lemmata.kernel.attention.VectorAttention} does. */
    void divide(int end, float by) {
        for (int at = 0; at < end; at += LANES) {
            FloatVector.fromArray(SPECIES, sums, at).add(0f).div(by).intoArray(sums, at);
        }
    }
}
