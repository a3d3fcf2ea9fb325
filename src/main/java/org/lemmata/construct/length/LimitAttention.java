package org.lemmata.construct.length;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
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
 * o(x) = sum_j w_j v_j: the output of one head of a one-layer limit transformer at the last position n - 1 of a
 * sequence x of n tokens, in binary64.
 *
 * <p>Let c_j = (x_j, j mod Delta) be the class of position j = 0, 1, ..., n - 1, and c = c_{n-1}:
 *
 * <pre>
 * a_j = A[c, c_j] + phi(n - 1 - j),   phi(d) = 0 for d &gt; tau       m = max_j a_j
 * u_j = exp(ln n (a_j - m)) if log2(n) (m - a_j) &lt; p, otherwise 0         w_j = u_j / sum_j u_j
 * </pre>
 *
 * <p>and v_j is the value of class c_j. The threshold is compared in the exponent, which is exact if n is a power of
 * two. The remaining weights are divided by their sum and not rounded to 0 again, because under uniform attention, all
 * weights 1/n would vanish if 1/n &lt;= 2^-p.
 *
 * <p>Positions count from 0 here, as in {@link org.lemmata.model.PositionOptions}; the paper counts from 1. Before the
 * last tau + 1 positions, only the number of positions of each class matters, so a sequence of any length may be given
 * as {@link PositionCounts}.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), sections 3.1 and 3.2.
 *
 * @param tokens the size of the vocabulary, at least 1
 * @param period Delta, at least 1
 * @param scores A, (tokens * period) x (tokens * period): row query class, column key class; a class is token * period
 *     + residue
 * @param biases phi of the distances 0 ... tau, at least one
 * @param values v, tokens * period rows
 * @param bits p, at least 1
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are copies, and never changed or compared.
public record LimitAttention(int tokens, int period, double[][] scores, double[] biases, double[][] values, int bits) {

    public LimitAttention {
        Refuse.below("tokens", tokens, 1);
        Refuse.below("period", period, 1);
        Refuse.below("biases", biases.length, 1);
        Refuse.below("bits", bits, 1);
        int classes = Math.multiplyExact(tokens, period);
        scores = matrix("scores", scores, classes, classes);
        biases = matrix("biases", new double[][] {biases}, 1, biases.length)[0];
        values = matrix("values", values, classes, values.length == 0 ? 0 : values[0].length);
    }

    /**
     * The head of a one-layer transformer with thresholded weights: its scores without the factor ln n, and its values
     * after W_O.
     *
     * <p>Scores are computed exactly from the weights and rounded once, so that equal scores are equal numbers. A score
     * is scale (E_z + P_j) W_K (W_Q)ᵀ (E_y + P_i)ᵀ; a bias of the output is added to every value, which is equivalent
     * because weights sum to 1.
     *
     * @throws IllegalArgumentException if the architecture has several heads or layers, identity terms, a norm, a
     *     position table, no causal mask, no scores or no factor ln n
     */
    public static LimitAttention of(ExactParameters parameters) {
        int heads = parameters.architecture().attention().heads();
        Refuse.when(heads != 1, "heads", "1", heads);
        return new LimitAttentionTables(parameters).attention();
    }

    private static double[][] matrix(String name, double[][] rows, int count, int columns) {
        if (rows.length != count || columns < 1) {
            throw new IllegalArgumentException(
                    name + ": expected " + count + " rows of at least 1 column, got " + rows.length + " of " + columns);
        }
        double[][] copy = new double[count][];
        for (int i = 0; i < count; i++) {
            if (rows[i].length != columns || !Arrays.stream(rows[i]).allMatch(Double::isFinite)) {
                throw new IllegalArgumentException(name + ": expected " + columns + " finite numbers in row " + i
                        + ", got " + Arrays.toString(rows[i]));
            }
            copy[i] = rows[i].clone();
        }
        return copy;
    }

    /** |Sigma| Delta. */
    public int classes() {
        return tokens * period;
    }

    /** tau: the maximum distance with its own bias. */
    public int locality() {
        return biases.length - 1;
    }

    /** Columns of values and outputs. */
    public int width() {
        return values[0].length;
    }

    /** The class of a token at a position counted from 0. */
    public int classOf(int token, long position) {
        return token * period + (int) (position % period);
    }

