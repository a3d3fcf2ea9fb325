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

    /** The rows of x whose outputs are computed. */
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
        unembedding = LinearMap.ofTable(
                context,
                PassTensor.LOGITS,
                architecture.output().tied() ? ParameterRole.TOKEN_EMBEDDING : ParameterRole.UNEMBEDDING,
                ParameterRole.UNEMBEDDING_BIAS);
        columns = architecture.outputs();
    }

    /** Enlarges the arrays to this number of rows. */
    void growTo(int newRows) {
        if (newRows > rows) {
            gathered = PartContext.space(true, newRows, context.width());
            normed = PartContext.space(context.isPre(), newRows, context.width());
            normedStatistics = context.statistics(context.isPre(), newRows);
            outputs = PartContext.space(true, newRows, columns);
            rows = newRows;
        }
    }

    /** The outputs of some rows of x, in the order of {@code wanted}. */
    float[] forward(float[] x, int[] wanted) {
        growTo(wanted.length);
        RowSelection.gather(gathered, x, wanted, context.width());
        return unembed(gathered, wanted.length);
    }

    /** The outputs of the first rows of x, with what a backward pass needs. */
    float[] forwardKept(float[] x, int count) {
        growTo(count);
        System.arraycopy(x, 0, gathered, 0, count * context.width());
        return unembed(gathered, count);
    }

    /** The outputs of the first rows of x. */
    float[] forward(float[] x, int count) {
        growTo(count);
        return unembed(x, count);
    }

    private float[] unembed(float[] x, int count) {
        if (context.isPre()) {
            norm.forward(normed, normedStatistics, x, count);
        }
        unembedding.forward(outputs, context.isPre() ? normed : x, count);
        return outputs;
    }

    /** Computes the gradients of the gathered rows from those of the outputs, which are overwritten. */
    void backward(float[] gradients, float[] dGathered, float[] dOutputs, int count) {
        int width = context.width();
        context.rounding().roundGradient(PassTensor.LOGITS, NONE, dOutputs, count, columns);
        unembedding.backward(gradients, dGathered, false, dOutputs, context.isPre() ? normed : gathered, count);
        if (context.isPre()) {
            norm.roundGradient(dGathered, count);
            norm.backward(gradients, dGathered, normedStatistics, gathered, count);
        }
        context.rounding().roundGradient(PassTensor.GATHERED, NONE, dGathered, count, width);
    }

    /** The number of multiplications for {@code rows} rows of outputs. */
    static double products(Architecture architecture, double rows) {
        return rows * architecture.width() * architecture.outputs();
    }
}
