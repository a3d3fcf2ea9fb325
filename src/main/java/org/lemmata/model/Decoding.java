package org.lemmata.model;

import java.util.random.RandomGenerator;

/** How the next token is taken from its logits. */
public sealed interface Decoding {

    /** The token taken from the {@code count} logits that start at {@code offset}; which one is left open if one is NaN. */
    int next(double[] logits, int offset, int count);

    /** The token of the greatest logit; of several, the one of the least id. */
    record Greedy() implements Decoding {
        @Override
        public int next(double[] logits, int offset, int count) {
            int best = 0;
            for (int token = 1; token < count; token++) {
                if (logits[offset + token] > logits[offset + best]) {
                    best = token;
                }
            }
            return best;
        }
    }

    /** A token drawn with probability exp(logit) / sum exp(logit). */
    record Sampling(RandomGenerator random) implements Decoding {
        @Override
        public int next(double[] logits, int offset, int count) {
            double max = Double.NEGATIVE_INFINITY;
            for (int token = 0; token < count; token++) {
                max = Math.max(max, logits[offset + token]);
            }
            double total = 0;
            for (int token = 0; token < count; token++) {
                total += Math.exp(logits[offset + token] - max);
            }
            double left = random.nextDouble() * total;
            for (int token = 0; token < count - 1; token++) {
                left -= Math.exp(logits[offset + token] - max);
                if (left < 0) {
                    return token;
                }
            }
            return count - 1;
        }
    }
}
