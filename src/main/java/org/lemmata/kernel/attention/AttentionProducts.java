package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.panelStride;
import static org.lemmata.kernel.attention.AttentionTile.COLUMNS;
import static org.lemmata.kernel.attention.AttentionTile.LANES;
import static org.lemmata.kernel.attention.AttentionTile.NARROW_ROWS;
import static org.lemmata.kernel.attention.AttentionTile.ROWS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The products of a block of queries with a block of keys, cut into tiles.
 *
 * <p>A strip holds a number for each pair of the block, that of key j and query i at {@code j * QUERIES + i}: what
 * happens to a query happens in its lane, and no product needs a transpose of it. Query i of the block sees the keys up
 * to {@code diagonal + i}, which is far behind the last one where nothing is masked; tiles that no pair needs are left
 * out.
 */
final class AttentionProducts {

    /** Queries of a block, and keys of one: a multiple of the rows and columns of every tile. */
    static final int QUERIES = 96;

    /** The diagonal of attention without mask. */
    static final int UNMASKED = Integer.MAX_VALUE / 2;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private AttentionProducts() {}

    /**
     * strip = A B for {@code keys} rows of A from row {@code aRow} on; rows up to a multiple of
     * {@link AttentionTile#ROWS} are computed too, and so must be there in A.
     *
     * @param b panels of {@code queries} columns, each of {@code width} rows
     */
    static void scores(
            float[] strip, float[] a, int aRow, float[] b, int width, int keys, int queries, int diagonal) {
        for (int query = 0; query < queries; query += COLUMNS) {
            int end = Math.min(keys, diagonal + query + COLUMNS);
            for (int key = 0; key < end; key += ROWS) {
                int at = key * QUERIES + query;
                int a0 = (aRow + key) * width;
                AttentionTile.rows(false, strip, at, QUERIES, a, a0, width, b, query * width, width);
            }
        }
    }

    /**
     * C += transposed(strip) B: row i of C adds up rows 0 ... diagonal + i of B. Rows of C up to a multiple of the rows
     * of a tile are written too.
     *
     * <p>A weight of 0 times infinity is NaN, so zeros in the strip would not keep keys apart that a query does not
     * see. The tiles sum what all their rows see; the few keys beyond follow row by row.
     *
     * @param b panels of {@code width} columns and {@code height} rows, of which row {@code bRow} is that of key 0
     */
    static void addToQueries(
            float[] c, float[] strip, float[] b, int bRow, int height, int width, int keys, int queries, int diagonal) {
        int stride = paddedWidth(width);
        for (int column = 0; column < width; column += COLUMNS) {
            int panelStride = panelStride(width - column);
            int panel = column * height + bRow * panelStride;
            if (panelStride == COLUMNS) {
                for (int query = 0; query < queries; query += ROWS) {
                    int at = query * stride + column;
                    int seen = Math.min(keys, diagonal + query + 1);
                    AttentionTile.columns(true, c, at, stride, strip, query, QUERIES, b, panel, seen);
                    addTriangle(c, at, stride, strip, query, b, panel, seen, Math.min(ROWS, keys - seen + 1));
                }
            } else {
                for (int query = 0; query < queries; query += NARROW_ROWS) {
                    int at = query * stride + column;
                    int seen = Math.min(keys, diagonal + query + 1);
                    AttentionTile.narrowColumns(true, c, at, stride, strip, query, QUERIES, b, panel, seen);
                    int rows = Math.min(NARROW_ROWS, keys - seen + 1);
                    addNarrowTriangle(c, at, stride, strip, query, b, panel, seen, rows);
                }
            }
        }
    }

    /**
     * C += strip B for {@code keys} rows of C from row {@code cRow} on: row j adds up the rows of B whose queries see
     * key j, and the strip must be 0 for those that do not. Rows of C up to a multiple of the rows of a tile are
     * written too.
     *
     * @param b panels of {@code width} columns and {@link #QUERIES} rows
     */
    static void addToKeys(
            float[] c, int cRow, float[] strip, float[] b, int width, int keys, int queries, int diagonal) {
        int stride = paddedWidth(width);
        for (int column = 0; column < width; column += COLUMNS) {
            int panelStride = panelStride(width - column);
            int rows = panelStride == COLUMNS ? ROWS : NARROW_ROWS;
            for (int key = 0; key < keys; key += rows) {
                int at = (cRow + key) * stride + column;
                int query = Math.max(0, key - diagonal);
                int a = key * QUERIES + query;
                int panel = column * QUERIES + query * panelStride;
                if (panelStride == COLUMNS) {
                    AttentionTile.rows(true, c, at, stride, strip, a, QUERIES, b, panel, queries - query);
                } else {
                    AttentionTile.narrowRows(true, c, at, stride, strip, a, QUERIES, b, panel, queries - query);
                }
            }
        }
    }

    /** Row r of a tile, 1 ... rows - 1, adds keys {@code seen} ... seen + r - 1. */
    private static void addTriangle(
            float[] c, int c0, int cStride, float[] strip, int query, float[] b, int panel, int seen, int rows) {
        for (int r = 1; r < rows; r++) {
            int at = c0 + r * cStride;
            FloatVector left = FloatVector.fromArray(SPECIES, c, at);
            FloatVector right = FloatVector.fromArray(SPECIES, c, at + LANES);
            for (int j = seen; j < seen + r; j++) {
                FloatVector weight = FloatVector.broadcast(SPECIES, strip[j * QUERIES + query + r]);
                left = weight.fma(FloatVector.fromArray(SPECIES, b, panel + j * COLUMNS), left);
                right = weight.fma(FloatVector.fromArray(SPECIES, b, panel + j * COLUMNS + LANES), right);
            }
            left.intoArray(c, at);
            right.intoArray(c, at + LANES);
        }
    }

    /** {@link #addTriangle} for a narrow tile. */
    private static void addNarrowTriangle(
            float[] c, int c0, int cStride, float[] strip, int query, float[] b, int panel, int seen, int rows) {
        for (int r = 1; r < rows; r++) {
            int at = c0 + r * cStride;
            FloatVector sum = FloatVector.fromArray(SPECIES, c, at);
            for (int j = seen; j < seen + r; j++) {
                FloatVector weight = FloatVector.broadcast(SPECIES, strip[j * QUERIES + query + r]);
                sum = weight.fma(FloatVector.fromArray(SPECIES, b, panel + j * LANES), sum);
            }
            sum.intoArray(c, at);
        }
    }
}
