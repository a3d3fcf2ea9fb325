package org.lemmata.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.NormalizationOptions.Placement;

/**
 * What a forward pass writes, and a backward pass finds again: arrays that grow to the largest batch seen, and are then
 * used again, so that a step allocates nothing.
 */
final class Activations {

    private static final float[] NONE = {};

    private final Architecture architecture;
    private final boolean kept;

    private int rows = -1;
    private int readRows = -1;

    /** x before the first layer. */
    float[] embedded = NONE;

    /** Of each layer; without a backward pass two take turns, since a layer reads what the one before it wrote. */
    final Layer[] layers;

    /**
     * The scored rows as the last feed-forward reads them, if it alone is computed for them alone; of x before the last
     * layer, if its queries are, too.
     */
    float[] scored = NONE;

    /** The scored rows as the queries of the last layer read them, if these are computed for them alone. */
    float[] scoredRead = NONE;

    /** The rows of x that outputs are made of, gathered. */
    float[] gathered = NONE;

    /** Those rows as the unembedding reads them, if they are normalized. */
    float[] normed = NONE;

    float[] normedStatistics = NONE;
    float[] outputs = NONE;

    /** @param kept whether a backward pass will follow */
    Activations(Architecture architecture, boolean kept) {
        this.architecture = architecture;
        this.kept = kept;
        layers = new Layer[kept ? architecture.layers() : Math.min(2, architecture.layers())];
    }

    Layer layer(int layer) {
        return layers[layer % layers.length];
    }

    /** x before a layer; after all layers for the layer that would follow. */
    float[] input(int layer) {
        return layer == 0 ? embedded : layer(layer - 1).output();
    }

    /** Makes room for a batch of {@code newRows} tokens. */
    void growTo(int newRows) {
        if (newRows <= rows) {
            return;
        }
        embedded = new float[size(newRows, architecture.width())];
        for (int i = 0; i < layers.length; i++) {
            layers[i] = new Layer(architecture, newRows);
        }
        for (int layer = 0; layer < layers.length; layer++) {
            // Where layers take turns, the first one's input is set before each of its uses.
            layers[layer].readFrom(input(layer), architecture);
        }
        // Last: a batch that was too large must not pass for one that there is room for.
        rows = newRows;
    }

    /** Tells the arrays of a layer what it reads, if they serve several. */
    void enter(int layer) {
        if (!kept) {
            layer(layer).readFrom(input(layer), architecture);
        }
    }

    /** Makes room for outputs of {@code newRows} rows. */
    void growOutputsTo(int newRows) {
        if (newRows <= readRows) {
            return;
        }
        int size = size(newRows, architecture.width());
        gathered = new float[size];
        scored = kept ? new float[size] : NONE;
        scoredRead = kept ? new float[size] : NONE;
        if (architecture.placement() == Placement.PRE) {
            normed = new float[size];
            normedStatistics = new float[statistics(newRows)];
        }
        outputs = new float[size(newRows, architecture.outputs())];
        readRows = newRows;
    }

    private int statistics(int count) {
        return size(count, architecture.normalization().kind().statistics());
    }

    private static int size(int rows, int columns) {
        long size = (long) rows * columns;
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("batch: expected fewer than 2^31 activations at any one place, got "
                    + rows + " rows of " + columns);
        }
        return (int) size;
    }

    /** One of the two parts of a layer, without what is its own business. */
    static final class Part {

        /** norm(x), if norms come before; else x itself stands for it. */
        final float[] normed;

        final float[] normedStatistics;

        /** x + y, or y. */
        final float[] sum;

        /** The norm of the sum, if norms come after; else the sum itself. */
        final float[] output;

        final float[] outputStatistics;

        private Part(Architecture architecture, int rows) {
            int size = size(rows, architecture.width());
            int statistics = size(rows, architecture.normalization().kind().statistics());
            boolean pre = architecture.placement() == Placement.PRE;
            boolean post = architecture.placement() == Placement.POST;
            normed = pre ? new float[size] : NONE;
            normedStatistics = pre ? new float[statistics] : NONE;
            sum = new float[size];
            output = post ? new float[size] : sum;
            outputStatistics = post ? new float[statistics] : NONE;
        }
    }

    /** A layer. */
    static final class Layer {

        final Part attention;
        final @Nullable Part feedForward;

        /** Queries and keys before they are normalized, if they are. */
        final float[] rawQueries;

        final float[] rawKeys;
        final float[] queryStatistics;
        final float[] keyStatistics;

        /** Copies of parameters, which the kernel takes in arrays of their own. */
        private AttentionInputs inputs;

        final AttentionOutputs outputs;

        /** x W1 + b1. */
        final float[] hidden;

        final float[] hiddenStatistics;

        private final Matrix ofHidden = Matrix.empty();
        private final Matrix ofHiddenStatistics = Matrix.empty();
        private final FeedForwardSaved saved = new FeedForwardSaved(ofHidden, null);
        private final FeedForwardSaved savedWithStatistics = new FeedForwardSaved(ofHidden, ofHiddenStatistics);

        private Layer(Architecture architecture, int rows) {
            AttentionShape shape = architecture.attentionShape();
            RaggedOffsets oneSequence = RaggedOffsets.ofLengths(rows);
            attention = new Part(architecture, rows);
            // So that what follows does not overflow.
            size(rows, shape.width());
            inputs = AttentionInputs.zeros(oneSequence, shape);
            outputs = AttentionOutputs.zeros(oneSequence, shape);
            boolean normalized = architecture.attention().normalizeQueriesAndKeys();
            rawQueries = normalized ? new float[inputs.queries().length] : inputs.queries();
            rawKeys = normalized ? new float[inputs.keys().length] : inputs.keys();
            int headStatistics = normalized
                    ? size(
                            size(rows, shape.heads()),
                            architecture.normalization().kind().statistics())
                    : 0;
            queryStatistics = new float[headStatistics];
            keyStatistics = new float[headStatistics];
            if (architecture.feedForward() == null) {
                feedForward = null;
                hidden = NONE;
                hiddenStatistics = NONE;
            } else {
                FeedForwardShape feedForwardShape = architecture.feedForwardShape();
                feedForward = new Part(architecture, rows);
                hidden = new float[size(rows, feedForwardShape.hidden())];
                hiddenStatistics = new float[size(rows, feedForwardShape.statistics())];
            }
        }

        /** Sets what the identity terms of the attention multiply. */
        private void readFrom(float[] x, Architecture architecture) {
            float[] tokens = architecture.placement() == Placement.PRE ? attention.normed : x;
            // Made anew only where it changes.
            if (architecture.attention().identities() && !isSame(inputs.tokens(), tokens)) {
                inputs = inputs.withIdentities(tokens, inputs.keyQueryIdentities(), inputs.valueOutputIdentities());
            }
        }

        @SuppressWarnings("ReferenceEquality") // The question is whether it is the array itself.
        private static boolean isSame(float[] a, float[] b) {
            return a == b;
        }

        AttentionInputs inputs() {
            return inputs;
        }

        float[] output() {
            return feedForward == null ? attention.output : feedForward.output;
        }

        /** What the feed-forward keeps of so many rows. */
        FeedForwardSaved savedFeedForward(FeedForwardShape shape, int rows) {
            ofHidden.at(hidden, rows, shape.hidden());
            ofHiddenStatistics.at(hiddenStatistics, rows, shape.statistics());
            return shape.normalization() == null ? saved : savedWithStatistics;
        }

        Part feedForwardPart() {
            return Objects.requireNonNull(feedForward);
        }
    }
}
