package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.embedding.Embedding;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.matrix.Matrix;

/** Embedding of random tokens and their positions in sequences of equal length. */
public final class EmbeddingProblem {

    private final EmbeddingShape shape;
    private final RaggedOffsets sequences;
    private final int[] ids;
    private final float[] tokens;
    private final float[] positions;
    private final float[] outputs;
    private final float[] dOutputs;

    /** The gradients of the token table, then of the position table. */
    private final float[] gradients;

    public EmbeddingProblem(int rows, int length, int vocabulary, int width) {
        shape = new EmbeddingShape(vocabulary, width, EmbeddingShape.Positions.TABLE, length, 1);
        int[] lengths = new int[rows / length];
        Arrays.fill(lengths, length);
        sequences = RaggedOffsets.ofLengths(lengths);
        SplittableRandom random = new SplittableRandom(1);
        ids = random.ints(sequences.total(), 0, vocabulary).toArray();
        tokens = Numbers.uniform(vocabulary * width, -1, 1, random);
        positions = Numbers.uniform(length * width, -1, 1, random);
        dOutputs = Numbers.uniform(ids.length * width, -1, 1, random);
        outputs = new float[dOutputs.length];
        gradients = new float[tokens.length + positions.length];
    }

    public Workload<Embedding> forward() {
        int width = shape.width();
        Matrix ofOutputs = Matrix.of(outputs, ids.length, width);
        Matrix ofTokens = Matrix.of(tokens, shape.vocabulary(), width);
        Matrix ofPositions = Matrix.of(positions, shape.positionRows(), width);
        return new Workload<>(
                outputs,
                embedding -> embedding.forward(ofOutputs, ids, sequences, ofTokens, ofPositions, shape),
                at -> Expected.of(tokens[ids[at / width] * width + at % width], positions[at % positions.length]),
                1,
                outputs.length,
                4.0 * outputs.length);
    }

    /**
     * The backward pass. Unless they are reset, gradients grow with each call until additions no longer change them.
     */
    public Workload<Embedding> backward() {
        int width = shape.width();
        Matrix dTokens = Matrix.of(gradients, shape.vocabulary(), width);
        Matrix dPositions = Matrix.of(gradients, tokens.length, shape.positionRows(), width, width);
        Matrix ofDOutputs = Matrix.of(dOutputs, ids.length, width);
        return new Workload<>(
                () -> Arrays.fill(gradients, 0),
                gradients,
                embedding -> embedding.backward(dTokens, dPositions, ofDOutputs, ids, sequences, shape),
                this::gradient,
                ids.length,
                2.0 * outputs.length,
                4.0 * outputs.length);
    }

    private Expected gradient(int at) {
        int row = at / shape.width() - shape.vocabulary();
        int column = at % shape.width();
        return Expected.of(ids.length, i -> {
            boolean taken = row < 0 ? ids[i] == row + shape.vocabulary() : i % shape.positionRows() == row;
            return taken ? dOutputs[i * shape.width() + column] : 0;
        });
    }
}
