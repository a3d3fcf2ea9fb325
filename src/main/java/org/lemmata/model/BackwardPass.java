package org.lemmata.model;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.random.RandomStream;
import org.lemmata.token.Batch;

/**
 * The gradients of a {@link ForwardPass} that was just run and kept its activations: part after part from the outputs
 * back to the embeddings. Gradients of parameters are added to an array that has their layout.
 */
final class BackwardPass {

    private static final float[] NONE = {};

    private final ForwardPass forward;
    private final Architecture architecture;
    private final List<ParameterView> layout;
    private final ParameterIndex index;
    private final Kernels kernels;
    private final PassRounding rounding;
    private final ParameterRounding parameterGradients;
    private final Activations activations;

    private int rows = -1;

    /** The gradient of x: of what a part leaves, then of what it reads. */
    private float[] dx = NONE;

    /** The gradient of u. */
    private float[] du = NONE;

    /** The gradient of y, where dropout makes it another than that of the sum. */
    private float[] dy = NONE;

    private AttentionInputs dInputs = new AttentionInputs(NONE, NONE, NONE, NONE, NONE, NONE, NONE);

    private AttentionOutputs dOutputs = AttentionOutputs.of(NONE);

    /** The gradients of attention's outputs. */
    private float[] dHeads = NONE;

    private float[] dGathered = NONE;

    /** The gradients of parameters, as operations take them. */
    private @Nullable ParameterMatrices gradientMatrices;

    /** What an operation reads and writes. */
    private final Matrix ofInput = Matrix.empty();

    private final Matrix dOfInput = Matrix.empty();
    private final Matrix dOfOutput = Matrix.empty();
    private final Matrix statisticsOfRows = Matrix.empty();

    BackwardPass(ForwardPass forward) {
        this.forward = forward;
        this.architecture = forward.architecture;
        this.layout = architecture.layout();
        this.index = forward.index;
        this.kernels = forward.kernels;
        this.rounding = forward.rounding;
        this.parameterGradients = new ParameterRounding(
                architecture.layout(), rounding.policy(), PrecisionSite.GRADIENTS, 0, kernels.quantization());
        this.activations = forward.activations;
    }

    /**
     * Adds the gradients of all parameters to {@code gradients}.
     *
     * @param dLogits the gradients of the outputs of the batch's scored rows; what is in it is lost
     * @param dropout what the forward pass was given
     */
    void run(float[] gradients, float[] dLogits, Batch batch, @Nullable DropoutSeed dropout) {
        RaggedOffsets sequences = batch.sequences();
        int tokens = sequences.total();
        int none = ParameterView.NO_LAYER;
        growTo(tokens, batch.scoredRows().length);
        gradientMatrices = ParameterMatrices.of(gradientMatrices, layout, gradients);
        outputs(gradients, dLogits, batch);
        for (int layer = architecture.layers() - 1; layer >= 0; layer--) {
            if (forward.feedForwardShape != null) {
                boolean scoredAlone = forward.scoredAlone && layer == architecture.layers() - 1;
                boolean gathered = scoredAlone && !forward.lastQueriesAlone;
                float[] x = gathered ? activations.scored : activations.layer(layer).attention.output;
                int count = scoredAlone ? batch.scoredRows().length : tokens;
                feedForward(gradients, layer, forward.feedForwardShape, x, count, dropout);
                if (gathered) {
                    spread(batch);
                }
            }
            attention(gradients, layer, batch, dropout);
        }
        undrop(PassTensor.DROPPED_EMBEDDED, none, dx, dx, tokens, DropoutSeed.EMBEDDING, dropout);
        kernels.embedding()
                .backward(
                        gradients,
                        index.offset(ParameterRole.TOKEN_EMBEDDING, none),
                        gradients,
                        Math.max(0, index.offset(ParameterRole.POSITION_EMBEDDING, none)),
                        dx,
                        batch.ids(),
                        sequences,
                        forward.embeddingShape);
        parameterGradients.round(gradients, gradients, rounding.step());
    }

