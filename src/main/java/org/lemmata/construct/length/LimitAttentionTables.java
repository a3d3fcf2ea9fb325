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

    LimitAttentionTables(ExactParameters parameters) {
        this.parameters = parameters;
        this.architecture = parameters.architecture();
        boolean periodic = architecture.positions().kind() == PositionOptions.Kind.PERIODIC;
        this.period = periodic ? architecture.positions().period() : 1;
    }

    LimitAttention attention(int head, int bits) {
        check(architecture, head);
        AttentionOptions options = architecture.attention();
        int from = head * options.headWidth();
        BigDecimal[][] inputs = inputs();
        BigDecimal[][] queries = ofHead(map(inputs, 0, ParameterRole.QUERY, ParameterRole.QUERY_BIAS), from);
        BigDecimal[][] keys = ofHead(map(inputs, 0, ParameterRole.KEY, ParameterRole.KEY_BIAS), from);
        BigDecimal[][] values = ofHead(map(inputs, 0, ParameterRole.VALUE, ParameterRole.VALUE_BIAS), from);
        if (options.outputProjection()) {
            values = map(values, from, ParameterRole.OUTPUT, ParameterRole.OUTPUT_BIAS);
        }
        BigDecimal scale = new BigDecimal(options.scoreScale());
        BigDecimal[][] scores = new BigDecimal[inputs.length][inputs.length];
        for (int query = 0; query < inputs.length; query++) {
            for (int key = 0; key < inputs.length; key++) {
                scores[query][key] = scale.multiply(inner(queries[query], keys[key]));
            }
        }
        return new LimitAttention(
                architecture.vocabularySize(),
                period,
                rounded(scores),
                biases(head, options.scoreBiasSpan()),
                rounded(values),
                bits);
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

    /** E + P of every class. */
    private BigDecimal[][] inputs() {
        BigDecimal[][] embeddings = matrix(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
        boolean periodic = architecture.positions().kind() == PositionOptions.Kind.PERIODIC;
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

    /** phi of the distances 0 ... tau; one 0 where there is none. */
    private double[] biases(int head, int span) {
        double[] result = new double[Math.max(1, span)];
        for (int distance = 0; distance < span; distance++) {
            result[distance] = matrix(ParameterRole.SCORE_BIAS, 0)[head][distance].doubleValue();
        }
        return result;
    }

    /** x W + b with the rows of W from {@code from} on, without b where the architecture has none. */
    private BigDecimal[][] map(BigDecimal[][] x, int from, ParameterRole weights, ParameterRole bias) {
        BigDecimal[][] w = matrix(weights, 0);
        BigDecimal[][] y = new BigDecimal[x.length][w[0].length];
        for (int row = 0; row < x.length; row++) {
            for (int column = 0; column < w[0].length; column++) {
                BigDecimal sum = architecture.attention().biases() ? matrix(bias, 0)[0][column] : BigDecimal.ZERO;
                for (int k = 0; k < x[row].length; k++) {
                    sum = sum.add(x[row][k].multiply(w[from + k][column]));
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

    private BigDecimal[][] ofHead(BigDecimal[][] rows, int from) {
        int to = from + architecture.attention().headWidth();
        return Arrays.stream(rows).map(row -> Arrays.copyOfRange(row, from, to)).toArray(BigDecimal[][]::new);
    }

    private static double[][] rounded(BigDecimal[][] rows) {
        return Arrays.stream(rows)
                .map(row ->
                        Arrays.stream(row).mapToDouble(BigDecimal::doubleValue).toArray())
                .toArray(double[][]::new);
    }

    private static BigDecimal inner(BigDecimal[] a, BigDecimal[] b) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = 0; k < a.length; k++) {
            sum = sum.add(a[k].multiply(b[k]));
        }
        return sum;
    }
}
