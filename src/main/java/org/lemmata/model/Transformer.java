package org.lemmata.model;

import java.util.Arrays;
import org.lemmata.kernel.Kernels;
import org.lemmata.token.Batch;

/**
 * The one transformer, in binary32 on the kernels; {@link Architecture} states what it computes.
 *
 * <p>Constructed and trained models are both of this class, and so are rounded ones: a {@link PrecisionPolicy} says
 * what is rounded on the way. It keeps working space between calls: one thread at a time may use it.
 */
public final class Transformer implements LanguageModel {

    private final Parameters parameters;
    private final ForwardPass pass;

    /** The model that computes with {@code kernels}, unrounded. */
    public Transformer(Parameters parameters, Kernels kernels) {
        this(parameters, PrecisionPolicy.none(), kernels);
    }

    /**
     * The model that rounds as {@code policy} says, its weights now.
     *
     * @throws IllegalArgumentException if a site is to have binary64
     */
    public Transformer(Parameters parameters, PrecisionPolicy policy, Kernels kernels) {
        this.parameters = parameters;
        this.pass = new ForwardPass(parameters, policy, kernels, false);
        pass.begin(0);
    }

    @Override
    public Architecture architecture() {
        return parameters.architecture();
    }

    public Parameters parameters() {
        return parameters;
    }

    public PrecisionPolicy policy() {
        return pass.rounding.policy();
    }

    /** What it computes with where nothing is rounded. */
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
