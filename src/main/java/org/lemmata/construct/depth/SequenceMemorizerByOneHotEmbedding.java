package org.lemmata.construct.depth;

import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * One-head memorizer of one training sequence s of n tokens. After r tokens of s, the logits are (v gamma / r) times
 * the one-hot vector of s_{r+1}.
 *
 * <p>One head of width t with uniform attention, E = I, value matrix v I and the position embedding of Eq. 6. With v
 * gamma &gt; n ln(nt) each prefix of s is completed to s with probability at least 1 - nt exp(-v gamma / n). After
 * another sequence z the logits are (v / r) (c_r(z) - c_r(s) + gamma delta_{s_{r+1}}), where c_r counts the first r
 * tokens. If c_r(z) differs from c_r(s), greedy decoding chooses a token that is too rare in z if gamma is in (-1, 0),
 * and a token that is too frequent in z if gamma is in (0, 1).
 *
 * <p>Source: Richard (2024), lemma 5.1 and Eq. 6; the third telescoping line of its proof should end in delta_{s_4}.
 */
public final class SequenceMemorizerByOneHotEmbedding extends SequenceMemorizerByProjection {

    public static final Source SOURCE = new Source(Paper.DEPTH, "lemma 5.1");

    /**
     * @param vocabulary t tokens
     * @param word the training sequence s, n tokens, at least 2
     * @param gamma not 0
     * @param v such that v gamma &gt; n ln(nt)
     */
    public SequenceMemorizerByOneHotEmbedding(Vocabulary vocabulary, int[] word, double gamma, double v) {
        super(SOURCE, vocabulary, oneHot(vocabulary.size()), word, gamma, v, 1);
        double minimum = word.length * Math.log((double) word.length * vocabulary.size());
        if (!(v * gamma > minimum)) {
            throw new IllegalArgumentException("v: expected v * gamma above n ln(nt) = " + minimum
                    + " (lemma 5.1), got v = " + v + " with gamma = " + gamma);
        }
    }

    /** Copies of this construction with larger magnitudes of v: all integers above |v| and up to 2|v|. */
    @Override
    public Stream<Variation> variations() {
        return DoubleStream.iterate(Math.floor(Math.abs(v)) + 1, size -> size <= 2 * Math.abs(v), size -> size + 1)
                .map(size -> Math.copySign(size, v))
                .mapToObj(other -> new Variation(
                        "v", other, new SequenceMemorizerByOneHotEmbedding(vocabulary(), word, gamma, other)));
    }

    /** The construction with the integer v of smallest magnitude for which nt exp(-v gamma / n) is at most 1/1000. */
    public SequenceMemorizerByOneHotEmbedding(Vocabulary vocabulary, int[] word, double gamma) {
        this(vocabulary, word, gamma, valueWeight(vocabulary, word, gamma, DEFAULT_FAILURE));
    }

    /**
     * The integer v of smallest magnitude with nt exp(-v gamma / n) at most {@code failure}.
     *
     * @param failure within (0, 1]
     */
    public static double valueWeight(Vocabulary vocabulary, int[] word, double gamma, double failure) {
        return valueWeight(vocabulary, word, gamma, 1, failure);
    }

    private static double[][] oneHot(int tokens) {
        double[][] identity = new double[tokens][tokens];
        for (int token = 0; token < tokens; token++) {
            identity[token][token] = 1;
        }
        return identity;
    }
}
