package org.lemmata.kernel.embedding;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.matrix.Matrix;

/**
 * Embedding of tokens and positions: y_i = s E[id_i] + P[position of row i], for the rows i of a ragged batch.
 *
 * <p>E is the token table, vocabulary x width, P the position table, positionRows x width; outputs are rows x width.
 * The position of a row is counted from the start of its sequence; {@link EmbeddingShape} defines which row of P it
 * uses, if any.
 *
 * <p>All implementations are bit-identical: y = fma(s, E, P), with one rounding, or y = s E without positions. In the
 * backward pass, dE = fma(s, dy, dE) and dP = dP + dy, row by row in ascending order of i.
 */
public sealed interface Embedding permits ScalarEmbedding, VectorEmbedding {

    /**
     * Overwrites the outputs, which must not overlap the tables.
     *
     * @param positions ignored if the shape has no positions
     * @throws IllegalArgumentException if an id is not in the vocabulary, a sequence is longer than a position table
     *     that is not periodic, the number of ids is not the sum of the lengths, or a matrix has other sizes or gaps
     *     between its rows. Nothing is written then
     */
    void forward(Matrix y, int[] ids, RaggedOffsets sequences, Matrix tokens, Matrix positions, EmbeddingShape shape);

    /**
     * Adds the gradients of the rows to the gradients of the tables: dE[id_i] += s dy_i, dP[position of row i] += dy_i.
     *
     * @throws IllegalArgumentException as in {@link #forward}
     */
    void backward(
            Matrix dtokens, Matrix dpositions, Matrix dy, int[] ids, RaggedOffsets sequences, EmbeddingShape shape);
}
