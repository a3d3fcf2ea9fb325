package org.lemmata.kernel.feedforward;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.feedforward.FeedForward.Operations;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.MatMul.Form;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.thread.Workers;

final class FeedForwardCall implements Workers.Chunks {

    private static final ThreadLocal<Block> BLOCK = ThreadLocal.withInitial(Block::new);

    static final Matrix NOTHING = Matrix.empty();
    private static final FeedForwardWeights NO_WEIGHTS =
            new FeedForwardWeights(NOTHING, null, GainAndShift.NONE, NOTHING, null);
    private static final FeedForwardShape NO_SHAPE = new FeedForwardShape(1, 1, 1, Activation.Kind.RELU);

    /** A thread's scratch space for the rows of a block, and its views of the current rows. */
    private static final class Block {

        private float[] hiddenSpace = {};
        private float[] activeSpace = {};
        private float[] gradientSpace = {};

        private final Matrix active = Matrix.empty();

        /** The gradient of the activations, then of the normalized values, then of the hidden values. */
        private final Matrix gradient = Matrix.empty();

        /** x W1 + b1: saved for the backward pass, or in scratch space. */
        private final Matrix hidden = Matrix.empty();

        private final Matrix normed = Matrix.empty();
        private final Matrix ofStatistics = Matrix.empty();
        private final Matrix x = Matrix.empty();

        /** The rows of y in a forward pass, of dy in a backward pass. */
        private final Matrix y = Matrix.empty();

        private final Matrix dx = Matrix.empty();

        private static float[] grown(float[] space, int elements) {
            return space.length < elements ? new float[elements] : space;
        }

        /** Places the views at the rows of a block; returns their statistics if they are saved. */
        private @Nullable Matrix setRows(FeedForwardCall call, int row, int rows) {
            int width = call.shape.hidden();
            activeSpace = grown(activeSpace, rows * width);
            active.at(activeSpace, rows, width);
            x.atRows(call.x, row, rows);
            y.atRows(call.y, row, rows);
            FeedForwardSaved saved = call.saved;
            if (saved == null) {
                hiddenSpace = grown(hiddenSpace, rows * width);
                hidden.at(hiddenSpace, rows, width);
                return null;
            }
            hidden.atRows(saved.hidden(), row, rows);
            return saved.statistics() == null ? null : ofStatistics.atRows(saved.statistics(), row, rows);
        }

        /** Lets the garbage collector free the caller's arrays. */
        void clear() {
            hidden.clear();
            ofStatistics.clear();
            x.clear();
            y.clear();
            dx.clear();
        }

        void forward(FeedForwardCall call, Operations operations, int row, int rows) {
            FeedForwardWeights weights = call.weights;
            Matrix statistics = setRows(call, row, rows);
            operations.matMul().multiplyAddBias(Form.NN, hidden, x, weights.first(), weights.firstBias());
            Matrix given = hidden;
            if (call.shape.normalization() != null) {
                given = active;
                normalize(call, operations, active, statistics);
            }
            operations.activation().forwardInto(call.shape.activation(), active, given);
            operations.matMul().multiplyAddBias(Form.NN, y, active, weights.second(), weights.secondBias());
        }

        private void normalize(FeedForwardCall call, Operations operations, Matrix to, @Nullable Matrix statistics) {
            Normalization.Kind kind = Objects.requireNonNull(call.shape.normalization());
            Normalization normalization = operations.normalization();
            normalization.forward(to, statistics, hidden, call.weights.norm(), kind, call.shape.epsilon());
        }

        /** Recomputes the normalized values and the activations, and computes all gradients of the rows. */
        void backward(FeedForwardCall call, Operations operations, FeedForwardWeights sums, int row, int rows) {
            FeedForwardShape shape = call.shape;
            FeedForwardWeights weights = call.weights;
            MatMul matMul = operations.matMul();
            Matrix statistics = setRows(call, row, rows);
            dx.atRows(call.dx, row, rows);
            Matrix given = hidden;
            if (shape.normalization() != null) {
                hiddenSpace = grown(hiddenSpace, rows * shape.hidden());
                given = normed.at(hiddenSpace, rows, shape.hidden());
                normalize(call, operations, normed, null);
            }
            gradientSpace = grown(gradientSpace, rows * shape.hidden());
            gradient.at(gradientSpace, rows, shape.hidden());
            matMul.multiply(Form.NT, false, gradient, y, weights.second());
            operations.activation().bothInto(shape.activation(), active, gradient, given);
            matMul.multiply(Form.TN, true, sums.second(), active, y);
            addRows(operations.arithmetic(), sums.secondBias(), y);
            if (shape.normalization() != null) {
                Matrix saved = Objects.requireNonNull(statistics);
                Normalization normalization = operations.normalization();
                normalization.backward(
                        gradient, sums.norm(), gradient, saved, hidden, weights.norm(), shape.normalization());
            }
            addRows(operations.arithmetic(), sums.firstBias(), gradient);
            matMul.multiply(Form.TN, true, sums.first(), x, gradient);
            matMul.multiply(Form.NT, false, dx, gradient, weights.first());
        }

