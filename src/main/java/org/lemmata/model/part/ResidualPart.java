package org.lemmata.model.part;

import org.jspecify.annotations.Nullable;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassTensor;

/**
 * A part of a layer, attention or feed-forward: x := norm(x + drop(y)), where y is computed from u = x or u = norm(x).
 * The part computes y between {@link #read} and {@link #finish}.
 */
abstract sealed class ResidualPart permits AttentionPart, FeedForwardPart {

    final PartContext context;
    final int layer;
    private final int dropoutSite;
    private final Norm norm;
    private final PassTensor dropped;
    private final PassTensor sum;

    /** Identifies the gradient of x through the part. */
    private final PassTensor input;

    /** Identifies the gradient of x through the part and the residual connection. */
    private final PassTensor inputSum;

    /** @param attention whether the part is attention; otherwise it is the feed-forward part */
    ResidualPart(PartContext context, int layer, boolean attention) {
        this.context = context;
        this.layer = layer;
        dropoutSite = attention ? DropoutSeed.ofAttention(layer) : DropoutSeed.ofFeedForward(layer);
        norm = new Norm(
                context,
                attention ? PassTensor.ATTENTION_NORM : PassTensor.FEED_FORWARD_NORM,
                attention ? ParameterRole.ATTENTION_NORM_GAIN : ParameterRole.FEED_FORWARD_NORM_GAIN,
                attention ? ParameterRole.ATTENTION_NORM_SHIFT : ParameterRole.FEED_FORWARD_NORM_SHIFT,
                layer,
                context.width());
        dropped = attention ? PassTensor.DROPPED_ATTENTION : PassTensor.DROPPED_FEED_FORWARD;
        sum = attention ? PassTensor.ATTENTION_SUM : PassTensor.FEED_FORWARD_SUM;
        input = attention ? PassTensor.ATTENTION_INPUT : PassTensor.FEED_FORWARD_INPUT;
        inputSum = attention ? PassTensor.ATTENTION_INPUT_SUM : PassTensor.FEED_FORWARD_INPUT_SUM;
    }

    static class Saved {

        /** norm(x) if norms come before the parts; otherwise unused. */
        private final float[] normed;

        private final float[] normedStatistics;

        /** y, then x + y. */
        final float[] sum;

        /** The norm of the sum if norms come after the parts; otherwise the sum itself. */
        final float[] output;

        private final float[] outputStatistics;

        Saved(PartContext context, int rows) {
            int width = context.width();
            normed = PartContext.space(context.isPre(), rows, width);
            normedStatistics = context.statistics(context.isPre(), rows);
            sum = PartContext.space(true, rows, width);
            output = context.isPost() ? PartContext.space(true, rows, width) : sum;
            outputStatistics = context.statistics(context.isPost(), rows);
        }
    }

    float[] read(Saved saved, float[] x, int rows) {
        if (context.isPre()) {
            norm.forward(saved.normed, saved.normedStatistics, x, rows);
        }
        return whatWasRead(saved, x);
    }

    float[] whatWasRead(Saved saved, float[] x) {
        return context.isPre() ? saved.normed : x;
    }

    /** Replaces the gradient of the sum, in {@code dx}, by the gradient of x, given the gradient of u in {@code du}. */
    void readBackward(float[] gradients, GradientSpace space, Saved saved, float[] x, int rows) {
        int width = context.width();
        norm.roundGradient(space.du, rows);
        if (context.isPre()) {
            norm.backward(gradients, space.du, saved.normedStatistics, x, rows);
            context.rounding().roundGradient(input, layer, space.du, rows, width);
        }
        if (context.architecture().residual()) {
            context.rounding().addGradient(inputSum, layer, space.dx, space.du, rows, width);
        } else {
            System.arraycopy(space.du, 0, space.dx, 0, rows * width);
        }
    }

    /** Computes the output of the part from y, by dropout, the sum with x, and the norm. */
    void finish(Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        context.drop(dropped, layer, saved.sum, rows, dropoutSite, dropout);
        if (context.architecture().residual()) {
            context.rounding().add(sum, layer, saved.sum, x, rows, context.width());
        }
        if (context.isPost()) {
            norm.forward(saved.output, saved.outputStatistics, saved.sum, rows);
        }
    }

    /**
     * Replaces the gradient of the part's output, in {@code space.dx}, by the gradient of the sum. Returns the gradient
     * of y.
     */
    float[] finishBackward(
            float[] gradients, GradientSpace space, Saved saved, int rows, @Nullable DropoutSeed dropout) {
        if (context.isPost()) {
            norm.backward(gradients, space.dx, saved.outputStatistics, saved.sum, rows);
            context.rounding().roundGradient(sum, layer, space.dx, rows, context.width());
        }
        context.dropBackward(dropped, layer, space.dy, space.dx, rows, dropoutSite, dropout);
        return space.dy;
    }
}
