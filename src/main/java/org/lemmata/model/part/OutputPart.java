package org.lemmata.model.part;

import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.PassTensor;

/** outputs = u Uᵀ + c, where u = norm(x) if norms come before the parts, else u = x. */
final class OutputPart {

    private static final int NONE = ParameterView.NO_LAYER;

    private final PartContext context;
    private final Norm norm;
    private final LinearMap unembedding;
    private final int columns;

    private int rows = -1;

    /** The rows of x whose outputs are computed: {@link #gathered}, or an array of the caller. */
    private float[] read = PartContext.NONE;

    private float[] gathered = PartContext.NONE;

    private float[] normed = PartContext.NONE;
    private float[] normedStatistics = PartContext.NONE;
    private float[] outputs = PartContext.NONE;

    OutputPart(PartContext context) {
        this.context = context;
        Architecture architecture = context.architecture();
        norm = new Norm(
                context,
                PassTensor.FINAL_NORM,
                ParameterRole.FINAL_NORM_GAIN,
                ParameterRole.FINAL_NORM_SHIFT,
                NONE,
                context.width());
        unembedding = new LinearMap(
                context,
                PassTensor.LOGITS,
                architecture.output().tied() ? ParameterRole.TOKEN_EMBEDDING : ParameterRole.UNEMBEDDING,
                ParameterRole.UNEMBEDDING_BIAS,
                NONE);
        columns = architecture.outputs();
    }

    /** Enlarges all arrays except {@link #outputs} to this number of rows. */
    private void growTo(int newRows) {
        if (newRows > rows) {
            gathered = PartContext.space(true, newRows, context.width());
            normed = PartContext.space(context.isPre(), newRows, context.width());
            normedStatistics = context.statistics(context.isPre(), newRows);
            rows = newRows;
        }
    }

    /** Reads the rows of x in {@code wanted}, in this order. */
    void read(float[] x, int[] wanted) {
        growTo(wanted.length);
        RowSelection.gather(gathered, x, wanted, context.width());
        read(gathered, wanted.length);
    }

    /** Reads the first {@code count} rows of x. */
    void read(float[] x, int count) {
        growTo(count);
        read = x;
        if (context.isPre()) {
            norm.forward(normed, normedStatistics, x, count);
        }
    }

    private float[] u() {
        return context.isPre() ? normed : read;
    }

    /** The outputs of {@code count} rows read, from {@code first} on, in an array that the next call reuses. */
    float[] outputs(int first, int count) {
        int size = PartContext.size(count, columns);
        outputs = size > outputs.length ? new float[size] : outputs;
        unembedding.forward(outputs, u(), first, count);
        return outputs;
    }

    /** Sets the gradients {@code du} of the rows of the latest {@link #outputs}, which contains their gradients. */
    void outputsBackward(float[] gradients, float[] du, int first, int count) {
        context.rounding().roundGradient(PassTensor.LOGITS, NONE, outputs, count, columns);
        unembedding.backward(gradients, du, false, outputs, u(), first, count);
    }

    /** Replaces the gradients of u, in {@code d}, by the gradients of the rows read. */
    void backward(float[] gradients, float[] d, int count) {
        if (context.isPre()) {
            norm.roundGradient(d, count);
            norm.backward(gradients, d, normedStatistics, read, count);
        }
        context.rounding().roundGradient(PassTensor.GATHERED, NONE, d, count, context.width());
    }

    static double products(Architecture architecture, double rows) {
        return rows * architecture.width() * architecture.outputs();
    }
}
