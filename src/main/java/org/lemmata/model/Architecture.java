package org.lemmata.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.model.NormalizationOptions.Placement;

/**
 * The sizes of a transformer and the options of its parts.
 *
 * <p>For a sequence of tokens s, let x_t be the row of position t = 0, 1, ...:
 *
 * <pre>
 * x_t = E[s_t] + P[position t]                                              dropout
 * for each layer
 *     u = norm(x) if normalization is PRE, else x
 *     y = attention(u W_Q + b_Q, u W_K + b_K, u W_V + b_V; u) W_O + b_O     dropout
 *     x := x + y, or y without residual;  x := norm(x) if normalization is POST
 *     u = norm(x) if normalization is PRE, else x
 *     y = f(norm(u W_1 + b_1)) W_2 + b_2, norm only if it is INNER          dropout
 *     x := x + y, or y without residual;  x := norm(x) if normalization is POST
 * x := norm(x) if normalization is PRE
 * outputs = x Uᵀ + c
 * </pre>
 *
 * <p>A part that an option removes has no parameters: W_Q and W_K under uniform attention, U if it is tied to E. Each
 * norm has its own parameters. The identity terms of attention act on u. Up to factors ({@link AttentionOptions}), the
 * score of head h includes a_h times the inner product of two rows of u. After W_O, y includes b_h times the weighted
 * sum of the rows of u. Dropout acts only in training.
 *
 * @param size vocabulary, length, width and number of layers
 * @param positions the table P of positions
 * @param attention the attention of every layer
 * @param feedForward the feed-forward part of every layer, or null for none
 * @param normalization kind and placement of the norms
 * @param residual whether the output y of a part is added to x; otherwise y replaces x
 * @param output the readout U and c
 * @param dropout the probability that an element is dropped, in [0, 1)
 */
