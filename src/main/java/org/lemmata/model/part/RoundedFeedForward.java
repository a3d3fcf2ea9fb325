package org.lemmata.model.part;

import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/**
 * y = f(norm(x W1 + b1)) W2 + b2, with each step rounded according to the policy. Used only if
 * {@link PassRounding#reachesInto} is true; otherwise the fused kernel computes y.
 */
final class RoundedFeedForward {

    /** The values between the maps; all layers use these arrays in turn. */
    static final class Space {

        /** The input of the second map. */
        private float[] active = {};

        /** The input of the activation, if it is normalized. */
        private float[] normed = {};

        /** The gradient of the input of the second map, then of the hidden values. */
        private float[] gradient = {};
    }

    private final PartContext context;
    private final int layer;
    private final FeedForwardShape shape;
    private final Space space;

    /** The input of the activation in the latest call. */
    private final Matrix ofRead = Matrix.empty();

    private final Matrix ofActive = Matrix.empty();
    private final Matrix ofGradient = Matrix.empty();
    private final LinearMap first;
    private final Norm norm;
    private final LinearMap second;

    RoundedFeedForward(PartContext context, int layer, FeedForwardShape shape, Space space) {
        this.context = context;
        this.layer = layer;
        this.shape = shape;
        this.space = space;
        first = new LinearMap(context, PassTensor.HIDDEN, ParameterRole.FIRST, ParameterRole.FIRST_BIAS, layer);
        norm = new Norm(
                context,
                PassTensor.INNER_NORM,
                ParameterRole.INNER_NORM_GAIN,
                ParameterRole.INNER_NORM_SHIFT,
                layer,
                shape.hidden());
        second = new LinearMap(context, PassTensor.SECOND, ParameterRole.SECOND, ParameterRole.SECOND_BIAS, layer);
    }

    void forward(float[] y, FeedForwardPart.Saved saved, float[] x, int rows) {
        first.forward(saved.hidden, x, rows);
        activate(saved, rows);
        second.forward(y, space.active, rows);
    }

    /** Computes the input of the second map from the hidden values. */
    private void activate(FeedForwardPart.Saved saved, int rows) {
        int elements = rows * shape.hidden();
        space.active = grown(space.active, elements);
        float[] read = saved.hidden;
        if (shape.normalization() != null) {
            space.normed = grown(space.normed, elements);
            read = space.normed;
            norm.forward(read, saved.statistics, saved.hidden, rows);
        }
        ofRead.at(read, rows, shape.hidden());
        ofActive.at(space.active, rows, shape.hidden());
        context.kernels().activation().forwardInto(shape.activation(), ofActive, ofRead);
        context.rounding().round(PassTensor.ACTIVE, layer, space.active, rows, shape.hidden());
    }

    /**
     * Writes dx and adds the gradients of the parameters. The values between the maps are computed and rounded again.
     */
    void backward(float[] gradients, float[] dx, float[] dy, FeedForwardPart.Saved saved, float[] x, int rows) {
        int width = shape.hidden();
        activate(saved, rows);
        space.gradient = grown(space.gradient, rows * width);
        float[] d = space.gradient;
        PassRounding rounding = context.rounding();
        second.backward(gradients, d, false, dy, space.active, rows);
        rounding.roundGradient(PassTensor.ACTIVE, layer, d, rows, width);
        ofGradient.at(d, rows, width);
        context.kernels().activation().backwardInto(shape.activation(), ofGradient, ofGradient, ofRead);
        if (shape.normalization() != null) {
            norm.roundGradient(d, rows);
            norm.backward(gradients, d, saved.statistics, saved.hidden, rows);
        }
        rounding.roundGradient(PassTensor.HIDDEN, layer, d, rows, width);
        first.backward(gradients, dx, false, d, x, rows);
    }

    private static float[] grown(float[] space, int elements) {
        return space.length < elements ? new float[elements] : space;
    }
}
