package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import java.util.Arrays;
import org.lemmata.number.Rounding;

/**
 * The products of a block of queries with keys and with values, every addition of them rounded: what
 * {@link AttentionProducts} is to fused sums. Without identity terms.
 */
final class RoundedProducts {

    private final LaneSums lanes = new LaneSums();

    /** The queries of a block, side by side: that of query i and column d at {@code d * QUERIES + i}. */
    private double[] queries = {};

    /** Rows of whole vectors. */
    private double[] values = {};

    private double[] weighted = {};
    private final double[] row = new double[QUERIES];
    private float[] keys = {};
    private int keyAt;
    private int keyStride;
    private int width;
    private int stride;

    /** Takes the first {@code rows} keys and values of one head of the sequence that starts at {@code first}. */
    void setHead(Rounding sums, AttentionInputs inputs, int first, int rows, int head, AttentionShape shape) {
        lanes.prepare(sums);
        width = shape.headWidth();
        stride = roundUp(width, LaneSums.LANES);
        keys = inputs.keys();
        keyStride = shape.width();
        keyAt = first * keyStride + head * width;
        values = atLeast(values, rows * stride);
        for (int j = 0; j < rows; j++) {
            for (int d = 0; d < width; d++) {
                values[j * stride + d] = inputs.values()[keyAt + j * keyStride + d];
            }
        }
        queries = atLeast(queries, width * QUERIES);
        weighted = atLeast(weighted, QUERIES * stride);
    }

    private static double[] atLeast(double[] data, int length) {
        return data.length >= length ? data : new double[length];
    }

    /** Takes the queries of a block, and clears their weighted sums. */
    void setQueries(AttentionInputs inputs, int query, int count) {
        for (int i = 0; i < count; i++) {
            for (int d = 0; d < width; d++) {
                queries[d * QUERIES + i] = inputs.queries()[keyAt + (query + i) * keyStride + d];
            }
        }
        Arrays.fill(weighted, 0, count * stride, 0);
    }

    /** Inner products with {@code count} keys from {@code key} on, as {@link AttentionProducts#scores}. */
    void scores(float[] strip, int key, int count, int queryCount, int diagonal) {
        for (int j = 0; j < count; j++) {
            int from = Math.max(0, j - diagonal) / LaneSums.LANES * LaneSums.LANES;
            Arrays.fill(row, 0);
            for (int lane = from; lane < queryCount; lane += LaneSums.LANES) {
                lanes.addProducts(row, lane, keys, keyAt + (key + j) * keyStride, 1, queries, lane, QUERIES, width);
            }
            for (int i = from; i < queryCount; i++) {
                strip[j * QUERIES + i] = (float) row[i];
            }
        }
    }

    /** Adds to the weighted sums what queries see of {@code count} keys from {@code key} on. */
    void addToQueries(float[] strip, int key, int count, int queryCount, int diagonal) {
        for (int i = 0; i < queryCount; i++) {
            int seen = Math.min(count, diagonal + i + 1);
            for (int column = 0; column < stride; column += LaneSums.LANES) {
                int b = key * stride + column;
                lanes.addProducts(weighted, i * stride + column, strip, i, QUERIES, values, b, stride, seen);
            }
        }
    }

    /** Writes the weighted sums, in rows {@code sumsStride} apart. */
    void copySums(float[] sums, int sumsStride, int queryCount) {
        for (int i = 0; i < queryCount; i++) {
            for (int d = 0; d < width; d++) {
                sums[i * sumsStride + d] = (float) weighted[i * stride + d];
            }
        }
    }

    /** Keeps nothing of the caller's from the garbage collector. */
    void release() {
        keys = ForwardCall.NO_INPUTS.keys();
    }
}
