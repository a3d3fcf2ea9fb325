package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionTile.COLUMNS;
import static org.lemmata.kernel.attention.AttentionTile.LANES;

import java.util.Arrays;

/**
 * Copies parts of matrices into the order in which {@link AttentionTile} reads them.
 *
 * <p>A source holds its row i at {@code at + i * stride}. It becomes the columns from {@code column} on of a packed
 * matrix of {@code width} columns, so that identity terms stand as further columns behind those of a head.
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

    /** The left operand of a product: rows one after the other, {@code factor} times the source. */
    public static void packRows(
            float[] packed,
            int width,
            int column,
            float[] source,
            int at,
            int stride,
            int rows,
            int columns,
            float factor) {
        if (factor != 1) {
            for (int i = 0; i < rows; i++) {
                for (int d = 0; d < columns; d++) {
                    packed[i * width + column + d] = factor * source[at + i * stride + d];
                }
            }
        } else if (columns == width && stride == width) {
            System.arraycopy(source, at, packed, 0, rows * width);
        } else {
            for (int i = 0; i < rows; i++) {
                System.arraycopy(source, at + i * stride, packed, i * width + column, columns);
            }
        }
    }

    /**
     * The right operand of a product: panels of {@link AttentionTile#COLUMNS} columns, the last of them narrow if no
     * more than a vector is left, each of {@code height} rows. What stands behind the last column becomes 0.
     */
    public static void packPanels(
            float[] packed,
            int height,
            int width,
            int column,
            float[] source,
            int at,
            int stride,
            int rows,
            int columns) {
        int end = column + columns;
        for (int panel = 0; panel < width; panel += COLUMNS) {
            int panelStride = panelStride(width - panel);
            int first = Math.max(panel, column);
            int count = Math.min(panel + panelStride, end) - first;
            if (count > 0) {
                int zeros = end == width ? Math.max(0, panel + panelStride - end) : 0;
                int to = panel * height + first - panel;
                copyRows(packed, to, panelStride, source, at + first - column, stride, rows, count, zeros);
            }
        }
    }

    /** Elements from one row of a panel to the next where {@code columnsLeft} are left, its own included. */
    public static int panelStride(int columnsLeft) {
        return columnsLeft > LANES ? COLUMNS : LANES;
    }

    /** The way back: copies columns of packed rows, {@code packedStride} apart. */
    public static void unpackRows(
            float[] target, int at, int stride, float[] packed, int packedAt, int packedStride, int rows, int columns) {
        copyRows(target, at, stride, packed, packedAt, packedStride, rows, columns, 0);
    }

    private static void copyRows(
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

    /** Panels of the transpose: rows of the source become lanes, {@code factor} times the source. */
    public static void packTransposed(
            float[] packed,
            int width,
            int column,
            float[] source,
            int at,
            int stride,
            int rows,
            int columns,
            float factor) {
        for (int panel = 0; panel < rows; panel += COLUMNS) {
            int lanes = Math.min(COLUMNS, rows - panel);
            int to = panel * width + column * COLUMNS;
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