    /** A[query, key] + phi(distance). */
    public double logit(int queryClass, int keyClass, long distance) {
        double score = scores[queryClass][keyClass];
        return distance < biases.length ? score + biases[(int) distance] : score;
    }

    /** max over classes of |v|, a factor of L ({@link LimitNorm}). */
    public double valueNorm() {
        return Arrays.stream(values).mapToDouble(LimitAttention::norm).max().orElseThrow();
    }

    /** The rows of a parameter. */
    static double[][] rows(ExactParameters parameters, ParameterRole role, int layer) {
        ParameterView view = parameters.architecture().view(role, layer);
        double[][] rows = new double[view.rows()][];
        for (int row = 0; row < rows.length; row++) {
            int at = view.offset() + row * view.columns();
            rows[row] = Arrays.copyOfRange(parameters.values(), at, at + view.columns());
        }
        return rows;
    }

    static double norm(double[] x) {
        return Math.sqrt(Arrays.stream(x).map(element -> element * element).sum());
    }

    /** a_j for every position. */
    public double[] logits(int[] sequence) {
        int last = last(sequence);
        int query = classOf(sequence[last], last);
        return IntStream.rangeClosed(0, last)
                .mapToDouble(j -> logit(query, classOf(sequence[j], j), last - j))
                .toArray();
    }

    /** w_j for every position. */
    public double[] weights(int[] sequence) {
        return normalized(logits(sequence), null, sequence.length);
    }

    /** o(x). */
    public double[] output(int[] sequence) {
        return average(weights(sequence), sequence);
    }

    /** o(x) for every sequence with these counts. */
    public double[] output(PositionCounts x) {
        if (x.tokens() != tokens || x.period() != period || x.tailLength() < Math.min(biases.length, x.length())) {
            throw new IllegalArgumentException("counts: expected " + tokens + " tokens, period " + period
                    + " and a tail of at least " + biases.length + ", got " + x.tokens() + ", " + x.period() + " and "
                    + x.tailLength());
        }
        int classes = classes();
        int terms = classes + x.tailLength();
        int query = x.tailClass(x.tailLength() - 1);
        double[] logits = new double[terms];
        double[] multiplicities = new double[terms];
        int[] keys = new int[terms];
        for (int term = 0; term < terms; term++) {
            boolean head = term < classes;
            keys[term] = head ? term : x.tailClass(term - classes);
            multiplicities[term] = head ? x.count(term) : 1;
            logits[term] = logit(query, keys[term], head ? Long.MAX_VALUE : terms - 1 - term);
        }
        double[] weights = normalized(logits, multiplicities, x.length());
        double[] sum = new double[width()];
        for (int term = 0; term < terms; term++) {
            addInto(sum, weights[term], values[keys[term]]);
        }
        return sum;
    }

