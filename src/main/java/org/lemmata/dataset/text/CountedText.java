package org.lemmata.dataset.text;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import org.lemmata.token.Example;

/**
 * The unigram and the bigram model of a training split: the baselines that a trained model has to beat.
 *
 * <p>The split has N tokens; token w occurs c(w) times; the vocabulary has V tokens. The unigram model adds one to each
 * count: p(w) = (c(w) + 1) / (N + V). The bigram model interpolates with the unigram model by Witten and Bell's method:
 * p(w | v) = (c(v, w) + T(v) p(w)) / (c(v) + T(v)), where c(v) counts the tokens that follow v, and T(v) the distinct
 * ones. If v never occurs, p(w | v) = p(w).
 *
 * <p>Source: Witten and Bell (1991), The zero-frequency problem, IEEE Transactions on Information Theory 37(4), method
 * C.
 */
public final class CountedText {

    /** The maximum number of tokens that are counted; it limits the memory for pairs. */
    private static final long MOST = 1L << 27;

    private final long total;
    private final int size;
    private final int[] counts;
    private final int[] before;
    private final int[] followers;
    private final Long2IntOpenHashMap pairs = new Long2IntOpenHashMap();

    /**
     * Counts at most 2^27 tokens of a split, from its start.
     *
     * @param size the number of tokens of the vocabulary
     */
    public CountedText(TokenFile train, int size) {
        this.size = size;
        counts = new int[size];
        before = new int[size];
        followers = new int[size];
        total = Math.min(MOST, train.size());
        int previous = -1;
        for (long i = 0; i < total; i++) {
            int token = train.token(i);
            counts[token]++;
            if (previous >= 0) {
                before[previous]++;
                followers[previous] += pairs.addTo(pair(previous, token), 1) == 0 ? 1 : 0;
            }
            previous = token;
        }
    }

    private long pair(int previous, int token) {
        return (long) previous * size + token;
    }

    double unigram(int token) {
        return (counts[token] + 1.0) / (total + size);
    }

    /** p(w | v); p(w) if v never precedes a token or is not in the vocabulary. */
    double bigram(int previous, int token) {
        if (previous >= size || before[previous] == 0) {
            return unigram(token);
        }
        double types = followers[previous];
        return (pairs.get(pair(previous, token)) + types * unigram(token)) / (before[previous] + types);
    }

    /** The sum of -log p(w) over the scored positions, in nats. */
    public double unigramLoss(Example example) {
        return loss(example, (previous, token) -> unigram(token));
    }

    /** The sum of -log p(w | v) over the scored positions, in nats; v is the token at the position. */
    public double bigramLoss(Example example) {
        return loss(example, this::bigram);
    }

    @FunctionalInterface
    private interface Probability {
        double of(int previous, int token);
    }

    private static double loss(Example example, Probability probability) {
        int[] inputs = example.inputs();
        int[] targets = example.targets();
        int[] positions = example.scoredPositions();
        double sum = 0;
        for (int i = 0; i < targets.length; i++) {
            sum -= Math.log(probability.of(inputs[positions[i]], targets[i]));
        }
        return sum;
    }
}
