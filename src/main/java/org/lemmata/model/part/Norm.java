package org.lemmata.model.part;

import org.jspecify.annotations.Nullable;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.ParameterIndex;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/** y = norm(x), with the gain and the shift that the model has for it; rounded as its tensor is. */
final class Norm {

    private final PartContext context;
    private final PassTensor tensor;
    private final int layer;
    private final int gain;
    private final int shift;
    private final int columns;

    Norm(PartContext context, PassTensor tensor, ParameterRole gain, ParameterRole shift, int layer, int columns) {
        this.context = context;
        this.tensor = tensor;
        this.layer = layer;
        this.gain = context.index().offset(gain, layer);
        this.shift = context.index().offset(shift, layer);
        this.columns = columns;
    }

    /** Writes y and the statistics that {@link #backward} reads. */
    void forward(float[] y, float[] statistics, float[] x, int rows) {
        NormalizationOptions options = context.architecture().normalization();
        float[] values = context.values();
        context.rounding()
                .normalization(tensor, layer, PassRounding.Use.FORWARD)
                .forward(
                        y,
                        0,
                        columns,
                        statistics,
                        0,
                        x,
                        0,
                        columns,
                        there(gain, values),
                        gain,
                        there(shift, values),
                        shift,
                        options.kind(),
                        options.epsilon(),
                        rows,
                        columns);
        context.rounding().round(tensor, layer, y, rows, columns);
    }

    /** In place: the gradient of y becomes that of x; those of gain and shift are added. */
    void backward(float[] gradients, float[] d, float[] statistics, float[] x, int rows) {
        context.rounding()
                .normalization(tensor, layer, PassRounding.Use.INPUT_GRADIENT)
                .backward(
                        d,
                        0,
                        columns,
                        there(gain, gradients),
                        gain,
                        there(shift, gradients),
                        shift,
                        d,
                        0,
                        columns,
                        statistics,
                        0,
                        x,
                        0,
                        columns,
                        there(gain, context.values()),
                        gain,
                        context.architecture().normalization().kind(),
                        rows,
                        columns);
    }

    /** Rounds the gradient of y. */
    void roundGradient(float[] dy, int rows) {
        context.rounding().roundGradient(tensor, layer, dy, rows, columns);
    }

    private static float @Nullable [] there(int offset, float[] array) {
        return offset == ParameterIndex.ABSENT ? null : array;
    }
}
