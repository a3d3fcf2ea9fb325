package org.lemmata.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.part.DropoutSeed;
import org.lemmata.model.part.TransformerPass;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;

/**
 * The loss of a transformer on a batch, and its gradients with respect to all parameters, in binary32 on the kernels.
 *
 * <p>The loss of a scored row is the cross-entropy of its target, -log softmax(outputs)_target, or, for regression, the
 * squared error (output - value)^2. Gradients do not depend on the number of threads. An instance keeps scratch space
 * between calls, linear in the tokens of the largest batch, so only one thread at a time may use it. {@link #gradient}
 * allocates nothing if the batch is no larger than an earlier batch, and the gradient array and the number of scored
 * rows are those of the previous call. With dropout or rounding, it allocates a few objects per layer; with outputs in
 * blocks, a few small arrays per block.
 *
 * <p>With more than 2^14 outputs and without rounding, the loss is fused with the output map. Logits and their
 * gradients exist for 256 scored rows at a time, and the gradient of the map is summed over these blocks in order.
 */
public final class Backpropagation implements Objective {

    /**
     * Outputs are computed in blocks of rows if the architecture has more outputs than this, and nothing is rounded.
     */
    static final int MANY_OUTPUTS = 1 << 14;

    /** Rows of a block: enough that reading the output map for each block costs little compared with its products. */
    private static final int BLOCK_ROWS = 256;

    private final Parameters parameters;
    private final Kernels kernels;
    private final int manyOutputs;
    private final TransformerPass pass;
    private final Matrix logits = Matrix.empty();
    private final Matrix answers = Matrix.empty();

    /** The numbers 0, 1, 2, ... Outputs are computed only for scored rows, so every output row is scored. */
    private int[] everyRow = {};

    /** The loss as a function of {@code parameters}. Each call reads their array. */
    public Backpropagation(Parameters parameters, Kernels kernels) {
        this(parameters, PrecisionPolicy.none(), kernels);
    }

    /**
     * The objective under a precision policy. Each call rounds the weights again; tensors and sums are rounded as in
     * {@link Transformer}, and gradients if the policy says so. Roundings have the derivative 1 (straight-through).
     *
     * <p>The loss is computed in binary32 from the rounded outputs. The policy's {@code seed} and the step determine
     * the random words of a training step; {@link #loss} and {@link #right} use the words of step 0.
     *
     * <p>Source: Bengio, Leonard and Courville (2013), Estimating or propagating gradients through stochastic neurons
     * for conditional computation, section 3.1, for the straight-through gradient.
     *
     * @throws IllegalArgumentException if the policy has a site in binary64
     */
    public Backpropagation(Parameters parameters, PrecisionPolicy policy, Kernels kernels) {
        this(parameters, policy, kernels, MANY_OUTPUTS);
    }

    /** For tests. {@code manyOutputs} replaces {@link #MANY_OUTPUTS}. */
    Backpropagation(Parameters parameters, PrecisionPolicy policy, Kernels kernels, int manyOutputs) {
        this.manyOutputs = manyOutputs;
        this.parameters = parameters;
        this.kernels = kernels;
        this.pass = new TransformerPass(parameters, policy, kernels, true);
    }

    public Architecture architecture() {
        return parameters.architecture();
    }

    @Override
    public List<ParameterView> layout() {
        return architecture().layout();
    }

