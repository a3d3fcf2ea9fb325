package org.lemmata.kernel.embedding;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;

/** The reference: row by row. */
public final class ScalarEmbedding implements Embedding {

    @Override
    public void forward(
            float[] outputs,
            int[] ids,
            RaggedOffsets sequences,
            float[] tokenTable,
            int tokenOffset,
            float[] positionTable,
            int positionOffset,
            EmbeddingShape shape) {
        shape.check(
                EmbeddingShape.Names.FORWARD,
                outputs,
                ids,
                sequences,
                tokenTable,
                tokenOffset,
                positionTable,
                positionOffset);
        int width = shape.width();
        float scale = shape.tokenScale();
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int i = sequences.start(sequence); i < sequences.end(sequence); i++) {
                int token = tokenOffset + ids[i] * width;
                if (shape.positions() == Positions.NONE) {
                    for (int j = 0; j < width; j++) {
                        outputs[i * width + j] = scale * tokenTable[token + j];
                    }
                } else {
                    int position = positionOffset + (i - sequences.start(sequence)) % shape.positionRows() * width;
                    for (int j = 0; j < width; j++) {
                        outputs[i * width + j] = Math.fma(scale, tokenTable[token + j], positionTable[position + j]);
                    }
                }
            }
        }
    }

    @Override
    public void backward(
            float[] dTokenTable,
            int tokenOffset,
            float[] dPositionTable,
            int positionOffset,
            float[] dOutputs,
            int[] ids,
            RaggedOffsets sequences,
            EmbeddingShape shape) {
        shape.check(
                EmbeddingShape.Names.BACKWARD,
                dOutputs,
                ids,
                sequences,
                dTokenTable,
                tokenOffset,
                dPositionTable,
                positionOffset);
        int width = shape.width();
        float scale = shape.tokenScale();
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int i = sequences.start(sequence); i < sequences.end(sequence); i++) {
                int token = tokenOffset + ids[i] * width;
                for (int j = 0; j < width; j++) {
                    dTokenTable[token + j] = Math.fma(scale, dOutputs[i * width + j], dTokenTable[token + j]);
                }
                if (shape.positions() != Positions.NONE) {
                    int position = positionOffset + (i - sequences.start(sequence)) % shape.positionRows() * width;
                    for (int j = 0; j < width; j++) {
                        dPositionTable[position + j] += dOutputs[i * width + j];
                    }
                }
            }
        }
    }
}
