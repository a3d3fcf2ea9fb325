package org.lemmata.experiment;

import org.jspecify.annotations.Nullable;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;

/** Reads the section {@code model}. */
final class ModelReader {

    private static final Section POSITIONS = Section.of("positions", Setting.table("""
        kind | table | `none`, `table` (one row per position) or `periodic`
        period | | rows of a periodic table; must be given for one
        """));

    private static final Section ATTENTION = Section.of("attention", Setting.table("""
        heads | 1 | heads per layer
        head-width | | columns of a head; by default width / heads, which must be an integer
        weighting | softmax | `softmax`, `uniform`, `hardmax` or `thresholded`
        threshold-bits | | p of thresholded weights; must be given for them
        mask | causal | `causal` or `none`
        score-scale | | factor of the scores; by default 1 / sqrt(head-width), or 1 / head-width for `mu-p`
        log-length | false | `true` multiplies scores by ln of the number of visible positions; `sequence`, by ln of the
          sequence's length
        score-bias-span | 0 | number of distances for which each head has a trained score bias; 0 for none
        identities | false | whether each head has trained multiples of the identity in its key-query and value-output
          products
        implied identity-multiplier | 0 | multiplies both identity factors; the key-query identity is then added to the
          scaled score. With 0, nothing is multiplied, and it is added to the unscaled score
        normalize-queries-and-keys | false | whether queries and keys are normalized, for each head separately
        output-projection | true | whether there is an output matrix
        biases | true | whether queries, keys, values and outputs have biases
        """));

    private static final Section FEED_FORWARD = Section.of("feed-forward", Setting.table("""
        hidden | | columns between the two maps; by default 4 width; 0 for no feed-forward part
        activation | gelu | `relu`, `gelu`, `tanh-gelu` or `cosine`
        first-bias | true | whether the first map has a bias
        second-bias | true | whether the second map has a bias
        """));

    private static final Section NORMALIZATION = Section.of("normalization", Setting.table("""
        placement | pre | `none`, `pre` (before each part, and at the end), `post` (after each sum) or `inner` (in the
          feed-forward part, after its first map)
        kind | layer | `layer` or `root-mean-square`; queries and keys use the same kind
        epsilon | 1e-5 | added to the mean square
        gain | true | whether each column has a trained factor
        shift | | whether each column has a trained offset; by default true for `layer` and false for `root-mean-square`
        implied of-final | true | whether the last norm of `pre` also has these factors and offsets
        """));

    private static final Section OUTPUT = Section.of("output", Setting.table("""
        kind | next-token | `next-token`, or `regression`: a number at the last position
        tied | | whether the token embedding is also the unembedding; by default true, but false for `regression`, where
          true is rejected, and for `mu-p`
        bias | false | whether outputs have a bias
        """));

    static final Section SECTION =
            Section.of("model", Setting.table("""
                implied kind | transformer | `transformer`, or for `regression` also `mlp`: a fully connected network on
                  the one-hot vectors of the tokens
                width | | columns of the residual stream, or of each layer of `mlp`; must be given
                layers | | number of layers; must be given
                implied incidence | false | whether the input of `mlp` also contains which tokens are equal (X Xᵀ)
                max-length | | maximum sequence length; by default that of the task's sequences, including `<start>`.
                  Without a position table, it is at least the longest length in `evaluation`
                residual | true | whether each part is added to the residual stream, or replaces it
                dropout | 0 | probability of dropping an element in training
                """), POSITIONS, ATTENTION, FEED_FORWARD, NORMALIZATION, OUTPUT);

    /** The maximum of a size such as the width or the length. */
    private static final int MOST = 1 << 24;

    private static final int MOST_LAYERS = 1 << 12;
    private static final int MOST_THRESHOLD_BITS = 126;

    private enum Kind {
        TRANSFORMER,
        MLP
    }

    private ModelReader() {}

    /** Whether the model is a transformer. Other models have fewer sections and no measures. */
    static boolean isTransformer(Configuration model) {
        return model.choice("kind", Kind.class) == Kind.TRANSFORMER;
    }

