package org.lemmata.kernel.feedforward;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.thread.Workers;

/** The arguments of a call of {@link FeedForward}, for the threads that take its blocks. */
final class FeedForwardCall implements Workers.Chunks {

    private static final ThreadLocal<FeedForwardBlock> BLOCK = ThreadLocal.withInitial(FeedForwardBlock::new);

    private static final Matrix NOTHING = Matrix.empty();
    private static final FeedForwardWeights NO_WEIGHTS =
            new FeedForwardWeights(NOTHING, null, GainAndShift.NONE, NOTHING, null);
    private static final FeedForwardShape NO_SHAPE = new FeedForwardShape(1, 1, 1, Activation.Kind.RELU);

    /** y, or dy. */
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

    /** Rows of a chunk, a multiple of those of a block unless the chunk is the only one. */
    int chunkRows;

    /** Null in a forward pass. */
    private @Nullable FeedForwardWeights dweights;

    private boolean aside;

    /** One set of gradients a chunk, if they are summed aside. */
    private float[] sums = {};

    /** Where in {@link #sums} each chunk adds; kept as long as it fits the calls. */
    private FeedForwardWeights[] shares = {};

    void take(Matrix givenY, @Nullable FeedForwardSaved givenSaved, Matrix givenX, FeedForwardWeights givenWeights) {
        y = givenY;
        saved = givenSaved;
        x = givenX;
        weights = givenWeights;
    }

    void takeGradients(Matrix givenDx, FeedForwardWeights givenGradients) {
        dx = givenDx;
        dweights = givenGradients;
    }

    void sumInPlace() {
        aside = false;
    }

    void sumAside(int chunks) {
        aside = true;
        if (dweights == null) {
            return;
        }
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

    void addSums(int chunks, Arithmetic arithmetic) {
        FeedForwardWeights to = dweights;
        if (to == null) {
            return;
        }
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

    void clear() {
        y = NOTHING;
        dx = NOTHING;
        saved = null;
        x = NOTHING;
        weights = NO_WEIGHTS;
        dweights = null;
        operations = null;
    }

    @Override
    public void run(int chunk) {
        FeedForward.Operations composed = Objects.requireNonNull(operations);
        FeedForwardBlock block = BLOCK.get();
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
