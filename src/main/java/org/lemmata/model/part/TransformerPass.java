package org.lemmata.model.part;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.model.Architecture;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterIndex;
import org.lemmata.model.Parameters;
import org.lemmata.model.part.RowSelection.From;
import org.lemmata.model.precision.ParameterRounding;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.token.Batch;

/**
 * The forward and backward pass of a transformer over a ragged batch, on the kernels; {@link Architecture} has the
 * formulas. The arrays for saved values grow to the largest batch so far and are reused. Only one thread at a time may
 * use an instance.
 */
public final class TransformerPass {

    private final PartContext context;
    private final float[] masters;
    private final ParameterRounding weights;
    private final ParameterRounding parameterGradients;
    private final EmbeddingPart embedding;
    private final AttentionPart[] attention;

    /** One part per layer, or none if the model has no feed-forward. */
    private final FeedForwardPart[] feedForward;

    private final OutputPart output;
    private final RowSelection scored;

    private int rows = -1;

    /** x before the first layer. */
    private float[] embedded = PartContext.NONE;

    /** The saved values of each layer. Without a backward pass, two alternate as the input and output of a layer. */
    private final AttentionPart.Saved[] attentionSaved;

    private final FeedForwardPart.Saved[] feedForwardSaved;

    private @Nullable GradientSpace space;

    /** Replaces the attention among the tokens of each sequence. */
    @FunctionalInterface
    public interface LayerAttention {
        /** Computes the outputs and identity outputs of all rows of a layer. */
        void forward(int layer, AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences);
    }

    /** @param kept whether values are kept for a backward pass */
    public TransformerPass(Parameters parameters, PrecisionPolicy policy, Kernels kernels, boolean kept) {
        Architecture architecture = parameters.architecture();
        masters = parameters.values();
        weights = rounding(architecture, policy, PrecisionSite.WEIGHTS, kernels);
        parameterGradients = rounding(architecture, policy, PrecisionSite.GRADIENTS, kernels);
        context = new PartContext(
                architecture,
                new ParameterIndex(architecture),
                weights.isNone() ? masters : new float[masters.length],
                kernels,
                new PassRounding(policy, kernels));
        embedding = new EmbeddingPart(context);
        attention = new AttentionPart[architecture.layers()];
        Arrays.setAll(attention, layer -> new AttentionPart(context, layer));
        feedForward = new FeedForwardPart[architecture.feedForward() == null ? 0 : attention.length];
        var between = new FeedForwardPart.Space();
        Arrays.setAll(feedForward, layer -> new FeedForwardPart(context, layer, between));
        output = new OutputPart(context);
        scored = new RowSelection(architecture.width());
        int count = kept ? attention.length : Math.min(2, attention.length);
        attentionSaved = new AttentionPart.Saved[count];
        feedForwardSaved = new FeedForwardPart.Saved[Math.min(count, feedForward.length)];
    }

    private static ParameterRounding rounding(
            Architecture architecture, PrecisionPolicy policy, PrecisionSite site, Kernels kernels) {
        return new ParameterRounding(architecture.layout(), policy, site, 0, kernels.quantization());
    }

    /** Rounds the current weights for a training step, or for step 0 outside of training. */
    public void begin(long step) {
        context.rounding().begin(step);
        weights.round(context.values(), masters, step);
    }

    public PrecisionPolicy policy() {
        return context.rounding().policy();
    }

    public Kernels kernels() {
        return context.kernels();
    }

    /** The parameters, or their rounded copy, that the parts read. */
    float[] values() {
        return context.values();
    }

    /** x before a layer; if {@code layer} is the number of layers, x after the last layer. */
    float[] input(int layer) {
        if (layer == 0) {
            return embedded;
        }
        return feedForward.length == 0 ? attended(layer - 1) : feedForwardSaved(layer - 1).output;
    }

    /** x after the attention of a layer. */
    float[] attended(int layer) {
        return attentionSaved(layer).output;
    }

    private AttentionPart.Saved attentionSaved(int layer) {
        return attentionSaved[layer % attentionSaved.length];
    }

    private FeedForwardPart.Saved feedForwardSaved(int layer) {
        return feedForwardSaved[layer % feedForwardSaved.length];
    }

    private void growTo(int newRows) {
        if (newRows <= rows) {
            return;
        }
        embedded = PartContext.space(true, newRows, context.width());
        Arrays.setAll(attentionSaved, i -> new AttentionPart.Saved(context, newRows));
        Arrays.setAll(feedForwardSaved, i -> new FeedForwardPart.Saved(context, newRows));
        // Assigned last, because the arrays must not count as large enough if an allocation fails.
        rows = newRows;
    }

    private void embed(Batch batch, @Nullable DropoutSeed dropout) {
        LanguageModel.check(context.architecture(), batch);
        growTo(batch.sequences().total());
        embedding.forward(embedded, batch, dropout);
    }

    /** Computes x before layer {@code end} from the embedded tokens. */
    private float[] layersBefore(
            int end, RaggedOffsets sequences, @Nullable LayerAttention other, @Nullable DropoutSeed dropout) {
        for (int layer = 0; layer < end; layer++) {
            attention[layer].forward(attentionSaved(layer), input(layer), sequences, other, dropout);
            feed(layer, attended(layer), sequences.total(), dropout);
        }
        return input(end);
    }

    private void feed(int layer, float[] x, int count, @Nullable DropoutSeed dropout) {
        if (feedForward.length > 0) {
            feedForward[layer].forward(feedForwardSaved(layer), x, count, dropout);
        }
    }

