package org.lemmata.kernel.embedding;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.matrix.Matrix;

/** The reference: row by row. */
public final class ScalarEmbedding implements Embedding {

    @Override
    public void forward(
            Matrix outputs,
            int[] ids,
            RaggedOffsets sequences,
            Matrix tokenTable,
            Matrix positionTable,
            EmbeddingShape shape) {
        shape.check(EmbeddingShape.Names.FORWARD, outputs, ids, sequences, tokenTable, positionTable);
        float scale = shape.tokenScale();
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int i = sequences.start(sequence); i < sequences.end(sequence); i++) {
                int position = position(shape, i - sequences.start(sequence));
                for (int j = 0; j < shape.width(); j++) {
                    float token = tokenTable.get(ids[i], j);
                    outputs.array()[outputs.start(i) + j] =
                            position < 0 ? scale * token : Math.fma(scale, token, positionTable.get(position, j));
                }
            }
        }
    }

    /** The row of the table of positions, or -1 without one. */
    private static int position(EmbeddingShape shape, int t) {
        return shape.positions() == Positions.NONE ? -1 : t % shape.positionRows();
    }

    @Override
    public void backward(
            Matrix dTokenTable,
            Matrix dPositionTable,
            Matrix dOutputs,
            int[] ids,
            RaggedOffsets sequences,
            EmbeddingShape shape) {
        shape.check(EmbeddingShape.Names.BACKWARD, dOutputs, ids, sequences, dTokenTable, dPositionTable);
        float[] dTokens = dTokenTable.array();
        float[] dPositions = dPositionTable.array();
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int i = sequences.start(sequence); i < sequences.end(sequence); i++) {
                int token = dTokenTable.start(ids[i]);
                int position = position(shape, i - sequences.start(sequence));
                for (int j = 0; j < shape.width(); j++) {
                    float dy = dOutputs.get(i, j);
                    dTokens[token + j] = Math.fma(shape.tokenScale(), dy, dTokens[token + j]);
                    if (position >= 0) {
                        dPositions[dPositionTable.start(position) + j] += dy;
                    }
                }
            }
        }
    }
}
