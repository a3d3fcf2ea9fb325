package org.lemmata.model.part;

import org.jspecify.annotations.Nullable;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PassTensor;

/**
 * What attention and feed-forward have in common: x := norm(x + drop(y)), y of u = x or norm(x). The part itself stands
 * between {@link #read} and {@link #finish}.
 */
final class ResidualPart {

    private final PartContext context;
    private final int layer;
    private final int dropoutSite;
    private final Norm norm;
    private final PassTensor dropped;
    private final PassTensor sum;

    /** x by way of the part. */
    private final PassTensor input;

    /** x by all ways. */
    private final PassTensor inputSum;

    /** @param attention whether it is that of attention, or that of the feed-forward */
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

    /** What a pass leaves here. */
    static final class Saved {

        /** norm(x), if norms come before; else x itself stands for it. */
        private final float[] normed;

        private final float[] normedStatistics;

        /** y, then x + y. */
        final float[] sum;

        /** The norm of the sum, if norms come after; else the sum itself. */
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

    /** u of x. */
    float[] read(Saved saved, float[] x, int rows) {
        if (context.isPre()) {
            norm.forward(saved.normed, saved.normedStatistics, x, rows);
        }
        return whatWasRead(saved, x);
    }

    /** u, as {@link #read} gave it. */
    float[] whatWasRead(Saved saved, float[] x) {
        return context.isPre() ? saved.normed : x;
    }

    /** From the gradient of u, and that of the sum in dx, to that of x, in dx. */
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

    /** From y to what the part leaves: dropped, added to x, normalized. */
    void finish(Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        context.drop(dropped, layer, saved.sum, rows, dropoutSite, dropout);
        if (context.architecture().residual()) {
            context.rounding().add(sum, layer, saved.sum, x, rows, context.width());
        }
        if (context.isPost()) {
            norm.forward(saved.output, saved.outputStatistics, saved.sum, rows);
        }
    }

    /** From the gradient of what the part leaves to that of the sum, in dx, and that of y, which is returned. */
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
