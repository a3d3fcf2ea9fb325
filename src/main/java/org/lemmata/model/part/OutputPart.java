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

    /** Returns {@link #outputs}, enlarged if necessary to {@code count} rows. */
    private float[] outputs(int count) {
        int size = PartContext.size(count, columns);
        if (size > outputs.length) {
            outputs = new float[size];
        }
        return outputs;
    }

    /** The outputs for the rows of x in {@code wanted}, in the same order. */
    float[] forward(float[] x, int[] wanted) {
        gather(x, wanted);
        return forwardGathered(wanted.length);
    }

    float[] forward(float[] x, int count) {
        growTo(count);
        unembedding.forward(outputs(count), normed(x, count), count);
        return outputs;
    }

    void gather(float[] x, int[] wanted) {
        growTo(wanted.length);
        RowSelection.gather(gathered, x, wanted, context.width());
    }

    void gather(float[] x, int count) {
        growTo(count);
        System.arraycopy(x, 0, gathered, 0, count * context.width());
    }

    float[] forwardGathered(int count) {
        return forward(gathered, count);
    }

    private float[] normed(float[] x, int count) {
        if (context.isPre()) {
            norm.forward(normed, normedStatistics, x, count);
        }
        return context.isPre() ? normed : x;
    }

    /**
     * Passes the outputs of the gathered rows to {@code use} in blocks, so that only one block at a time is in memory.
     */
    void forBlocks(int count, int block, TransformerPass.OutputBlock use) {
        float[] u = normed(gathered, count);
        for (int first = 0; first < count; first += block) {
            int size = Math.min(block, count - first);
            unembedding.forward(outputs(size), u, first, size);
            use.take(outputs, first, size);
        }
    }

    /** The backward pass of a block of {@link #forBlocks}, given the gradients of its outputs in {@link #outputs}. */
    void backwardBlock(float[] gradients, float[] dGathered, int first, int size) {
        float[] u = context.isPre() ? normed : gathered;
        unembedding.backward(gradients, dGathered, false, outputs, u, first, size);
    }

    /** Sets {@code dGathered}, the gradients of the gathered rows. Overwrites {@code dOutputs}. */
    void backward(float[] gradients, float[] dGathered, float[] dOutputs, int count) {
        context.rounding().roundGradient(PassTensor.LOGITS, NONE, dOutputs, count, columns);
        unembedding.backward(gradients, dGathered, false, dOutputs, context.isPre() ? normed : gathered, count);
        backwardNorm(gradients, dGathered, count);
    }

    /** Replaces the gradients of u, in {@code dGathered}, by the gradients of the gathered rows. */
    void backwardNorm(float[] gradients, float[] dGathered, int count) {
        if (context.isPre()) {
            norm.roundGradient(dGathered, count);
            norm.backward(gradients, dGathered, normedStatistics, gathered, count);
        }
        context.rounding().roundGradient(PassTensor.GATHERED, NONE, dGathered, count, context.width());
    }

    static double products(Architecture architecture, double rows) {
        return rows * architecture.width() * architecture.outputs();
    }
}