    private void growTo(int newRows, int scored) {
        int width = architecture.width();
        if (dGathered.length < Math.multiplyExact(scored, width)) {
            dGathered = new float[scored * width];
        }
        if (newRows <= rows) {
            return;
        }
        int size = Math.multiplyExact(newRows, width);
        dx = new float[size];
        du = new float[size];
        dy = architecture.dropout() > 0 ? new float[size] : NONE;
        AttentionInputs zeros = AttentionInputs.zeros(RaggedOffsets.ofLengths(newRows), forward.attentionShape);
        // What goes through the identities is added to what goes through queries, keys and values.
        dInputs = zeros.withIdentities(du, zeros.keyQueryIdentities(), zeros.valueOutputIdentities());
        dHeads = architecture.attention().outputProjection()
                ? new float[Math.multiplyExact(newRows, architecture.attention().width())]
                : NONE;
        dOutputs = dOutputs(architecture.dropout() > 0 ? dy : dx);
        rows = newRows;
    }

    /** Without an output projection, y is what the heads give. */
    private AttentionOutputs dOutputs(float[] ofY) {
        boolean identities = architecture.attention().identities();
        return new AttentionOutputs(
                architecture.attention().outputProjection() ? dHeads : ofY, identities ? ofY : NONE, NONE, NONE);
    }

    private void outputs(float[] gradients, float[] dLogits, Batch batch) {
        int[] scored = batch.scoredRows();
        int width = architecture.width();
        int columns = architecture.outputs();
        boolean pre = architecture.placement() == Placement.PRE;
        float[] read = pre ? activations.normed : activations.gathered;
        ParameterRole u = forward.unembedding();
        int n = scored.length;
        int none = ParameterView.NO_LAYER;
        rounding.roundGradient(PassTensor.LOGITS, none, dLogits, n, columns);
        dOfOutput.at(dLogits, n, columns);
        MatMul ofWeights = rounding.matMul(PassTensor.LOGITS, none, PassRounding.Use.WEIGHT_GRADIENT);
        ofWeights.multiply(MatMul.Form.TN, true, gradientsOf().get(u, none), dOfOutput, ofInput.at(read, n, width));
        addRows(gradients, ParameterRole.UNEMBEDDING_BIAS, none, dLogits, n, columns);
        MatMul ofInputs = rounding.matMul(PassTensor.LOGITS, none, PassRounding.Use.INPUT_GRADIENT);
        dOfInput.at(dGathered, n, width);
        ofInputs.multiply(MatMul.Form.NN, false, dOfInput, dOfOutput, forward.matrices.get(u, none));
        rounding.roundGradient(pre ? PassTensor.FINAL_NORM : PassTensor.GATHERED, none, dGathered, n, width);
        if (pre) {
            normBackward(
                    PassTensor.FINAL_NORM,
                    gradients,
                    dGathered,
                    activations.normedStatistics,
                    activations.gathered,
                    ParameterRole.FINAL_NORM_GAIN,
                    ParameterRole.FINAL_NORM_SHIFT,
                    none,
                    n,
                    width);
            rounding.roundGradient(PassTensor.GATHERED, none, dGathered, n, width);
        }
        if (forward.scoredAlone) {
            System.arraycopy(dGathered, 0, dx, 0, n * width);
        } else {
            scatter(dGathered, batch);
        }
    }

    /** Puts the gradients of the scored rows, the first of dx, in their places, and 0 elsewhere. */
    private void spread(Batch batch) {
        System.arraycopy(dx, 0, dGathered, 0, batch.scoredRows().length * architecture.width());
        scatter(dGathered, batch);
    }