        private static void addRows(Arithmetic arithmetic, @Nullable Matrix sums, Matrix a) {
            if (sums != null) {
                int columns = a.columns();
                arithmetic.addRowsInto(
                        sums.array(), sums.offset(), a.array(), a.offset(), a.stride(), a.rows(), columns);
            }
        }
    }

    /** y in a forward pass, dy in a backward pass. */
    Matrix y = NOTHING;

    Matrix dx = NOTHING;

    @Nullable
    FeedForwardSaved saved;

    Matrix x = NOTHING;
    FeedForwardWeights weights = NO_WEIGHTS;
    FeedForwardShape shape = NO_SHAPE;
    FeedForward.@Nullable Operations operations;
    int rows;
    int blockRows;

    /** The number of rows in a chunk: a multiple of {@link #blockRows}, unless there is only one chunk. */
    int chunkRows;

    /** Null in a forward pass. */
    @Nullable
    FeedForwardWeights dweights;

    /** Whether chunks have separate sums. */
    private boolean aside;

    /** One set of gradients per chunk, if {@link #aside}. */
    private float[] sums = {};

    /** For each chunk, its part of {@link #sums}; reused while the sizes stay the same. */
    private FeedForwardWeights[] shares = {};

    /** Prepares separate sums for {@code chunks} chunks. */
    private void sumAside(FeedForwardWeights dweights, int chunks) {
        if (shares.length < chunks || !shares[0].isLike(dweights)) {
            int size = dweights.size();
            sums = new float[chunks * size];
            shares = new FeedForwardWeights[chunks];
            for (int chunk = 0; chunk < chunks; chunk++) {
                shares[chunk] = dweights.packed(sums, chunk * size);
            }
        } else {
            Arrays.fill(sums, 0, chunks * dweights.size(), 0);
        }
    }

    private void addSums(FeedForwardWeights to, int chunks, Arithmetic arithmetic) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            FeedForwardWeights share = shares[chunk];
            add(arithmetic, to.first(), share.first());
            add(arithmetic, to.firstBias(), share.firstBias());
            add(arithmetic, to.norm().gain(), share.norm().gain());
            add(arithmetic, to.norm().shift(), share.norm().shift());
            add(arithmetic, to.second(), share.second());
            add(arithmetic, to.secondBias(), share.secondBias());
        }
    }

    private static void add(Arithmetic arithmetic, @Nullable Matrix to, @Nullable Matrix share) {
        if (to != null && share != null) {
            arithmetic.addInto(to.array(), to.offset(), share.array(), share.offset(), to.rows() * to.columns());
        }
    }

    /** Runs the chunks, with separate sums, or all rows on the calling thread if {@code workers} is null. */
    void run(@Nullable Workers workers, Arithmetic arithmetic) {
        try {
            aside = workers != null;
            if (workers != null) {
                int chunks = Math.ceilDiv(rows, chunkRows);
                if (dweights != null) {
                    sumAside(dweights, chunks);
                }
                workers.run(chunks, this);
                if (dweights != null) {
                    addSums(dweights, chunks, arithmetic);
                }
            } else if (rows > 0) {
                run(0);
            }
        } finally {
            y = NOTHING;
            dx = NOTHING;
            saved = null;
            x = NOTHING;
            weights = NO_WEIGHTS;
            dweights = null;
            operations = null;
        }
    }

    @Override
    public void run(int chunk) {
        FeedForward.Operations composed = Objects.requireNonNull(operations);
        Block block = BLOCK.get();
        int start = chunk * chunkRows;
        int end = start + Math.min(chunkRows, rows - start);
        for (int row = start; row < end; row += Math.min(blockRows, end - row)) {
            int size = Math.min(blockRows, end - row);
            if (dweights == null) {
                block.forward(this, composed, row, size);
            } else {
                block.backward(this, composed, aside ? shares[chunk] : dweights, row, size);
            }
        }
        block.clear();
    }
}
