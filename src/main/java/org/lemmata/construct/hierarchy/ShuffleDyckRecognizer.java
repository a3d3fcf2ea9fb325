package org.lemmata.construct.hierarchy;

import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * Three-layer, one-head recognizer of Shuffle-Dyck_k with width ceil(log2 k) + 11 and no positions: score &gt; 0 after
 * {@code <bos>} and a word, &lt; 0 after {@code <bos>} and any other brackets.
 *
 * <p>Layer 1 computes [sin theta(d)]_+, theta(d) = atan(d / A), for the depth d of all types together. Layer 2 attends
 * to the start and the tokens of the query's type and computes [-sin theta]_+ for the depth of that type. Layer 3 adds
 * the mean of layer 2's result to layer 1's result. The sum is 0 only if no type ever had a negative depth and the
 * total depth ends at 0. The score is b minus this sum.
 *
 * <p>Inputs must be {@code <bos>}, then at most n = {@code maxLength} brackets, then at most one {@code <eos>}.
 *
 * <p>Source: Hayakawa and Sato (2024), proposition 3 and appendix I, without the layer of positions, which nothing
 * reads, and with a row that prevents a zero norm in layer 3.
 */
public final class ShuffleDyckRecognizer extends BracketTransformer {

    public static final Source SOURCE = new Source(Paper.HIERARCHY, "proposition 3");

    /** The significand bits of weights. Sums need more bits, because they count up to n. */
    private static final int BITS = 8;

    private final double scale;
    private final boolean few;
    private final boolean printed;
    private final int codeBits;

    /** The recognizer with A = 2^ceil(log2 n) and constants of few bits. */
    public ShuffleDyckRecognizer(BracketTokens tokens, int maxLength) {
        this(
                tokens,
                maxLength,
                Math.scalb(1.0, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, maxLength) - 1)),
                true,
                false);
    }

    private ShuffleDyckRecognizer(BracketTokens tokens, int maxLength, double scale, boolean few, boolean printed) {
        super(SOURCE, tokens, maxLength, maxLength, true);
        this.scale = scale;
        this.few = few;
        this.printed = printed;
        this.codeBits = codeBits(tokens.types());
    }

    /** The recognizer with A = n and unrounded constants. */
    public static ShuffleDyckRecognizer exact(BracketTokens tokens, int maxLength) {
        return new ShuffleDyckRecognizer(tokens, maxLength, maxLength, false, false);
    }

    /** The printed recognizer, with W_1 = O in the last layer, where the norm divides 0 by 0. */
    public static ShuffleDyckRecognizer printed(BracketTokens tokens, int maxLength) {
        return new ShuffleDyckRecognizer(tokens, maxLength, maxLength, false, true);
    }

    @Override
    BracketTransformer shorter(int length) {
        return new ShuffleDyckRecognizer(
                tokens, length, few ? Math.scalb(1.0, Math.getExponent(length - 0.5) + 1) : length, few, printed);
    }

    private int bits() {
        return few ? BITS : DyckConstants.EXACT_BITS;
    }

    /** b = sin theta(1) / (2 (n + 1)): half of a lower bound of the mean if one type has a negative depth. */
    private double bias() {
        double bias = 1 / Math.hypot(1, scale) / (2 * (maxLength + 1.0));
        return few ? LayerWriter.toBits(bias, BITS, Math::floor) : bias;
    }

    /** C = ln(4 n (n + 1)) / 2, so that all tokens of other types together get at most the weight 1 / (4 (n + 1)). */
    private double typeWeight() {
        double weight = Math.log(4.0 * maxLength * (maxLength + 1.0)) / 2;
        return few ? LayerWriter.toBits(weight, 4, Math::ceil) : weight;
    }

    @Override
    public ExactParameters build() {
        int open = codeBits;
        int start = codeBits + 1;
        int one = codeBits + 2;
        int mean = codeBits + 3;
        int angle = codeBits + 5;
        int typeMean = codeBits + 7;
        int typeAngle = codeBits + 9;
        var parameters = new ExactParameters(LayerWriter.architecture(
                new Architecture.Size(tokens.count(), maxLength + 2, codeBits + 11, 3),
                Math.max(2, codeBits + 1),
                4,
                OutputOptions.regression(true)));
        embed(parameters, tokens, codeBits, true);
        var first = new LayerWriter(parameters, 0, bits());
        first.value(0, start, scale).value(1, open, 1).output(0, mean).output(1, mean + 1);
        first.angleRows(mean, 1).gain(1).second(angle, 2, 1);
        var second = new LayerWriter(parameters, 1, bits());
        for (int bit = 0; bit < codeBits; bit++) {
            second.query(bit, bit, typeWeight()).key(bit, bit, 1);
        }
        second.query(codeBits, one, typeWeight() * codeBits).key(codeBits, start, 1);
        second.value(0, start, scale).value(1, open, 1).output(0, typeMean).output(1, typeMean + 1);
        second.angleRows(typeMean, 1).gain(1).second(typeAngle, 3, 1);
        var third = new LayerWriter(parameters, 2, bits());
        third.value(0, typeAngle, 1).output(0, angle).gain(1);
        if (!printed) {
            third.noFeedForward(one);
        }
        parameters.set(ParameterRole.UNEMBEDDING, 0, angle, -1);
        parameters.set(ParameterRole.UNEMBEDDING_BIAS, 0, 0, bias());
        return parameters;
    }

    /** Enough bits for sums that count up to n, and for a nonzero mean of one bracket. */
    @Override
    public Demand demand() {
        int sums = few ? Math.max(BITS, Math.getExponent((double) maxLength) + 5) : DyckConstants.EXACT_BITS;
        double maximum = Math.max(4 * typeWeight() * Math.max(1, codeBits), Math.max(scale, maxLength));
        return new Demand(bits(), sums, bias(), maximum, "weights", "counts to " + maxLength);
    }
}
