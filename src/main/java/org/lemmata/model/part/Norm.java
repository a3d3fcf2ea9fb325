package org.lemmata.model.part;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/** y = norm(x), with a gain and a shift if the model has them. y is rounded as configured for {@link #tensor}. */
final class Norm {

    private final PartContext context;
    private final PassTensor tensor;
    private final int layer;
    private final ParameterRole gain;
    private final ParameterRole shift;
    private final int columns;
    private final GainAndShift parameters;

    /** Views of this norm's parameter gradients in the array that the previous call used. */
    private GainAndShift dParameters = GainAndShift.NONE;

    private float[] lastGradients = PartContext.NONE;

    /** Views whose arrays each call sets. */
    private final Matrix x = Matrix.empty();

    private final Matrix y = Matrix.empty();
    private final Matrix statistics = Matrix.empty();

    Norm(PartContext context, PassTensor tensor, ParameterRole gain, ParameterRole shift, int layer, int columns) {
        this.context = context;
        this.tensor = tensor;
        this.layer = layer;
        this.gain = gain;
        this.shift = shift;
        this.columns = columns;
        this.parameters = context.norm(context.values(), gain, shift, layer);
    }

    /** Writes y and the statistics that {@link #backward} reads. */
    void forward(float[] ofY, float[] ofStatistics, float[] ofX, int rows) {
        place(ofY, ofStatistics, ofX, rows);
        context.rounding()
                .normalization(tensor, layer, PassRounding.Use.FORWARD)
                .forward(
                        y,
                        statistics,
                        x,
                        parameters,
                        kind(),
                        context.architecture().normalization().epsilon());
        context.rounding().round(tensor, layer, ofY, rows, columns);
    }

    /** Replaces the gradient of y, in {@code d}, by the gradient of x. Adds to the gradients of gain and shift. */
    @SuppressWarnings("ReferenceEquality") // Compares identity: whether this is the array of the previous call.
    void backward(float[] gradients, float[] d, float[] ofStatistics, float[] ofX, int rows) {
        if (lastGradients != gradients) {
            dParameters = context.norm(gradients, gain, shift, layer);
            lastGradients = gradients;
        }
        place(d, ofStatistics, ofX, rows);
        context.rounding()
                .normalization(tensor, layer, PassRounding.Use.INPUT_GRADIENT)
                .backward(y, dParameters, y, statistics, x, parameters, kind());
    }

    private void place(float[] ofY, float[] ofStatistics, float[] ofX, int rows) {
        y.at(ofY, rows, columns);
        statistics.at(ofStatistics, rows, kind().statistics());
        x.at(ofX, rows, columns);
    }

    private Normalization.Kind kind() {
        return context.architecture().normalization().kind();
    }

    void roundGradient(float[] dy, int rows) {
        context.rounding().roundGradient(tensor, layer, dy, rows, columns);
    }
}
