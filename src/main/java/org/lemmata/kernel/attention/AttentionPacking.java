package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.AttentionProducts.TALL;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;

/**
 * Copies the rows of one head out of matrices that contain the columns of all heads, and back.
 *
 * <p>Identity terms are additional columns after the head's columns.
 */
public final class AttentionPacking {

    private AttentionPacking() {}

    public static int paddedWidth(int width) {
        return roundUp(width, LANES);
    }

    public static int roundUp(int count, int multiple) {
        return (count + multiple - 1) / multiple * multiple;
    }

    public static float[] atLeast(float[] data, int length) {
        return data.length >= length ? data : new float[length];
    }

    /**
     * Returns {@code count * heads * width}. If the product is 2^31 or more, the error message calls it {@code name}.
     */
    public static int size(String name, int count, int heads, int width) {
        long size = (long) count * heads * width;
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    name + ": expected below 2^31, got " + count + " * " + heads + " * " + width);
        }
        return (int) size;
    }

    /**
     * Copies rows of a head from row {@code from} on. The tokens, times {@code tokenFactor}, are additional columns.
     */
    static void packRows(
            float[] packed, AttentionUnit unit, float[] matrix, float[] tokens, int from, int rows, float tokenFactor) {
        AttentionShape shape = unit.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int width = headWidth + tokenWidth;
        copyRows(packed, 0, width, matrix, unit.at(from), shape.width(), rows, headWidth);
        for (int i = 0; i < rows && tokenWidth > 0; i++) {
            for (int d = 0; d < tokenWidth; d++) {
                packed[i * width + headWidth + d] = tokenFactor * tokens[unit.tokenAt(from + i) + d];
            }
        }
    }

    /**
     * Copies the first {@code rows} rows of a head, with identity terms as in {@link #packRows}, in the order in which
     * {@link AttentionProducts#scores} reads them. For tall tiles this is row by row; otherwise it is column by column
     * within each block of rows, with columns {@link AttentionProducts#QUERIES} apart.
     */
    static void packLeft(
            float[] packed, AttentionUnit unit, float[] matrix, float[] tokens, int rows, float tokenFactor) {
        if (TALL) {
            packRows(packed, unit, matrix, tokens, 0, rows, tokenFactor);
            return;
        }
        int headWidth = unit.shape().headWidth();
        int tokenWidth = unit.shape().identityWidth();
        for (int i = 0; i < rows; i++) {
            int to = i / QUERIES * QUERIES * (headWidth + tokenWidth) + i % QUERIES;
            int from = unit.at(i);
            for (int d = 0; d < headWidth; d++) {
                packed[to + d * QUERIES] = matrix[from + d];
            }
            for (int d = 0; d < tokenWidth; d++) {
                packed[to + (headWidth + d) * QUERIES] = tokenFactor * tokens[unit.tokenAt(i) + d];
            }
        }
    }

    /** Copies the head's columns of {@code rows} packed rows back to the matrix of all heads. */
    static void unpackHead(float[] target, AttentionUnit unit, int position, float[] packed, int rows) {
        int headWidth = unit.shape().headWidth();
        int stride = paddedWidth(headWidth + unit.shape().identityWidth());
        copyRows(target, unit.at(position), unit.shape().width(), packed, 0, stride, rows, headWidth);
    }

    /** Copies the token columns of {@code rows} packed rows to {@code target}, where each head has its own columns. */
    static void unpackTokens(float[] target, AttentionUnit unit, int position, float[] packed, int rows) {
        int headWidth = unit.shape().headWidth();
        int width = unit.shape().identityWidth();
        int to = unit.numberAt(position) * width;
        int stride = paddedWidth(headWidth + width);
        copyRows(target, to, unit.shape().heads() * width, packed, headWidth, stride, rows, width);
    }

    /**
     * Writes {@code scale * (sum + zero)} for the columns of a head that are not tokens. If {@code zero} is -0, sums
     * are unchanged; if it is +0, a sum of -0 becomes +0.
     */
    static void unpackScaled(
            float[] gradient, float[] sums, AttentionUnit unit, int position, int rows, float scale, float zero) {
        AttentionShape shape = unit.shape();
        int headWidth = shape.headWidth();
        int stride = paddedWidth(headWidth + shape.identityWidth());
        for (int r = 0; r < rows; r++) {
            int to = unit.at(position + r);
            for (int d = 0; d < headWidth; d++) {
                gradient[to + d] = scale * (sums[r * stride + d] + zero);
            }
        }
    }

    /** Sets the identity outputs z_i = sum_h b_h (average of tokens in head h), in ascending order of heads. */
    public static void addHeads(
            AttentionOutputs outputs, AttentionInputs inputs, float[] means, int from, int to, AttentionShape shape) {
        float[] z = outputs.identityOutputs();
        int width = shape.identityWidth();
        int heads = shape.heads();
        for (int row = from; row < to && width > 0; row++) {
            Arrays.fill(z, row * width, (row + 1) * width, 0);
            for (int head = 0; head < heads; head++) {
                float b = inputs.valueOutputIdentities()[head];
                int at = (row * heads + head) * width;
                for (int d = 0; d < width; d++) {
                    z[row * width + d] += b * means[at + d];
                }
            }
        }
    }

    private static void copyRows(
            float[] packed, int to, int toStride, float[] source, int at, int stride, int rows, int columns) {
        if (columns == toStride && columns == stride) {
            System.arraycopy(source, at, packed, to, rows * columns);
            return;
        }
        for (int i = 0; i < rows; i++) {
            System.arraycopy(source, at + i * stride, packed, to + i * toStride, columns);
        }
    }
}
