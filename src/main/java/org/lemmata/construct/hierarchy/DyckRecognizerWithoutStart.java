package org.lemmata.construct.hierarchy;

import org.lemmata.construct.hierarchy.LayerWriter.Angle;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * Nine-layer, one-head recognizer of Dyck_k without {@code <bos>}. If the first two tokens of a string differ, the
 * score is &gt; 0 for a word and &lt; 0 for any other string.
 *
 * <p>Each token applies theorem 1 to the tokens before it, and then adds itself. Layers 1 and 2 compute the pseudo
 * start and the angle of i - 1 ({@link WithoutStart}), and layer 3 the angle of i. Layer 4 fetches the previous token,
 * and layers 5 and 6 compute the angles of d_(i-1) and d_i + 1. Layer 7 finds the partner and computes q_i, layer 8
 * fetches the sign of q_(i-1), and layer 9 collects these signs and adds [-q_i]_+ and [sin(theta(d_i + 1) -
 * theta(1))]_+.
 *
 * <p>Source: Hayakawa and Sato (2024), corollary 1 and appendix M, which leaves layers 7 and 8 open. The paper's layers
 * never compute theta(d_(i-1) + 1), so here, layer 7 computes q_i.
 */
public final class DyckRecognizerWithoutStart extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "corollary 1");

    private static final int LAYERS = 9;

    private final DyckConstants constants;
    private final WithoutStart base;
    private final int codeBits;
    private final int position;
    private final int fetched;
    private final int previousType;
    private final int previousOpen;
    private final int previousStart;
    private final int previousDepth;
    private final int nextDepth;
    private final int found;
    private final int match;
    private final MatchTest test;

    public DyckRecognizerWithoutStart(BracketTokens tokens, DyckConstants constants) {
        super(SOURCE, tokens, constants.maxLength(), constants.wordDepth(), false);
        this.constants = WithoutStart.withBits(constants);
        this.codeBits = Math.max(1, codeBits(tokens.types()));
        this.base = new WithoutStart(tokens, this.constants, codeBits);
        this.position = base.free() + 2;
        this.fetched = position + 2;
        this.previousType = fetched + codeBits + 1;
        this.previousOpen = previousType + codeBits;
        this.previousStart = previousOpen + 1;
        this.previousDepth = previousStart + 3;
        this.nextDepth = previousDepth + 4;
        this.found = nextDepth + 2;
        this.match = found + codeBits;
        this.test = new MatchTest(codeBits, found, base.open(), base.one(), match);
    }

    @Override
    BracketTransformer shorter(int length) {
        return new DyckRecognizerWithoutStart(tokens, constants.shorter(length));
    }

    private double bias() {
        return constants.down(1.0 / (40 * constants.maxLength()));
    }

    private double prefixWeight() {
        return constants.up(Math.log(4 * constants.maxLength() / bias()));
    }

    private MatchingScores scores() {
        return new MatchingScores(
                constants.depthWeight(),
                constants.scoreWeight(1.0 / (16 * codeBits)),
                nextDepth,
                previousDepth,
                position,
                base.previousPosition(),
                previousOpen,
                previousStart,
                base.one());
    }

    @Override
    public ExactParameters build() {
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), maxLength, match + 5, LAYERS),
                Math.max(MatchingScores.ROWS, codeBits + 1),
                Math.max(WithoutStart.rows(codeBits), 2 * codeBits + 3),
                OutputOptions.regression(true)));
        embed(parameters, tokens, codeBits, false);
        base.write(parameters);
        double a1 = constants.positionScale();
        double a2 = constants.depthScale();
        int start = base.start();
        angle(parameters, 2, new Angle(start, a1, base.one(), 0, position - 2, position));
        base.fetchToken(base.layer(parameters, 3), position, fetched);
        angle(parameters, 4, new Angle(previousStart, a2, previousOpen, 0, previousDepth - 2, previousDepth));
        angle(parameters, 5, new Angle(start, a2, base.open(), 1, nextDepth - 2, nextDepth));
        LayerWriter matching = base.layer(parameters, 6);
        scores().writeWithStart(matching);
        scores().writeOpen(matching, base.open(), -1);
        test.write(matching.fetch(previousType, found, codeBits), test.units(constants.exact()));
        fetchMatch(base.layer(parameters, 7));
        collect(base.layer(parameters, 8));
        parameters.set(ParameterRole.UNEMBEDDING, 0, match + 4, -1);
        parameters.set(ParameterRole.UNEMBEDDING_BIAS, 0, 0, bias());
        return parameters;
    }

    private void angle(ExactParameters parameters, int layer, Angle angle) {
        base.layer(parameters, layer).angle(angle, constants.firstMap(angle.scale()));
    }

    /** Writes layer 8: the sign of the previous token's match; 1 for the first token. */
    private void fetchMatch(LayerWriter layer) {
        base.previous(layer, position).fetch(match, match + 1, 1);
        layer.first(0, match + 1, 1).first(1, match + 1, -1).first(2, base.start(), base.outweighs());
        layer.second(match + 2, 0, 1).second(match + 2, 1, -1).second(match + 2, 2, Math.sqrt(0.5));
        layer.gain(1);
    }

    private void collect(LayerWriter layer) {
        double weight = prefixWeight();
        layer.query(0, base.one(), weight).key(0, match + 2, -1);
        layer.query(1, base.one(), weight).key(1, previousStart, 1);
        layer.value(0, base.one(), 1).value(0, previousStart, -1).output(0, match + 3);
        double sine = constants.sineOfOne();
        layer.first(0, match + 3, 1).first(1, match, -1.0 / (40 * (codeBits + 1)));
        layer.first(2, nextDepth, 1).first(3, nextDepth + 1, 1);
        layer.first(4, nextDepth, -sine).first(4, nextDepth + 1, Math.sqrt(1 - sine * sine));
        layer.second(match + 4, 0, 1)
                .second(match + 4, 1, 1)
                .second(match + 4, 4, 1)
                .gain(Math.sqrt(0.5));
    }

    @Override
    public Demand demand() {
        double maximum = Math.max(scores().maximum(), Math.max(base.previousWeight(), base.outweighs()));
        return demand(constants, Math.max(maximum, 1 / base.epsilon()), bias() / 2);
    }
}
