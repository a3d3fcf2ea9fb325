package org.lemmata.construct.depth;

import org.lemmata.argument.Refuse;
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
public final class SequenceMemorizerByProjection extends SequenceMemorizer {

    public static final Source SOURCE = new Source(Paper.DEPTH, "theorem 3.1");

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

    @Override
    public double gap() {
        return gap;
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
}
