package org.lemmata.construct.hierarchy;

import org.lemmata.construct.hierarchy.LayerWriter.Angle;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * The layers that replace {@code <bos>}: if the first two tokens differ, the pseudo start s^ is 1 at the first token
 * and 0 at all others.
 *
 * <p>Layer 1 computes s^ = [1 / |(x - mean, 1)| - 1 + eps]_+ / eps from the mean of all embeddings so far. Because all
 * embeddings have the same norm, the mean equals x only if all embeddings are equal. The bound eps &lt;= 1 - 1 / sqrt(1
 * + 4 / n²) is sharp: a token can differ from the mean by only 2 / n.
 *
 * <p>Source: Hayakawa and Sato (2024), proposition 6 and appendix L; {@code <eos>} is not a legal input, because its
 * embedding has another norm.
 *
 * @param tokens the brackets
 * @param constants n, D and the scales
 * @param codeBits m: the number of columns for types; the columns of openness and ones follow
 */
public record WithoutStart(BracketTokens tokens, DyckConstants constants, int codeBits) {

    /**
     * The factor by which g, the score difference between positions, exceeds the change of a score due to errors of
     * fetched values.
     */
    private static final double ERROR_MARGIN = 1 << 10;

    /** The number of additional bits for which a score of 40 / neighbourGap has an error of at most 1/10. */
    private static final int SCORE_BITS = 9;

    /**
     * The model that only computes the pseudo start s^ for up to {@code maxLength} brackets, with eps = 1 - 1 / sqrt(1
     * + 4 / n²), times {@code factor}.
     *
     * @param factor 1 for the paper's block; larger factors show that eps is sharp
     */
    public static ExactParameters pseudoStart(BracketTokens tokens, int maxLength, double factor) {
        int codeBits = Math.max(1, BracketTransformer.codeBits(tokens.types()));
        var base = new WithoutStart(tokens, DyckConstants.shared(maxLength, maxLength), codeBits);
        return base.pseudoStart(factor * base.epsilon());
    }

    ExactParameters pseudoStart(double epsilon) {
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), constants.maxLength(), start() + 1, 1),
                codeBits + 1,
                rows(codeBits),
                OutputOptions.regression(false)));
        BracketTransformer.embed(parameters, tokens, codeBits, false);
        write(parameters, epsilon);
        parameters.set(ParameterRole.UNEMBEDDING, 0, start(), 1);
        return parameters;
    }

    int open() {
        return codeBits;
    }

    int one() {
        return codeBits + 1;
    }

    private int mean() {
        return codeBits + 2;
    }

    /** The column of s^. */
    int start() {
        return 2 * codeBits + 3;
    }

    /** The first of two columns for the angle of position i - 1. The two columns before it have the means. */
    int previousPosition() {
        return start() + 3;
    }

    int free() {
        return start() + 5;
    }

    static int rows(int codeBits) {
        return 2 * (codeBits + 2);
    }

    /** The constants with enough bits to distinguish both positions and depths. */
    static DyckConstants withBits(DyckConstants constants) {
        int positions = (int) Math.ceil(SCORE_BITS - Math.log(constants.neighbourGap()) / Math.log(2));
        return constants.withBits(Math.max(constants.bits(), positions));
    }

    double epsilon() {
        double n = constants.maxLength();
        double sharp = 1 - 1 / Math.sqrt(1 + 4 / (n * n));
        return constants.exact() ? sharp : Math.scalb(1.0, Math.getExponent(0.9 * sharp));
    }

    /** Writes layers 1 and 2: s^, and the angle of i - 1. */
    void write(ExactParameters parameters) {
        write(parameters, epsilon());
        layer(parameters, 1)
                .angle(
                        new Angle(start(), constants.positionScale(), one(), -1, start() + 1, previousPosition()),
                        constants.firstMap(constants.positionScale()));
    }

    /**
     * Writes layer 1 with {@code epsilon} as eps. Rows are written twice, so that the norm is sqrt2 if all tokens are
     * equal.
     */
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
     * {@value #ERROR_MARGIN} C1 / g, rounded up to a power of two. If a fetched openness has a relative error of at
     * most the reciprocal of this number, the score changes by less than between neighbouring positions.
     */
    double outweighs() {
        double least = ERROR_MARGIN * constants.depthWeight() / constants.positionGap();
        return Math.scalb(1.0, Math.getExponent(least) + 1);
    }

    /**
     * The weight of cos(phi(i - 1) - phi(j)) with which a token attends to the previous one, and the first token to
     * itself.
     */
    double previousWeight() {
        return constants.up(Math.log(constants.maxLength() * outweighs()) / constants.neighbourGap());
    }

    /** Writes the scores that select the previous token; {@code position} is the column of the angle of i. */
    LayerWriter previous(LayerWriter layer, int position) {
        double weight = previousWeight();
        layer.query(0, previousPosition(), weight).key(0, position, 1);
        return layer.query(1, previousPosition() + 1, weight).key(1, position + 1, 1);
    }

    /**
     * Writes layer 4: type and openness of the previous token, both 0 for the first token, and a start that is 1 only
     * for the first token. The columns of these results follow the fetched columns.
     *
     * @param position the column of the angle of i
     * @param fetched the first of the m + 1 columns for the fetched values
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
