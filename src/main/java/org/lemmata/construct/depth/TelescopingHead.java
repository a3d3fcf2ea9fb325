package org.lemmata.construct.depth;

import java.util.Arrays;
import org.lemmata.construct.Construction.Demand;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Significand;
import org.lemmata.token.Vocabulary;

/**
 * logits after r tokens of z = (v / r) (sum_{i &lt;= r} (E_{z_i} - E_{s_i}) + gamma E_{s_{r+1}}) Eᵀ, for any embedding
 * E.
 *
 * <p>One head with uniform attention and value matrix v I, on the positions B_1 = -E_{s_1} + gamma E_{s_2}, B_i =
 * -E_{s_i} + gamma (E_{s_{i+1}} - E_{s_i}) of a sequence s of n tokens, whose sums telescope. After a prefix of s the
 * logits are (v gamma / r) E_{s_{r+1}} Eᵀ. E_{s_{n+1}}, which only B_n contains, is 0, and never used in generating up
 * to n tokens.
 *
 * <p>Source: Richard (2024), Eq. 4 and 8.
 */
final class TelescopingHead {

    private final Vocabulary vocabulary;
    private final double[][] embedding;
    private final int[] word;
    private final double gamma;
    private final double v;

    /**
     * @param embedding E, a row a token
     * @param word s, at least 2 tokens
     * @param gamma not 0
     * @param v of gamma's sign
     */
    TelescopingHead(Vocabulary vocabulary, double[][] embedding, int[] word, double gamma, double v) {
        checkWord(vocabulary, word);
        checkGamma(gamma);
        if (embedding.length != vocabulary.size() || embedding[0].length == 0) {
            throw new IllegalArgumentException("E: expected a row of at least 1 column for each of " + vocabulary.size()
                    + " tokens, got " + embedding.length + " rows");
        }
        for (double[] row : embedding) {
            if (row.length != embedding[0].length || !Arrays.stream(row).allMatch(Double::isFinite)) {
                throw new IllegalArgumentException("E: expected rows of " + embedding[0].length
                        + " finite numbers, got one of " + row.length + ": " + Arrays.toString(row));
            }
        }
        if (!Double.isFinite(v) || !(v * gamma > 0)) {
            throw new IllegalArgumentException(
                    "v: expected a finite number with v * gamma above 0, got v = " + v + " with gamma = " + gamma);
        }
        this.vocabulary = vocabulary;
        this.embedding = Arrays.stream(embedding).map(double[]::clone).toArray(double[][]::new);
        this.word = word.clone();
        this.gamma = gamma;
        this.v = v;
    }

    static void checkWord(Vocabulary vocabulary, int[] word) {
        if (word.length < 2) {
            throw new IllegalArgumentException("sequence: expected at least 2 tokens, got " + word.length);
        }
        for (int token : word) {
            if (token < 0 || token >= vocabulary.size()) {
                throw new IllegalArgumentException(
                        "sequence: expected tokens from 0 to " + (vocabulary.size() - 1) + ", got " + token);
            }
        }
    }

    static void checkGamma(double gamma) {
        if (!Double.isFinite(gamma) || gamma == 0) {
            throw new IllegalArgumentException("gamma: expected a finite number other than 0, got " + gamma);
        }
    }

    /**
     * The smallest integer v with n t exp(-(v gamma / n) gap) &lt;= failure.
     *
     * @param tokens t
     */
    static double valueWeight(int length, int tokens, double gamma, double gap, double failure) {
        double minimum = length * Math.log((double) length * tokens / failure) / gap;
        return Math.signum(gamma) * (Math.floor(minimum / Math.abs(gamma)) + 1);
    }

    /** n t exp(-(v gamma / n) gap). */
    double failureBound(double gap) {
        return (double) word.length * vocabulary.size() * Math.exp(-v * gamma / word.length * gap);
    }

    Vocabulary vocabulary() {
        return vocabulary;
    }

    int[] word() {
        return word.clone();
    }

    double gamma() {
        return gamma;
    }

    double v() {
        return v;
    }

    ExactParameters build() {
        int width = embedding[0].length;
        Architecture architecture = Architecture.uniformHead(vocabulary.size(), word.length, width, true);
        var parameters = new ExactParameters(architecture);
        double[] values = parameters.values();
        int tokens = architecture
                .view(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER)
                .offset();
        for (int token = 0; token < embedding.length; token++) {
            System.arraycopy(embedding[token], 0, values, tokens + token * width, width);
        }
        int positions = architecture
                .view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER)
                .offset();
        for (int i = 0; i < word.length; i++) {
            System.arraycopy(position(i), 0, values, positions + i * width, width);
        }
        int value = architecture.view(ParameterRole.VALUE, 0).offset();
        for (int column = 0; column < width; column++) {
            values[value + column * (width + 1)] = v;
        }
        return parameters;
    }

    /** B_{i + 1}. */
    private double[] position(int i) {
        double[] position = new double[embedding[0].length];
        for (int column = 0; column < position.length; column++) {
            double next = i + 1 < word.length ? embedding[word[i + 1]][column] : 0;
            // The first position has no (1 + gamma): there is no gamma E_{s_1} to cancel.
            double own = (i == 0 ? 1 : 1 + gamma) * embedding[word[i]][column];
            position[column] = gamma * next - own;
        }
        return position;
    }

    /**
     * Enough for the weights, and for rounding errors to stay below what tells s_{r+1} from the next best token after
     * every prefix of s; binary64 where {@code gap} is not above 0, since then nothing does.
     *
     * <p>With unit roundoff u, |x_i| &lt;= X and |E_j| &lt;= R, the mean of r values is off by 4 u |v| X at most (x_i,
     * v x_i and the mean), and by u |v gamma| R for the partial sums, which telescope; a product with E_j adds (d + 2)
     * u |v gamma| R / r. Twice that has to stay below |v gamma| gap / r for every r up to n.
     */
    Demand demand(double gap) {
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
            return new Demand(binary64, binary64, minimum, maximum);
        }
        double ofMeans = word.length * (4 * summand + Math.abs(gamma) * norm) * norm;
        double ofProducts = (embedding[0].length + 2) * Math.abs(gamma) * norm * norm;
        int deciding = Math.getExponent(2 * (ofMeans + ofProducts) / (Math.abs(gamma) * gap)) + 1;
        return new Demand(Math.max(bits, deciding), deciding, minimum, maximum);
    }

    private static int bits(double[] row) {
        return Arrays.stream(row).mapToInt(Significand::bitsOf).max().orElse(0);
    }

    private static double minMagnitude(double[] row) {
        return Arrays.stream(row).map(Math::abs).filter(x -> x > 0).min().orElse(1);
    }
}
