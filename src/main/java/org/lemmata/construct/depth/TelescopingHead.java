package org.lemmata.construct.depth;

import java.util.Arrays;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterRole;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * A head whose positions cancel the tokens of a sequence s, for any embedding E. After r tokens of z, the logits are (v
 * / r) (sum_{i &lt;= r} (E_{z_i} - E_{s_i}) + gamma E_{s_{r+1}}) Eᵀ.
 *
 * <p>One head with uniform attention and value matrix v I, on the positions B_1 = -E_{s_1} + gamma E_{s_2}, B_i =
 * -E_{s_i} + gamma (E_{s_{i+1}} - E_{s_i}) of a sequence s of n tokens. The sums of these positions telescope. After a
 * prefix of s the logits are (v gamma / r) E_{s_{r+1}} Eᵀ. E_{s_{n+1}} is 0; only B_n contains it, and generating up to
 * n tokens never uses it.
 *
 * <p>Source: Richard (2024), Eq. 4 and 8.
 */
abstract sealed class TelescopingHead extends Construction
        permits DyckCompleterByPositionSums, SequenceMemorizerByProjection {

    final double[][] embedding;
    final int[] word;
    final double gamma;
    final double v;

    /**
     * @param embedding E, one row per token
     * @param word s, at least 2 tokens
     * @param gamma not 0
     * @param v a number with the sign of gamma
     */
    TelescopingHead(Source source, Vocabulary vocabulary, double[][] embedding, int[] word, double gamma, double v) {
        super(source, vocabulary);
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
        this.embedding = Arrays.stream(embedding).map(double[]::clone).toArray(double[][]::new);
        this.word = word.clone();
        this.gamma = gamma;
        this.v = v;
    }

    static void checkWord(Vocabulary vocabulary, int[] word) {
        Refuse.when(word.length < 2, "sequence", "at least 2 tokens", word.length);
        for (int token : word) {
            if (token < 0 || token >= vocabulary.size()) {
                throw new IllegalArgumentException(
                        "sequence: expected tokens from 0 to " + (vocabulary.size() - 1) + ", got " + token);
            }
        }
    }

    static void checkGamma(double gamma) {
        Refuse.when(!Double.isFinite(gamma) || gamma == 0, "gamma", "a finite number other than 0", gamma);
    }

    /** A copy of the training word or sequence s. */
    public final int[] word() {
        return word.clone();
    }

    public final double gamma() {
        return gamma;
    }

    public final double v() {
        return v;
    }

    @Override
    public final ExactParameters build() {
        var parameters = new ExactParameters(
                Architecture.uniformHead(vocabulary().size(), word.length, embedding[0].length, true));
        for (int token = 0; token < embedding.length; token++) {
            parameters.setRow(ParameterRole.TOKEN_EMBEDDING, token, embedding[token]);
        }
        for (int i = 0; i < word.length; i++) {
            parameters.setRow(ParameterRole.POSITION_EMBEDDING, i, position(i));
        }
        for (int column = 0; column < embedding[0].length; column++) {
            parameters.set(ParameterRole.VALUE, 0, column, column, v);
        }
        return parameters;
    }

    /** B_{i + 1}. */
    final double[] position(int i) {
        double[] position = new double[embedding[0].length];
        for (int column = 0; column < position.length; column++) {
            double next = i + 1 < word.length ? embedding[word[i + 1]][column] : 0;
            // At the first position, the factor is 1, not 1 + gamma, because there is no gamma E_{s_1} to cancel.
            double own = (i == 0 ? 1 : 1 + gamma) * embedding[word[i]][column];
            position[column] = gamma * next - own;
        }
        return position;
    }
}
