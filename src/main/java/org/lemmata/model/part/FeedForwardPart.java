package org.lemmata.model.part;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.feedforward.FeedForwardWeights;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.Architecture;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassTensor;

/**
 * The feed-forward part of a layer, x := norm(x + drop(f(norm(u W_1 + b_1)) W_2 + b_2)), where u is x or norm(x). The
 * placement of normalization determines which norms are present. If an intermediate tensor, a gradient or a sum is
 * rounded, the part runs its steps separately instead of as one fused kernel.
 */
final class FeedForwardPart {

    private final PartContext context;
    private final int layer;
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

    private final ResidualPart residual;
    private final @Nullable RoundedFeedForward rounded;

    FeedForwardPart(PartContext context, int layer, RoundedFeedForward.Space space) {
        this.context = context;
        this.layer = layer;
        shape = context.architecture().feedForwardShape();
        weights = weights(context.values());
        residual = new ResidualPart(context, layer, false);
        kept = new FeedForwardSaved(Matrix.empty(), shape.normalization() == null ? null : Matrix.empty());
        rounded = context.rounding().reachesInto(shape) ? new RoundedFeedForward(context, layer, shape, space) : null;
    }

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
        float[] ofU = residual.read(saved.residual, x, rows);
        float[] ofY = saved.residual.sum;
        if (rounded == null) {
            feed(ofY, saved, ofU, rows);
        } else {
            rounded.forward(ofY, saved, ofU, rows);
        }
        context.rounding().round(PassTensor.FEED_FORWARD, layer, ofY, rows, context.width());
        residual.finish(saved.residual, x, rows, dropout);
    }

    private FeedForwardWeights weights(float[] array) {
        return new FeedForwardWeights(
                context.get(array, ParameterRole.FIRST, layer),
                context.find(array, ParameterRole.FIRST_BIAS, layer),
                context.norm(array, ParameterRole.INNER_NORM_GAIN, ParameterRole.INNER_NORM_SHIFT, layer),
                context.get(array, ParameterRole.SECOND, layer),
                context.find(array, ParameterRole.SECOND_BIAS, layer));
    }

    private void feed(float[] ofY, Saved saved, float[] ofU, int rows) {
        place(saved, ofU, rows);
        y.at(ofY, rows, context.width());
        context.kernels().feedForward().forward(y, kept, u, weights, shape);
    }

    /** Replaces the gradient of the part's output in {@code space.dx} by the gradient of x. */
    void backward(
            float[] gradients, GradientSpace space, Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        float[] ofU = residual.whatWasRead(saved.residual, x);
        float[] dy = residual.finishBackward(gradients, space, saved.residual, rows, dropout);
        if (rounded == null) {
            feedBackward(gradients, space.du, dy, saved, ofU, rows);
        } else {
            rounded.backward(gradients, space.du, dy, saved, ofU, rows);
        }
        residual.readBackward(gradients, space, saved.residual, x, rows);
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
