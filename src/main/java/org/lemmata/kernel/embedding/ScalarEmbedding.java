package org.lemmata.kernel.embedding;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.matrix.Matrix;

/** The scalar reference: computes one row at a time. */
public final class ScalarEmbedding implements Embedding {

    @Override
    public void forward(
            Matrix y, int[] ids, RaggedOffsets sequences, Matrix tokens, Matrix positions, EmbeddingShape shape) {
        shape.check(false, y, ids, sequences, tokens, positions);
        float scale = shape.tokenScale();
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int i = sequences.start(sequence); i < sequences.end(sequence); i++) {
                int position = position(shape, i - sequences.start(sequence));
                for (int j = 0; j < shape.width(); j++) {
                    float token = tokens.get(ids[i], j);
                    y.array()[y.start(i) + j] =
                            position < 0 ? scale * token : Math.fma(scale, token, positions.get(position, j));
                }
            }
        }
    }

    /** The row of the position table for position t, or -1 without positions. */
    private static int position(EmbeddingShape shape, int t) {
        return shape.positions() == Positions.NONE ? -1 : t % shape.positionRows();
    }

    @Override
    public void backward(
            Matrix dtokens, Matrix dpositions, Matrix dy, int[] ids, RaggedOffsets sequences, EmbeddingShape shape) {
        shape.check(true, dy, ids, sequences, dtokens, dpositions);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int i = sequences.start(sequence); i < sequences.end(sequence); i++) {
                int token = dtokens.start(ids[i]);
                int position = position(shape, i - sequences.start(sequence));
                for (int j = 0; j < shape.width(); j++) {
                    float gradient = dy.get(i, j);
                    dtokens.array()[token + j] = Math.fma(shape.tokenScale(), gradient, dtokens.array()[token + j]);
                    if (position >= 0) {
                        dpositions.array()[dpositions.start(position) + j] += gradient;
                    }
                }
            }
        }
    }
}
