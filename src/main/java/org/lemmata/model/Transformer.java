package org.lemmata.model;

import java.util.Arrays;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.RoundedAttention;
import org.lemmata.kernel.matmul.RoundedMatMul;
import org.lemmata.token.Batch;

/**
 * The one transformer, in binary32 on the kernels; {@link Architecture} states what it computes.
 *
 * <p>Constructed and trained models are both of this class, and so are rounded ones: a {@link PrecisionPolicy} changes
 * which kernels it is built from, not its code. It keeps working space between calls: one thread at a time may use it.
 */
public final class Transformer implements LanguageModel {

    private final Parameters parameters;
    private final ForwardPass pass;

    /** The model that computes with {@code kernels}, unrounded. */
    public Transformer(Parameters parameters, Kernels kernels) {
        this.parameters = parameters;
        this.pass = new ForwardPass(parameters, kernels, null, false);
    }

    /**
     * The model that rounds as {@code policy} says.
     *
     * @throws IllegalArgumentException if the architecture has norms or a feed-forward, for which a policy names no site
     */
    public Transformer(Parameters parameters, PrecisionPolicy policy) {
        Architecture architecture = parameters.architecture();
        boolean normalizes = architecture.attention().normalizeQueriesAndKeys()
                || architecture.placement() != NormalizationOptions.Placement.NONE;
        if (normalizes || architecture.feedForward() != null) {
            throw new IllegalArgumentException("architecture: expected one without normalization and feed-forward, whose"
                    + " sites a precision policy does not name, got " + architecture);
        }
        this.parameters = parameters;
        this.pass = new ForwardPass(parameters, rounded(policy), policy.activations(), false);
    }

    private static Kernels rounded(PrecisionPolicy policy) {
        return Kernels.scalar()
                .withMatMul(new RoundedMatMul(policy.matMul()))
                .withAttention(new RoundedAttention(policy.attention()));
    }

    @Override
    public Architecture architecture() {
        return parameters.architecture();
    }

    public Parameters parameters() {
        return parameters;
    }

    /** What it computes with; those that round have no attention step of their own. */
    Kernels kernels() {
        return pass.kernels;
    }

    @Override
    public double[] logits(Batch batch) {
        float[] narrow = forward(batch);
        double[] logits = new double[narrow.length];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = narrow[i];
        }
        return logits;
    }

    /** The logits as {@link #logits} defines them, in binary32. */
    public float[] forward(Batch batch) {
        float[] x = pass.run(batch, null);
        int rows = batch.sequences().total();
        return Arrays.copyOf(pass.outputs(x, rows), rows * architecture().outputs());
    }
}
