package org.lemmata.model.part;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.part.TransformerPass.LayerAttention;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/**
 * Attention in one layer: x := norm(x + drop(attention(u W_Q + b_Q, u W_K + b_K, u W_V + b_V; u) W_O + b_O)), where
 * {@link Architecture} defines u and which terms are present.
 */
final class AttentionPart extends ResidualPart {

    private final AttentionOptions options;
    private final AttentionShape shape;
    private final @Nullable Projection queries;
    private final @Nullable Projection keys;
    private final LinearMap values;
    private final @Nullable LinearMap output;

    AttentionPart(PartContext context, int layer) {
        super(context, layer, true);
        options = context.architecture().attention();
        shape = context.architecture().attentionShape();
        queries = options.hasScores()
                ? new Projection(
                        PassTensor.QUERIES,
                        PassTensor.NORMED_QUERIES,
                        map(PassTensor.QUERIES, ParameterRole.QUERY, ParameterRole.QUERY_BIAS),
                        norm(PassTensor.QUERY_NORM, ParameterRole.QUERY_NORM_GAIN, ParameterRole.QUERY_NORM_SHIFT))
                : null;
        keys = options.hasScores()
                ? new Projection(
                        PassTensor.KEYS,
                        PassTensor.NORMED_KEYS,
                        map(PassTensor.KEYS, ParameterRole.KEY, ParameterRole.KEY_BIAS),
                        norm(PassTensor.KEY_NORM, ParameterRole.KEY_NORM_GAIN, ParameterRole.KEY_NORM_SHIFT))
                : null;
        values = map(PassTensor.VALUES, ParameterRole.VALUE, ParameterRole.VALUE_BIAS);
        output = options.outputProjection()
                ? map(PassTensor.ATTENTION, ParameterRole.OUTPUT, ParameterRole.OUTPUT_BIAS)
                : null;
    }

    private LinearMap map(PassTensor tensor, ParameterRole matrix, ParameterRole bias) {
        return new LinearMap(context, tensor, matrix, bias, layer);
    }

    private Norm norm(PassTensor tensor, ParameterRole gain, ParameterRole shift) {
        return new Norm(context, tensor, gain, shift, layer, options.headWidth());
    }

    static final class Saved extends ResidualPart.Saved {

        private final Projection.Raw queries;
        private final Projection.Raw keys;

        /** The inputs of the kernel, with copies of the parameters that the kernel reads from separate arrays. */
        private AttentionInputs inputs;

        private final AttentionOutputs outputs;

        Saved(PartContext context, int rows) {
            super(context, rows);
            AttentionShape shape = context.architecture().attentionShape();
            RaggedOffsets oneSequence = RaggedOffsets.ofLengths(rows);
            // Rejects sizes for which the following products would overflow.
            PartContext.size(rows, shape.width());
            inputs = AttentionInputs.zeros(oneSequence, shape);
            outputs = AttentionOutputs.zeros(oneSequence, shape);
            queries = Projection.Raw.of(context, inputs.queries(), rows);
            keys = Projection.Raw.of(context, inputs.keys(), rows);
        }

        @SuppressWarnings("ReferenceEquality") // Compares identity: whether this is the array of the previous call.
        private void setTokens(float[] u) {
            // The record is replaced only if the array changes.
            if (inputs.tokens() != u) {
                inputs = inputs.withIdentities(u, inputs.keyQueryIdentities(), inputs.valueOutputIdentities());
            }
        }
    }

    /** @param other replaces the attention among the tokens of each sequence; null for none */
    void forward(
            Saved saved,
            float[] x,
            RaggedOffsets sequences,
            @Nullable LayerAttention other,
            @Nullable DropoutSeed dropout) {
        int rows = sequences.total();
        float[] u = readTokens(saved, x, rows);
        project(queries, saved.inputs.queries(), saved.queries, u, rows);
        projectKeysAndValues(saved, u, rows);
        if (other == null) {
            context.rounding().attention(layer).forward(saved.outputs, saved.inputs, sequences, shape);
        } else {
            other.forward(layer, saved.outputs, saved.inputs, sequences);
        }
        finishHeads(saved, x, rows, dropout);
    }

    /** {@link #forward} with queries only for the scored rows, which are the last rows of their sequences. */
    void forwardLast(Saved saved, float[] x, RaggedOffsets sequences, RowSelection scored) {
        int rows = sequences.total();
        float[] u = readTokens(saved, x, rows);
        scored.gather(scored.x, x);
        scored.gather(scored.read, u);
        project(queries, saved.inputs.queries(), saved.queries, scored.read, scored.count());
        projectKeysAndValues(saved, u, rows);
        context.kernels().cachedAttention().forward(saved.outputs, saved.inputs, sequences, shape);
        finishHeads(saved, scored.x, scored.count(), null);
    }

