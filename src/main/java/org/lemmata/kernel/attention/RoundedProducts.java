package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import java.util.Arrays;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;

/**
 * The products of a block of queries with keys and with values, and the sums of weights, with every product and every
 * addition rounded. {@link AttentionProducts} computes these products with fused sums. Identity terms are not
 * supported.
 *
 * <p>Queries, values and sums are stored in binary64. Rows are padded to a multiple of {@value #PADDING}, which gives
 * whole vectors at any vector width.
 */
final class RoundedProducts {

    private static final int PADDING = 8;

    private static final int[] NO_WORDS = {};

    /** The transposed queries of a block, with query i and column d at {@code d * QUERIES + i}. */
    private double[] queries = {};

    private double[] values = {};

    /** The weighted sums of values, with a row for each query of a block. */
    private double[] weighted = {};

    private RoundedMultiplyAdd.Space space = space(QUERIES);
    private final double[] row = new double[QUERIES];
    private final double[] totals = new double[QUERIES];
    private float[] keys = {};
    private int keyAt;
    private int keyStride;
    private int width;
    private int stride;

    /** Sets the first {@code rows} keys and values of a head. */
    void setHead(AttentionUnit unit, int rows) {
        AttentionInputs inputs = unit.inputs();
        width = unit.shape().headWidth();
        stride = roundUp(width, PADDING);
        keys = inputs.keys();
        keyStride = unit.shape().width();
        keyAt = unit.at(0);
        values = atLeast(values, rows * stride);
        for (int j = 0; j < rows; j++) {
            for (int d = 0; d < width; d++) {
                values[j * stride + d] = inputs.values()[keyAt + j * keyStride + d];
            }
        }
        queries = atLeast(queries, width * QUERIES);
        weighted = atLeast(weighted, QUERIES * stride);
        space = space.products().length >= stride ? space : space(stride);
    }

    private static RoundedMultiplyAdd.Space space(int length) {
        return new RoundedMultiplyAdd.Space(new double[length], NO_WORDS, NO_WORDS);
    }

    private static double[] atLeast(double[] data, int length) {
        return data.length >= length ? data : new double[length];
    }

    /** Sets the queries of a block, and sets their sums to 0. */
    void setQueries(AttentionUnit unit, int query, int count) {
        for (int i = 0; i < count; i++) {
            for (int d = 0; d < width; d++) {
                queries[d * QUERIES + i] = unit.inputs().queries()[unit.at(query + i) + d];
            }
        }
        Arrays.fill(weighted, 0, count * stride, 0);
        Arrays.fill(totals, 0);
    }

    /**
     * Computes inner products with {@code count} keys from {@code key} on, as {@link AttentionProducts#scores} does.
     */
    void scores(float[] strip, int key, int count, int queryCount, int diagonal, RoundedMultiplyAdd sums) {
        int end = roundUp(queryCount, PADDING);
        for (int j = 0; j < count; j++) {
            int from = Math.max(0, j - diagonal) / PADDING * PADDING;
            int at = keyAt + (key + j) * keyStride;
            Arrays.fill(row, 0);
            for (int d = 0; d < width; d++) {
                addScaled(row, from, keys[at + d], queries, d * QUERIES + from, end - from, sums);
            }
            for (int i = from; i < queryCount; i++) {
                strip[j * QUERIES + i] = (float) row[i];
            }
        }
    }

    private void addScaled(double[] y, int yAt, double a, double[] b, int bAt, int length, RoundedMultiplyAdd sums) {
        sums.add(y, yAt, true, a, b, bAt, length, space);
    }

    /** Adds {@code count} keys from {@code key} on to the sums of weights and values, for the queries that see them. */
    void addToQueries(
            float[] strip,
            int key,
            int count,
            int queryCount,
            int diagonal,
            RoundedMultiplyAdd sums,
            RoundedMultiplyAdd plainSums) {
        int end = roundUp(queryCount, PADDING);
        for (int j = 0; j < count; j++) {
            int from = Math.max(0, j - diagonal);
            int whole = from / PADDING * PADDING;
            Arrays.fill(row, 0);
            for (int i = from; i < queryCount; i++) {
                row[i] = strip[j * QUERIES + i];
            }
            addScaled(totals, whole, 1, row, whole, end - whole, plainSums);
            for (int i = from; i < queryCount; i++) {
                addScaled(weighted, i * stride, row[i], values, (key + j) * stride, stride, sums);
            }
        }
    }

    /** Writes the sums of weights, and to {@code sums} the sums of values, in rows {@code sumsStride} apart. */
    void copySums(float[] sums, int sumsStride, float[] weights, int queryCount) {
        for (int i = 0; i < queryCount; i++) {
            weights[i] = (float) totals[i];
            for (int d = 0; d < width; d++) {
                sums[i * sumsStride + d] = (float) weighted[i * stride + d];
            }
        }
    }

    /** Lets the garbage collector free the caller's arrays. */
    void release() {
        keys = AttentionInputs.EMPTY.keys();
    }
}
