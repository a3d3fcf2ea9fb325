package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.AttentionOutputs.checkLength;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;

import java.util.Arrays;
import java.util.Objects;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionShape;

/**
 * The KV cache of one layer: keys, values and tokens of all positions so far, for several sequences, in the layout that
 * {@link CachedAttention} reads.
 *
 * <p>Each sequence has its own length, from 0 up to a common capacity. Arrays that no option needs are not stored.
 * Keys, and the tokens for scores, are stored transposed in panels of {@value #PANEL} positions, with column d of
 * position j at {@code d * PANEL + j % PANEL} of panel {@code j / PANEL}. Each lane then computes the score of one
 * position, and no sum goes across lanes. Values, and the tokens for averages, are stored row by row.
 *
 * <p>While a thread appends or truncates, no other thread may use the cache.
 */
public final class AttentionCache {

    /** The number of positions in a panel: a multiple of the number of lanes at every vector width. */
    static final int PANEL = 16;

    private final AttentionShape shape;
    private final int capacity;
    private final int[] lengths;

    /** Panels of heads * headWidth columns. */
    final float[] keys;

    /** Panels of identityWidth columns. */
    final float[] tokenPanels;

    /** Rows of heads * headWidth columns. An unused vector follows, because rows are read in whole vectors. */
    final float[] values;

    /** Rows of identityWidth columns. An unused vector follows, because rows are read in whole vectors. */
    final float[] tokens;

    /**
     * Creates a cache of empty sequences.
     *
     * @param shape a shape with a causal mask: without a mask, outputs of earlier positions would depend on later
     *     positions
     * @param sequences number of sequences, at least 1
     * @param capacity the maximum length, at least 1
     * @throws IllegalArgumentException if an argument is out of range, or an array would have 2^31 elements or more
     */
    public AttentionCache(AttentionShape shape, int sequences, int capacity) {
        Refuse.when(shape.mask() != AttentionShape.Mask.CAUSAL, "shape", "a causal mask", shape.mask());
        String sizes = sequences + ", " + capacity;
        Refuse.when(sequences < 1 || capacity < 1, "sequences, capacity", "at least 1", sizes);
        this.shape = shape;
        this.capacity = capacity;
        lengths = new int[sequences];
        int positions = size("sequences * capacity", sequences, roundUp(capacity, PANEL));
        int size = size("sequences * capacity * heads * headWidth", positions, shape.width());
        int tokenSize = size("sequences * capacity * identityWidth", positions, shape.identityWidth());
        boolean identities = shape.identityWidth() > 0;
        keys = new float[shape.hasScores() ? size : 0];
        tokenPanels = new float[shape.hasScores() && identities ? tokenSize : 0];
        values = new float[size + PANEL];
        tokens = new float[identities ? tokenSize + PANEL : 0];
    }

    private static int size(String name, int rows, int columns) {
        long size = (long) rows * columns;
        if (size > Integer.MAX_VALUE - 2 * PANEL) {
            throw new IllegalArgumentException(name + ": expected below 2^31, got " + rows + " * " + columns);
        }
        return (int) size;
    }

    /** The number of floats stored for a sequence of {@code capacity} positions, rounded up to whole panels. */
    public static long sizeOfSequence(AttentionShape shape, int capacity) {
        int columns = shape.width() + shape.identityWidth();
        return (long) (capacity + PANEL - 1) / PANEL * PANEL * columns * (shape.hasScores() ? 2 : 1);
    }

    public AttentionShape shape() {
        return shape;
    }

    public int sequences() {
        return lengths.length;
    }

    public int capacity() {
        return capacity;
    }

    public int length(int sequence) {
        return lengths[Objects.checkIndex(sequence, lengths.length)];
    }

    /**
     * Appends {@code count} positions to a sequence: rows {@code firstRow} ... {@code firstRow + count - 1} of keys,
     * values and tokens. Other arrays of {@code inputs} are ignored.
     *
     * @throws IllegalArgumentException if {@code firstRow} or {@code count} is negative, the sequence would become
     *     longer than the capacity, or an array that the shape needs is too short
     */
    public void append(int sequence, AttentionInputs inputs, int firstRow, int count) {
        int length = length(sequence);
        if (firstRow < 0 || count < 0 || count > capacity - length) {
            throw new IllegalArgumentException("firstRow, count: expected 0 or more, and no more than "
                    + (capacity - length) + " positions, got " + firstRow + ", " + count);
        }
        int width = shape.width();
        int tokenWidth = shape.identityWidth();
        long end = (long) firstRow + count;
        checkLength("", "values", inputs.values(), end * width);
        checkLength("", "tokens", inputs.tokens(), end * tokenWidth);
        if (shape.hasScores()) {
            checkLength("", "keys", inputs.keys(), end * width);
            appendPanels(keys, width, sequence, inputs.keys(), firstRow, count);
            appendPanels(tokenPanels, tokenWidth, sequence, inputs.tokens(), firstRow, count);
        }
        int row = row(sequence, length);
        System.arraycopy(inputs.values(), firstRow * width, values, row * width, count * width);
        System.arraycopy(inputs.tokens(), firstRow * tokenWidth, tokens, row * tokenWidth, count * tokenWidth);
        lengths[sequence] += count;
    }

    private void appendPanels(float[] panels, int width, int sequence, float[] rows, int firstRow, int count) {
        for (int i = 0; i < count; i++) {
            int to = panelAt(sequence, lengths[sequence] + i, width);
            int from = (firstRow + i) * width;
            for (int d = 0; d < width; d++) {
                panels[to + d * PANEL] = rows[from + d];
            }
        }
    }

    /**
     * Removes the positions of a sequence from {@code length} on.
     *
     * @throws IllegalArgumentException if {@code length} is negative or above the length of the sequence
     */
    public void truncate(int sequence, int length) {
        Refuse.outside("length", length, 0, length(sequence));
        lengths[sequence] = length;
    }

    /** Keys, values and tokens of a sequence, row by row. Other arrays come from {@code inputs}. */
    AttentionInputs inputs(int sequence, AttentionInputs inputs) {
        int length = length(sequence);
        int width = shape.width();
        int tokenWidth = shape.identityWidth();
        int first = row(sequence, 0);
        float[] rows = new float[shape.hasScores() ? length * width : 0];
        for (int at = 0; at < rows.length; at++) {
            rows[at] = keys[panelAt(sequence, at / width, width) + at % width * PANEL];
        }
        return new AttentionInputs(
                inputs.queries(),
                rows,
                Arrays.copyOfRange(values, first * width, (first + length) * width),
                Arrays.copyOfRange(tokens, first * tokenWidth, (first + length) * tokenWidth),
                inputs.keyQueryIdentities(),
                inputs.valueOutputIdentities(),
                inputs.scoreBiases());
    }

    /** The row of a position, counted over all sequences. */
    int row(int sequence, int position) {
        return sequence * roundUp(capacity, PANEL) + position;
    }

    /** The offset of column 0 of a position in panels of {@code width} columns. */
    int panelAt(int sequence, int position, int width) {
        int row = row(sequence, position);
        return row / PANEL * PANEL * width + row % PANEL;
    }
}
