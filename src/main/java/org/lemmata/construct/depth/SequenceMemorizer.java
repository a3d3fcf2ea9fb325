package org.lemmata.construct.depth;

import java.util.Arrays;
import org.lemmata.argument.Refuse;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Significand;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/** A head that completes each prefix of one training sequence s; s has n tokens from a vocabulary of t tokens. */
abstract sealed class SequenceMemorizer extends TelescopingHead
        permits SequenceMemorizerByOneHotEmbedding, SequenceMemorizerByProjection {

    static final double DEFAULT_FAILURE = 1e-3;

    SequenceMemorizer(Source source, Vocabulary vocabulary, double[][] embedding, int[] word, double gamma, double v) {
        super(source, vocabulary, embedding, word, gamma, v);
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
    public abstract double gap();

    /** n t exp(-(v gamma / n) gap), a bound of the probability that a prefix of s is not completed to s. */
    public final double failureBound() {
        return (double) word.length * vocabulary().size() * Math.exp(-v * gamma / word.length * gap());
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
        double gap = gap();
        int bits = Significand.bitsOf(v);
        double maximum = Math.max(1, Math.abs(v));
        double minimum = Math.min(1, Math.abs(v));
        double norm = 0;
        for (double[] row : embedding) {
            norm = Math.max(norm, Math.sqrt(Arrays.stream(row).map(x -> x * x).sum()));
            bits = Math.max(bits, bits(row));
            minimum = Math.min(minimum, minMagnitude(row));
        }
        double summand = 0;
        for (int i = 0; i < word.length; i++) {
            double[] position = position(i);
            bits = Math.max(bits, bits(position));
            minimum = Math.min(minimum, minMagnitude(position));
            summand = Math.max(
                    summand,
                    norm + Math.sqrt(Arrays.stream(position).map(x -> x * x).sum()));
        }
        maximum = Math.max(maximum, Math.abs(v) * word.length * summand * Math.max(1, norm));
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

    private static int bits(double[] row) {
        return Arrays.stream(row).mapToInt(Significand::bitsOf).max().orElse(0);
    }

    private static double minMagnitude(double[] row) {
        return Arrays.stream(row).map(Math::abs).filter(x -> x > 0).min().orElse(1);
    }
}
