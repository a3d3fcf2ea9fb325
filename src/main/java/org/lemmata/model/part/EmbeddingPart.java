package org.lemmata.model.part;

import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.ParameterIndex;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.PassTensor;
import org.lemmata.token.Batch;

/** The sum of embeddings, x_t = drop(E[s_t] + P[position t]). */
final class EmbeddingPart {

    private static final int NONE = ParameterView.NO_LAYER;

    private final PartContext context;
    private final EmbeddingShape shape;
    private final EmbeddingShape tokensOnly;
    private final int tokens;
    private final int positions;

    /** The rows of the position table for the batch. Used only if the sum of both embeddings is rounded once. */
    private float[] positionRows = PartContext.NONE;

    private final Matrix ofRows = Matrix.empty();

    /** Views of the tables, or of their gradients. */
    private final Matrix tokenTable = Matrix.empty();

    private final Matrix positionTable = Matrix.empty();

    EmbeddingPart(PartContext context) {
        this.context = context;
        shape = context.architecture().embeddingShape();
        tokensOnly = EmbeddingShape.tokensOnly(context.architecture().vocabularySize(), context.width());
        tokens = context.index().offset(ParameterRole.TOKEN_EMBEDDING, NONE);
        positions = context.index().offset(ParameterRole.POSITION_EMBEDDING, NONE);
    }

    void forward(float[] x, Batch batch, @Nullable DropoutSeed dropout) {
        RaggedOffsets sequences = batch.sequences();
        int rows = sequences.total();
        int width = context.width();
        if (positions == ParameterIndex.ABSENT || !context.rounding().addsExactly(PassTensor.EMBEDDED)) {
            lookUp(x, batch.ids(), sequences, shape);
            context.rounding().round(PassTensor.EMBEDDED, NONE, x, rows, width);
        } else {
            lookUp(x, batch.ids(), sequences, tokensOnly);
            positionRows = positionRows.length < rows * width ? new float[rows * width] : positionRows;
            for (int sequence = 0; sequence < sequences.count(); sequence++) {
                for (int t = 0; t < sequences.length(sequence); t++) {
                    int to = (sequences.start(sequence) + t) * width;
                    System.arraycopy(context.values(), positionRow(t), positionRows, to, width);
                }
            }
            context.rounding().add(PassTensor.EMBEDDED, NONE, x, positionRows, rows, width);
        }
        context.drop(PassTensor.DROPPED_EMBEDDED, NONE, x, rows, DropoutSeed.EMBEDDING, dropout);
    }

    /** Embeds tokens at given positions, without rounding or dropout. The sums have the bits of {@link #forward}. */
    void forwardAt(float[] x, int[] ids, RaggedOffsets oneEach, IntUnaryOperator positionOfRow) {
        int width = context.width();
        lookUp(x, ids, oneEach, tokensOnly);
        for (int r = 0; r < ids.length && positions != ParameterIndex.ABSENT; r++) {
            int row = positionRow(positionOfRow.applyAsInt(r));
            context.kernels().arithmetic().addInto(x, r * width, context.values(), row, width);
        }
    }

    private int positionRow(int position) {
        return positions + position % shape.positionRows() * context.width();
    }

    private void lookUp(float[] x, int[] ids, RaggedOffsets sequences, EmbeddingShape what) {
        place(context.values());
        ofRows.at(x, ids.length, context.width());
        context.kernels().embedding().forward(ofRows, ids, sequences, tokenTable, positionTable, what);
    }

    private void place(float[] parameters) {
        int width = context.width();
        tokenTable.at(parameters, tokens, shape.vocabulary(), width, width);
        positionTable.at(parameters, Math.max(0, positions), shape.positionRows(), width, width);
    }

    /** Adds the gradients of the tables to {@code gradients}. Overwrites {@code dx}, the gradient of x. */
    void backward(float[] gradients, float[] dx, Batch batch, @Nullable DropoutSeed dropout) {
        RaggedOffsets sequences = batch.sequences();
        context.dropBackward(
                PassTensor.DROPPED_EMBEDDED, NONE, dx, dx, sequences.total(), DropoutSeed.EMBEDDING, dropout);
        place(gradients);
        ofRows.at(dx, sequences.total(), context.width());
        context.kernels().embedding().backward(tokenTable, positionTable, ofRows, batch.ids(), sequences, shape);
    }
}
