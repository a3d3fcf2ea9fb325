package org.lemmata.construct.hierarchy;

import org.lemmata.argument.Refuse;
import org.lemmata.construct.hierarchy.LayerWriter.Angle;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * Five-layer, one-head recognizer of Dyck_k with width 2m + 18, m = max(1, ceil(log2 k)), and no positions: score &gt;
 * 0 after {@code <bos>} and a word, &lt; 0 after {@code <bos>} and any other brackets.
 *
 * <ul>
 *   <li>Layer 1 computes the angle phi of the position, layers 2 and 3 the angles theta of the depth d and of d + 1,
 *       because the depth of a closing bracket is 1 less than the depth of its partner.
 *   <li>Layer 4 finds the last bracket that opened to the depth d + 1 ({@link MatchingScores}) and tests its type
 *       ({@link MatchTest}). If all shorter prefixes are prefixes of words, the result q of the test is at least 1 if
 *       the last bracket opens or has the correct type, and at most -1 otherwise.
 *   <li>Layer 5 attends to the start unless some q is negative. This reduces all q to a single 0 or 1. Layer 5 adds
 *       [sin theta(d)]_+; the score is a bias b minus this sum.
 * </ul>
 *
 * <p>Inputs must be {@code <bos>}, then brackets, then at most one {@code <eos>}, which does not change the decision
 * and must be last. Depths are counted exactly up to D. Deeper inputs are decided correctly if D is at least half of
 * the maximum length, because they cannot be words.
 *
 * <p>Source: Hayakawa and Sato (2024), theorem 1 and appendix G, with m at least 1; the paper's proof has m = 0 for k =
 * 1.
 */
