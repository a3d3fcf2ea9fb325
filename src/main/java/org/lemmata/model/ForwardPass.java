package org.lemmata.model;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.feedforward.FeedForwardPlaces;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;
import org.lemmata.token.Batch;

/**
 * The formulas of {@link Architecture} on the kernels, over a ragged batch.
 *
 * <p>It has working space, so that one thread at a time may use it.
 */
final class ForwardPass {

    final Architecture architecture;
    final ParameterIndex index;
    final Kernels kernels;
    final AttentionShape attentionShape;
    final EmbeddingShape embeddingShape;
    final @Nullable FeedForwardShape feedForwardShape;
    final FeedForwardPlaces[] feedForwardPlaces;
    final Activations activations;

    private final float[] values;
    private final @Nullable Rounding rounding;

    /** Over the sequences of the batch. */
    private final LayerAttention batchAttention;

    /** What the queries of a layer attend to. */
    @FunctionalInterface
    interface LayerAttention {
        /** Computes outputs and identity outputs of all rows. */
        void forward(int layer, AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences);
    }

    /**
     * @param rounding of sums of embeddings and residual sums, or null; only without norms and feed-forward
     * @param kept whether a backward pass will follow
     */
    ForwardPass(Parameters parameters, Kernels kernels, @Nullable Rounding rounding, boolean kept) {
        this.architecture = parameters.architecture();
        this.values = parameters.values();
        this.index = new ParameterIndex(architecture);
        this.kernels = kernels;
        this.rounding = rounding;
        this.activations = new Activations(architecture, kept);
        attentionShape = architecture.attentionShape();
        batchAttention = (layer, outputs, inputs, sequences) ->
                kernels.attention().forward(outputs, inputs, sequences, attentionShape);
        embeddingShape = architecture.embeddingShape();
        feedForwardShape = architecture.feedForward() == null ? null : architecture.feedForwardShape();
        feedForwardPlaces = new FeedForwardPlaces[feedForwardShape == null ? 0 : architecture.layers()];
        for (int layer = 0; layer < feedForwardPlaces.length; layer++) {
            feedForwardPlaces[layer] = new FeedForwardPlaces(
                    index.offset(ParameterRole.FIRST, layer),
                    index.offset(ParameterRole.FIRST_BIAS, layer),
                    index.offset(ParameterRole.INNER_NORM_GAIN, layer),
                    index.offset(ParameterRole.INNER_NORM_SHIFT, layer),
                    index.offset(ParameterRole.SECOND, layer),
                    index.offset(ParameterRole.SECOND_BIAS, layer));
        }
    }

    /** The array of parameters. */
    float[] values() {
        return values;
    }

    /**
     * x after the last layer, a row a token.
     *
     * @param dropout which random numbers decide what is dropped, or null to drop nothing
     */
    float[] run(Batch batch, @Nullable DropoutSeed dropout) {
        return run(batch, batchAttention, dropout);
    }

    /** The same with another attention. */
    float[] run(Batch batch, LayerAttention attention, @Nullable DropoutSeed dropout) {
        LanguageModel.check(architecture, batch);
        int rows = batch.sequences().total();
        activations.growTo(rows);
        embed(batch);
        drop(activations.embedded, rows, DropoutSeed.EMBEDDING, dropout);
        return layers(batch.sequences(), attention, dropout);
    }

    /** x after the last layer, from what stands in the activations' {@code embedded} on. */
    float[] layers(RaggedOffsets sequences, LayerAttention attention, @Nullable DropoutSeed dropout) {
        int rows = sequences.total();
        for (int layer = 0; layer < architecture.layers(); layer++) {
            activations.enter(layer);
            attention(layer, sequences, attention, dropout);
            if (feedForwardShape != null) {
                feedForward(layer, feedForwardShape, rows, dropout);
            }
        }
        return activations.input(architecture.layers());
    }

    /** Gathers rows of {@link #run}'s result, normalizes them if they are to be, and gives their outputs. */
    float[] outputs(float[] x, int[] wanted) {
        activations.growOutputsTo(wanted.length);
        int width = architecture.width();
        float[] gathered = activations.gathered;
        for (int i = 0; i < wanted.length; i++) {
            System.arraycopy(x, wanted[i] * width, gathered, i * width, width);
        }
        return unembed(gathered, wanted.length);
    }

    /** The outputs of all rows. */
    float[] outputs(float[] x, int rows) {
        activations.growOutputsTo(rows);
        return unembed(x, rows);
    }

