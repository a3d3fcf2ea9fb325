package org.lemmata.model.part;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.feedforward.FeedForwardWeights;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.Architecture;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/**
 * The feed-forward part of a layer, x := norm(x + drop(f(norm(u W_1 + b_1)) W_2 + b_2)), where u is x or norm(x). The
 * placement of normalization determines which norms are present. If an intermediate tensor, a gradient or a sum is
 * rounded, the part runs its steps separately instead of as one fused kernel.
 */
final class FeedForwardPart extends ResidualPart {

    /** The values between the maps, if steps run separately; all layers use these arrays in turn. */
    static final class Space {

        /** The input of the second map. */
        private float[] active = {};

        /** The input of the activation, if it is normalized. */
        private float[] normed = {};

        /** The gradient of the input of the second map, then of the hidden values. */
        private float[] gradient = {};
    }

    private final FeedForwardShape shape;
    private final FeedForwardWeights weights;

    /** Views of weight gradients in the array that the previous call used. */
    private @Nullable FeedForwardWeights dWeights;

    private float[] lastGradients = PartContext.NONE;

    /** Views whose arrays each call sets. */
    private final Matrix u = Matrix.empty();

    private final Matrix y = Matrix.empty();
    private final Matrix du = Matrix.empty();
    private final FeedForwardSaved kept;

    private final boolean separate;
    private final Space between;

    /** The input of the activation in the latest call. */
    private final Matrix ofRead = Matrix.empty();

    private final Matrix ofActive = Matrix.empty();
    private final Matrix ofGradient = Matrix.empty();
    private final LinearMap first;
    private final Norm innerNorm;
    private final LinearMap second;

    FeedForwardPart(PartContext context, int layer, Space between) {
        super(context, layer, false);
        shape = context.architecture().feedForwardShape();
        weights = weights(context.values());
        kept = new FeedForwardSaved(Matrix.empty(), shape.normalization() == null ? null : Matrix.empty());
        separate = context.rounding().reachesInto(shape);
        this.between = between;
        first = new LinearMap(context, PassTensor.HIDDEN, ParameterRole.FIRST, ParameterRole.FIRST_BIAS, layer);
        innerNorm = new Norm(
                context,
                PassTensor.INNER_NORM,
                ParameterRole.INNER_NORM_GAIN,
                ParameterRole.INNER_NORM_SHIFT,
                layer,
                shape.hidden());
        second = new LinearMap(context, PassTensor.SECOND, ParameterRole.SECOND, ParameterRole.SECOND_BIAS, layer);
    }

    static final class Saved extends ResidualPart.Saved {

        /** u W_1 + b_1. */
        final float[] hidden;

        final float[] statistics;

        Saved(PartContext context, int rows) {
            super(context, rows);
            FeedForwardShape shape = context.architecture().feedForwardShape();
            hidden = PartContext.space(true, rows, shape.hidden());
            statistics = PartContext.space(true, rows, shape.statistics());
        }
    }

    void forward(Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        float[] ofU = read(saved, x, rows);
        float[] ofY = saved.sum;
        if (separate) {
            first.forward(saved.hidden, ofU, 0, rows);
            activate(saved, rows);
            second.forward(ofY, between.active, 0, rows);
        } else {
            place(saved, ofU, rows);
            y.at(ofY, rows, context.width());
            context.kernels().feedForward().forward(y, kept, u, weights, shape);
        }
        context.rounding().round(PassTensor.FEED_FORWARD, layer, ofY, rows, context.width());
        finish(saved, x, rows, dropout);
    }

    private FeedForwardWeights weights(float[] array) {
        return new FeedForwardWeights(
                context.get(array, ParameterRole.FIRST, layer),
                context.find(array, ParameterRole.FIRST_BIAS, layer),
                context.norm(array, ParameterRole.INNER_NORM_GAIN, ParameterRole.INNER_NORM_SHIFT, layer),
                context.get(array, ParameterRole.SECOND, layer),
                context.find(array, ParameterRole.SECOND_BIAS, layer));
    }

