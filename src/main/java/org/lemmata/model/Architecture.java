package org.lemmata.model;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * Everything that tells two transformers apart: sizes, and which parts there are.
 *
 * <p>With x_i the row of position i (from 1), the model is x_i = E_{s_i} + B_i, then for each layer
 * y = attention(x W_Q, x W_K, x W_V) W_O and x := x + y or y, then logits = x Uᵀ. What an option leaves out is not
 * computed and has no parameters: W_Q and W_K under uniform attention, W_O and B where they are off, U where it is E.
 *
 * @param vocabularySize number of tokens, at least 1
 * @param maxLength the greatest number of positions, at least 1
 * @param width columns of x, at least 1
 * @param layers number of layers, at least 1
 * @param heads heads of a layer, at least 1
 * @param headWidth columns of a head, at least 1
 * @param weighting how attention makes weights of scores; not thresholded
 * @param scoreScale factor of the scores
 * @param learnedPositions whether B is there
 * @param outputProjection whether W_O is there; without it heads * headWidth must be the width
 * @param residual whether a layer adds to x, or replaces it
 * @param tiedUnembedding whether U is E
 */
public record Architecture(
        int vocabularySize,
        int maxLength,
        int width,
        int layers,
        int heads,
        int headWidth,
        Weighting weighting,
        float scoreScale,
        boolean learnedPositions,
        boolean outputProjection,
        boolean residual,
        boolean tiedUnembedding) {

    public Architecture {
        atLeastOne("vocabularySize", vocabularySize);
        atLeastOne("maxLength", maxLength);
        atLeastOne("width", width);
        atLeastOne("layers", layers);
        atLeastOne("heads", heads);
        atLeastOne("headWidth", headWidth);
        if (!Float.isFinite(scoreScale)) {
            throw new IllegalArgumentException("scoreScale: expected a finite number, got " + scoreScale);
        }
        if (weighting == Weighting.THRESHOLDED) {
            throw new IllegalArgumentException("weighting: expected SOFTMAX, UNIFORM or HARDMAX, got " + weighting);
        }
        if (!outputProjection && Math.multiplyExact(heads, headWidth) != width) {
            throw new IllegalArgumentException("outputProjection: expected one where heads * headWidth (" + heads
                    + " * " + headWidth + ") is not the width (" + width + "), got none");
        }
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": expected at least 1, got " + value);
        }
    }

    /**
     * The model of Richard (2024), section 3.2: one layer, one head, uniform attention, one square value matrix, no
     * residual, unembedding by the token embedding.
     */
    public static Architecture uniformHead(int vocabularySize, int maxLength, int width, boolean learnedPositions) {
        return new Architecture(
                vocabularySize,
                maxLength,
                width,
                1,
                1,
                width,
                Weighting.UNIFORM,
                1,
                learnedPositions,
                false,
                false,
                true);
    }

    /** Columns of queries, keys and values: heads * headWidth. */
    public int attentionWidth() {
        return heads * headWidth;
    }

    AttentionShape attentionShape() {
        return new AttentionShape(weighting, heads, headWidth, scoreScale);
    }

    boolean hasScores() {
        return weighting != Weighting.UNIFORM;
    }

    /** Number of parameters. */
    public int parameterCount() {
        ParameterView last = layout().getLast();
        return last.offset() + last.size();
    }

    /** Every parameter matrix with its place in the flat array, in the order in which they lie there. */
    public List<ParameterView> layout() {
        var views = new ArrayList<ParameterView>();
        append(views, ParameterView.TOKEN_EMBEDDING, vocabularySize, width);
        if (learnedPositions) {
            append(views, ParameterView.POSITION_EMBEDDING, maxLength, width);
        }
        for (int layer = 0; layer < layers; layer++) {
            if (hasScores()) {
                append(views, ParameterView.query(layer), width, attentionWidth());
                append(views, ParameterView.key(layer), width, attentionWidth());
            }
            append(views, ParameterView.value(layer), width, attentionWidth());
            if (outputProjection) {
                append(views, ParameterView.output(layer), attentionWidth(), width);
            }
        }
        if (!tiedUnembedding) {
            append(views, ParameterView.UNEMBEDDING, vocabularySize, width);
        }
        return List.copyOf(views);
    }

    private static void append(List<ParameterView> views, String name, int rows, int columns) {
        int offset = views.isEmpty()
                ? 0
                : Math.addExact(views.getLast().offset(), views.getLast().size());
        views.add(new ParameterView(name, rows, columns, offset));
    }

    /** The view of a name; a name that this architecture does not have is a fault of the caller. */
    ParameterView view(String name) {
        return layout().stream()
                .filter(view -> view.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("parameter: expected one of "
                        + layout().stream().map(ParameterView::name).toList() + ", got '" + name + "'"));
    }
}