    private float[] unembed(float[] x, int rows) {
        int width = architecture.width();
        float[] read = x;
        if (architecture.placement() == Placement.PRE) {
            read = activations.normed;
            norm(
                    read,
                    activations.normedStatistics,
                    x,
                    ParameterRole.FINAL_NORM_GAIN,
                    ParameterRole.FINAL_NORM_SHIFT,
                    ParameterView.NO_LAYER,
                    rows,
                    width);
        }
        float[] outputs = activations.outputs;
        int columns = architecture.outputs();
        int u = unembedding();
        int bias = index.offset(ParameterRole.UNEMBEDDING_BIAS, ParameterView.NO_LAYER);
        MatMul matMul = kernels.matMul();
        MatMul.Form form = MatMul.Form.NT;
        if (bias == ParameterIndex.ABSENT) {
            matMul.multiply(
                    form, false, outputs, 0, columns, read, 0, width, values, u, width, rows, columns, width);
        } else {
            matMul.multiplyAddBias(
                    form, outputs, 0, columns, read, 0, width, values, u, width, values, bias, rows, columns, width);
        }
        return outputs;
    }

    /** Where U begins. */
    int unembedding() {
        ParameterRole role = architecture.output().tied() ? ParameterRole.TOKEN_EMBEDDING : ParameterRole.UNEMBEDDING;
        return index.offset(role, ParameterView.NO_LAYER);
    }