    /** Computes the input of the second map from the hidden values. */
    private void activate(Saved saved, int rows) {
        int elements = rows * shape.hidden();
        between.active = grown(between.active, elements);
        float[] read = saved.hidden;
        if (shape.normalization() != null) {
            between.normed = grown(between.normed, elements);
            read = between.normed;
            innerNorm.forward(read, saved.statistics, saved.hidden, rows);
        }
        ofRead.at(read, rows, shape.hidden());
        ofActive.at(between.active, rows, shape.hidden());
        context.kernels().activation().forwardInto(shape.activation(), ofActive, ofRead);
        context.rounding().round(PassTensor.ACTIVE, layer, between.active, rows, shape.hidden());
    }

    /** Replaces the gradient of the part's output in {@code space.dx} by the gradient of x. */
    void backward(
            float[] gradients, GradientSpace space, Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        float[] ofU = whatWasRead(saved, x);
        float[] dy = finishBackward(gradients, space, saved, rows, dropout);
        if (separate) {
            separateBackward(gradients, space.du, dy, saved, ofU, rows);
        } else {
            feedBackward(gradients, space.du, dy, saved, ofU, rows);
        }
        readBackward(gradients, space, saved, x, rows);
    }

    @SuppressWarnings("ReferenceEquality") // Compares identity: whether this is the array of the previous call.
    private void feedBackward(float[] gradients, float[] ofDu, float[] ofDy, Saved saved, float[] ofU, int rows) {
        FeedForwardWeights to = dWeights;
        if (to == null || lastGradients != gradients) {
            to = weights(gradients);
            dWeights = to;
            lastGradients = gradients;
        }
        place(saved, ofU, rows);
        y.at(ofDy, rows, context.width());
        du.at(ofDu, rows, context.width());
        context.kernels().feedForward().backward(du, to, y, kept, u, weights, shape);
    }

    /**
     * Writes dx and adds the gradients of the parameters. The values between the maps are computed and rounded again.
     */
    private void separateBackward(float[] gradients, float[] dx, float[] dy, Saved saved, float[] x, int rows) {
        int width = shape.hidden();
        activate(saved, rows);
        between.gradient = grown(between.gradient, rows * width);
        float[] d = between.gradient;
        PassRounding rounding = context.rounding();
        second.backward(gradients, d, false, dy, between.active, 0, rows);
        rounding.roundGradient(PassTensor.ACTIVE, layer, d, rows, width);
        ofGradient.at(d, rows, width);
        context.kernels().activation().backwardInto(shape.activation(), ofGradient, ofGradient, ofRead);
        if (shape.normalization() != null) {
            innerNorm.roundGradient(d, rows);
            innerNorm.backward(gradients, d, saved.statistics, saved.hidden, rows);
        }
        rounding.roundGradient(PassTensor.HIDDEN, layer, d, rows, width);
        first.backward(gradients, dx, false, d, x, 0, rows);
    }

    private static float[] grown(float[] space, int elements) {
        return space.length < elements ? new float[elements] : space;
    }

    private void place(Saved saved, float[] ofU, int rows) {
        u.at(ofU, rows, context.width());
        kept.hidden().at(saved.hidden, rows, shape.hidden());
        if (kept.statistics() != null) {
            kept.statistics().at(saved.statistics, rows, shape.statistics());
        }
    }

    /** The number of multiplications of all layers. The last layer may compute only the scored rows. */
    static double products(Architecture architecture, double tokens, double rows, RowSelection.From from) {
        FeedForwardOptions options = architecture.feedForward();
        if (options == null) {
            return 0;
        }
        double fed = (architecture.layers() - 1) * tokens + (from == RowSelection.From.OUTPUTS ? tokens : rows);
        return fed * (2.0 * architecture.width() * options.hidden());
    }
}
