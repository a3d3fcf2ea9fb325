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
 * score &gt; 0 after {@code <bos>} and a word of Dyck_k, &lt; 0 after {@code <bos>} and any other brackets: five layers
 * of one head, width 2m + 18, m = max(1, ceil(log2 k)), no positions.
 *
 * <ul>
 *   <li>Layer 1 makes the angle phi of the position, layers 2 and 3 the angles theta of the depth d and of d + 1, since
 *       a bracket that closes has a depth 1 less than its partner.
 *   <li>Layer 4 finds the last bracket that opened to the depth d + 1 ({@link MatchingScores}) and tests its type
 *       ({@link MatchTest}): q is at least 1 where the prefix is fine as far as its last bracket says, if all shorter
 *       ones are, and at most -1 where it is not.
 *   <li>Layer 5 attends to the start unless some q is negative, which makes 0 or 1 of all of them, and adds [sin
 *       theta(d)]_+. The score is b less that.
 * </ul>
 *
 * <p>The promise on inputs: {@code <bos>}, then brackets, then at most one {@code <eos>}, which changes no decision;
 * what follows it, or a second {@code <bos>}, is not looked at. Depths are counted exactly to D; a word with deeper
 * prefixes is decided rightly if D is at least half of the maximum length, since it is no word then.
 *
 * <p>Source: Hayakawa and Sato (2024), theorem 1 and appendix G, with m at least 1, which the paper's proof lacks for k
 * = 1.
 */
public final class DyckRecognizer extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "theorem 1");

    private static final int LAYERS = 5;

    /** Rows of queries and keys that appendix P makes of constant norm. */
    private static final int NORMALIZED_ROWS = 18;

    /**
     * What the appendices change.
     *
     * @param recover whether layer 4 has appendix O's recovery
     * @param byScore whether the start is counted A times by a score ln A, as in the paper, or by the value A, which is
     *     exact in every format that has A
     * @param normalize whether queries and keys are normalized, as in appendix P; takes {@code byScore}
     */
    public record Variant(boolean recover, boolean byScore, boolean normalize) {

        public Variant {
            Refuse.when(normalize && !byScore, "variant", "scores on the start with normalized keys", "none");
        }

        /** As the theorem has it, counting by values. */
        public static Variant plain() {
            return new Variant(false, false, false);
        }

        /** With recovery. */
        public static Variant recovering() {
            return new Variant(true, false, false);
        }

        /** As the theorem has it, counting by scores. */
        public static Variant byScores() {
            return new Variant(false, true, false);
        }

        /** With normalized queries and keys. */
        public static Variant normalized() {
            return new Variant(false, true, true);
        }
    }

    private final DyckConstants constants;
    private final Variant variant;
    private final int codeBits;
    private final double units;

    /** A place in x for every quantity of the proof. */
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
        this.test = new MatchTest(codeBits, 0, at.found, at.open, at.one, at.match);
        this.units = test.units(constants.exact());
    }

    /** With m = ceil(log2 k) and the gain 8 sqrt(m / d) of Eq. 122 as printed: for k = 1 both are 0. */
    public static DyckRecognizer printed(BracketTokens tokens, DyckConstants constants) {
        return new DyckRecognizer(tokens, constants, Variant.byScores(), codeBits(tokens.types()));
    }

    @Override
    BracketTransformer shorter(int length) {
        return new DyckRecognizer(tokens, constants.shorter(length), variant, codeBits);
    }

    /** eta: how much attention layer 4 may give to what is not looked for. */
    private double eta() {
        return variant.recover ? 0.2 : 1.0 / (16 * Math.max(1, codeBits));
    }

    /** b, below sin theta(1) / sqrt2, which the score of other strings falls short of 0 by. */
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

    /** C5 = ln(2n / b): n brackets that match leave at most b / 2 of the attention. */
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
        parameters.set(ParameterRole.UNEMBEDDING_BIAS, 0, 0, LayerWriter.rounded(bias(), constants.bits()));
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
            test.writeRecovering(layer, slope, constants.up(MatchTest.recoveryConstant(codeBits)));
        } else {
            test.write(layer, units);
        }
    }

    /** Rows stand twice, so that the norm of (q, cos, sin) is one of {@link LayerWriter#gain}'s units. */
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
        return demand(constants, Math.max(largest, constants.maxLength()), bias() / 2);
    }

    /**
     * Queries and keys of the recognizer for a norm of their own: rows that complement others to a constant norm leave
     * the scores alone.
     *
     * <p>Keys of the counting layers are (s, 1 - s), where the paper's (s) has norm 0 but for the start; and 1 - cos
     * theta is two rows, one that the cosine makes and a constant one. Source: Hayakawa and Sato (2024), appendix P,
     * with both.
     */
    private static final class NormalizedScores {

        private static final int MATCHING_LAYER = 3;

        private final ExactParameters parameters;
        private final int headWidth;

        NormalizedScores(ExactParameters parameters, int headWidth) {
            this.parameters = parameters;
            this.headWidth = headWidth;
        }

        private LayerWriter layer(int layer) {
            return new LayerWriter(parameters, layer, DyckConstants.EXACT_BITS);
        }

        /** Makes the norms of queries and keys of a layer what they are to be. */
        private void norms(int layer, double ofQueries, double ofKeys) {
            for (int row = 0; row < headWidth; row++) {
                parameters.set(ParameterRole.QUERY_NORM_GAIN, layer, 0, row, ofQueries / Math.sqrt(headWidth));
                parameters.set(ParameterRole.KEY_NORM_GAIN, layer, 0, row, ofKeys / Math.sqrt(headWidth));
            }
        }

        /** The score ln A on the start, in the first three layers; the gain of keys has the factor. */
        NormalizedScores counting(double positionScale, double depthScale, int start, int one) {
            for (int layer = 0; layer < MATCHING_LAYER; layer++) {
                layer(layer).key(0, start, 1).key(1, start, -1).key(1, one, 1);
                norms(layer, 1, Math.log(layer == 0 ? positionScale : depthScale));
            }
            return this;
        }

        /** C2 (C1 T_depth + T_pos + C1 T_open), with 18 rows. */
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

        /** Of layer 5's keys (-q, q_0 s) only the sign of q is left. */
        NormalizedScores collecting(double weight) {
            norms(MATCHING_LAYER + 1, weight * Math.sqrt(2), 1);
            return this;
        }
    }
}
