package org.lemmata.model.part;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.model.part.RowSelection.From;
import org.lemmata.model.part.TransformerPass.LayerAttention;
import org.lemmata.token.Batch;

/** A layer: attention, then the feed-forward if the model has one. */
final class Layer {

    private final AttentionPart attention;
    private final @Nullable FeedForwardPart feedForward;

    Layer(PartContext context, int layer, RoundedFeedForward.Space space) {
        attention = new AttentionPart(context, layer);
        feedForward = context.architecture().feedForward() == null ? null : new FeedForwardPart(context, layer, space);
    }

    static final class Saved {

        private final AttentionPart.Saved attention;
        private final FeedForwardPart.@Nullable Saved feedForward;

        Saved(PartContext context, int rows) {
            attention = new AttentionPart.Saved(context, rows);
            feedForward =
                    context.architecture().feedForward() == null ? null : new FeedForwardPart.Saved(context, rows);
        }

        float[] attended() {
            return attention.residual.output;
        }

        float[] output() {
            return feedForward == null ? attended() : feedForward.residual.output;
        }

        private FeedForwardPart.Saved feedForward() {
            return Objects.requireNonNull(feedForward);
        }
    }

    void forward(
            Saved saved,
            float[] x,
            RaggedOffsets sequences,
            @Nullable LayerAttention other,
            @Nullable DropoutSeed dropout) {
        attention.forward(saved.attention, x, sequences, other, dropout);
        if (feedForward != null) {
            feedForward.forward(saved.feedForward(), saved.attended(), sequences.total(), dropout);
        }
    }

    void backward(
            float[] gradients,
            GradientSpace space,
            Saved saved,
            float[] x,
            RaggedOffsets sequences,
            @Nullable DropoutSeed dropout) {
        if (feedForward != null) {
            int rows = sequences.total();
            feedForward.backward(gradients, space, saved.feedForward(), saved.attended(), rows, dropout);
        }
        attention.backward(gradients, space, saved.attention, x, sequences, dropout);
    }

    /**
     * The forward pass of the last layer, if only the scored rows are computed from step {@code from} on. These rows
     * become the first rows of the layer's output.
     */
    void forwardScored(Saved saved, float[] x, Batch batch, RowSelection scored, From from) {
        if (from == From.LAST_QUERIES) {
            attention.forwardLast(saved.attention, x, batch, scored);
        } else {
            attention.forward(saved.attention, x, batch.sequences(), null, null);
            scored.gather(scored.x, saved.attended(), batch);
        }
        if (feedForward != null) {
            int rows = batch.scoredRows().length;
            feedForward.forward(saved.feedForward(), attendedScored(saved, scored, from), rows, null);
        }
    }

    /** The backward pass of {@link #forwardScored}. The first rows of dx contain the gradients of the scored rows. */
    void backwardScored(
            float[] gradients, GradientSpace space, Saved saved, float[] x, Batch batch, RowSelection rows, From from) {
        if (feedForward != null) {
            float[] read = attendedScored(saved, rows, from);
            feedForward.backward(gradients, space, saved.feedForward(), read, batch.scoredRows().length, null);
        }
        if (from == From.LAST_QUERIES) {
            attention.backwardLast(gradients, space, saved.attention, x, batch, rows);
        } else {
            rows.spread(space.dx, batch);
            attention.backward(gradients, space, saved.attention, x, batch.sequences(), null);
        }
    }

    private static float[] attendedScored(Saved saved, RowSelection scored, From from) {
        return from == From.LAST_QUERIES ? saved.attended() : scored.x;
    }

    AttentionInputs forwardContext(Saved saved, float[] x, int rows) {
        return attention.forwardContext(saved.attention, x, rows);
    }
}
