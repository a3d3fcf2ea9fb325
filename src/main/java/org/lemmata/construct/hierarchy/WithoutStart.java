package org.lemmata.construct.hierarchy;

import org.lemmata.construct.hierarchy.LayerWriter.Angle;
import org.lemmata.model.ExactParameters;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * The layers that stand in for {@code <bos>}: a pseudo start s^, 1 at the first token and 0 at all others if the first
 * two tokens differ.
 *
 * <p>Layer 1 makes s^ = [1 / |(x - mean, 1)| - 1 + eps]_+ / eps of the mean of all embeddings so far, which is x itself
 * only as long as all are equal: embeddings have one norm. eps &lt;= 1 - 1 / sqrt(1 + 4 / n²), where a token differs
 * from the mean by 2 / n, is sharp.
 *
 * <p>Source: Hayakawa and Sato (2024), proposition 6 and appendix L; the end {@code <eos>}, whose embedding has another
 * norm, is no input.
 *
 * @param tokens the brackets
 * @param constants n, D and scales
 * @param codeBits m: columns of types; openness and ones follow
 */
record WithoutStart(BracketTokens tokens, DyckConstants constants, int codeBits) {

    /** How far below the difference that a position makes what is fetched may be off, in units of depth. */
    private static final double ROOM = 1 << 10;

    /** A score of 40 / neighbourGap is then off by 1/10 at most. */
    private static final int SCORE_BITS = 9;

    int open() {
        return codeBits;
    }

    int one() {
        return codeBits + 1;
    }

    private int mean() {
        return codeBits + 2;
    }

    /** s^. */
    int start() {
        return 2 * codeBits + 3;
    }

    /** Columns for means and angle of the position i - 1. */
    int previousPosition() {
        return start() + 3;
    }

    /** The first column that is free after two layers. */
    int free() {
        return start() + 5;
    }

    /** Rows of the first map of layer 1. */
    static int rows(int codeBits) {
        return 2 * (codeBits + 2);
    }

    /** The least bits that positions can be told apart with, or depths. */
    static DyckConstants withBits(DyckConstants constants) {
        int positions = (int) Math.ceil(SCORE_BITS - Math.log(constants.neighbourGap()) / Math.log(2));
        return constants.withBits(Math.max(constants.bits(), positions));
    }

    /** eps. */
    double epsilon() {
        double n = constants.maxLength();
        double sharp = 1 - 1 / Math.sqrt(1 + 4 / (n * n));
        return constants.exact() ? sharp : Math.scalb(1.0, Math.getExponent(0.9 * sharp));
    }

    /** Layers 1 and 2: s^, and the angle of i - 1. */
    void write(ExactParameters parameters) {
        write(parameters, epsilon());
        layer(parameters, 1)
                .angle(
                        new Angle(start(), constants.positionScale(), one(), -1, start() + 1, previousPosition()),
                        constants.firstMap(constants.positionScale()));
    }

    /** Layer 1 with some eps; rows stand twice, so that the norm where nothing differs is sqrt2. */
    void write(ExactParameters parameters, double epsilon) {
        var layer = layer(parameters, 0).fetch(0, mean(), codeBits + 1);
        for (int copy = 0; copy < 2; copy++) {
            for (int column = 0; column <= codeBits; column++) {
                int row = 2 + 2 * column + copy;
                layer.first(row, column, 1).first(row, mean() + column, -1);
            }
            layer.first(copy, one(), 1);
        }
        layer.shift(0, -1 + epsilon).second(start(), 0, 1 / epsilon).gain(1);
    }

    LayerWriter layer(ExactParameters parameters, int layer) {
        return new LayerWriter(parameters, layer, constants.bits());
    }

    /**
     * {@value #ROOM} C1 / g, rounded up to a power of two: one part in so many of a token's openness, left at the first
     * token or fetched from others, moves a score by less than a position does.
     */
    double outweighs() {
        double least = ROOM * constants.depthWeight() / constants.positionGap();
        return Math.scalb(1.0, Math.getExponent(least) + 1);
    }

    /** The weight of cos(phi(i - 1) - phi(j)) with which a token attends to the one before it; the first to itself. */
    double previousWeight() {
        return constants.up(Math.log(constants.maxLength() * outweighs()) / constants.neighbourGap());
    }

    /** Scores of the token before; {@code position} is the column of the angle of i. */
    LayerWriter previous(LayerWriter layer, int position) {
        double weight = previousWeight();
        layer.query(0, previousPosition(), weight).key(0, position, 1);
        return layer.query(1, previousPosition() + 1, weight).key(1, position + 1, 1);
    }

    /**
     * Layer 4: type and openness of the token before, 0 for the first one, which has the start instead; in this order
     * behind what is fetched.
     *
     * @param position of the angle of i
     * @param fetched column of what is fetched, m + 1
     */
    void fetchToken(LayerWriter layer, int position, int fetched) {
        previous(layer, position).fetch(0, fetched, codeBits + 1);
        int type = fetched + codeBits + 1;
        for (int column = 0; column <= codeBits; column++) {
            int row = 2 * column;
            layer.first(row, fetched + column, 1).first(row + 1, fetched + column, -1);
            layer.second(type + column, row, 1).second(type + column, row + 1, -1);
        }
        int last = 2 * codeBits + 2;
        layer.first(last, start(), outweighs()).second(type + codeBits + 1, last, 1);
        layer.gain(Math.sqrt(codeBits + 1.0)).gain(last, Math.sqrt(0.5));
    }
}