    /** Computes only what the queries of later tokens read: keys, values and, for identity terms, rows u. */
    AttentionInputs forwardContext(Saved saved, float[] x, int rows) {
        projectKeysAndValues(saved, readTokens(saved, x, rows), rows);
        return saved.inputs;
    }

    private float[] readTokens(Saved saved, float[] x, int rows) {
        float[] u = read(saved, x, rows);
        if (options.identities()) {
            saved.setTokens(u);
        }
        return u;
    }

    private static void project(@Nullable Projection projection, float[] y, Projection.Raw saved, float[] u, int rows) {
        if (projection != null) {
            projection.forward(y, saved, u, rows);
        }
    }

    private void projectKeysAndValues(Saved saved, float[] u, int rows) {
        AttentionInputs inputs = saved.inputs;
        project(keys, inputs.keys(), saved.keys, u, rows);
        values.forward(inputs.values(), u, 0, rows);
        context.copy(ParameterRole.KEY_QUERY_IDENTITY, layer, inputs.keyQueryIdentities(), options.keyQueryFactor());
        context.copy(
                ParameterRole.VALUE_OUTPUT_IDENTITY,
                layer,
                inputs.valueOutputIdentities(),
                options.valueOutputFactor());
        context.copy(ParameterRole.SCORE_BIAS, layer, inputs.scoreBiases(), 1);
    }

    private void finishHeads(Saved saved, float[] x, int rows, @Nullable DropoutSeed dropout) {
        PassRounding rounding = context.rounding();
        int width = context.width();
        float[] heads = saved.outputs.outputs();
        float[] y = saved.sum;
        rounding.round(PassTensor.HEADS, layer, heads, rows, options.width());
        if (output == null) {
            System.arraycopy(heads, 0, y, 0, rows * width);
            rounding.round(PassTensor.ATTENTION, layer, y, rows, width);
        } else {
            output.forward(y, heads, 0, rows);
        }
        if (options.identities()) {
            float[] identityOutputs = saved.outputs.identityOutputs();
            rounding.round(PassTensor.IDENTITY_HEADS, layer, identityOutputs, rows, width);
            rounding.add(PassTensor.ATTENTION_WITH_IDENTITIES, layer, y, identityOutputs, rows, width);
        }
        finish(saved, x, rows, dropout);
    }

    /** Replaces the gradient of this part's output in {@code space.dx} by the gradient of x. */
    void backward(
            float[] gradients,
            GradientSpace space,
            Saved saved,
            float[] x,
            RaggedOffsets sequences,
            @Nullable DropoutSeed dropout) {
        int rows = sequences.total();
        float[] u = whatWasRead(saved, x);
        headsBackward(gradients, space, saved, rows, dropout);
        clear(space, rows);
        AttentionInputs d = space.inputs;
        context.rounding()
                .attentionBackward(layer)
                .backward(d, space.outputs, saved.outputs, saved.inputs, sequences, shape);
        valuesBackward(gradients, space, u, rows);
        if (queries != null && keys != null) {
            queries.backward(gradients, space.du, true, d.queries(), saved.queries, u, rows);
            keys.backward(gradients, space.du, true, d.keys(), saved.keys, u, rows);
        }
        readBackward(gradients, space, saved, x, rows);
    }

    /** The backward pass of {@link #forwardLast}. The first rows of dx contain the gradient of its output. */
    void backwardLast(
            float[] gradients,
            GradientSpace space,
            Saved saved,
            float[] x,
            RaggedOffsets sequences,
            RowSelection scored) {
        int rows = sequences.total();
        float[] u = whatWasRead(saved, x);
        headsBackward(gradients, space, saved, scored.count(), null);
        clear(space, rows);
        AttentionInputs d = space.inputs;
        context.kernels().cachedAttention().backward(d, space.outputs, saved.outputs, saved.inputs, sequences, shape);
        valuesBackward(gradients, space, u, rows);
        if (queries != null && keys != null) {
            queries.backward(
                    gradients, scored.gradient, false, d.queries(), saved.queries, scored.read, scored.count());
            scored.addTo(space.du);
            keys.backward(gradients, space.du, true, d.keys(), saved.keys, u, rows);
        }
        if (context.architecture().residual()) {
            scored.spread(space.dx);
        }
        readBackward(gradients, space, saved, x, rows);
    }

    private void headsBackward(
            float[] gradients, GradientSpace space, Saved saved, int rows, @Nullable DropoutSeed dropout) {
        float[] dy = finishBackward(gradients, space, saved, rows, dropout);
        if (output != null) {
            float[] dHeads = space.outputs.outputs();
            output.backward(gradients, dHeads, false, dy, saved.outputs.outputs(), 0, rows);
            context.rounding().roundGradient(PassTensor.HEADS, layer, dHeads, rows, options.width());
        }
    }

