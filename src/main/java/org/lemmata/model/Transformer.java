package org.lemmata.model;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.RoundedAttention;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.RoundedMatMul;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

/**
 * The one transformer, in binary32 on the kernels; {@link Architecture} states what it computes.
 *
 * <p>Constructed and trained models are both of this class, and so are rounded ones: a {@link PrecisionPolicy} changes
 * which kernels it is built from, not its code.
 */
public final class Transformer implements LanguageModel {

    private final Parameters parameters;
    private final MatMul matMul;
    private final Attention attention;
    private final @Nullable Rounding activations;

    /** The model that computes with {@code kernels}, unrounded. */
    public Transformer(Parameters parameters, Kernels kernels) {
        this.parameters = parameters;
        this.matMul = kernels.matMul();
        this.attention = kernels.attention();
        this.activations = null;
    }

    /** The model that rounds as {@code policy} says. */
    public Transformer(Parameters parameters, PrecisionPolicy policy) {
        this.parameters = parameters;
        this.matMul = new RoundedMatMul(policy.matMul());
        this.attention = new RoundedAttention(policy.attention());
        this.activations = policy.activations();
    }

    @Override
    public Architecture architecture() {
        return parameters.architecture();
    }

    public Parameters parameters() {
        return parameters;
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
        LanguageModel.check(architecture(), batch);
        float[] x = embed(batch);
        for (int layer = 0; layer < architecture().layers(); layer++) {
            x = layer(x, layer, batch.sequences());
        }
        return unembed(x, batch.sequences().total());
    }

    private float[] embed(Batch batch) {
        int width = architecture().width();
        int tokens = architecture().view(ParameterView.TOKEN_EMBEDDING).offset();
        float[] values = parameters.values();
        float[] x = new float[batch.sequences().total() * width];
        for (int t = 0; t < batch.sequences().total(); t++) {
            System.arraycopy(values, tokens + batch.ids()[t] * width, x, t * width, width);
        }
        if (architecture().learnedPositions()) {
            int positions =
                    architecture().view(ParameterView.POSITION_EMBEDDING).offset();
            for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
                int start = batch.sequences().start(sequence) * width;
                int length = batch.sequences().length(sequence) * width;
                addInto(x, start, values, positions, length);
            }
        } else if (activations != null) {
            activations.roundInto(x, 0, x.length);
        }
        return x;
    }

    private float[] layer(float[] x, int layer, RaggedOffsets sequences) {
        Architecture architecture = architecture();
        boolean scores = architecture.hasScores();
        float[] queries = scores ? project(x, ParameterView.query(layer)) : new float[0];
        float[] keys = scores ? project(x, ParameterView.key(layer)) : new float[0];
        float[] values = project(x, ParameterView.value(layer));
        float[] y = new float[values.length];
        attention.forward(
                AttentionOutputs.of(y),
                AttentionInputs.of(queries, keys, values),
                sequences,
                architecture.attentionShape());
        if (architecture.outputProjection()) {
            y = project(y, ParameterView.output(layer));
        }
        if (architecture.residual()) {
            addInto(y, 0, x, 0, y.length);
        }
        return y;
    }

    /** x W, with W the parameter matrix of a name. */
    private float[] project(float[] x, String name) {
        ParameterView w = architecture().view(name);
        int rows = x.length / w.rows();
        float[] y = new float[rows * w.columns()];
        float[] values = parameters.values();
        matMul.multiply(
                MatMul.Form.NN,
                false,
                y,
                0,
                w.columns(),
                x,
                0,
                w.rows(),
                values,
                w.offset(),
                w.columns(),
                rows,
                w.columns(),
                w.rows());
        return y;
    }

    /** x Uᵀ. */
    private float[] unembed(float[] x, int rows) {
        Architecture architecture = architecture();
        ParameterView u = architecture.view(
                architecture.tiedUnembedding() ? ParameterView.TOKEN_EMBEDDING : ParameterView.UNEMBEDDING);
        float[] logits = new float[rows * u.rows()];
        float[] values = parameters.values();
        matMul.multiply(
                MatMul.Form.NT,
                false,
                logits,
                0,
                u.rows(),
                x,
                0,
                u.columns(),
                values,
                u.offset(),
                u.columns(),
                rows,
                u.rows(),
                u.columns());
        return logits;
    }

    /** x := x + y over {@code length} elements, each sum rounded once where activations are. */
    private void addInto(float[] x, int xOffset, float[] y, int yOffset, int length) {
        for (int i = 0; i < length; i++) {
            float a = x[xOffset + i];
            float b = y[yOffset + i];
            x[xOffset + i] = activations == null ? a + b : activations.roundSum(a, b);
        }
    }
}
