package org.lemmata.kernel.embedding;

import org.lemmata.argument.Refuse;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The sizes of the embedding tables, and which row of the position table each position uses.
 *
 * @param vocabulary rows of the token table, at least 1; ids are below it
 * @param width columns of both tables and of the outputs, at least 1
 * @param positions which row of the position table each position uses
 * @param positionRows rows of the position table, at least 1; 0 if there are no positions
 * @param tokenScale s, the factor of the rows of the token table: 1, or the square root of the width as in Vaswani et
 *     al. (2017), Attention is all you need, section 3.4
 */
public record EmbeddingShape(int vocabulary, int width, Positions positions, int positionRows, float tokenScale) {

    /** Which row of the position table position t = 0, 1, ... of a sequence uses. */
    public enum Positions {
        NONE,
        /** Row t; no sequence may be longer than the table. */
        TABLE,
        /** Row t mod {@link #positionRows}. */
        PERIODIC
    }

    public EmbeddingShape {
        Refuse.when(vocabulary < 1 || width < 1, "vocabulary, width", "at least 1", vocabulary + ", " + width);
        boolean none = positions == Positions.NONE;
        String expected = (none ? "0" : "at least 1") + " with positions " + positions;
        Refuse.when(none ? positionRows != 0 : positionRows < 1, "positionRows", expected, positionRows);
    }

    public static EmbeddingShape tokensOnly(int vocabulary, int width) {
        return new EmbeddingShape(vocabulary, width, Positions.NONE, 0, 1);
    }

    /** @param backward whether the matrices are gradients; only error messages depend on it */
    void check(
            boolean backward, Matrix y, int[] ids, RaggedOffsets sequences, Matrix tokenTable, Matrix positionTable) {
        if (ids.length != sequences.total()) {
            throw new IllegalArgumentException(
                    "ids: expected " + sequences.total() + ", the sum of the lengths, got " + ids.length);
        }
        y.requireDense(backward ? "dy" : "y", ids.length, width);
        tokenTable.requireDense(backward ? "dtokens" : "tokens", vocabulary, width);
        if (positions != Positions.NONE) {
            positionTable.requireDense(backward ? "dpositions" : "positions", positionRows, width);
        }
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0 || ids[i] >= vocabulary) {
                throw new IllegalArgumentException(
                        "ids: expected 0 to " + (vocabulary - 1) + ", got " + ids[i] + " at " + i);
            }
        }
        for (int i = 0; positions == Positions.TABLE && i < sequences.count(); i++) {
            if (sequences.length(i) > positionRows) {
                throw new IllegalArgumentException("sequences: expected lengths up to the " + positionRows
                        + " rows of the position table, got " + sequences.length(i) + " at " + i);
            }
        }
    }
}