    private void embed(Batch batch) {
        int tokens = index.offset(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
        int positions = Math.max(0, index.offset(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER));
        float[] x = activations.embedded;
        RaggedOffsets sequences = batch.sequences();
        if (rounding == null) {
            kernels.embedding().forward(x, batch.ids(), sequences, values, tokens, values, positions, embeddingShape);
            return;
        }
        // Each sum is rounded once, as if it were exact.
        int width = architecture.width();
        int positionRows = embeddingShape.positionRows();
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int t = 0; t < sequences.length(sequence); t++) {
                int row = sequences.start(sequence) + t;
                int token = tokens + batch.ids()[row] * width;
                int position = positionRows == 0 ? 0 : positions + t % positionRows * width;
                for (int d = 0; d < width; d++) {
                    x[row * width + d] = rounding.roundSum(
                            values[token + d], positionRows == 0 ? 0 : values[position + d]);
                }
            }
        }
    }

    private void attention(
            int layer, RaggedOffsets sequences, LayerAttention attention, @Nullable DropoutSeed dropout) {
        Activations.Layer saved = activations.layer(layer);
        float[] x = activations.input(layer);
        int rows = sequences.total();
        int width = architecture.width();
        float[] u = x;
        if (architecture.placement() == Placement.PRE) {
            u = saved.attention.normed;
            norm(
                    u,
                    saved.attention.normedStatistics,
                    x,
                    ParameterRole.ATTENTION_NORM_GAIN,
                    ParameterRole.ATTENTION_NORM_SHIFT,
                    layer,
                    rows,
                    width);
        }
        AttentionOptions options = architecture.attention();
        AttentionInputs inputs = saved.inputs();
        if (options.hasScores()) {
            map(saved.rawQueries, u, ParameterRole.QUERY, ParameterRole.QUERY_BIAS, layer, rows);
            map(saved.rawKeys, u, ParameterRole.KEY, ParameterRole.KEY_BIAS, layer, rows);
        }
        if (options.normalizeQueriesAndKeys()) {
            int headRows = rows * options.heads();
            int headWidth = options.headWidth();
            norm(
                    inputs.queries(),
                    saved.queryStatistics,
                    saved.rawQueries,
                    ParameterRole.QUERY_NORM_GAIN,
                    ParameterRole.QUERY_NORM_SHIFT,
                    layer,
                    headRows,
                    headWidth);
            norm(
                    inputs.keys(),
                    saved.keyStatistics,
                    saved.rawKeys,
                    ParameterRole.KEY_NORM_GAIN,
                    ParameterRole.KEY_NORM_SHIFT,
                    layer,
                    headRows,
                    headWidth);
        }
        map(inputs.values(), u, ParameterRole.VALUE, ParameterRole.VALUE_BIAS, layer, rows);
        copy(ParameterRole.KEY_QUERY_IDENTITY, layer, inputs.keyQueryIdentities());
        copy(ParameterRole.VALUE_OUTPUT_IDENTITY, layer, inputs.valueOutputIdentities());
        copy(ParameterRole.SCORE_BIAS, layer, inputs.scoreBiases());
        attention.forward(layer, saved.outputs, inputs, sequences);
        Activations.Part part = saved.attention;
        if (options.outputProjection()) {
            map(part.sum, saved.outputs.outputs(), ParameterRole.OUTPUT, ParameterRole.OUTPUT_BIAS, layer, rows);
        } else {
            System.arraycopy(saved.outputs.outputs(), 0, part.sum, 0, rows * width);
        }
        if (options.identities()) {
            addInto(part.sum, saved.outputs.identityOutputs(), rows * width);
        }
        finish(
                part,
                x,
                ParameterRole.ATTENTION_NORM_GAIN,
                ParameterRole.ATTENTION_NORM_SHIFT,
                layer,
                rows,
                DropoutSeed.ofAttention(layer),
                dropout);
    }

    private void feedForward(int layer, FeedForwardShape shape, int rows, @Nullable DropoutSeed dropout) {
        Activations.Layer saved = activations.layer(layer);
        Activations.Part part = saved.feedForwardPart();
        float[] x = saved.attention.output;
        int width = architecture.width();
        float[] u = x;
        if (architecture.placement() == Placement.PRE) {
            u = part.normed;
            norm(
                    u,
                    part.normedStatistics,
                    x,
                    ParameterRole.FEED_FORWARD_NORM_GAIN,
                    ParameterRole.FEED_FORWARD_NORM_SHIFT,
                    layer,
                    rows,
                    width);
        }
        kernels.feedForward()
                .forward(
                        part.sum,
                        0,
                        width,
                        saved.hidden,
                        0,
                        shape.normalization() == null ? null : saved.hiddenStatistics,
                        0,
                        u,
                        0,
                        width,
                        values,
                        feedForwardPlaces[layer],
                        shape,
                        rows);
        finish(
                part,
                x,
                ParameterRole.FEED_FORWARD_NORM_GAIN,
                ParameterRole.FEED_FORWARD_NORM_SHIFT,
                layer,
                rows,
                DropoutSeed.ofFeedForward(layer),
                dropout);
    }

    /** From y to what a part leaves: dropped, added to x, normalized. */
    private void finish(
            Activations.Part part,
            float[] x,
            ParameterRole gain,
            ParameterRole shift,
            int layer,
            int rows,
            int site,
            @Nullable DropoutSeed dropout) {
        int width = architecture.width();
        drop(part.sum, rows, site, dropout);
        if (architecture.residual()) {
            addInto(part.sum, x, rows * width);
        }
        if (architecture.placement() == Placement.POST) {
            norm(part.output, part.outputStatistics, part.sum, gain, shift, layer, rows, width);
        }
    }

    private void drop(float[] x, int rows, int site, @Nullable DropoutSeed dropout) {
        if (dropout != null && architecture.dropout() > 0) {
            RandomStream stream = dropout.stream(site);
            kernels.dropout().forward(x, 0, x, 0, rows * architecture.width(), architecture.dropout(), stream);
        }
    }

    /** y = x W + b. */
    private void map(float[] y, float[] x, ParameterRole weights, ParameterRole biases, int layer, int rows) {
        ParameterView w = index.view(weights, layer);
        int bias = index.offset(biases, layer);
        int n = w.columns();
        int k = w.rows();
        MatMul matMul = kernels.matMul();
        MatMul.Form form = MatMul.Form.NN;
        if (bias == ParameterIndex.ABSENT) {
            matMul.multiply(form, false, y, 0, n, x, 0, k, values, w.offset(), n, rows, n, k);
        } else {
            matMul.multiplyAddBias(form, y, 0, n, x, 0, k, values, w.offset(), n, values, bias, rows, n, k);
        }
    }

    private void norm(
            float[] y,
            float[] statistics,
            float[] x,
            ParameterRole gains,
            ParameterRole shifts,
            int layer,
            int rows,
            int columns) {
        int gain = index.offset(gains, layer);
        int shift = index.offset(shifts, layer);
        NormalizationOptions options = architecture.normalization();
        kernels.normalization()
                .forward(
                        y,
                        0,
                        columns,
                        statistics,
                        0,
                        x,
                        0,
                        columns,
                        gain == ParameterIndex.ABSENT ? null : values,
                        gain,
                        shift == ParameterIndex.ABSENT ? null : values,
                        shift,
                        options.kind(),
                        options.epsilon(),
                        rows,
                        columns);
    }

    /** Copies a parameter of a few numbers, if there is one. */
    private void copy(ParameterRole role, int layer, float[] to) {
        ParameterView view = index.find(role, layer);
        if (view != null) {
            System.arraycopy(values, view.offset(), to, 0, view.size());
        }
    }

    /** y := y + x, each sum rounded once where sums are. */
    private void addInto(float[] y, float[] x, int length) {
        if (rounding == null) {
            kernels.arithmetic().addInto(y, 0, x, 0, length);
            return;
        }
        for (int i = 0; i < length; i++) {
            y[i] = rounding.roundSum(y[i], x[i]);
        }
    }
}