public final class DyckRecognizer extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "theorem 1");

    private static final int LAYERS = 5;

    /** The number of rows of queries and keys with the constant norm of appendix P. */
    private static final int NORMALIZED_ROWS = 18;

    /**
     * Options from the appendices.
     *
     * @param recover whether layer 4 has the recovery of appendix O
     * @param byScore whether the start is counted A times by a score ln A, as in the paper. Otherwise it is counted by
     *     the value A, which is exact in every format that contains A
     * @param normalize whether queries and keys are normalized, as in appendix P; requires {@code byScore}
     */
    public record Variant(boolean recover, boolean byScore, boolean normalize) {

        public Variant {
            Refuse.when(normalize && !byScore, "variant", "scores on the start with normalized keys", "none");
        }

        /** The theorem's construction; the start is counted by its value. */
        public static Variant plain() {
            return new Variant(false, false, false);
        }

        /** The theorem's construction with recovery. */
        public static Variant recovering() {
            return new Variant(true, false, false);
        }

        /** The theorem's construction; the start is counted by its score. */
        public static Variant byScores() {
            return new Variant(false, true, false);
        }

        /** The theorem's construction with normalized queries and keys. */
        public static Variant normalized() {
            return new Variant(false, true, true);
        }
    }

    private final DyckConstants constants;
    private final Variant variant;
    private final int codeBits;
    private final double units;

    private final class Columns {
        final int open = codeBits;
        final int start = codeBits + 1;
        final int one = codeBits + 2;
        final int positionMean = codeBits + 3;
        final int position = codeBits + 5;
        final int depthMean = codeBits + 7;
        final int depth = codeBits + 9;
        final int nextMean = codeBits + 11;
        final int next = codeBits + 13;
        final int found = codeBits + 15;
        final int match = 2 * codeBits + 15;
        final int mismatch = match + 1;
        final int result = match + 2;
        final int width = match + 3;
    }

    private final Columns at;
    private final MatchTest test;

    public DyckRecognizer(BracketTokens tokens, DyckConstants constants, Variant variant) {
        this(tokens, constants, variant, Math.max(1, codeBits(tokens.types())));
    }

    private DyckRecognizer(BracketTokens tokens, DyckConstants constants, Variant variant, int codeBits) {
        super(SOURCE, tokens, constants.maxLength(), constants.wordDepth(), true);
        this.constants = constants;
        this.variant = variant;
        this.codeBits = codeBits;
        this.at = new Columns();
        this.test = new MatchTest(codeBits, at.found, at.open, at.one, at.match);
        this.units = test.units(constants.exact());
    }

    /**
     * The printed construction: m = ceil(log2 k) and, for exact constants, the gain 8 sqrt(m / rows of W_1) of Eq. 122.
     * For k = 1, both are 0.
     */
    public static DyckRecognizer printed(BracketTokens tokens, DyckConstants constants) {
        return new DyckRecognizer(tokens, constants, Variant.byScores(), codeBits(tokens.types()));
    }

    @Override
    BracketTransformer shorter(int length) {
        return new DyckRecognizer(tokens, constants.shorter(length), variant, codeBits);
    }

    /** eta: the maximum attention of layer 4 to all tokens except the partner. */
    private double eta() {
        return variant.recover ? 0.2 : 1.0 / (16 * Math.max(1, codeBits));
    }

    /** b, at most half of sin theta(1) / sqrt2, so that scores of strings that are not words are at most -b. */
    private double bias() {
        return constants.down(constants.sineOfOne() / (2 * Math.sqrt(2)));
    }

    private MatchingScores scores() {
        return new MatchingScores(
                constants.depthWeight(),
                constants.scoreWeight(eta()),
                at.next,
                at.depth,
                at.position,
                at.position,
                at.open,
                at.start,
                at.one);
    }

    /** C5 = ln(2n / b), so that n matching brackets together get at most b / 2 of the attention. */
    private double prefixWeight() {
        return constants.up(Math.log(2.0 * constants.maxLength() / bias()));
    }

    @Override
    public ExactParameters build() {
        int headWidth = Math.max(variant.normalize ? NORMALIZED_ROWS : MatchingScores.ROWS, codeBits);
        Architecture architecture = LayerWriter.architecture(
                new Architecture.Size(tokens.count(), constants.maxLength() + 2, at.width, LAYERS),
                headWidth,
                Math.max(6, MatchTest.rows(codeBits, variant.recover)),
                OutputOptions.regression(true));
        if (variant.normalize) {
            AttentionOptions normalized = architecture.attention().withNormalizedQueriesAndKeys(true);
            architecture = architecture.withAttention(normalized);
        }
        var parameters = new ExactParameters(architecture);
        embed(parameters, tokens, codeBits, true);
        LayerWriter[] layers = new LayerWriter[LAYERS];
        for (int layer = 0; layer < LAYERS; layer++) {
            layers[layer] = new LayerWriter(parameters, layer, constants.bits());
        }
        double a1 = constants.positionScale();
        double a2 = constants.depthScale();
        angle(layers[0], new Angle(at.start, a1, at.one, -1, at.positionMean, at.position), 1);
        angle(layers[1], new Angle(at.start, a2, at.open, 0, at.depthMean, at.depth), 0);
        angle(layers[2], new Angle(at.start, a2, at.open, 1, at.nextMean, at.next), 0);
        match(layers[3]);
        collect(layers[4]);
        if (variant.normalize) {
            new NormalizedScores(parameters, headWidth)
                    .counting(a1, a2, at.start, at.one)
                    .matching(scores(), at.open)
                    .collecting(prefixWeight());
        }
        parameters.set(ParameterRole.UNEMBEDDING, 0, at.result, -1);
        LayerWriter.unembeddingBias(parameters, 0, bias(), constants.bits());
        return parameters;
    }

    private void angle(LayerWriter layer, Angle angle, double ofColumn) {
        if (variant.byScore) {
            layer.angleByScore(angle, at.one, ofColumn);
        } else {
            layer.angle(angle, constants.firstMap(angle.scale()));
        }
    }

    private void match(LayerWriter layer) {
        if (!variant.normalize) {
            scores().writeWithStart(layer);
            scores().writeOpen(layer, at.open, at.start);
        }
        layer.fetch(0, at.found, codeBits);
        if (variant.recover) {
            boolean exact = constants.exact();
            double slope = exact ? MatchTest.PRINTED_SLOPE : MatchTest.FEW_BIT_SLOPE;
            test.writeRecovering(layer, slope, recoveryConstant());
        } else {
            test.write(layer, units);
        }
    }

    private double recoveryConstant() {
        return constants.up(MatchTest.recoveryConstant(codeBits));
    }

    /** Writes layer 5. Rows are written twice, so that their norm is sqrt2 if no q is negative. */
    private void collect(LayerWriter layer) {
        double weight = prefixWeight();
        layer.query(0, at.one, weight).key(0, at.match, -1);
        layer.query(1, at.one, weight).key(1, at.start, test.ofStart(variant.recover, units));
        layer.value(0, at.one, 1).value(0, at.start, -1).output(0, at.mismatch);
        for (int copy = 0; copy < 2; copy++) {
            layer.first(3 * copy, at.mismatch, 1);
            layer.first(3 * copy + 1, at.depth, 1);
            layer.first(3 * copy + 2, at.depth + 1, 1);
        }
        layer.second(at.result, 0, 1).second(at.result, 2, 1).gain(1);
    }

    @Override
    public Demand demand() {
        double largest = Math.max(scores().maximum(), 2 * prefixWeight() * test.maximum(variant.recover, units));
        Demand all = demand(constants, Math.max(largest, constants.maxLength()), bias() / 2);
        int bits = variant.recover && !constants.exact() ? MatchTest.recoveryBits(codeBits, recoveryConstant()) : 0;
        return bits <= all.tensorBits()
                ? all
                : new Demand(
                        bits,
                        Math.max(bits, all.sumBits()),
                        all.minimum(),
                        all.maximum(),
                        "the recovery of codes",
                        all.sum(),
                        all.sites());
    }

    /**
     * Queries and keys of the recognizer with normalization: additional rows make the norms constant without changing
     * the scores.
     *
     * <p>Keys of the counting layers are (s, 1 - s), because the paper's key (s) has norm 0 except at the start. 1 -
     * cos theta has two rows: the cosine and a constant. Source: Hayakawa and Sato (2024), appendix P, with these two
     * corrections.
     */
    private record NormalizedScores(ExactParameters parameters, int headWidth) {

        private static final int MATCHING_LAYER = 3;

        private LayerWriter layer(int layer) {
            return new LayerWriter(parameters, layer, DyckConstants.EXACT_BITS);
        }

        private void norms(int layer, double ofQueries, double ofKeys) {
            for (int row = 0; row < headWidth; row++) {
                parameters.set(ParameterRole.QUERY_NORM_GAIN, layer, 0, row, ofQueries / Math.sqrt(headWidth));
                parameters.set(ParameterRole.KEY_NORM_GAIN, layer, 0, row, ofKeys / Math.sqrt(headWidth));
            }
        }

        /**
         * Writes the score ln A of the start in the first three layers. The gain of the keys contains the factor ln A.
         */
        NormalizedScores counting(double positionScale, double depthScale, int start, int one) {
            for (int layer = 0; layer < MATCHING_LAYER; layer++) {
                layer(layer).key(0, start, 1).key(1, start, -1).key(1, one, 1);
                norms(layer, 1, Math.log(layer == 0 ? positionScale : depthScale));
            }
            return this;
        }

        /** Writes the scores C2 (C1 T_depth + T_pos + C1 T_open) with 18 rows. */
        NormalizedScores matching(MatchingScores scores, int open) {
            LayerWriter layer = layer(MATCHING_LAYER);
            double c1 = scores.depthWeight();
            double c2 = scores.scoreWeight();
            int start = scores.keyStart();
            int one = scores.one();
            layer.query(0, scores.queryDepth(), c1).key(0, scores.keyDepth(), c2);
            layer.query(1, scores.queryDepth() + 1, c1).key(1, scores.keyDepth() + 1, c2);
            layer.query(2, scores.queryDepth(), -c1).key(2, start, c2);
            layer.query(3, one, c1).key(3, start, c2);
            layer.query(4, one, c1).key(4, open, c2);
            layer.query(5, one, c1).key(5, start, c2);
            layer.query(6, one, -c1).key(6, one, c2);
            layer.query(7, scores.queryPosition() + 1, -1).key(7, scores.keyPosition(), c2);
            layer.query(8, scores.queryPosition(), 1).key(8, scores.keyPosition() + 1, c2);
            layer.query(9, open, c1).key(9, start, c2);
            layer.query(10, start, -c1).key(10, start, c2);
            layer.query(11, one, c1).key(11, start, c2);
            layer.query(12, scores.queryDepth() + 1, c1);
            for (int row = 13; row < 18; row++) {
                layer.key(row, open, c2);
            }
            norms(MATCHING_LAYER, Math.sqrt(8 * c1 * c1 + 1), 3 * c2);
            return this;
        }

        /** Sets the norms of layer 5, which reduce q to its sign in the keys (-q, q_0 s); q_0 is q at the start. */
        NormalizedScores collecting(double weight) {
            norms(MATCHING_LAYER + 1, weight * Math.sqrt(2), 1);
            return this;
        }
    }
}
