package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.TileAttention.COLUMNS;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;

/**
 * Copies parts of matrices into the order in which {@link TileAttention} reads them.
 *
 * <p>Identity terms stand as further columns behind those of a head.
 */
public final class AttentionPacking {

    private AttentionPacking() {}

    /** Columns that the panels of a matrix have together: whole vectors. */
    public static int paddedWidth(int width) {
        return roundUp(width, LANES);
    }

    public static int roundUp(int count, int multiple) {
        return (count + multiple - 1) / multiple * multiple;
    }

    public static float[] atLeast(float[] data, int length) {
        return data.length >= length ? data : new float[length];
    }

    /** The product of three factors, neither negative nor, any two of them, above 2^62. */
    public static int size(String name, int count, int heads, int width) {
        long size = (long) count * heads * width;
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    name + ": expected below 2^31, got " + count + " * " + heads + " * " + width);
        }
        return (int) size;
    }

    /**
     * The left operand of a product: the first {@code rows} rows of a head, one after the other, with identity terms,
     * {@code tokenFactor} times tokens, as further columns.
     */
    public static void packRows(
            float[] packed, AttentionUnit unit, float[] matrix, float[] tokens, int rows, float tokenFactor) {
        AttentionShape shape = unit.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int width = headWidth + tokenWidth;
        copyRows(packed, 0, width, matrix, unit.at(0), shape.width(), rows, headWidth, 0);
        for (int i = 0; i < rows && tokenWidth > 0; i++) {
            for (int d = 0; d < tokenWidth; d++) {
                packed[i * width + headWidth + d] = tokenFactor * tokens[unit.tokenAt(i) + d];
            }
        }
    }

    /** The way back: copies a head's columns of packed rows to those of {@code rows} positions of all heads. */
    public static void unpackHead(float[] target, AttentionUnit unit, int position, float[] packed, int rows) {
        int headWidth = unit.shape().headWidth();
        int stride = paddedWidth(headWidth + unit.shape().identityWidth());
        copyRows(target, unit.at(position), unit.shape().width(), packed, 0, stride, rows, headWidth, 0);
    }

    /** The same for the columns of tokens, of which each head has its own in {@code target}. */
    public static void unpackTokens(float[] target, AttentionUnit unit, int position, float[] packed, int rows) {
        int headWidth = unit.shape().headWidth();
        int width = unit.shape().identityWidth();
        int to = unit.numberAt(position) * width;
        copyRows(
                target,
                to,
                unit.shape().heads() * width,
                packed,
                headWidth,
                paddedWidth(headWidth + width),
                rows,
                width,
                0);
    }

    static void copyRows(
            float[] packed,
            int to,
            int toStride,
            float[] source,
            int at,
            int stride,
            int rows,
            int columns,
            int zeros) {
        if (columns == toStride && columns == stride) {
            System.arraycopy(source, at, packed, to, rows * columns);
            return;
        }
        for (int i = 0; i < rows; i++) {
            System.arraycopy(source, at + i * stride, packed, to + i * toStride, columns);
            for (int d = columns; d < columns + zeros; d++) {
                packed[to + i * toStride + d] = 0;
            }
        }
    }

    /**
     * Panels of the transpose: {@code rows} rows of a head from {@code position} on, with identity terms as further
     * columns, become lanes, {@code factor} times the source.
     */
    public static void packTransposed(
            float[] packed, AttentionUnit unit, float[] matrix, float[] tokens, int position, int rows, float factor) {
        AttentionShape shape = unit.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int width = headWidth + tokenWidth;
        transpose(packed, width, 0, matrix, unit.at(position), shape.width(), rows, headWidth, factor);
        if (tokenWidth > 0) {
            int to = headWidth * COLUMNS;
            transpose(packed, width, to, tokens, unit.tokenAt(position), tokenWidth, rows, tokenWidth, factor);
        }
    }

    /** Writes from element {@code first} of each panel of {@code width} rows on. */
    private static void transpose(
            float[] packed,
            int width,
            int first,
            float[] source,
            int at,
            int stride,
            int rows,
            int columns,
            float factor) {
        for (int panel = 0; panel < rows; panel += COLUMNS) {
            int lanes = Math.min(COLUMNS, rows - panel);
            int to = panel * width + first;
            int lane = 0;
            for (; lane < lanes - 3; lane += 4) {
                transposeFourRows(packed, to + lane, source, at + (panel + lane) * stride, stride, columns, factor);
            }
            for (; lane < lanes; lane++) {
                transposeRow(packed, to + lane, source, at + (panel + lane) * stride, columns, factor);
            }
            for (int d = 0; d < columns && lanes < COLUMNS; d++) {
                Arrays.fill(packed, to + d * COLUMNS + lanes, to + (d + 1) * COLUMNS, 0);
            }
        }
    }

    private static void transposeFourRows(
            float[] packed, int to, float[] source, int at, int stride, int columns, float factor) {
        int at1 = at + stride;
        int at2 = at1 + stride;
        int at3 = at2 + stride;
        for (int d = 0; d < columns; d++) {
            packed[to + d * COLUMNS] = factor * source[at + d];
            packed[to + d * COLUMNS + 1] = factor * source[at1 + d];
            packed[to + d * COLUMNS + 2] = factor * source[at2 + d];
            packed[to + d * COLUMNS + 3] = factor * source[at3 + d];
        }
    }

    private static void transposeRow(float[] packed, int to, float[] source, int at, int columns, float factor) {
        for (int d = 0; d < columns; d++) {
            packed[to + d * COLUMNS] = factor * source[at + d];
        }
    }
}
