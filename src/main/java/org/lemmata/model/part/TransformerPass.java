package org.lemmata.model.part;

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
    private final Layer[] layers;
    private final OutputPart output;
    private final RowSelection scored;

    private int rows = -1;

    /** x before the first layer. */
    private float[] embedded = PartContext.NONE;

    /** The saved values of each layer. Without a backward pass, two alternate as the input and output of a layer. */
    private final Layer.Saved[] saved;

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
        layers = new Layer[architecture.layers()];
        var between = new RoundedFeedForward.Space();
        for (int layer = 0; layer < layers.length; layer++) {
            layers[layer] = new Layer(context, layer, between);
        }
        output = new OutputPart(context);
        scored = new RowSelection(architecture.width());
        saved = new Layer.Saved[kept ? layers.length : Math.min(2, layers.length)];
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
        return layer == 0 ? embedded : saved(layer - 1).output();
    }

    Layer.Saved saved(int layer) {
        return saved[layer % saved.length];
    }

    private void growTo(int newRows) {
        if (newRows <= rows) {
            return;
        }
        embedded = PartContext.space(true, newRows, context.width());
        for (int i = 0; i < saved.length; i++) {
            saved[i] = new Layer.Saved(context, newRows);
        }
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
            layers[layer].forward(saved(layer), input(layer), sequences, other, dropout);
        }
        return input(end);
    }

    /**
     * x after the last layer, one row per token.
     *
     * @param dropout determines which elements are dropped; null to drop none
     */
    float[] run(Batch batch, @Nullable DropoutSeed dropout) {
        embed(batch, dropout);
        return layersBefore(layers.length, batch.sequences(), null, dropout);
    }

    /** The outputs of all rows, in an array that the next call reuses. */
    public float[] outputs(Batch batch) {
        return output.forward(run(batch, null), batch.sequences().total());
    }

    /** The outputs of the rows in {@code wanted}, in an array that the next call reuses. */
    public float[] outputs(Batch batch, int[] wanted) {
        return output.forward(run(batch, null), wanted);
    }

    /**
     * What the queries of later tokens read in the last layer: keys, values and rows u, one row per token. The other
     * steps of the last layer are not computed.
     */
    public AttentionInputs context(Batch batch, LayerAttention attention) {
        embed(batch, null);
        int last = layers.length - 1;
        RaggedOffsets sequences = batch.sequences();
        float[] x = layersBefore(last, sequences, attention, null);
        return layers[last].forwardContext(saved(last), x, sequences.total());
    }

    /**
     * Appends one token to each of several sequences; returns the outputs at these tokens.
     *
     * @param oneEach one sequence of length 1 per token
     * @param positionOfRow the position of the token of each row
     */
    public float[] next(int[] tokens, RaggedOffsets oneEach, IntUnaryOperator positionOfRow, LayerAttention attention) {
        growTo(oneEach.total());
        embedding.forwardAt(embedded, tokens, oneEach, positionOfRow);
        return output.forward(layersBefore(layers.length, oneEach, attention, null), oneEach.total());
    }

    public From scoredFrom(Batch batch, @Nullable DropoutSeed dropout) {
        return From.of(context.architecture(), batch, context.rounding(), dropout);
    }

    /**
     * The outputs of a batch's scored rows, for a backward pass.
     *
     * @param from as returned by {@link #scoredFrom}
     */
    public float[] scoredOutputs(Batch batch, From from, @Nullable DropoutSeed dropout) {
        gatherScored(batch, from, dropout);
        return output.forwardGathered(batch.scoredRows().length);
    }

    @FunctionalInterface
    public interface OutputBlock {

        /**
         * Uses the outputs of the scored rows from {@code first} on; may overwrite the array, which the next block
         * reuses.
         */
        void take(float[] outputs, int first, int rows);
    }

    /**
     * As {@link #scoredOutputs}, in blocks of {@code block} rows, so that the outputs of the whole batch are never in
     * memory at once.
     *
     * @param gradients receives gradients of parameters; null without a backward pass. If not null, {@code use} must
     *     replace the outputs by their gradients, and a call of {@link #backwardBelow} must follow
     */
    public void scoredBlocks(
            Batch batch,
            From from,
            @Nullable DropoutSeed dropout,
            int block,
            float @Nullable [] gradients,
            OutputBlock use) {
        gatherScored(batch, from, dropout);
        int count = batch.scoredRows().length;
        scored.growTo(count);
        output.forBlocks(count, block, (outputs, first, rowsOfBlock) -> {
            use.take(outputs, first, rowsOfBlock);
            if (gradients != null) {
                output.backwardBlock(gradients, scored.gradient, first, rowsOfBlock);
            }
        });
        if (gradients != null) {
            output.backwardNorm(gradients, scored.gradient, count);
        }
    }

    private void gatherScored(Batch batch, From from, @Nullable DropoutSeed dropout) {
        if (from == From.OUTPUTS) {
            output.gather(run(batch, dropout), batch.scoredRows());
            return;
        }
        int last = layers.length - 1;
        scored.growTo(batch.scoredRows().length);
        embed(batch, null);
        float[] x = layersBefore(last, batch.sequences(), null, null);
        layers[last].forwardScored(saved(last), x, batch, scored, from);
        output.gather(input(layers.length), batch.scoredRows().length);
    }

    /**
     * The backward pass after {@link #scoredOutputs}: adds the gradients of all parameters to {@code gradients}.
     *
     * @param dOutputs the gradients of the outputs of the batch's scored rows, overwritten
     * @param from the first step that computed only the scored rows in the forward pass, which had the same batch and
     *     dropout
     */
    public void backward(float[] gradients, float[] dOutputs, Batch batch, From from, @Nullable DropoutSeed dropout) {
        int count = batch.scoredRows().length;
        scored.growTo(count);
        output.backward(gradients, scored.gradient, dOutputs, count);
        backwardBelow(gradients, batch, from, dropout);
    }

    /** The backward pass after {@link #scoredBlocks}, for all parts below the output. */
    public void backwardBelow(float[] gradients, Batch batch, From from, @Nullable DropoutSeed dropout) {
        int count = batch.scoredRows().length;
        GradientSpace d = spaceFor(batch.sequences().total());
        int layer = layers.length - 1;
        if (from == From.OUTPUTS) {
            scored.gatherBackward(d.dx, batch);
        } else {
            System.arraycopy(scored.gradient, 0, d.dx, 0, count * context.width());
            layers[layer].backwardScored(gradients, d, saved(layer), input(layer), batch, scored, from);
            layer--;
        }
        for (; layer >= 0; layer--) {
            layers[layer].backward(gradients, d, saved(layer), input(layer), batch.sequences(), dropout);
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