    /** Sets dx to the gradients of the scored rows, and 0 elsewhere. */
    private void scatter(float[] ofScored, Batch batch) {
        int[] scored = batch.scoredRows();
        int width = architecture.width();
        Arrays.fill(dx, 0, batch.sequences().total() * width, 0);
        for (int i = 0; i < scored.length; i++) {
            System.arraycopy(ofScored, i * width, dx, scored[i] * width, width);
        }
    }

    private void feedForward(
            float[] gradients,
            int layer,
            FeedForwardShape shape,
            float[] x,
            int tokens,
            @Nullable DropoutSeed dropout) {
        Activations.Layer saved = activations.layer(layer);
        Activations.Part part = saved.feedForwardPart();
        int width = architecture.width();
        float[] u = architecture.placement() == Placement.PRE ? part.normed : x;
        float[] ofY = begin(LayerPart.FEED_FORWARD, gradients, part, layer, tokens, dropout);
        RoundedFeedForward rounded = forward.roundedFeedForward();
        if (rounded == null) {
            kernels.feedForward()
                    .backward(
                            dOfInput.at(du, tokens, width),
                            gradientsOf().feedForward(layer),
                            dOfOutput.at(ofY, tokens, width),
                            saved.savedFeedForward(shape, tokens),
                            ofInput.at(u, tokens, width),
                            forward.matrices.feedForward(layer),
                            shape);
        } else {
            rounded.backward(this, gradients, layer, du, ofY, saved, u, tokens);
        }
        end(LayerPart.FEED_FORWARD, gradients, part, x, layer, tokens);
    }

    private void attention(float[] gradients, int layer, Batch batch, @Nullable DropoutSeed dropout) {
        RaggedOffsets sequences = batch.sequences();
        boolean lastQueries = forward.hasLastQueriesAlone(layer);
        int queries = lastQueries ? sequences.count() : sequences.total();
        Activations.Layer saved = activations.layer(layer);
        Activations.Part part = saved.attention;
        AttentionOptions options = architecture.attention();
        int tokens = sequences.total();
        float[] x = activations.input(layer);
        float[] u = architecture.placement() == Placement.PRE ? part.normed : x;
        float[] ofY = begin(LayerPart.ATTENTION, gradients, part, layer, queries, dropout);
        if (options.outputProjection()) {
            float[] heads = saved.outputs.outputs();
            mapBackward(
                    PassTensor.ATTENTION,
                    gradients,
                    dHeads,
                    false,
                    ofY,
                    heads,
                    ParameterRole.OUTPUT,
                    ParameterRole.OUTPUT_BIAS,
                    layer,
                    queries);
            rounding.roundGradient(PassTensor.HEADS, layer, dHeads, queries, options.width());
        }
        if (options.identities()) {
            Arrays.fill(du, 0, tokens * architecture.width(), 0);
        }
        clear(dInputs.keyQueryIdentities());
        clear(dInputs.valueOutputIdentities());
        clear(dInputs.scoreBiases());
        if (lastQueries) {
            kernels.lastQueryAttention()
                    .backward(dInputs, dOutputs, saved.outputs, saved.inputs(), sequences, forward.attentionShape);
        } else {
            rounding.attentionBackward(layer)
                    .backward(dInputs, dOutputs, saved.outputs, saved.inputs(), sequences, forward.attentionShape);
        }
        add(gradients, ParameterRole.KEY_QUERY_IDENTITY, layer, dInputs.keyQueryIdentities());
        add(gradients, ParameterRole.VALUE_OUTPUT_IDENTITY, layer, dInputs.valueOutputIdentities());
        add(gradients, ParameterRole.SCORE_BIAS, layer, dInputs.scoreBiases());
        rounding.roundGradient(PassTensor.VALUES, layer, dInputs.values(), tokens, options.width());
        mapBackward(
                PassTensor.VALUES,
                gradients,
                du,
                options.identities(),
                dInputs.values(),
                u,
                ParameterRole.VALUE,
                ParameterRole.VALUE_BIAS,
                layer,
                tokens);
        if (options.hasScores()) {
            queriesBackward(gradients, saved, lastQueries ? activations.scoredRead : u, layer, queries);
            if (lastQueries) {
                addScored(du, dGathered, batch);
            }
            keysBackward(gradients, saved, u, layer, tokens);
        }
        if (lastQueries && architecture.residual()) {
            spread(batch);
        }
        end(LayerPart.ATTENTION, gradients, part, x, layer, tokens);
    }