    /** Zeroes the arrays to which the kernel's backward pass adds. */
    private void clear(GradientSpace space, int rows) {
        if (options.identities()) {
            Arrays.fill(space.du, 0, rows * context.width(), 0);
        }
        AttentionInputs d = space.inputs;
        Arrays.fill(d.keyQueryIdentities(), 0);
        Arrays.fill(d.valueOutputIdentities(), 0);
        Arrays.fill(d.scoreBiases(), 0);
    }

    private void valuesBackward(float[] gradients, GradientSpace space, float[] u, int rows) {
        AttentionInputs d = space.inputs;
        context.copyBackward(
                gradients, ParameterRole.KEY_QUERY_IDENTITY, layer, d.keyQueryIdentities(), options.keyQueryFactor());
        context.copyBackward(
                gradients,
                ParameterRole.VALUE_OUTPUT_IDENTITY,
                layer,
                d.valueOutputIdentities(),
                options.valueOutputFactor());
        context.copyBackward(gradients, ParameterRole.SCORE_BIAS, layer, d.scoreBiases(), 1);
        context.rounding().roundGradient(PassTensor.VALUES, layer, d.values(), rows, options.width());
        values.backward(gradients, space.du, options.identities(), d.values(), u, 0, rows);
    }

    /** A map to queries or keys, u W + b, with a norm of each head if the model has one. */
    private final class Projection {

        private final PassTensor raw;
        private final PassTensor normed;
        private final LinearMap map;
        private final Norm norm;

        private Projection(PassTensor raw, PassTensor normed, LinearMap map, Norm norm) {
            this.raw = raw;
            this.normed = normed;
            this.map = map;
            this.norm = norm;
        }

        /**
         * The projection before its norm, with the norm's statistics. Without norms, {@code values} is the array y that
         * the attention kernel reads.
         */
        @SuppressWarnings("ArrayRecordComponent") // Scratch arrays; they are never compared or printed.
        private record Raw(float[] values, float[] statistics) {

            static Raw of(PartContext context, float[] y, int rows) {
                AttentionOptions options = context.architecture().attention();
                boolean normalized = options.normalizeQueriesAndKeys();
                int heads = PartContext.size(rows, options.heads());
                return new Raw(normalized ? new float[y.length] : y, context.statistics(normalized, heads));
            }
        }

        void forward(float[] y, Raw saved, float[] u, int rows) {
            map.forward(saved.values, u, 0, rows);
            if (options.normalizeQueriesAndKeys()) {
                norm.forward(y, saved.statistics, saved.values, rows * options.heads());
                context.rounding().round(normed, layer, y, rows, options.width());
            }
        }

        /** Sets {@code du}, or adds to it if {@code accumulate}, given {@code dy}, which may be overwritten. */
        void backward(float[] gradients, float[] du, boolean accumulate, float[] dy, Raw saved, float[] u, int rows) {
            if (options.normalizeQueriesAndKeys()) {
                context.rounding().roundGradient(normed, layer, dy, rows, options.width());
                norm.backward(gradients, dy, saved.statistics, saved.values, rows * options.heads());
            }
            context.rounding().roundGradient(raw, layer, dy, rows, options.width());
            map.backward(gradients, du, accumulate, dy, u, 0, rows);
        }
    }

    /** The number of multiplications in the maps. In the last layer, possibly only scored rows have queries. */
    static double products(Architecture architecture, double tokens, double rows, RowSelection.From from) {
        AttentionOptions options = architecture.attention();
        int ofQueries = (options.hasScores() ? 1 : 0) + (options.outputProjection() ? 1 : 0);
        int ofKeys = 1 + (options.hasScores() ? 1 : 0);
        double ofLast = from == RowSelection.From.LAST_QUERIES ? rows : tokens;
        double queries = (architecture.layers() - 1) * tokens + ofLast;
        double keys = architecture.layers() * tokens;
        return (ofQueries * queries + ofKeys * keys) * architecture.width() * options.width();
    }

    /**
     * The number of multiplications in scores and sums of values of all layers. If only scored rows have queries in the
     * last layer, there is one query per sequence, which sees all tokens.
     */
    static double pairProducts(Architecture architecture, double tokens, double pairs, RowSelection.From from) {
        AttentionOptions options = architecture.attention();
        if (!options.hasScores()) {
            return 0;
        }
        double ofIdentities = options.identities() ? (double) options.heads() * architecture.width() : 0;
        double ofLast = from == RowSelection.From.LAST_QUERIES ? tokens : pairs;
        return 2 * ((architecture.layers() - 1) * pairs + ofLast) * (options.width() + ofIdentities);
    }
}
