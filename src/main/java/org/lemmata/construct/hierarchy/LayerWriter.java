package org.lemmata.construct.hierarchy;

import java.util.function.DoubleUnaryOperator;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.PositionOptions;

/**
 * Writes the weights of one layer with the paper's indices: (row of the result, column of x).
 *
 * <p>A layer is x := x + W_O attention(W_Q x, W_K x, W_V x), x := x + W_2 [LN_RMS(W_1 x)]_+ with gain and shift, one
 * head, no biases, no positions: Hayakawa and Sato (2024), appendix B.2. The paper's W_V is the product W_O W_V here;
 * W_V has only the nonzero rows.
 */
final class LayerWriter {

    private final ExactParameters parameters;
    private final int layer;
    private final int bits;

    LayerWriter(ExactParameters parameters, int layer, int bits) {
        this.parameters = parameters;
        this.layer = layer;
        this.bits = bits;
    }

    /**
     * The architecture of all constructions in this package.
     *
     * @param hidden the number of rows of W_1 that are used; further rows are added so that {@link #unitGain} is a
     *     power of two
     */
    static Architecture architecture(Architecture.Size size, int headWidth, int hidden, OutputOptions output) {
        int rows = 2;
        while (rows < hidden) {
            rows *= 4;
        }
        return new Architecture(
                size,
                PositionOptions.none(),
                AttentionOptions.softmax(1, headWidth).withScores(1, LogLength.NONE, 0),
                new FeedForwardOptions(rows, Activation.Kind.RELU, false, false),
                new NormalizationOptions(Placement.INNER, Normalization.Kind.ROOT_MEAN_SQUARE, 0, true, true),
                true,
                output,
                0);
    }

    static double toBits(double x, int bits, DoubleUnaryOperator toInteger) {
        if (x == 0 || bits >= DyckConstants.EXACT_BITS) {
            return x;
        }
        int exponent = Math.getExponent(x) - bits + 1;
        return Math.scalb(toInteger.applyAsDouble(Math.scalb(x, -exponent)), exponent);
    }

    static double rounded(double x, int bits) {
        return toBits(x, bits, Math::rint);
    }

    /** Writes a weight of the output layer with {@code bits} significand bits. */
    static void unembedding(ExactParameters parameters, int token, int column, double weight, int bits) {
        parameters.set(ParameterRole.UNEMBEDDING, token, column, rounded(weight, bits));
    }

    /** Writes a bias of the output layer with {@code bits} significand bits. */
    static void unembeddingBias(ExactParameters parameters, int token, double bias, int bits) {
        parameters.set(ParameterRole.UNEMBEDDING_BIAS, 0, token, rounded(bias, bits));
    }

    private LayerWriter set(ParameterRole role, int input, int result, double weight) {
        parameters.set(role, layer, input, result, rounded(weight, bits));
        return this;
    }

    LayerWriter query(int row, int column, double weight) {
        return set(ParameterRole.QUERY, column, row, weight);
    }

    LayerWriter key(int row, int column, double weight) {
        return set(ParameterRole.KEY, column, row, weight);
    }

    LayerWriter value(int row, int column, double weight) {
        return set(ParameterRole.VALUE, column, row, weight);
    }

    LayerWriter output(int row, int column) {
        return set(ParameterRole.OUTPUT, row, column, 1);
    }

    /**
     * Applies attention to the {@code count} columns from {@code from} on, and adds the result to the columns from
     * {@code to} on. Uses rows 0, 1, ... of the head.
     */
    LayerWriter fetch(int from, int to, int count) {
        for (int i = 0; i < count; i++) {
            value(i, from + i, 1).output(i, to + i);
        }
        return this;
    }

    LayerWriter first(int row, int column, double weight) {
        return set(ParameterRole.FIRST, column, row, weight);
    }

    LayerWriter second(int column, int row, double weight) {
        return set(ParameterRole.SECOND, row, column, weight);
    }

    LayerWriter shift(int row, double value) {
        return set(ParameterRole.INNER_NORM_SHIFT, 0, row, value);
    }

    /** The gain of one row, in units of {@link #unitGain}. */
    LayerWriter gain(int row, double units) {
        return set(ParameterRole.INNER_NORM_GAIN, 0, row, units * unitGain());
    }

    LayerWriter gain(double units) {
        for (int row = 0; row < hidden(); row++) {
            gain(row, units);
        }
        return this;
    }

    /** sqrt(2 / hidden), a power of two. With this gain, normalization does not change any y with |y|² = 2. */
    private double unitGain() {
        return Math.sqrt(2.0 / hidden());
    }

    private int hidden() {
        return parameters.architecture().feedForwardShape().hidden();
    }

    /**
     * The angle atan(S / A) of a sum S over the tokens so far, as cosine and sine. Attention computes A and S divided
     * by the same number; the norm turns these means into the angle.
     *
     * @param start the column that is 1 at the start and 0 elsewhere
     * @param scale A
     * @param column the column to sum
     * @param ofStart the term of the start minus the value of the column at the start
     * @param mean the first of two columns for the means
     * @param angle the first of two columns for cosine and sine
     */
    record Angle(int start, double scale, int column, double ofStart, int mean, int angle) {}

    /**
     * Writes the whole layer of an angle, with equal scores. {@code firstMap} multiplies the first map; normalization
     * cancels it.
     */
    LayerWriter angle(Angle of, double firstMap) {
        value(0, of.start, of.scale).value(1, of.column, 1);
        if (of.ofStart != 0) {
            value(1, of.start, of.ofStart);
        }
        return angleOfMeans(of, firstMap);
    }

    /**
     * Writes the layer of the paper, with the score a = ln A of the start.
     *
     * @param one the column that is 1 everywhere
     * @param ofColumn the value of the summed column at the start
     */
    LayerWriter angleByScore(Angle of, int one, double ofColumn) {
        double a = Math.log(of.scale);
        query(0, one, 1).key(0, of.start, a);
        value(0, of.start, 1).value(1, of.column, 1);
        value(1, of.start, (ofColumn + of.ofStart) * Math.exp(-a) - ofColumn);
        return angleOfMeans(of, 1);
    }

    private LayerWriter angleOfMeans(Angle of, double firstMap) {
        output(0, of.mean).output(1, of.mean + 1).angleRows(of.mean, firstMap);
        second(of.angle, 0, 1).second(of.angle + 1, 2, 1).second(of.angle + 1, 3, -1);
        return gain(1);
    }

    /** Writes the first map of an angle: cosine, -cosine, sine, -sine, with |.|² = 2 after the norm. */
    LayerWriter angleRows(int mean, double firstMap) {
        first(0, mean, firstMap).first(1, mean, -firstMap);
        return first(2, mean + 1, firstMap).first(3, mean + 1, -firstMap);
    }

    /**
     * Writes a layer whose feed-forward part adds nothing. A constant row that nothing reads prevents a division by 0
     * in its norm.
     */
    LayerWriter noFeedForward(int one) {
        return first(0, one, 1).gain(1);
    }
}
