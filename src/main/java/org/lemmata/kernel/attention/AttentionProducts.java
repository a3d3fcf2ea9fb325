package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.TileAttention.COLUMNS;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;
import static org.lemmata.kernel.attention.TileAttention.ROWS;
import static org.lemmata.kernel.attention.TileAttention.ZEROS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.Panels;
import org.lemmata.kernel.matmul.Tile12x1;
import org.lemmata.kernel.matmul.Tile12x2;
import org.lemmata.kernel.matmul.Tile6x2;

/**
 * The products of a block of queries with a block of keys, computed in tiles.
 *
 * <p>A strip contains one number per pair of the block, with key j and query i at {@code j * QUERIES + i}. Each query
 * has its own lane, and no product needs a transposed strip. Query i of the block sees the keys up to {@code diagonal +
 * i}; without a mask the diagonal is far beyond the last key. Fully masked tiles are skipped.
 */
public final class AttentionProducts {

    /** The number of queries, and of keys, in a block: a multiple of the rows and columns of every tile. */
    public static final int QUERIES = 96;

    /** The {@code diagonal} of attention without a mask, beyond the last key. */
    static final int UNMASKED = Integer.MAX_VALUE / 2;

    /** Whether there are 32 vector registers, enough for tiles of twelve rows of two vectors. */
    static final boolean TALL = Species.REGISTERS == 32;

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** 0, 1, 2 and so on. */
    static final float[] LANE_NUMBERS = FloatVector.zero(SPECIES).addIndex(1).toArray();

    private AttentionProducts() {}

