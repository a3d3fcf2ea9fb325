package org.lemmata.model;

import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/**
 * y = f(norm(x W1 + b1)) W2 + b2 step by step, each step rounded as the policy says: what
 * {@link org.lemmata.kernel.feedforward.FeedForward} computes where nothing in between is rounded.
 */
final class RoundedFeedForward {

    private final ForwardPass forward;
    private final FeedForwardShape shape;

    /** What the second map reads; in the backward pass also its gradient, and that of the hidden values. */
    private float[] active = {};

    /** What the activation reads, where it is normalized. */
    private float[] normed = {};

    private float[] gradient = {};

    RoundedFeedForward(ForwardPass forward, FeedForwardShape shape) {
        this.forward = forward;
        this.shape = shape;
    }

    /** Writes y, the hidden values and the statistics of their norm. */
    void forward(int layer, float[] y, Activations.Layer saved, float[] x, int rows) {
        forward.map(PassTensor.HIDDEN, saved.hidden, x, ParameterRole.FIRST, ParameterRole.FIRST_BIAS, layer, rows);
        activate(layer, saved, rows);
        forward.map(PassTensor.SECOND, y, active, ParameterRole.SECOND, ParameterRole.SECOND_BIAS, layer, rows);
    }

    /** From the hidden values to {@link #active}; returns what the activation read. */
    private float[] activate(int layer, Activations.Layer saved, int rows) {
        int width = shape.hidden();
        active = grown(active, rows * width);
        float[] read = saved.hidden;
        if (shape.normalization() != null) {
            normed = grown(normed, rows * width);
            read = normed;
            forward.norm(
                    PassTensor.INNER_NORM,
                    normed,
                    saved.hiddenStatistics,
                    saved.hidden,
                    ParameterRole.INNER_NORM_GAIN,
                    ParameterRole.INNER_NORM_SHIFT,
                    layer,
                    rows,
                    width);
        }
        forward.kernels.activation().forwardInto(shape.activation(), active, 0, read, 0, rows * width);
        forward.rounding.round(PassTensor.ACTIVE, layer, active, rows, width);
        return read;
    }

    /** Writes dx and adds the gradients of the parameters; what lies between the maps is computed and rounded again. */
    void backward(
            BackwardPass backward,
            float[] gradients,
            int layer,
            float[] dx,
            float[] dy,
            Activations.Layer saved,
            float[] x,
            int rows) {
        int width = shape.hidden();
        float[] read = activate(layer, saved, rows);
        gradient = grown(gradient, rows * width);
        PassRounding rounding = forward.rounding;
        backward.mapBackward(
                PassTensor.SECOND,
                gradients,
                gradient,
                false,
                dy,
                active,
                ParameterRole.SECOND,
                ParameterRole.SECOND_BIAS,
                layer,
                rows);
        rounding.roundGradient(PassTensor.ACTIVE, layer, gradient, rows, width);
        forward.kernels.activation().backwardInto(shape.activation(), gradient, 0, gradient, 0, read, 0, rows * width);
        if (shape.normalization() != null) {
            rounding.roundGradient(PassTensor.INNER_NORM, layer, gradient, rows, width);
            backward.normBackward(
                    PassTensor.INNER_NORM,
                    gradients,
                    gradient,
                    saved.hiddenStatistics,
                    saved.hidden,
                    ParameterRole.INNER_NORM_GAIN,
                    ParameterRole.INNER_NORM_SHIFT,
                    layer,
                    rows,
                    width);
        }
        rounding.roundGradient(PassTensor.HIDDEN, layer, gradient, rows, width);
        backward.mapBackward(
                PassTensor.HIDDEN,
                gradients,
                dx,
                false,
                gradient,
                x,
                ParameterRole.FIRST,
                ParameterRole.FIRST_BIAS,
                layer,
                rows);
    }

    private static float[] grown(float[] space, int elements) {
        return space.length < elements ? new float[elements] : space;
    }
}
