package org.lemmata.model.part;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.feedforward.FeedForwardPlaces;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.model.Architecture;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.ParameterIndex;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassTensor;

/** x := norm(x + drop(f(norm(u W_1 + b_1)) W_2 + b_2)), a layer's; step by step where something within is rounded. */
final class FeedForwardPart {

    private final PartContext context;
    private final int layer;
    private final FeedForwardShape shape;
    private final FeedForwardPlaces places;
    private final ResidualPart residual;
    private final @Nullable RoundedFeedForward rounded;

    FeedForwardPart(PartContext context, int layer, RoundedFeedForward.Space space) {
        this.context = context;
        this.layer = layer;
        shape = context.architecture().feedForwardShape();
        ParameterIndex index = context.index();
        places = new FeedForwardPlaces(
                index.offset(ParameterRole.FIRST, layer),
                index.offset(ParameterRole.FIRST_BIAS, layer),
                index.offset(ParameterRole.INNER_NORM_GAIN, layer),
                index.offset(ParameterRole.INNER_NORM_SHIFT, layer),
                index.offset(ParameterRole.SECOND, layer),
                index.offset(ParameterRole.SECOND_BIAS, layer));
        residual = ResidualPart.ofFeedForward(context, layer);
        rounded = context.rounding().reachesInto(shape) ? new RoundedFeedForward(context, layer, shape, space) : null;
    }

    /** What a pass leaves here. */
    static final class Saved {

        final ResidualPart.Saved residual;

        /** u W_1 + b_1. */
        final float[] hidden;

        final float[] statistics;

        Saved(PartContext context, int rows) {
            FeedForwardShape shape = context.architecture().feedForwardShape();
            residual = new ResidualPart.Saved(context, rows);
            hidden = PartContext.space(true, rows, shape.hidden());
            statistics = PartContext.space(true, rows, shape.statistics());
        }
    }

    void forward(Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        float[] u = residual.read(saved.residual, x, rows);
        float[] y = saved.residual.sum;
        if (rounded == null) {
            feed(y, saved, u, rows);
        } else {
            rounded.forward(y, saved, u, rows);
        }
        context.rounding().round(PassTensor.FEED_FORWARD, layer, y, rows, context.width());
        residual.finish(saved.residual, x, rows, dropout);
    }

    private void feed(float[] y, Saved saved, float[] u, int rows) {
        int width = context.width();
        float[] statistics = statistics(saved);
        context.kernels()
                .feedForward()
                .forward(
                        y,
                        0,
                        width,
                        saved.hidden,
                        0,
                        statistics,
                        0,
                        u,
                        0,
                        width,
                        context.values(),
                        places,
                        shape,
                        rows);
    }

    /** From the gradient of what {@link #forward} left to that of x, both in the dx of {@code space}. */
    void backward(
            float[] gradients, GradientSpace space, Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        float[] u = residual.whatWasRead(saved.residual, x);
        float[] dy = residual.finishBackward(gradients, space, saved.residual, rows, dropout);
        if (rounded == null) {
            feedBackward(gradients, space.du, dy, saved, u, rows);
        } else {
            rounded.backward(gradients, space.du, dy, saved, u, rows);
        }
        residual.readBackward(gradients, space, saved.residual, x, rows);
    }

    private void feedBackward(float[] gradients, float[] du, float[] dy, Saved saved, float[] u, int rows) {
        int width = context.width();
        float[] statistics = statistics(saved);
        context.kernels()
                .feedForward()
                .backward(
                        du,
                        0,
                        width,
                        gradients,
                        dy,
                        0,
                        width,
                        saved.hidden,
                        0,
                        statistics,
                        0,
                        u,
                        0,
                        width,
                        context.values(),
                        places,
                        shape,
                        rows);
    }

    private float @Nullable [] statistics(Saved saved) {
        return shape.normalization() == null ? null : saved.statistics;
    }

    /** Multiplications of all layers; those of the last one may be for the scored rows alone. */
    static double products(Architecture architecture, double tokens, double rows, RowSelection.From from) {
        FeedForwardOptions options = architecture.feedForward();
        if (options == null) {
            return 0;
        }
        double fed = (architecture.layers() - 1) * tokens + (from == RowSelection.From.OUTPUTS ? tokens : rows);
        return fed * (2.0 * architecture.width() * options.hidden());
    }
}
