package org.lemmata.construct.depth;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Significand;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * One-head memorizer of one training sequence s of n tokens, with an embedding E of t tokens into d columns. After r
 * tokens of s, the logits are (v gamma / r) E_{s_{r+1}} Eᵀ.
 *
 * <p>One head of width d with uniform attention, value matrix v I and the position embedding of Eq. 4. Each prefix of s
 * is completed to s with probability at least 1 - nt exp(-(v gamma / n) gap), gap = min_i (|E_i|² - max_{j != i} E_i
 * E_jᵀ), because the logit of s_{r+1} exceeds every other logit by at least (v gamma / r) gap. {@link RandomProjection}
 * gives an E with gap at least 1 - 2 epsilon in 4 ln(t + 1) / (epsilon²/2 - epsilon³/3) columns.
 *
 * <p>The paper prints 1 - nt exp(-v gamma / n + 2 epsilon), with epsilon outside the product with v gamma / n. Its
 * proof bounds the error of E Eᵀ and uses the same bound for the logits, which are v gamma / r times as large. An E
 * drawn as in the proof can miss the printed bound, but some E satisfies it, because logits grow with |E|².
 *
 * <p>Source: Richard (2024), theorem 3.1 and Eq. 4, 7 and 8.
 */
public sealed class SequenceMemorizerByProjection extends TelescopingHead permits SequenceMemorizerByOneHotEmbedding {

    public static final Source SOURCE = new Source(Paper.DEPTH, "theorem 3.1");

    static final double DEFAULT_FAILURE = 1e-3;

    private final double gap;

    /**
     * @param vocabulary t tokens, at least 2
     * @param embedding E, one row per token
     * @param word the training sequence s, n tokens, at least 2
     * @param gamma not 0
     * @param v a number with the sign of gamma
     */
    public SequenceMemorizerByProjection(
            Vocabulary vocabulary, double[][] embedding, int[] word, double gamma, double v) {
        super(SOURCE, vocabulary, embedding, word, gamma, v);
        gap = RandomProjection.gap(embedding);
    }

    /** @param gap min_i (|E_i|² - max_{j != i} E_i E_jᵀ) */
    SequenceMemorizerByProjection(
            Source source,
            Vocabulary vocabulary,
            double[][] embedding,
            int[] word,
            double gamma,
            double v,
            double gap) {
        super(source, vocabulary, embedding, word, gamma, v);
        this.gap = gap;
    }

    /**
     * The construction with the integer v of smallest magnitude for which nt exp(-(v gamma / n) gap) is at most 1/1000.
     *
     * @param embedding E, one row per token, with a gap above 0
     */
    public SequenceMemorizerByProjection(Vocabulary vocabulary, double[][] embedding, int[] word, double gamma) {
        this(
                vocabulary,
                embedding,
                word,
                gamma,
                valueWeight(vocabulary, word, gamma, checkedGap(embedding), DEFAULT_FAILURE));
    }

    private static double checkedGap(double[][] embedding) {
        double gap = RandomProjection.gap(embedding);
        Refuse.when(!(gap > 0), "E", "one with |E_i|² above every E_i E_jᵀ", "a minimum difference of " + gap);
        return gap;
    }

    /** The integer v of smallest magnitude with n t exp(-(v gamma / n) gap) &lt;= failure, for failure in (0, 1]. */
    static double valueWeight(Vocabulary vocabulary, int[] word, double gamma, double gap, double failure) {
        checkWord(vocabulary, word);
        checkGamma(gamma);
        double minimum = word.length * Math.log((double) word.length * vocabulary.size() / failure) / gap;
        double size = Math.floor(minimum / Math.abs(gamma)) + 1;
        Refuse.when(!Double.isFinite(size), "gamma", "one with a finite v", gamma);
        return Math.signum(gamma) * size;
    }

    /** min_i (|E_i|² - max_{j != i} E_i E_jᵀ). */
    public final double gap() {
        return gap;
    }

    /** n t exp(-(v gamma / n) gap), a bound of the probability that a prefix of s is not completed to s. */
    public final double failureBound() {
        return (double) word.length * vocabulary().size() * Math.exp(-v * gamma / word.length * gap);
    }

    /**
     * Enough bits to represent the weights and to keep rounding errors below the logit difference between s_{r+1} and
     * the next best token after every prefix of s; binary64 if the gap is not above 0, because no number of bits then
     * suffices.
     *
     * <p>With unit roundoff u, |x_i| &lt;= X for x_i = E_{s_i} + B_i, and |E_j| &lt;= R, the mean of r values has an
     * error of at most 4 u |v| X (from x_i, v x_i and the mean) plus u |v gamma| R for the partial sums, which
     * telescope. A product with E_j multiplies it by R and adds (d + 2) u |v gamma| R² / r. Twice the total must be
     * less than |v gamma| gap / r for every r up to n.
     */
    @Override
    public final Demand demand() {
        double[][] positions =
                IntStream.range(0, word.length).mapToObj(this::position).toArray(double[][]::new);
        int bits = Math.max(Significand.bitsOf(v), Math.max(bits(embedding), bits(positions)));
        double minimum = Math.min(Math.min(1, Math.abs(v)), Math.min(minMagnitude(embedding), minMagnitude(positions)));
        double norm = maxNorm(embedding);
        double summand = norm + maxNorm(positions);
        double maximum = Math.max(Math.max(1, Math.abs(v)), Math.abs(v) * word.length * summand * Math.max(1, norm));
        int binary64 = FloatFormat.BINARY64.significandBits();
        if (!(gap > 0)) {
            return new Demand(binary64, binary64, minimum, maximum, "logits, of tokens that nothing tells apart");
        }
        double ofMeans = word.length * (4 * summand + Math.abs(gamma) * norm) * norm;
        double ofProducts = (embedding[0].length + 2) * Math.abs(gamma) * norm * norm;
        int deciding = Math.getExponent(2 * (ofMeans + ofProducts) / (Math.abs(gamma) * gap)) + 1;
        String decided = "logits, of " + word.length + " tokens of " + embedding.length;
        return new Demand(
                Math.max(bits, deciding),
                deciding,
                minimum,
                maximum,
                deciding >= bits
                        ? decided
                        : bits > Significand.bitsOf(v) ? "tokens and positions, gamma = " + gamma : "v = " + v,
                decided);
    }

    private static double maxNorm(double[][] rows) {
        return Arrays.stream(rows)
                .mapToDouble(row -> Math.sqrt(Arrays.stream(row).map(x -> x * x).sum()))
                .max()
                .orElseThrow();
    }

    private static int bits(double[][] rows) {
        return Arrays.stream(rows)
                .flatMapToDouble(Arrays::stream)
                .mapToInt(Significand::bitsOf)
                .max()
                .orElseThrow();
    }

    private static double minMagnitude(double[][] rows) {
        return Arrays.stream(rows)
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .filter(x -> x > 0)
                .min()
                .orElse(1);
    }
}