    /** Adds what goes through the queries to du; of scored rows alone, sets dGathered to it. */
    private void queriesBackward(float[] gradients, Activations.Layer saved, float[] u, int layer, int rows) {
        AttentionOptions options = architecture.attention();
        float[] dQueries = dInputs.queries();
        if (options.normalizeQueriesAndKeys()) {
            rounding.roundGradient(PassTensor.NORMED_QUERIES, layer, dQueries, rows, options.width());
            normBackward(
                    PassTensor.QUERY_NORM,
                    gradients,
                    dQueries,
                    saved.queryStatistics,
                    saved.rawQueries,
                    ParameterRole.QUERY_NORM_GAIN,
                    ParameterRole.QUERY_NORM_SHIFT,
                    layer,
                    rows * options.heads(),
                    options.headWidth());
        }
        rounding.roundGradient(PassTensor.QUERIES, layer, dQueries, rows, options.width());
        boolean all = !forward.hasLastQueriesAlone(layer);
        mapBackward(
                PassTensor.QUERIES,
                gradients,
                all ? du : dGathered,
                all,
                dQueries,
                u,
                ParameterRole.QUERY,
                ParameterRole.QUERY_BIAS,
                layer,
                rows);
    }

    private void keysBackward(float[] gradients, Activations.Layer saved, float[] u, int layer, int rows) {
        AttentionOptions options = architecture.attention();
        float[] dKeys = dInputs.keys();
        if (options.normalizeQueriesAndKeys()) {
            rounding.roundGradient(PassTensor.NORMED_KEYS, layer, dKeys, rows, options.width());
            normBackward(
                    PassTensor.KEY_NORM,
                    gradients,
                    dKeys,
                    saved.keyStatistics,
                    saved.rawKeys,
                    ParameterRole.KEY_NORM_GAIN,
                    ParameterRole.KEY_NORM_SHIFT,
                    layer,
                    rows * options.heads(),
                    options.headWidth());
        }
        rounding.roundGradient(PassTensor.KEYS, layer, dKeys, rows, options.width());
        mapBackward(
                PassTensor.KEYS, gradients, du, true, dKeys, u, ParameterRole.KEY, ParameterRole.KEY_BIAS, layer, rows);
    }

    /** Adds rows, one a scored row, to those of {@code to}. */
    private void addScored(float[] to, float[] rows, Batch batch) {
        int[] scored = batch.scoredRows();
        int width = architecture.width();
        for (int i = 0; i < scored.length; i++) {
            for (int d = 0; d < width; d++) {
                to[scored[i] * width + d] += rows[i * width + d];
            }
        }
    }

    /** From the gradient of what a part leaves to that of the sum, in dx, and that of y, which is returned. */
    private float[] begin(
            LayerPart which,
            float[] gradients,
            Activations.Part part,
            int layer,
            int tokens,
            @Nullable DropoutSeed dropout) {
        int width = architecture.width();
        if (architecture.placement() == Placement.POST) {
            normBackward(
                    which.norm,
                    gradients,
                    dx,
                    part.outputStatistics,
                    part.sum,
                    which.gain,
                    which.shift,
                    layer,
                    tokens,
                    width);
            rounding.roundGradient(which.sum, layer, dx, tokens, width);
        }
        if (architecture.dropout() == 0) {
            return dx;
        }
        undrop(which.dropped, layer, dy, dx, tokens, which.dropoutSite(layer), dropout);
        return dy;
    }

