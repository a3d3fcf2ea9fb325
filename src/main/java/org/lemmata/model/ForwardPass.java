package org.lemmata.model;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.NormalizationOptions.Placement;
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
    final Activations activations;

    final PassRounding rounding;

    /** What the passes read: the parameters, or their rounded copy. */
    private final float[] values;

    /** The same, as operations take them. */
    final ParameterMatrices matrices;

    /** What an operation reads and writes. */
    private final Matrix input = Matrix.empty();

    private final Matrix output = Matrix.empty();
    private final Matrix statisticsOfRows = Matrix.empty();

    private final float[] masters;
    private final ParameterRounding weights;
    private final @Nullable RoundedFeedForward roundedFeedForward;

    /** The rows of the position table, where sums with them are rounded as if exact. */
    private float[] positionRows = {};

    /** Whether the last feed-forward has the scored rows alone, one after the other. */
    boolean scoredAlone;

    /**
     * Whether the queries of the last layer, and all that comes after them, are those of the scored rows alone, too.
     */
    boolean lastQueriesAlone;

    /** Over the sequences of the batch. */
    private final LayerAttention batchAttention;

    /** What the queries of a layer attend to. */
    @FunctionalInterface
    interface LayerAttention {
        /** Computes outputs and identity outputs of all rows. */
        void forward(int layer, AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences);
    }

    /** @param kept whether a backward pass will follow */
    ForwardPass(Parameters parameters, PrecisionPolicy policy, Kernels kernels, boolean kept) {
        this.architecture = parameters.architecture();
        this.index = new ParameterIndex(architecture);
        this.kernels = kernels;
        this.rounding = new PassRounding(policy, kernels);
        this.weights =
                new ParameterRounding(architecture.layout(), policy, PrecisionSite.WEIGHTS, 0, kernels.quantization());
        this.masters = parameters.values();
        this.values = weights.isNone() ? masters : new float[masters.length];
        this.activations = new Activations(architecture, kept);
        attentionShape = architecture.attentionShape();
        batchAttention = (layer, outputs, inputs, sequences) ->
                rounding.attention(layer).forward(outputs, inputs, sequences, attentionShape);
        embeddingShape = architecture.embeddingShape();
        feedForwardShape = architecture.feedForward() == null ? null : architecture.feedForwardShape();
        matrices = new ParameterMatrices(architecture.layout(), values);
        roundedFeedForward = feedForwardShape == null || !rounding.reachesInto(feedForwardShape)
                ? null
                : new RoundedFeedForward(this, feedForwardShape);
    }

    /** Before the passes of a step of training, or of step 0 outside of it: rounds the weights as they are now. */
    void begin(long step) {
        rounding.begin(step);
        weights.round(values, masters, step);
    }

    /** What runs feed-forwards step by step, if something in them is rounded. */
    @Nullable
    RoundedFeedForward roundedFeedForward() {
        return roundedFeedForward;
    }

    /** The parameters as the passes read them. */
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
        start(batch, dropout);
        return layers(batch.sequences(), attention, dropout);
    }

    /**
     * The keys, values and tokens of the last layer, a row a token: what the queries of later tokens attend to. No more
     * of that layer is computed.
     */
    AttentionInputs context(Batch batch, LayerAttention attention) {
        start(batch, null);
        int last = architecture.layers() - 1;
        for (int layer = 0; layer < last; layer++) {
            layer(layer, batch.sequences(), attention, null);
        }
        activations.enter(last);
        int rows = batch.sequences().total();
        Activations.Layer saved = activations.layer(last);
        keysAndValues(last, read(LayerPart.ATTENTION, saved.attention, activations.input(last), last, rows), rows);
        return saved.inputs();
    }

    private void start(Batch batch, @Nullable DropoutSeed dropout) {
        LanguageModel.check(architecture, batch);
        int rows = batch.sequences().total();
        activations.growTo(rows);
        embed(batch);
        drop(
                PassTensor.DROPPED_EMBEDDED,
                ParameterView.NO_LAYER,
                activations.embedded,
                rows,
                DropoutSeed.EMBEDDING,
                dropout);
    }

    /** x after the last layer, from what stands in the activations' {@code embedded} on. */
    float[] layers(RaggedOffsets sequences, LayerAttention attention, @Nullable DropoutSeed dropout) {
        for (int layer = 0; layer < architecture.layers(); layer++) {
            layer(layer, sequences, attention, dropout);
        }
        return activations.input(architecture.layers());
    }

    private void layer(int layer, RaggedOffsets sequences, LayerAttention attention, @Nullable DropoutSeed dropout) {
        activations.enter(layer);
        attention(layer, sequences, attention, dropout);
        if (feedForwardShape != null && !(scoredAlone && layer == architecture.layers() - 1)) {
            float[] x = activations.layer(layer).attention.output;
            feedForward(layer, feedForwardShape, x, sequences.total(), dropout);
        }
    }

    /**
     * The outputs of a batch's scored rows. Where they are at most half of all, the last feed-forward is computed for
     * them alone, and so are the queries of the last layer if they are the last rows of their sequences: nothing reads
     * the other rows. But where a row's place decides what is dropped or rounded, it stays there.
     */
    float[] scoredOutputs(Batch batch, @Nullable DropoutSeed dropout) {
        int[] scored = batch.scoredRows();
        FeedForwardShape shape = feedForwardShape;
        boolean few = dropout == null && scored.length <= batch.sequences().total() / 2;
        lastQueriesAlone = few
                && rounding.isOfWeightsAlone()
                && !architecture.attention().identities()
                && areLastRows(scored, batch.sequences());
        scoredAlone = lastQueriesAlone || (few && shape != null && !rounding.dependsOnPlaces());
        activations.growOutputsTo(scored.length);
        float[] x = run(batch, dropout);
        if (!scoredAlone) {
            return outputs(x, scored);
        }
        if (shape != null) {
            int last = architecture.layers() - 1;
            float[] read = activations.layer(last).attention.output;
            if (!lastQueriesAlone) {
                gather(activations.scored, read, scored);
                read = activations.scored;
            }
            feedForward(last, shape, read, scored.length, null);
        }
        System.arraycopy(x, 0, activations.gathered, 0, scored.length * architecture.width());
        return unembed(activations.gathered, scored.length);
    }

    private static boolean areLastRows(int[] rows, RaggedOffsets sequences) {
        boolean last = rows.length == sequences.count();
        for (int s = 0; last && s < rows.length; s++) {
            last = sequences.length(s) > 0 && rows[s] == sequences.end(s) - 1;
        }
        return last;
    }

    /** Whether a layer has queries for the last row of each sequence alone. */
    boolean hasLastQueriesAlone(int layer) {
        return lastQueriesAlone && layer == architecture.layers() - 1;
    }

    private void gather(float[] to, float[] from, int[] wanted) {
        int width = architecture.width();
        for (int i = 0; i < wanted.length; i++) {
            System.arraycopy(from, wanted[i] * width, to, i * width, width);
        }
    }

    /** Gathers rows of {@link #run}'s result, normalizes them if they are to be, and gives their outputs. */
    float[] outputs(float[] x, int[] wanted) {
        activations.growOutputsTo(wanted.length);
        gather(activations.gathered, x, wanted);
        return unembed(activations.gathered, wanted.length);
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
                    PassTensor.FINAL_NORM,
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
        int none = ParameterView.NO_LAYER;
        MatMul matMul = rounding.matMul(PassTensor.LOGITS, none, PassRounding.Use.FORWARD);
        output.at(outputs, rows, columns);
        input.at(read, rows, width);
        Matrix bias = matrices.find(ParameterRole.UNEMBEDDING_BIAS, none);
        multiply(matMul, MatMul.Form.NT, matrices.get(unembedding(), none), bias);
        rounding.round(PassTensor.LOGITS, none, outputs, rows, columns);
        return outputs;
    }

    /** Which parameter U is. */
    ParameterRole unembedding() {
        return architecture.output().tied() ? ParameterRole.TOKEN_EMBEDDING : ParameterRole.UNEMBEDDING;
    }

    /** From input to output. */
    private void multiply(MatMul matMul, MatMul.Form form, Matrix weights, @Nullable Matrix bias) {
        if (bias == null) {
            matMul.multiply(form, false, output, input, weights);
        } else {
            matMul.multiplyAddBias(form, output, input, weights, bias);
        }
    }

    private void embed(Batch batch) {
        int tokens = index.offset(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
        int positions = Math.max(0, index.offset(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER));
        float[] x = activations.embedded;
        RaggedOffsets sequences = batch.sequences();
        int none = ParameterView.NO_LAYER;
        int width = architecture.width();
        int rows = sequences.total();
        if (embeddingShape.positionRows() == 0 || !rounding.addsExactly(PassTensor.EMBEDDED)) {
            kernels.embedding().forward(x, batch.ids(), sequences, values, tokens, values, positions, embeddingShape);
            rounding.round(PassTensor.EMBEDDED, none, x, rows, width);
            return;
        }
        EmbeddingShape tokensOnly = EmbeddingShape.tokensOnly(architecture.vocabularySize(), width);
        kernels.embedding().forward(x, batch.ids(), sequences, values, tokens, values, 0, tokensOnly);
        positionRows = positionRows.length < rows * width ? new float[rows * width] : positionRows;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int t = 0; t < sequences.length(sequence); t++) {
                int from = positions + t % embeddingShape.positionRows() * width;
                System.arraycopy(values, from, positionRows, (sequences.start(sequence) + t) * width, width);
            }
        }
        rounding.add(PassTensor.EMBEDDED, none, x, positionRows, rows, width);
    }

    private void attention(
            int layer, RaggedOffsets sequences, LayerAttention attention, @Nullable DropoutSeed dropout) {
        Activations.Layer saved = activations.layer(layer);
        float[] x = activations.input(layer);
        int rows = sequences.total();
        int width = architecture.width();
        Activations.Part part = saved.attention;
        float[] u = read(LayerPart.ATTENTION, part, x, layer, rows);
        AttentionOptions options = architecture.attention();
        AttentionInputs inputs = saved.inputs();
        boolean lastQueries = hasLastQueriesAlone(layer);
        int queries = lastQueries ? sequences.count() : rows;
        float[] ofQueries = x;
        float[] readByQueries = u;
        if (lastQueries) {
            ofQueries = activations.scored;
            gatherLast(ofQueries, x, sequences);
            readByQueries = activations.scoredRead;
            gatherLast(readByQueries, u, sequences);
        }
        if (options.hasScores()) {
            queries(layer, readByQueries, queries);
        }
        keysAndValues(layer, u, rows);
        copy(ParameterRole.KEY_QUERY_IDENTITY, layer, inputs.keyQueryIdentities());
        copy(ParameterRole.VALUE_OUTPUT_IDENTITY, layer, inputs.valueOutputIdentities());
        copy(ParameterRole.SCORE_BIAS, layer, inputs.scoreBiases());
        if (lastQueries) {
            kernels.lastQueryAttention().forward(saved.outputs, inputs, sequences, attentionShape);
        } else {
            attention.forward(layer, saved.outputs, inputs, sequences);
        }
        rounding.round(PassTensor.HEADS, layer, saved.outputs.outputs(), queries, options.width());
        if (options.outputProjection()) {
            map(
                    PassTensor.ATTENTION,
                    part.sum,
                    saved.outputs.outputs(),
                    ParameterRole.OUTPUT,
                    ParameterRole.OUTPUT_BIAS,
                    layer,
                    queries);
        } else {
            System.arraycopy(saved.outputs.outputs(), 0, part.sum, 0, queries * width);
            rounding.round(PassTensor.ATTENTION, layer, part.sum, queries, width);
        }
        if (options.identities()) {
            float[] identityOutputs = saved.outputs.identityOutputs();
            rounding.round(PassTensor.IDENTITY_HEADS, layer, identityOutputs, rows, width);
            rounding.add(PassTensor.ATTENTION_WITH_IDENTITIES, layer, part.sum, identityOutputs, rows, width);
        }
        finish(LayerPart.ATTENTION, part, ofQueries, layer, queries, dropout);
    }

    private void gatherLast(float[] to, float[] from, RaggedOffsets sequences) {
        int width = architecture.width();
        for (int s = 0; s < sequences.count(); s++) {
            System.arraycopy(from, (sequences.end(s) - 1) * width, to, s * width, width);
        }
    }

    private void queries(int layer, float[] u, int rows) {
        Activations.Layer saved = activations.layer(layer);
        map(PassTensor.QUERIES, saved.rawQueries, u, ParameterRole.QUERY, ParameterRole.QUERY_BIAS, layer, rows);
        AttentionOptions options = architecture.attention();
        if (options.normalizeQueriesAndKeys()) {
            float[] queries = saved.inputs().queries();
            norm(
                    PassTensor.QUERY_NORM,
                    queries,
                    saved.queryStatistics,
                    saved.rawQueries,
                    ParameterRole.QUERY_NORM_GAIN,
                    ParameterRole.QUERY_NORM_SHIFT,
                    layer,
                    rows * options.heads(),
                    options.headWidth());
            rounding.round(PassTensor.NORMED_QUERIES, layer, queries, rows, options.width());
        }
    }

    private void keysAndValues(int layer, float[] u, int rows) {
        Activations.Layer saved = activations.layer(layer);
        AttentionOptions options = architecture.attention();
        AttentionInputs inputs = saved.inputs();
        if (options.hasScores()) {
            map(PassTensor.KEYS, saved.rawKeys, u, ParameterRole.KEY, ParameterRole.KEY_BIAS, layer, rows);
        }
        if (options.normalizeQueriesAndKeys()) {
            norm(
                    PassTensor.KEY_NORM,
                    inputs.keys(),
                    saved.keyStatistics,
                    saved.rawKeys,
                    ParameterRole.KEY_NORM_GAIN,
                    ParameterRole.KEY_NORM_SHIFT,
                    layer,
                    rows * options.heads(),
                    options.headWidth());
            rounding.round(PassTensor.NORMED_KEYS, layer, inputs.keys(), rows, options.width());
        }
        map(PassTensor.VALUES, inputs.values(), u, ParameterRole.VALUE, ParameterRole.VALUE_BIAS, layer, rows);
    }

    private void feedForward(int layer, FeedForwardShape shape, float[] x, int rows, @Nullable DropoutSeed dropout) {
        Activations.Layer saved = activations.layer(layer);
        Activations.Part part = saved.feedForwardPart();
        int width = architecture.width();
        float[] u = read(LayerPart.FEED_FORWARD, part, x, layer, rows);
        if (roundedFeedForward == null) {
            FeedForwardSaved kept = saved.savedFeedForward(shape, rows);
            output.at(part.sum, rows, width);
            input.at(u, rows, width);
            kernels.feedForward().forward(output, kept, input, matrices.feedForward(layer), shape);
        } else {
            roundedFeedForward.forward(layer, part.sum, saved, u, rows);
        }
        rounding.round(PassTensor.FEED_FORWARD, layer, part.sum, rows, width);
        finish(LayerPart.FEED_FORWARD, part, x, layer, rows, dropout);
    }

    /** u, what a part reads: x, or its norm. */
    private float[] read(LayerPart which, Activations.Part part, float[] x, int layer, int rows) {
        if (architecture.placement() != Placement.PRE) {
            return x;
        }
        int width = architecture.width();
        norm(which.norm, part.normed, part.normedStatistics, x, which.gain, which.shift, layer, rows, width);
        return part.normed;
    }

    /** From y to what a part leaves: dropped, added to x, normalized. */
    private void finish(
            LayerPart which, Activations.Part part, float[] x, int layer, int rows, @Nullable DropoutSeed dropout) {
        int width = architecture.width();
        drop(which.dropped, layer, part.sum, rows, which.dropoutSite(layer), dropout);
        if (architecture.residual()) {
            rounding.add(which.sum, layer, part.sum, x, rows, width);
        }
        if (architecture.placement() == Placement.POST) {
            norm(which.norm, part.output, part.outputStatistics, part.sum, which.gain, which.shift, layer, rows, width);
        }
    }

    private void drop(PassTensor tensor, int layer, float[] x, int rows, int site, @Nullable DropoutSeed dropout) {
        if (dropout != null && architecture.dropout() > 0) {
            int width = architecture.width();
            kernels.dropout().forward(x, 0, x, 0, rows * width, architecture.dropout(), dropout.stream(site));
            rounding.round(tensor, layer, x, rows, width);
        }
    }

    /** y = x W + b, rounded as {@code tensor} is. */
    void map(PassTensor tensor, float[] y, float[] x, ParameterRole matrix, ParameterRole biases, int layer, int rows) {
        Matrix w = matrices.get(matrix, layer);
        int n = w.columns();
        output.at(y, rows, n);
        input.at(x, rows, w.rows());
        MatMul matMul = rounding.matMul(tensor, layer, PassRounding.Use.FORWARD);
        multiply(matMul, MatMul.Form.NN, w, matrices.find(biases, layer));
        rounding.round(tensor, layer, y, rows, n);
    }

    /** y = norm(x), rounded as {@code tensor} is. */
    void norm(
            PassTensor tensor,
            float[] y,
            float[] statistics,
            float[] x,
            ParameterRole gains,
            ParameterRole shifts,
            int layer,
            int rows,
            int columns) {
        NormalizationOptions options = architecture.normalization();
        output.at(y, rows, columns);
        input.at(x, rows, columns);
        statisticsOfRows.at(statistics, rows, options.kind().statistics());
        rounding.normalization(tensor, layer, PassRounding.Use.FORWARD)
                .forward(
                        output,
                        statisticsOfRows,
                        input,
                        matrices.norm(gains, shifts, layer),
                        options.kind(),
                        options.epsilon());
        rounding.round(tensor, layer, y, rows, columns);
    }

    /** Copies a parameter of a few numbers, if there is one. */
    private void copy(ParameterRole role, int layer, float[] to) {
        ParameterView view = index.find(role, layer);
        if (view != null) {
            System.arraycopy(values, view.offset(), to, 0, view.size());
        }
    }
}