    private void feedBackward(
            float[] gradients, GradientSpace d, int layer, float[] x, int count, @Nullable DropoutSeed dropout) {
        if (feedForward.length > 0) {
            feedForward[layer].backward(gradients, d, feedForwardSaved(layer), x, count, dropout);
        }
    }

    /**
     * x after the last layer, one row per token.
     *
     * @param dropout determines which elements are dropped; null to drop none
     */
    float[] run(Batch batch, @Nullable DropoutSeed dropout) {
        embed(batch, dropout);
        return layersBefore(attention.length, batch.sequences(), null, dropout);
    }

    /** The outputs of all rows, in an array that the next call reuses. */
    public float[] outputs(Batch batch) {
        return outputs(run(batch, null), batch.sequences().total());
    }

    /** The outputs of the rows in {@code wanted}, in an array that the next call reuses. */
    public float[] outputs(Batch batch, int[] wanted) {
        output.read(run(batch, null), wanted);
        return output.outputs(0, wanted.length);
    }

    private float[] outputs(float[] x, int count) {
        output.read(x, count);
        return output.outputs(0, count);
    }

    /**
     * What the queries of later tokens read in the last layer: keys, values and rows u, one row per token. The other
     * steps of the last layer are not computed.
     */
    public AttentionInputs context(Batch batch, LayerAttention other) {
        embed(batch, null);
        int last = attention.length - 1;
        RaggedOffsets sequences = batch.sequences();
        float[] x = layersBefore(last, sequences, other, null);
        return attention[last].forwardContext(attentionSaved(last), x, sequences.total());
    }

    /**
     * Appends one token to each of several sequences; returns the outputs at these tokens.
     *
     * @param oneEach one sequence of length 1 per token
     * @param positionOfRow the position of the token of each row
     */
    public float[] next(int[] tokens, RaggedOffsets oneEach, IntUnaryOperator positionOfRow, LayerAttention other) {
        growTo(oneEach.total());
        embedding.forwardAt(embedded, tokens, oneEach, positionOfRow);
        return outputs(layersBefore(attention.length, oneEach, other, null), oneEach.total());
    }

    /**
     * The forward pass up to the outputs of a batch's scored rows, which {@link #scoredOutputs} then computes.
     *
     * @param dropout determines which elements are dropped; null to drop none
     */
    public void score(Batch batch, @Nullable DropoutSeed dropout) {
        scored.select(batch, From.of(context.architecture(), batch, context.rounding(), dropout));
        if (scored.from == From.OUTPUTS) {
            output.read(run(batch, dropout), batch.scoredRows());
            return;
        }
        int last = attention.length - 1;
        RaggedOffsets sequences = batch.sequences();
        scored.grow();
        embed(batch, null);
        float[] x = layersBefore(last, sequences, null, null);
        if (scored.from == From.LAST_QUERIES) {
            attention[last].forwardLast(attentionSaved(last), x, sequences, scored);
        } else {
            attention[last].forward(attentionSaved(last), x, sequences, null, null);
            scored.gather(scored.x, attended(last));
        }
        feed(last, attendedScored(), scored.count(), null);
        output.read(input(attention.length), scored.count());
    }

    /** x of the scored rows after the last attention, if only they are computed from there on. */
    private float[] attendedScored() {
        return scored.from == From.LAST_QUERIES ? attended(attention.length - 1) : scored.x;
    }

    /** The outputs of {@code count} scored rows, from {@code first} on, in an array that the next call reuses. */
    public float[] scoredOutputs(int first, int count) {
        return output.outputs(first, count);
    }

    /**
     * The backward pass of the latest {@link #scoredOutputs}, whose array now contains the gradients of the outputs.
     * Adds the gradients of the output's parameters to {@code gradients}.
     */
    public void scoredOutputsBackward(float[] gradients, int first, int count) {
        scored.grow();
        output.outputsBackward(gradients, scored.gradient, first, count);
    }

    /**
     * The backward pass of {@link #score}, which had the same batch and dropout: adds the gradients of all other
     * parameters to {@code gradients}. The backward passes of the outputs of all scored rows precede.
     */
    public void backward(float[] gradients, Batch batch, @Nullable DropoutSeed dropout) {
        output.backward(gradients, scored.gradient, scored.count());
        RaggedOffsets sequences = batch.sequences();
        GradientSpace d = spaceFor(sequences.total());
        int layer = attention.length - 1;
        if (scored.from == From.OUTPUTS) {
            scored.gatherBackward(d.dx);
        } else {
            System.arraycopy(scored.gradient, 0, d.dx, 0, scored.count() * context.width());
            feedBackward(gradients, d, layer, attendedScored(), scored.count(), null);
            if (scored.from == From.LAST_QUERIES) {
                attention[layer].backwardLast(gradients, d, attentionSaved(layer), input(layer), sequences, scored);
            } else {
                scored.spread(d.dx);
                attention[layer].backward(gradients, d, attentionSaved(layer), input(layer), sequences, null);
            }
            layer--;
        }
        for (; layer >= 0; layer--) {
            feedBackward(gradients, d, layer, attended(layer), sequences.total(), dropout);
            attention[layer].backward(gradients, d, attentionSaved(layer), input(layer), sequences, dropout);
        }
        embedding.backward(gradients, d.dx, batch, dropout);
        parameterGradients.round(gradients, gradients, context.rounding().step());
    }

    private GradientSpace spaceFor(int newRows) {
        if (space == null || space.rows < newRows) {
            space = new GradientSpace(context, newRows);
        }
        return Objects.requireNonNull(space);
    }
}
