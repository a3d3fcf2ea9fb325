package org.lemmata.model;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.part.TransformerPass;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;

/**
 * The transformer in binary32 on the kernels. {@link Architecture} defines its formulas. Trained models and
 * constructions in binary32 are instances of this class, and so are rounded models: a {@link PrecisionPolicy} defines
 * which tensors are rounded. An instance keeps scratch space between calls, so only one thread at a time may use it.
 */
public final class Transformer implements LanguageModel {

    private final Parameters parameters;
    private final TransformerPass pass;

    /** A cache for one sequence, for {@link #lastLogits}. Its capacity is the longest length so far. */
    private @Nullable IncrementalForward cached;

    public Transformer(Parameters parameters, Kernels kernels) {
        this(parameters, PrecisionPolicy.none(), kernels);
    }

    /**
     * The model that rounds according to {@code policy}. The constructor rounds the weights.
     *
     * @throws IllegalArgumentException if the policy has a site in binary64
     */
    public Transformer(Parameters parameters, PrecisionPolicy policy, Kernels kernels) {
        this.parameters = parameters;
        this.pass = new TransformerPass(parameters, policy, kernels, false);
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
        return pass.policy();
    }

    Kernels kernels() {
        return pass.kernels();
    }

    @Override
    public double[] logits(Batch batch) {
        return widen(forward(batch));
    }

    @Override
    public double[] lastLogits(Batch batch) {
        LanguageModel.check(architecture(), batch);
        LanguageModel.checkNotEmpty(batch);
        int count = batch.sequences().count();
        if (IncrementalForward.isExact(this)) {
            return widen(lastOfCache(batch.sequences(), batch.ids()));
        }
        int columns = architecture().outputs();
        int[] last = new int[count];
        Arrays.setAll(last, sequence -> batch.sequences().end(sequence) - 1);
        if (policy().isStochastic()) {
            // Random words depend on the positions of rows, so all rows are computed.
            double[] all = logits(batch);
            return Arrays.stream(last)
                    .boxed()
                    .flatMapToDouble(row -> Arrays.stream(all, row * columns, (row + 1) * columns))
                    .toArray();
        }
        return widen(Arrays.copyOf(pass.outputs(batch, last), count * columns));
    }

    private float[] lastOfCache(RaggedOffsets sequences, int[] ids) {
        int columns = architecture().outputs();
        float[] outputs = new float[sequences.count() * columns];
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int[] tokens = Arrays.copyOfRange(ids, sequences.start(sequence), sequences.end(sequence));
            if (cached == null || cached.capacity() < tokens.length) {
                cached = new IncrementalForward(this, 1, tokens.length);
            }
            cached.truncate(0, 0);
            float[] row = cached.appendPrefixes(new int[] {0}, List.of(tokens));
            System.arraycopy(row, 0, outputs, sequence * columns, columns);
        }
        return outputs;
    }

    static double[] widen(float[] narrow) {
        double[] wide = new double[narrow.length];
        Arrays.setAll(wide, i -> narrow[i]);
        return wide;
    }

    /** Computes {@link #logits} in binary32. */
    public float[] forward(Batch batch) {
        return Arrays.copyOf(
                pass.outputs(batch), batch.sequences().total() * architecture().outputs());
    }
}