    /** sum_d x_d y_d over {@code length} elements from {@code at} on, as four interleaved partial sums. */
    public static float dot(float[] x, float[] y, int at, int length) {
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        int d = at;
        for (; d < at + length - 3; d += 4) {
            sum0 = Math.fma(x[d], y[d], sum0);
            sum1 = Math.fma(x[d + 1], y[d + 1], sum1);
            sum2 = Math.fma(x[d + 2], y[d + 2], sum2);
            sum3 = Math.fma(x[d + 3], y[d + 3], sum3);
        }
        for (; d < at + length; d++) {
            sum0 = Math.fma(x[d], y[d], sum0);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    /**
     * The number of keys that the last query of the vector at {@code lane} sees, rounded up to whole tiles; at most
     * {@code keys}.
     */
    static int end(int keys, int lane, int diagonal) {
        return Math.min(keys, AttentionPacking.roundUp(diagonal + lane + LANES, NARROW_ROWS));
    }

    /**
     * Sets the masked pairs of a vector of queries to {@code value}, for keys up to {@link #end}. All queries of the
     * vector see the first {@code diagonal + lane + 1} keys; query {@code lane + l} also sees the next l keys.
     */
    static void mask(float[] strip, int lane, int keys, int diagonal, float value) {
        int shared = diagonal + lane + 1;
        int end = end(keys, lane, diagonal);
        FloatVector lanes = FloatVector.fromArray(SPECIES, LANE_NUMBERS, 0);
        for (int j = shared; j < end; j++) {
            int at = j * QUERIES + lane;
            FloatVector.fromArray(SPECIES, strip, at)
                    .blend(value, lanes.compare(VectorOperators.LE, (float) (j - shared)))
                    .intoArray(strip, at);
        }
    }

    /**
     * strip = A B for {@code keys} rows of A from row {@code aRow} on, where a block begins. The number of rows
     * computed is rounded up to the tile height.
     *
     * @param a whole blocks, as written by {@link AttentionPacking#packLeft}
     * @param b the transpose of rows of queries, or of their output gradients
     */
    static void scores(float[] strip, float[] a, int aRow, Panels b, int keys, int diagonal) {
        int width = b.depth();
        for (int query = 0, columns; query < b.columns(); query += columns) {
            columns = b.width(query);
            boolean wide = columns > LANES;
            int rows = wide && !TALL ? ROWS : NARROW_ROWS;
            int end = Math.min(keys, diagonal + query + columns);
            int panel = b.at(query);
            for (int key = 0; key < end; key += rows) {
                int at = key * QUERIES + query;
                int a0 = aRow * width + key * (TALL ? width : 1);
                if (TALL && wide) {
                    Tile12x2.rows(
                            ZEROS, 0, 0, strip, at, QUERIES, LANES, a, a0, width, b.data(), panel, COLUMNS, width);
                } else if (TALL) {
                    Tile12x1.rows(ZEROS, 0, 0, strip, at, QUERIES, a, a0, width, b.data(), panel, COLUMNS, width);
                } else {
                    columns(wide, ZEROS, 0, 0, strip, at, QUERIES, a, a0, b.data(), panel, width);
                }
            }
        }
    }

    /**
     * C += transposed(strip) B. Row i of C adds rows 0 ... diagonal + i of B, weighted by the strip, which must be 0
     * for masked pairs. The number of rows written is rounded up to the tile height.
     *
     * <p>If B is not finite, masked keys are left out, because 0 times infinity is NaN: the tiles then sum the keys
     * that all their rows see, and the few remaining keys follow row by row.
     *
     * @param rowsOfB B, with the row of key 0 at {@code bRow}
     */
    static void addToQueries(
            float[] c, float[] strip, AttentionPanels rowsOfB, int bRow, int keys, int queries, int diagonal) {
        // Blocks below the diagonal have no masked pairs.
        boolean exact = diagonal < keys && !rowsOfB.isFinite(bRow, keys);
        Panels b = rowsOfB.panels;
        int stride = paddedWidth(b.columns());
        for (int column = 0, columns; column < b.columns(); column += columns) {
            columns = b.width(column);
            boolean wide = columns > LANES;
            int panel = b.at(column) + bRow * COLUMNS;
            int rows = wide && !TALL ? ROWS : NARROW_ROWS;
            for (int query = 0; query < queries; query += rows) {
                int at = query * stride + column;
                int seen = Math.min(keys, diagonal + query + (exact ? 1 : rows));
                columns(wide, c, at, stride, c, at, stride, strip, query, b.data(), panel, seen);
                for (int r = 1; exact && r < rows; r++) {
                    int a0 = seen * QUERIES + query + r;
                    int count = Math.min(r, keys - seen);
                    for (int lane = 0; lane < columns; lane += LANES) {
                        int b0 = panel + seen * COLUMNS + lane;
                        addToQuery(c, at + r * stride + lane, strip, a0, b.data(), b0, count);
                    }
                }
            }
        }
    }

    /** A tile of C = start + A B, with a_rl at {@code a0 + l * QUERIES + r}. */
    private static void columns(
            boolean wide,
            float[] start,
            int start0,
            int startStride,
            float[] c,
            int c0,
            int cStride,
            float[] a,
            int a0,
            float[] b,
            int b0,
            int count) {
        if (TALL && wide) {
            Tile12x2.columns(start, start0, startStride, c, c0, cStride, LANES, a, a0, QUERIES, b, b0, COLUMNS, count);
        } else if (wide) {
            TileAttention.columns(start, start0, startStride, c, c0, cStride, a, a0, b, b0, count);
        } else {
            Tile12x1.columns(start, start0, startStride, c, c0, cStride, a, a0, QUERIES, b, b0, COLUMNS, count);
        }
    }

    /** For one query and one vector of columns, adds the rows of {@code count} keys, weighted by the strip. */
    private static void addToQuery(float[] c, int at, float[] strip, int a0, float[] b, int b0, int count) {
        FloatVector sum = FloatVector.fromArray(SPECIES, c, at);
        for (int j = 0; j < count; j++) {
            FloatVector weight = FloatVector.broadcast(SPECIES, strip[a0 + j * QUERIES]);
            sum = weight.fma(FloatVector.fromArray(SPECIES, b, b0 + j * COLUMNS), sum);
        }
        sum.intoArray(c, at);
    }

    /**
     * C += strip B for {@code keys} rows of C from row {@code cRow} on. Row j adds the rows of B whose queries see key
     * j, weighted by the strip, which must be 0 for masked pairs. The number of rows written is rounded up to the tile
     * height.
     */
    static void addToKeys(float[] c, int cRow, float[] strip, Panels b, int keys, int diagonal) {
        int stride = paddedWidth(b.columns());
        for (int column = 0, columns; column < b.columns(); column += columns) {
            columns = b.width(column);
            boolean wide = columns > LANES;
            int rows = wide && !TALL ? ROWS : NARROW_ROWS;
            for (int key = 0; key < keys; key += rows) {
                int at = (cRow + key) * stride + column;
                int query = Math.max(0, key - diagonal);
                int a = key * QUERIES + query;
                int panel = b.at(column) + query * COLUMNS;
                int count = b.depth() - query;
                float[] rowsOfB = b.data();
                if (TALL && wide) {
                    Tile12x2.rows(
                            c, at, stride, c, at, stride, LANES, strip, a, QUERIES, rowsOfB, panel, COLUMNS, count);
                } else if (wide) {
                    Tile6x2.tiles(c, at, stride, 0, c, at, stride, strip, a, QUERIES, rowsOfB, panel, false, count, 1);
                } else {
                    Tile12x1.rows(c, at, stride, c, at, stride, strip, a, QUERIES, rowsOfB, panel, COLUMNS, count);
                }
            }
        }
    }
}
