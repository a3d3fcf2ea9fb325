package org.lemmata.model.part;

import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.PassTensor;

/** outputs = u Uᵀ + c of u = x, or u = norm(x) where norms come before the parts. */
final class OutputPart {

    private static final int NONE = ParameterView.NO_LAYER;

    private final PartContext context;
    private final Norm norm;
    private final LinearMap unembedding;
    private final int columns;

    private int rows = -1;

    /** The rows of x that outputs are made of. */
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

    /** Makes room for so many rows. */
    void growTo(int newRows) {
        if (newRows > rows) {
            gathered = PartContext.space(true, newRows, context.width());
            normed = PartContext.space(context.isPre(), newRows, context.width());
            normedStatistics = context.statistics(context.isPre(), newRows);
            outputs = PartContext.space(true, newRows, columns);
            rows = newRows;
        }
    }

    /** The outputs of some rows of x, in their order. */
    float[] forward(float[] x, int[] wanted) {
        growTo(wanted.length);
        RowSelection.gather(gathered, x, wanted, context.width());
        return unembed(gathered, wanted.length);
    }

    /** The outputs of the first rows of x, for a pass that goes back. */
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

    /** From the gradients of the outputs, which are lost, to those of the rows that were gathered. */
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

    /** Multiplications of the rows whose outputs are made. */
    static double products(Architecture architecture, double rows) {
        return rows * architecture.width() * architecture.outputs();
    }
}