    /** From the gradient of u, and that of the sum in dx, to that of x, in dx. */
    private void end(LayerPart which, float[] gradients, Activations.Part part, float[] x, int layer, int tokens) {
        int width = architecture.width();
        rounding.roundGradient(which.norm, layer, du, tokens, width);
        if (architecture.placement() == Placement.PRE) {
            normBackward(
                    which.norm, gradients, du, part.normedStatistics, x, which.gain, which.shift, layer, tokens, width);
            rounding.roundGradient(which.input, layer, du, tokens, width);
        }
        if (architecture.residual()) {
            rounding.addGradient(which.inputSum, layer, dx, du, tokens, width);
        } else {
            System.arraycopy(du, 0, dx, 0, tokens * width);
        }
    }

    private void undrop(
            PassTensor tensor,
            int layer,
            float[] to,
            float[] from,
            int tokens,
            int site,
            @Nullable DropoutSeed dropout) {
        if (architecture.dropout() > 0) {
            int width = architecture.width();
            RandomStream stream = Objects.requireNonNull(dropout).stream(site);
            kernels.dropout().backward(to, 0, from, 0, tokens * width, architecture.dropout(), stream);
            rounding.roundGradient(tensor, layer, to, tokens, width);
        }
    }

    /** dW += xᵀ dy, db += the rows of dy, and dx = dy Wᵀ or dx += dy Wᵀ. */
    void mapBackward(
            PassTensor tensor,
            float[] gradients,
            float[] dInput,
            boolean accumulate,
            float[] dOutput,
            float[] input,
            ParameterRole weights,
            ParameterRole bias,
            int layer,
            int tokens) {
        Matrix w = forward.matrices.get(weights, layer);
        int out = w.columns();
        dOfOutput.at(dOutput, tokens, out);
        ofInput.at(input, tokens, w.rows());
        MatMul ofWeights = rounding.matMul(tensor, layer, PassRounding.Use.WEIGHT_GRADIENT);
        ofWeights.multiply(MatMul.Form.TN, true, gradientsOf().get(weights, layer), ofInput, dOfOutput);
        addRows(gradients, bias, layer, dOutput, tokens, out);
        MatMul ofInputs = rounding.matMul(tensor, layer, PassRounding.Use.INPUT_GRADIENT);
        ofInputs.multiply(MatMul.Form.NT, accumulate, dOfInput.at(dInput, tokens, w.rows()), dOfOutput, w);
    }

    private ParameterMatrices gradientsOf() {
        return Objects.requireNonNull(gradientMatrices);
    }

    private void addRows(float[] gradients, ParameterRole role, int layer, float[] from, int count, int columns) {
        int offset = index.offset(role, layer);
        if (offset != ParameterIndex.ABSENT) {
            kernels.arithmetic().addRowsInto(gradients, offset, from, 0, columns, count, columns);
        }
    }

    /** In place: the gradient of a norm's output becomes that of its input. */
    void normBackward(
            PassTensor tensor,
            float[] gradients,
            float[] d,
            float[] statistics,
            float[] x,
            ParameterRole gains,
            ParameterRole shifts,
            int layer,
            int count,
            int columns) {
        Normalization.Kind kind = architecture.normalization().kind();
        dOfOutput.at(d, count, columns);
        rounding.normalization(tensor, layer, PassRounding.Use.INPUT_GRADIENT)
                .backward(
                        dOfOutput,
                        gradientsOf().norm(gains, shifts, layer),
                        dOfOutput,
                        statisticsOfRows.at(statistics, count, kind.statistics()),
                        ofInput.at(x, count, columns),
                        forward.matrices.norm(gains, shifts, layer),
                        kind);
    }

    private void add(float[] gradients, ParameterRole role, int layer, float[] from) {
        ParameterView view = index.find(role, layer);
        if (view != null) {
            kernels.arithmetic().addInto(gradients, view.offset(), from, 0, view.size());
        }
    }

    private static void clear(float[] array) {
        Arrays.fill(array, 0);
    }
}
