package org.lemmata.construct.length;

import java.math.BigDecimal;
import java.util.Arrays;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.PositionOptions;

/**
 * Scores, biases and values of a head by class, from the weights of a one-layer transformer.
 *
 * <p>Sums and products are those of {@link BigDecimal}, without rounding, and every entry is rounded once: two scores
 * that are equal are equal numbers, on which the logit margin depends.
 */
final class LimitAttentionTables {

    private final ExactParameters parameters;
    private final Architecture architecture;
    private final int period;
    private final double[][] scores;
    private final double[] biases;
    private final double[][] values;

    LimitAttentionTables(ExactParameters parameters, int head) {
        this.parameters = parameters;
        this.architecture = parameters.architecture();
        check(architecture, head);
        boolean periodic = architecture.positions().kind() == PositionOptions.Kind.PERIODIC;
        this.period = periodic ? architecture.positions().period() : 1;
        AttentionOptions options = architecture.attention();
        int from = head * options.headWidth();
        BigDecimal[][] inputs = inputs(periodic);
        BigDecimal[][] queries =
                columns(map(inputs, ParameterRole.QUERY, ParameterRole.QUERY_BIAS), from, options.headWidth());
        BigDecimal[][] keys =
                columns(map(inputs, ParameterRole.KEY, ParameterRole.KEY_BIAS), from, options.headWidth());
        BigDecimal scale = new BigDecimal(options.scoreScale());
        scores = new double[inputs.length][inputs.length];
        for (int query = 0; query < inputs.length; query++) {
            for (int key = 0; key < inputs.length; key++) {
                scores[query][key] =
                        scale.multiply(inner(queries[query], keys[key])).doubleValue();
            }
        }
        biases = biases(head, options.scoreBiasSpan());
        values = values(
                columns(map(inputs, ParameterRole.VALUE, ParameterRole.VALUE_BIAS), from, options.headWidth()), from);
    }

    private static void check(Architecture architecture, int head) {
        AttentionOptions options = architecture.attention();
        expect(architecture.layers() == 1, "layers: expected 1, got " + architecture.layers());
        expect(head >= 0 && head < options.heads(), "head: expected 0 to " + (options.heads() - 1) + ", got " + head);
        expect(
                options.hasScores() && options.logLength() != LogLength.NONE && options.mask() == Mask.CAUSAL,
                "attention: expected causal scores times the logarithm of the length, got " + options.weighting() + ", "
                        + options.mask() + ", logLength " + options.logLength());
        expect(
                !options.identities() && !options.normalizeQueriesAndKeys(),
                "attention: expected no identity terms and no normalized queries and keys, got some");
        expect(
                architecture.normalization().placement() == Placement.NONE,
                "normalization: expected NONE, got "
                        + architecture.normalization().placement());
        expect(
                architecture.positions().kind() != PositionOptions.Kind.TABLE,
                "positions: expected PERIODIC or NONE, got TABLE");
    }

    private static void expect(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    int period() {
        return period;
    }

    double[][] scores() {
        return scores;
    }

    /** phi of the distances 0 ... tau; one 0 where there is none. */
    double[] biases() {
        return biases;
    }

    double[][] values() {
        return values;
    }

    /** E + P of every class. */
    private BigDecimal[][] inputs(boolean periodic) {
        BigDecimal[][] embeddings = matrix(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
        BigDecimal[][] inputs = new BigDecimal[embeddings.length * period][];
        BigDecimal[][] positions =
                periodic ? matrix(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER) : new BigDecimal[0][];
        for (int c = 0; c < inputs.length; c++) {
            inputs[c] = embeddings[c / period].clone();
            for (int column = 0; periodic && column < inputs[c].length; column++) {
                inputs[c][column] = inputs[c][column].add(positions[c % period][column]);
            }
        }
        return inputs;
    }

    private double[] biases(int head, int span) {
        double[] result = new double[Math.max(1, span)];
        for (int distance = 0; distance < span; distance++) {
            result[distance] = matrix(ParameterRole.SCORE_BIAS, 0)[head][distance].doubleValue();
        }
        return result;
    }

    /** Through the head's rows of W_O and its bias, where there is one. */
    private double[][] values(BigDecimal[][] ofHead, int from) {
        BigDecimal[][] result = ofHead;
        if (architecture.attention().outputProjection()) {
            BigDecimal[][] output = matrix(ParameterRole.OUTPUT, 0);
            result = new BigDecimal[ofHead.length][architecture.width()];
            for (int c = 0; c < result.length; c++) {
                for (int column = 0; column < architecture.width(); column++) {
                    BigDecimal sum = architecture.attention().biases()
                            ? matrix(ParameterRole.OUTPUT_BIAS, 0)[0][column]
                            : BigDecimal.ZERO;
                    for (int k = 0; k < ofHead[c].length; k++) {
                        sum = sum.add(ofHead[c][k].multiply(output[from + k][column]));
                    }
                    result[c][column] = sum;
                }
            }
        }
        double[][] rounded = new double[result.length][result[0].length];
        for (int c = 0; c < rounded.length; c++) {
            for (int column = 0; column < rounded[c].length; column++) {
                rounded[c][column] = result[c][column].doubleValue();
            }
        }
        return rounded;
    }

    /** x W + b, without b where the architecture has none. */
    private BigDecimal[][] map(BigDecimal[][] x, ParameterRole weights, ParameterRole bias) {
        BigDecimal[][] w = matrix(weights, 0);
        BigDecimal[][] y = new BigDecimal[x.length][w[0].length];
        for (int row = 0; row < x.length; row++) {
            for (int column = 0; column < w[0].length; column++) {
                BigDecimal sum = architecture.attention().biases() ? matrix(bias, 0)[0][column] : BigDecimal.ZERO;
                for (int k = 0; k < w.length; k++) {
                    sum = sum.add(x[row][k].multiply(w[k][column]));
                }
                y[row][column] = sum;
            }
        }
        return y;
    }

    private BigDecimal[][] matrix(ParameterRole role, int layer) {
        ParameterView view = architecture.view(role, layer);
        BigDecimal[][] rows = new BigDecimal[view.rows()][view.columns()];
        for (int row = 0; row < view.rows(); row++) {
            for (int column = 0; column < view.columns(); column++) {
                rows[row][column] = new BigDecimal(parameters.values()[view.offset() + row * view.columns() + column]);
            }
        }
        return rows;
    }

    private static BigDecimal[][] columns(BigDecimal[][] rows, int from, int count) {
        BigDecimal[][] result = new BigDecimal[rows.length][];
        for (int row = 0; row < rows.length; row++) {
            result[row] = Arrays.copyOfRange(rows[row], from, from + count);
        }
        return result;
    }

    private static BigDecimal inner(BigDecimal[] a, BigDecimal[] b) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = 0; k < a.length; k++) {
            sum = sum.add(a[k].multiply(b[k]));
        }
        return sum;
    }
}
