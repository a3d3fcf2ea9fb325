package org.lemmata.experiment;

import org.jspecify.annotations.Nullable;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;

/** Reads the section {@code model}. */
final class ModelReader {

    /** More is no width or length that a float[] could hold the parameters of. */
    private static final int MOST = 1 << 24;

    private static final int MOST_LAYERS = 1 << 12;
    private static final int MOST_THRESHOLD_BITS = 126;

    private ModelReader() {}

    /**
     * The architecture.
     *
     * @param length the tokens of the longest sequence of the task
     * @param longest the tokens of the longest sequence of all: where positions need no row each, there are as many
     * @param maximalUpdate whether defaults are those of muP
     * @throws IllegalArgumentException if a value is not legal, or they do not go together
     */
    static Architecture read(Configuration model, int vocabularySize, int length, int longest, boolean maximalUpdate) {
        int width = model.integer("width", 1, MOST);
        int layers = model.integer("layers", 1, MOST_LAYERS);
        PositionOptions positions = positions(model.section("positions"));
        boolean table = positions.kind() == PositionOptions.Kind.TABLE;
        int maxLength = model.integer("max-length", length, MOST, () -> table ? length : Math.max(length, longest));
        boolean residual = model.flag("residual");
        double dropout = model.fraction("dropout");
        AttentionOptions attention = attention(model.section("attention"), width, maximalUpdate);
        FeedForwardOptions feedForward = feedForward(model.section("feed-forward"), width);
        NormalizationOptions normalization = normalization(model.section("normalization"), attention, feedForward);
        OutputOptions output = output(model.section("output"), maximalUpdate);
        model.requireAllRead();
        try {
            return new Architecture(
                    new Architecture.Size(vocabularySize, maxLength, width, layers),
                    positions,
                    attention,
                    feedForward,
                    normalization,
                    residual,
                    output,
                    dropout);
        } catch (IllegalArgumentException e) {
            throw model.refusal(e.getMessage());
        } catch (ArithmeticException e) {
            throw model.refusal("expected at most 2^31 - 1 parameters, got more");
        }
    }

    private static PositionOptions positions(Configuration positions) {
        return switch (positions.choice("kind", PositionOptions.Kind.class)) {
            case NONE -> PositionOptions.none();
            case TABLE -> PositionOptions.table();
            case PERIODIC -> PositionOptions.periodic(positions.integer("period", 1, MOST));
        };
    }

    private static AttentionOptions attention(Configuration attention, int width, boolean maximalUpdate) {
        int heads = attention.integer("heads", 1, MOST);
        if (width % heads != 0 && !attention.isGiven("head-width")) {
            throw attention.refusal(
                    "heads", "expected a divisor of the width " + width + ", or a head-width beside it, got " + heads);
        }
        int headWidth = attention.integer("head-width", 1, MOST, () -> width / heads);
        Weighting weighting = attention.choice("weighting", Weighting.class);
        int thresholdBits =
                weighting == Weighting.THRESHOLDED ? attention.integer("threshold-bits", 1, MOST_THRESHOLD_BITS) : 0;
        Mask mask = attention.choice("mask", Mask.class);
        boolean scored = weighting != Weighting.UNIFORM;
        double scale = 1 / (maximalUpdate ? headWidth : Math.sqrt(headWidth));
        try {
            return new AttentionOptions(
                    heads,
                    headWidth,
                    new AttentionOptions.Scores(
                            weighting,
                            mask,
                            scored ? (float) attention.real("score-scale", scale) : 1,
                            scored ? logLength(attention) : LogLength.NONE,
                            scored ? attention.integer("score-bias-span", 0, MOST) : 0,
                            thresholdBits),
                    attention.flag("identities"),
                    scored && attention.flag("normalize-queries-and-keys"),
                    attention.flag("output-projection"),
                    attention.flag("biases"));
        } catch (IllegalArgumentException e) {
            throw attention.refusal(e.getMessage());
        }
    }

    private static LogLength logLength(Configuration attention) {
        return attention
                .flagOr("sequence", "log-length")
                .map(seen -> seen ? LogLength.SEEN : LogLength.NONE)
                .orElse(LogLength.SEQUENCE);
    }

    private static @Nullable FeedForwardOptions feedForward(Configuration feedForward, int width) {
        int hidden = feedForward.integer("hidden", 0, MOST, () -> Math.multiplyExact(4, width));
        return hidden == 0
                ? null
                : new FeedForwardOptions(
                        hidden,
                        feedForward.choice("activation", Activation.Kind.class),
                        feedForward.flag("first-bias"),
                        feedForward.flag("second-bias"));
    }

    private static NormalizationOptions normalization(
            Configuration normalization, AttentionOptions attention, @Nullable FeedForwardOptions feedForward) {
        Placement placement = normalization.choice("placement", Placement.class);
        if (placement == Placement.NONE && !attention.normalizeQueriesAndKeys()) {
            return NormalizationOptions.none();
        }
        if (placement == Placement.INNER && feedForward == null) {
            throw normalization.refusal("placement", "expected a feed-forward around inner, got a hidden width of 0");
        }
        Normalization.Kind kind = normalization.choice("kind", Normalization.Kind.class);
        return new NormalizationOptions(
                placement,
                kind,
                (float) normalization.notNegative("epsilon"),
                normalization.flag("gain"),
                normalization.flag("shift", kind == Normalization.Kind.LAYER));
    }

    private static OutputOptions output(Configuration output, boolean maximalUpdate) {
        OutputOptions.Kind kind = output.choice("kind", OutputOptions.Kind.class);
        boolean tied = kind == OutputOptions.Kind.NEXT_TOKEN && output.flag("tied", !maximalUpdate);
        return new OutputOptions(kind, tied, output.flag("bias"));
    }
}