public record Architecture(
        Size size,
        PositionOptions positions,
        AttentionOptions attention,
        @Nullable FeedForwardOptions feedForward,
        NormalizationOptions normalization,
        boolean residual,
        OutputOptions output,
        double dropout) {

    /**
     * Sizes that belong to no single part.
     *
     * @param vocabularySize number of tokens, at least 1
     * @param maxLength the largest number of positions, at least 1
     * @param width columns of x, at least 1
     * @param layers number of layers, at least 1
     */
    public record Size(int vocabularySize, int maxLength, int width, int layers) {

        public Size {
            Refuse.below("vocabularySize", vocabularySize, 1);
            Refuse.below("maxLength", maxLength, 1);
            Refuse.below("width", width, 1);
            Refuse.below("layers", layers, 1);
        }
    }

    /** Checks that the options fit together. A compact constructor would lose {@code @Nullable}. */
    public Architecture(
            Size size,
            PositionOptions positions,
            AttentionOptions attention,
            @Nullable FeedForwardOptions feedForward,
            NormalizationOptions normalization,
            boolean residual,
            OutputOptions output,
            double dropout) {
        if (!attention.outputProjection() && attention.width() != size.width()) {
            throw new IllegalArgumentException("outputProjection: expected one where heads * headWidth ("
                    + attention.heads() + " * " + attention.headWidth() + ") is not the width (" + size.width()
                    + "), got none");
        }
        if (normalization.placement() == Placement.INNER && feedForward == null) {
            throw new IllegalArgumentException("feedForward: expected one with normalization INNER, got none");
        }
        Refuse.when(!(dropout >= 0 && dropout < 1), "dropout", "a probability from 0 to below 1", dropout);
        this.size = size;
        this.positions = Objects.requireNonNull(positions, "positions");
        this.attention = attention;
        this.feedForward = feedForward;
        this.normalization = normalization;
        this.residual = residual;
        this.output = Objects.requireNonNull(output, "output");
        this.dropout = dropout;
        layout();
    }

    /**
     * The model of Richard (2024), section 3.2: one layer, one head, uniform attention, one square value matrix, no
     * residual, unembedding by the token embedding.
     */
    public static Architecture uniformHead(int vocabularySize, int maxLength, int width, boolean learnedPositions) {
        return new Architecture(
                new Size(vocabularySize, maxLength, width, 1),
                learnedPositions ? PositionOptions.table() : PositionOptions.none(),
                AttentionOptions.softmax(1, width)
                        .withWeighting(Weighting.UNIFORM, 0)
                        .withScores(1, LogLength.NONE, 0)
                        .withOutputProjection(false),
                null,
                NormalizationOptions.none(),
                false,
                OutputOptions.nextToken(true),
                0);
    }

    /**
     * A decoder like GPT-2: table of positions, layer normalization before attention and feed-forward, biases, GELU,
     * unembedding by the token embedding.
     *
     * <p>Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.3. The
     * activation is the exact GELU; GPT-2 uses its tanh approximation.
     *
     * @param heads divides {@code width}
     */
    public static Architecture gpt2(
            int vocabularySize, int maxLength, int width, int layers, int heads, int hidden, double dropout) {
        Refuse.below("heads", heads, 1);
        Refuse.when(width % heads != 0, "heads", "a divisor of the width " + width, heads);
        return new Architecture(
                new Size(vocabularySize, maxLength, width, layers),
                PositionOptions.table(),
                AttentionOptions.softmax(heads, width / heads).withBiases(true),
                new FeedForwardOptions(hidden, Activation.Kind.GELU, true, true),
                NormalizationOptions.layer(Placement.PRE),
                true,
                OutputOptions.nextToken(true),
                dropout);
    }

    public Architecture withPositions(PositionOptions newPositions) {
        return new Architecture(size, newPositions, attention, feedForward, normalization, residual, output, dropout);
    }

    public Architecture withAttention(AttentionOptions newAttention) {
        return new Architecture(size, positions, newAttention, feedForward, normalization, residual, output, dropout);
    }

    public Architecture withFeedForward(@Nullable FeedForwardOptions newFeedForward) {
        return new Architecture(size, positions, attention, newFeedForward, normalization, residual, output, dropout);
    }

    public Architecture withNormalization(NormalizationOptions newNormalization) {
        return new Architecture(size, positions, attention, feedForward, newNormalization, residual, output, dropout);
    }

    public Architecture withResidual(boolean newResidual) {
        return new Architecture(size, positions, attention, feedForward, normalization, newResidual, output, dropout);
    }

    public Architecture withOutput(OutputOptions newOutput) {
        return new Architecture(size, positions, attention, feedForward, normalization, residual, newOutput, dropout);
    }

    public Architecture withLayers(int newLayers) {
        var other = new Size(vocabularySize(), maxLength(), width(), newLayers);
        return new Architecture(other, positions, attention, feedForward, normalization, residual, output, dropout);
    }

    public Architecture withMaxLength(int newMaxLength) {
        var other = new Size(vocabularySize(), newMaxLength, width(), layers());
        return new Architecture(other, positions, attention, feedForward, normalization, residual, output, dropout);
    }

    public Architecture withDropout(double newDropout) {
        return new Architecture(size, positions, attention, feedForward, normalization, residual, output, newDropout);
    }

    public int vocabularySize() {
        return size.vocabularySize();
    }

    public int maxLength() {
        return size.maxLength();
    }

    public int width() {
        return size.width();
    }

    public int layers() {
        return size.layers();
    }

    /** Columns of the outputs: one per token of the vocabulary, or one for regression. */
    public int outputs() {
        return output.rows(vocabularySize());
    }

    public Placement placement() {
        return normalization.placement();
    }

    public AttentionShape attentionShape() {
        return attention.shape(width());
    }

    public EmbeddingShape embeddingShape() {
        return new EmbeddingShape(vocabularySize(), width(), positions.kernelKind(), positions.rows(maxLength()), 1);
    }

    /** The shape for the feed-forward kernel. The architecture must have a feed-forward part. */
    public FeedForwardShape feedForwardShape() {
        FeedForwardOptions options = Objects.requireNonNull(feedForward);
        boolean inner = placement() == Placement.INNER;
        return new FeedForwardShape(
                width(),
                options.hidden(),
                width(),
                options.activation(),
                inner ? normalization.kind() : null,
                inner ? normalization.epsilon() : 0);
    }

    public int parameterCount() {
        ParameterView last = layout().getLast();
        return last.offset() + last.size();
    }

    /** The parameters with their places in the flat array, in ascending order of offset. */
    public List<ParameterView> layout() {
        return new Layout().views();
    }

    /** The view of a parameter, if this architecture has it. {@code layer} is ignored for roles outside layers. */
    public Optional<ParameterView> find(ParameterRole role, int layer) {
        return layout().stream()
                .filter(view -> view.role() == role && (!role.ofLayer() || view.layer() == layer))
                .findFirst();
    }

    /**
     * The view of a parameter.
     *
     * @throws IllegalArgumentException if this architecture does not have the parameter
     */
    public ParameterView view(ParameterRole role, int layer) {
        return find(role, layer)
                .orElseThrow(() -> new IllegalArgumentException("parameter: expected one of "
                        + layout().stream().map(ParameterView::name).toList() + ", got "
                        + Refuse.quoted(role.name(layer))));
    }

    private final class Layout {

        private final List<ParameterView> views = new ArrayList<>();
        private int next;

        List<ParameterView> views() {
            int none = ParameterView.NO_LAYER;
            matrix(ParameterRole.TOKEN_EMBEDDING, none, vocabularySize(), width());
            if (positions.kind() != PositionOptions.Kind.NONE) {
                matrix(ParameterRole.POSITION_EMBEDDING, none, positions.rows(maxLength()), width());
            }
            for (int layer = 0; layer < layers(); layer++) {
                attention(layer);
                feedForward(layer);
            }
            if (placement() == Placement.PRE && normalization.ofFinal()) {
                norm(ParameterRole.FINAL_NORM_GAIN, ParameterRole.FINAL_NORM_SHIFT, none, width());
            }
            if (!output.tied()) {
                matrix(ParameterRole.UNEMBEDDING, none, outputs(), width());
            }
            vector(output.bias(), ParameterRole.UNEMBEDDING_BIAS, none, outputs());
            return List.copyOf(views);
        }

        private void attention(int layer) {
            boolean scores = attention.hasScores();
            boolean biases = attention.biases();
            int columns = attention.width();
            if (placement() == Placement.PRE || placement() == Placement.POST) {
                norm(ParameterRole.ATTENTION_NORM_GAIN, ParameterRole.ATTENTION_NORM_SHIFT, layer, width());
            }
            if (scores) {
                matrix(ParameterRole.QUERY, layer, width(), columns);
                vector(biases, ParameterRole.QUERY_BIAS, layer, columns);
                matrix(ParameterRole.KEY, layer, width(), columns);
                vector(biases, ParameterRole.KEY_BIAS, layer, columns);
            }
            matrix(ParameterRole.VALUE, layer, width(), columns);
            vector(biases, ParameterRole.VALUE_BIAS, layer, columns);
            if (attention.normalizeQueriesAndKeys()) {
                int headWidth = attention.headWidth();
                norm(ParameterRole.QUERY_NORM_GAIN, ParameterRole.QUERY_NORM_SHIFT, layer, headWidth);
                norm(ParameterRole.KEY_NORM_GAIN, ParameterRole.KEY_NORM_SHIFT, layer, headWidth);
            }
            vector(attention.identities() && scores, ParameterRole.KEY_QUERY_IDENTITY, layer, attention.heads());
            vector(attention.identities(), ParameterRole.VALUE_OUTPUT_IDENTITY, layer, attention.heads());
            if (attention.scoreBiasSpan() > 0) {
                matrix(ParameterRole.SCORE_BIAS, layer, attention.heads(), attention.scoreBiasSpan());
            }
            if (attention.outputProjection()) {
                matrix(ParameterRole.OUTPUT, layer, columns, width());
                vector(biases, ParameterRole.OUTPUT_BIAS, layer, width());
            }
        }

        private void feedForward(int layer) {
            if (feedForward == null) {
                return;
            }
            int hidden = feedForward.hidden();
            if (placement() == Placement.PRE || placement() == Placement.POST) {
                norm(ParameterRole.FEED_FORWARD_NORM_GAIN, ParameterRole.FEED_FORWARD_NORM_SHIFT, layer, width());
            }
            matrix(ParameterRole.FIRST, layer, width(), hidden);
            vector(feedForward.firstBias(), ParameterRole.FIRST_BIAS, layer, hidden);
            if (placement() == Placement.INNER) {
                norm(ParameterRole.INNER_NORM_GAIN, ParameterRole.INNER_NORM_SHIFT, layer, hidden);
            }
            matrix(ParameterRole.SECOND, layer, hidden, width());
            vector(feedForward.secondBias(), ParameterRole.SECOND_BIAS, layer, width());
        }

        private void norm(ParameterRole gain, ParameterRole shift, int layer, int columns) {
            vector(normalization.gain(), gain, layer, columns);
            vector(normalization.shift(), shift, layer, columns);
        }

        private void vector(boolean there, ParameterRole role, int layer, int columns) {
            if (there) {
                append(new ParameterView(role, layer, true, 1, columns, next));
            }
        }

        private void matrix(ParameterRole role, int layer, int rows, int columns) {
            append(new ParameterView(role, layer, false, rows, columns, next));
        }

        private void append(ParameterView view) {
            try {
                next = Math.addExact(view.offset(), view.size());
            } catch (ArithmeticException overflow) {
                throw new IllegalArgumentException(
                        "parameters: expected at most " + Integer.MAX_VALUE + ", got more at " + view.name(), overflow);
            }
            views.add(view);
        }
    }
}