    static MultilayerPerceptronOptions perceptron(Configuration model, int vocabularySize, int length) {
        Configuration output = model.section("output");
        if (output.choice("kind", OutputOptions.Kind.class) != OutputOptions.Kind.REGRESSION) {
            throw output.refusal("kind", "expected regression for mlp, got next-token");
        }
        return model.checked(() -> new MultilayerPerceptronOptions(
                vocabularySize,
                length,
                model.integer("width", 1, MOST),
                model.integer("layers", 1, MOST_LAYERS),
                model.section("feed-forward").choice("activation", Activation.Kind.class),
                model.flag("incidence")));
    }

    /**
     * Reads the architecture of a transformer.
     *
     * @param length the number of tokens in the longest sequence of the task
     * @param longest the number of tokens in the longest sequence that the model will read; without a table of
     *     positions, the default number of positions is at least this number
     * @param maximalUpdate whether the defaults of the score scale and of tied outputs are those of muP
     * @throws IllegalArgumentException if a value is not legal, or values contradict each other
     */
    static Architecture read(Configuration model, int vocabularySize, int length, int longest, boolean maximalUpdate) {
        int width = model.integer("width", 1, MOST);
        int layers = model.integer("layers", 1, MOST_LAYERS);
        PositionOptions positions = positions(model.section("positions"));
        boolean table = positions.kind() == PositionOptions.Kind.TABLE;
        int maxLength = model.get(
                "max-length", ValueType.integer(length, MOST), () -> table ? length : Math.max(length, longest));
        boolean residual = model.flag("residual");
        double dropout = model.get("dropout", ValueType.FRACTION);
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
            throw model.refusal(e);
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
                    "heads", "expected a divisor of the width " + width + ", or also a head-width, got " + heads);
        }
        int headWidth = attention.get("head-width", ValueType.integer(1, MOST), () -> width / heads);
        Weighting weighting = attention.choice("weighting", Weighting.class);
        int thresholdBits =
                weighting == Weighting.THRESHOLDED ? attention.integer("threshold-bits", 1, MOST_THRESHOLD_BITS) : 0;
        Mask mask = attention.choice("mask", Mask.class);
        boolean scored = weighting != Weighting.UNIFORM;
        double scale = 1 / (maximalUpdate ? headWidth : Math.sqrt(headWidth));
        return attention.checked(() -> new AttentionOptions(
                heads,
                headWidth,
                new AttentionOptions.Scores(
                        weighting,
                        mask,
                        scored
                                ? attention
                                        .get("score-scale", ValueType.NUMBER, () -> scale)
                                        .floatValue()
                                : 1,
                        scored ? logLength(attention) : LogLength.NONE,
                        scored ? attention.integer("score-bias-span", 0, MOST) : 0,
                        thresholdBits),
                attention.flag("identities"),
                attention.get("identity-multiplier", ValueType.NOT_NEGATIVE).floatValue(),
                scored && attention.flag("normalize-queries-and-keys"),
                attention.flag("output-projection"),
                attention.flag("biases")));
    }

    private static LogLength logLength(Configuration attention) {
        return attention
                .unless("sequence", "log-length", ValueType.flag())
                .map(seen -> seen ? LogLength.SEEN : LogLength.NONE)
                .orElse(LogLength.SEQUENCE);
    }

    private static @Nullable FeedForwardOptions feedForward(Configuration feedForward, int width) {
        int hidden = feedForward.get("hidden", ValueType.integer(0, MOST), () -> Math.multiplyExact(4, width));
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
            throw normalization.refusal("placement", "expected a feed-forward part for inner, got a hidden width of 0");
        }
        Normalization.Kind kind = normalization.choice("kind", Normalization.Kind.class);
        return new NormalizationOptions(
                placement,
                kind,
                normalization.get("epsilon", ValueType.NOT_NEGATIVE).floatValue(),
                normalization.flag("gain"),
                normalization.get("shift", ValueType.flag(), () -> kind == Normalization.Kind.LAYER),
                placement != Placement.PRE || normalization.flag("of-final"));
    }

    private static OutputOptions output(Configuration output, boolean maximalUpdate) {
        OutputOptions.Kind kind = output.choice("kind", OutputOptions.Kind.class);
        boolean tied =
                kind == OutputOptions.Kind.NEXT_TOKEN && output.get("tied", ValueType.flag(), () -> !maximalUpdate);
        return new OutputOptions(kind, tied, output.flag("bias"));
    }
}