    /**
     * The token embedding. Null if the output is tied, because all rows then have gradients, or if there is a precision
     * policy, because rounding reads and writes all rows.
     */
    @Override
    public @Nullable ParameterView rowsOfTokens() {
        boolean all = architecture().output().tied() || !pass.policy().equals(PrecisionPolicy.none());
        return all ? null : architecture().view(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
    }

    @Override
    public float[] parameters() {
        return parameters.values();
    }

    /**
     * The number of scored rows whose outputs are computed at a time. With a precision policy, it is all of them,
     * because rounding depends on the positions of rows.
     */
    private int blockRows(Batch batch) {
        boolean inBlocks =
                architecture().outputs() > manyOutputs && pass.policy().equals(PrecisionPolicy.none());
        return inBlocks ? BLOCK_ROWS : Math.max(1, batch.scoredRows().length);
    }

    /**
     * Returns {@code factor} times the sum of the losses of some rows. If {@code backward}, outputs become gradients.
     */
    private double loss(float[] outputs, Batch batch, int first, int rows, double factor, boolean backward) {
        if (architecture().output().kind() == OutputOptions.Kind.REGRESSION) {
            logits.at(outputs, 1, rows);
            answers.at(batch.values(), 1, rows);
            return backward
                    ? kernels.squaredError().backward(logits, logits, answers, factor)
                    : kernels.squaredError().forward(logits, answers, factor);
        }
        int[] all = batch.targets();
        int[] targets = rows == all.length ? all : Arrays.copyOfRange(all, first, first + rows);
        logits.at(outputs, rows, architecture().outputs());
        return backward
                ? kernels.softmaxCrossEntropy().backward(logits, logits, targets, rows(rows), factor)
                : kernels.softmaxCrossEntropy().forward(logits, targets, rows(rows), factor);
    }

    @Override
    public double loss(Batch batch) {
        int scored = score(batch);
        int block = blockRows(batch);
        double loss = 0;
        for (int first = 0; first < scored; first += block) {
            int rows = Math.min(block, scored - first);
            loss += loss(pass.scoredOutputs(first, rows), batch, first, rows, 1.0 / scored, false);
        }
        return scored == 0 ? Double.NaN : loss;
    }

    @Override
    public BitSet right(Batch batch) {
        int scored = score(batch);
        int block = blockRows(batch);
        var right = new BitSet(scored);
        for (int first = 0; first < scored; first += block) {
            int rows = Math.min(block, scored - first);
            addRight(right, pass.scoredOutputs(first, rows), batch, first, rows);
        }
        return right;
    }

    /** Runs the pass without dropout; returns the number of scored rows. */
    private int score(Batch batch) {
        check(batch);
        pass.begin(0);
        pass.score(batch, null);
        return batch.scoredRows().length;
    }

    private void addRight(BitSet right, float[] outputs, Batch batch, int first, int rows) {
        int columns = architecture().outputs();
        for (int row = 0; row < rows; row++) {
            if (architecture().output().kind() == OutputOptions.Kind.REGRESSION) {
                right.set(first + row, (double) outputs[row] * batch.values()[first + row] > 0);
                continue;
            }
            int likeliest = 0;
            for (int column = 1; column < columns; column++) {
                likeliest = outputs[row * columns + column] > outputs[row * columns + likeliest] ? column : likeliest;
            }
            right.set(first + row, likeliest == batch.targets()[first + row]);
        }
    }

    @Override
    public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
        if (gradients.length != parameters.values().length) {
            throw new IllegalArgumentException(
                    "gradients: expected " + parameters.values().length + " elements, got " + gradients.length);
        }
        check(batch);
        int scored = batch.scoredRows().length;
        if (scored == 0) {
            return 0;
        }
        @Nullable DropoutSeed dropout = architecture().dropout() > 0 ? new DropoutSeed(seed, step) : null;
        pass.begin(step);
        pass.score(batch, dropout);
        int block = blockRows(batch);
        double loss = 0;
        for (int first = 0; first < scored; first += block) {
            int rows = Math.min(block, scored - first);
            loss += loss(pass.scoredOutputs(first, rows), batch, first, rows, factor, true);
            pass.scoredOutputsBackward(gradients, first, rows);
        }
        pass.backward(gradients, batch, dropout);
        return loss;
    }

    private void check(Batch batch) {
        boolean regression = architecture().output().kind() == OutputOptions.Kind.REGRESSION;
        if (regression ? batch.targets().length > 0 : batch.values().length > 0) {
            throw new IllegalArgumentException("batch: expected " + (regression ? "values" : "targets") + " for "
                    + architecture().output().kind() + ", got " + (regression ? "targets" : "values"));
        }
    }

    private int[] rows(int count) {
        if (everyRow.length != count) {
            everyRow = IntStream.range(0, count).toArray();
        }
        return everyRow;
    }
}