    /**
     * The weights of terms; term j represents {@code multiplicities[j]} positions, or one position if the array is
     * null.
     */
    private double[] normalized(double[] logits, double @Nullable [] multiplicities, long length) {
        double maximum = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < logits.length; j++) {
            if (multiplicities == null || multiplicities[j] > 0) {
                maximum = Math.max(maximum, logits[j]);
            }
        }
        double logLength = Math.log((double) length);
        double[] weights = new double[logits.length];
        double total = 0;
        for (int j = 0; j < logits.length; j++) {
            double multiplicity = multiplicities == null ? 1 : multiplicities[j];
            double gap = maximum - logits[j];
            if (multiplicity > 0 && !LogitMargin.vanishes(gap, length, bits)) {
                weights[j] = multiplicity * Math.exp(-logLength * gap);
                total += weights[j];
            }
        }
        for (int j = 0; j < weights.length; j++) {
            weights[j] /= total;
        }
        return weights;
    }

    private double[] average(double[] weights, int[] sequence) {
        double[] sum = new double[width()];
        for (int j = 0; j < sequence.length; j++) {
            if (weights[j] > 0) {
                addInto(sum, weights[j], values[classOf(sequence[j], j)]);
            }
        }
        return sum;
    }

    static void addInto(double[] sum, double factor, double[] x) {
        for (int column = 0; column < sum.length; column++) {
            sum[column] += factor * x[column];
        }
    }

    private int last(int[] sequence) {
        Objects.requireNonNull(sequence, "sequence");
        Refuse.when(sequence.length == 0, "sequence", "at least 1 token", "none");
        for (int token : sequence) {
            Refuse.outside("token", token, 0, tokens - 1);
        }
        return sequence.length - 1;
    }

    /**
     * Scores, biases and values of a head by class, from the weights of a one-layer transformer.
     *
     * <p>Sums and products are computed exactly by {@link BigDecimal}, and every entry is rounded once, so that equal
     * scores are equal numbers. The logit margin depends on this.
     */
    private static final class LimitAttentionTables {

        private final ExactParameters parameters;
        private final Architecture architecture;
        private final int period;

        LimitAttentionTables(ExactParameters parameters) {
            this.parameters = parameters;
            this.architecture = parameters.architecture();
            boolean periodic = architecture.positions().kind() == PositionOptions.Kind.PERIODIC;
            this.period = periodic ? architecture.positions().period() : 1;
        }

        LimitAttention attention() {
            check(architecture);
            AttentionOptions options = architecture.attention();
            BigDecimal[][] inputs = inputs();
            BigDecimal[][] queries = map(inputs, ParameterRole.QUERY, ParameterRole.QUERY_BIAS);
            BigDecimal[][] keys = map(inputs, ParameterRole.KEY, ParameterRole.KEY_BIAS);
            BigDecimal[][] values = map(inputs, ParameterRole.VALUE, ParameterRole.VALUE_BIAS);
            if (options.outputProjection()) {
                values = map(values, ParameterRole.OUTPUT, ParameterRole.OUTPUT_BIAS);
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
                    biases(options.scoreBiasSpan()),
                    rounded(values),
                    options.thresholdBits());
        }

        private static void check(Architecture architecture) {
            AttentionOptions options = architecture.attention();
            Refuse.when(architecture.layers() != 1, "layers", "1", architecture.layers());
            Refuse.when(
                    !options.hasScores() || options.logLength() == LogLength.NONE || options.mask() != Mask.CAUSAL,
                    "attention",
                    "causal scores times the logarithm of the length",
                    options.weighting() + ", " + options.mask() + ", logLength " + options.logLength());
            Refuse.when(
                    options.identities() || options.normalizeQueriesAndKeys(),
                    "attention",
                    "no identity terms and no normalized queries and keys",
                    "some");
            Placement placement = architecture.normalization().placement();
            Refuse.when(placement != Placement.NONE, "normalization", "NONE", placement);
            PositionOptions.Kind positions = architecture.positions().kind();
            Refuse.when(positions == PositionOptions.Kind.TABLE, "positions", "PERIODIC or NONE", positions);
        }

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

        /** phi of the distances 0 ... tau; a single 0 if the model has no biases. */
        private double[] biases(int span) {
            double[] result = new double[Math.max(1, span)];
            for (int distance = 0; distance < span; distance++) {
                result[distance] = matrix(ParameterRole.SCORE_BIAS, 0)[0][distance].doubleValue();
            }
            return result;
        }

        /** x W + b, without b if the architecture has no bias. */
        private BigDecimal[][] map(BigDecimal[][] x, ParameterRole weights, ParameterRole bias) {
            BigDecimal[][] w = matrix(weights, 0);
            BigDecimal[][] y = new BigDecimal[x.length][w[0].length];
            for (int row = 0; row < x.length; row++) {
                for (int column = 0; column < w[0].length; column++) {
                    BigDecimal sum = architecture.attention().biases() ? matrix(bias, 0)[0][column] : BigDecimal.ZERO;
                    for (int k = 0; k < x[row].length; k++) {
                        sum = sum.add(x[row][k].multiply(w[k][column]));
                    }
                    y[row][column] = sum;
                }
            }
            return y;
        }

        private BigDecimal[][] matrix(ParameterRole role, int layer) {
            return Arrays.stream(rows(parameters, role, layer))
                    .map(row -> Arrays.stream(row).mapToObj(BigDecimal::new).toArray(BigDecimal[]::new))
                    .toArray(BigDecimal[][]::new);
        }

        private static double[][] rounded(BigDecimal[][] rows) {
            return Arrays.stream(rows)
                    .map(row -> Arrays.stream(row)
                            .mapToDouble(BigDecimal::doubleValue)
                            .toArray())
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
}
