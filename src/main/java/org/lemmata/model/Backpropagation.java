package org.lemmata.model;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.part.DropoutSeed;
import org.lemmata.model.part.RowSelection;
import org.lemmata.model.part.TransformerPass;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;

/**
 * The loss of a transformer on a batch, and its gradients with respect to all parameters, in binary32 on the kernels.
 *
 * <p>The loss of a scored row is the cross-entropy of its target, -log softmax(outputs)_target, or, for regression, the
 * squared error (output - value)^2. Gradients have the same bits for every number of threads. It keeps working space
 * between calls, linear in the tokens of the largest batch: one thread at a time may use it. A call on a batch no
 * larger than one before, with as many scored rows as the last one, allocates nothing; with dropout, a few objects a
 * layer.
 */
public final class Backpropagation implements Objective {

    private final Parameters parameters;
    private final Kernels kernels;
    private final TransformerPass pass;
    private final Matrix logits = Matrix.empty();
    private final Matrix answers = Matrix.empty();

    /** 0, 1, 2, ...: outputs are made of scored rows alone, so that the loss finds each of them scored. */
    private int[] everyRow = {};

    /** The objective of {@code parameters}, whose array it reads at each call. */
    public Backpropagation(Parameters parameters, Kernels kernels) {
        this(parameters, PrecisionPolicy.none(), kernels);
    }

    /**
     * The same under a policy: weights are rounded anew at each call, tensors and sums as in {@link Transformer}, and
     * so are gradients; a rounding has the gradient of the identity (straight-through).
     *
     * <p>The loss is that of the rounded outputs, in binary32. What a step of training computes depends on its random
     * words, which {@code seed} of the policy and the step name; {@link #loss} has those of step 0.
     *
     * <p>Source: Bengio, Leonard and Courville (2013), Estimating or propagating gradients through stochastic neurons
     * for conditional computation, section 3.1, for the straight-through gradient.
     *
     * @throws IllegalArgumentException if a site is to have binary64
     */
    public Backpropagation(Parameters parameters, PrecisionPolicy policy, Kernels kernels) {
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

    /** Tied, the gradient of the output reaches all rows; rounding reads and writes them all. */
    @Override
    public @Nullable ParameterView rowsOfTokens() {
        boolean all = architecture().output().tied() || !pass.policy().equals(PrecisionPolicy.none());
        return all
                ? null
                : layout().stream()
                        .filter(view -> view.role() == ParameterRole.TOKEN_EMBEDDING)
                        .findFirst()
                        .orElse(null);
    }

    @Override
    public float[] parameters() {
        return parameters.values();
    }

    @Override
    public double loss(Batch batch) {
        float[] outputs = outputs(batch);
        int scored = batch.scoredRows().length;
        double factor = 1.0 / scored;
        if (scored == 0) {
            return Double.NaN;
        }
        if (architecture().output().kind() == OutputOptions.Kind.REGRESSION) {
            answers.at(batch.values(), 1, scored);
            return kernels.squaredError().forward(logits.at(outputs, 1, scored), answers, factor);
        }
        logits.at(outputs, scored, architecture().outputs());
        return kernels.softmaxCrossEntropy().forward(logits, batch.targets(), rows(scored), factor);
    }

    @Override
    public int right(Batch batch) {
        float[] outputs = outputs(batch);
        int columns = architecture().outputs();
        int right = 0;
        for (int row = 0; row < batch.scoredRows().length; row++) {
            if (architecture().output().kind() == OutputOptions.Kind.REGRESSION) {
                right += outputs[row] * batch.values()[row] > 0 ? 1 : 0;
                continue;
            }
            int likeliest = 0;
            for (int column = 1; column < columns; column++) {
                likeliest = outputs[row * columns + column] > outputs[row * columns + likeliest] ? column : likeliest;
            }
            right += likeliest == batch.targets()[row] ? 1 : 0;
        }
        return right;
    }

    /** Of the scored rows, with nothing dropped. */
    private float[] outputs(Batch batch) {
        check(batch);
        pass.begin(0);
        return pass.scoredOutputs(batch, pass.scoredFrom(batch, null), null);
    }

    @Override
    public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
        if (gradients.length != parameters.values().length) {
            throw new IllegalArgumentException(
                    "gradients: expected " + parameters.values().length + " elements, got " + gradients.length);
        }
        check(batch);
        if (batch.scoredRows().length == 0) {
            return 0;
        }
        @Nullable DropoutSeed dropout = architecture().dropout() > 0 ? new DropoutSeed(seed, step) : null;
        RowSelection.From from = pass.scoredFrom(batch, dropout);
        pass.begin(step);
        float[] outputs = pass.scoredOutputs(batch, from, dropout);
        double loss = lossBackward(outputs, batch, factor);
        pass.backward(gradients, outputs, batch, from, dropout);
        return loss;
    }

    /** Replaces outputs by their gradients. */
    private double lossBackward(float[] outputs, Batch batch, double factor) {
        int scored = batch.scoredRows().length;
        if (architecture().output().kind() == OutputOptions.Kind.REGRESSION) {
            logits.at(outputs, 1, scored);
            return kernels.squaredError().backward(logits, logits, answers.at(batch.values(), 1, scored), factor);
        }
        logits.at(outputs, scored, architecture().outputs());
        return kernels.softmaxCrossEntropy().backward(logits, logits, batch.targets(), rows(scored), factor);
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
