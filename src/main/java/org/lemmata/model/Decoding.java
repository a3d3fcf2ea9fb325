package org.lemmata.model;

import it.unimi.dsi.fastutil.doubles.DoubleHeapPriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/** The rule that chooses the next token of a sequence from logits. */
public sealed interface Decoding {

    /** Chooses a token from the {@code count} logits at {@code offset}. The choice is unspecified if a logit is NaN. */
    int next(double[] logits, int offset, int count);

    /** The decoding for one more sequence. The k-th split does not depend on what other splits draw. */
    Decoding split();

    /** Chooses the token with the largest logit. In a tie, the smallest id wins. */
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

        @Override
        public Decoding split() {
            return this;
        }
    }

    /**
     * Draws a token with probability exp(logit / temperature) / sum exp(logit / temperature) among the {@code topK}
     * largest logits. If equal logits compete for the last place, the smallest id wins.
     *
     * @param random gives one number per token or split
     * @param temperature above 0 and finite; values near 0 are nearly greedy
     * @param topK at least 1; {@link #ALL} for all tokens
     */
    record Sampling(RandomGenerator random, double temperature, int topK) implements Decoding {

        public static final int ALL = Integer.MAX_VALUE;

        public Sampling {
            if (!(temperature > 0 && temperature < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("temperature: expected a finite number above 0, got " + temperature);
            }
            Refuse.below("topK", topK, 1);
        }

        public Sampling(RandomGenerator random) {
            this(random, 1, ALL);
        }

        @Override
        public Decoding split() {
            return new Sampling(new SplittableRandom(random.nextLong()), temperature, topK);
        }

        @Override
        public int next(double[] logits, int offset, int count) {
            double minimum = topK < count ? atPlace(topK, logits, offset, count) : Double.NEGATIVE_INFINITY;
            int ties = topK < count ? topK - above(logits, offset, count, minimum) : count;
            double max = Double.NEGATIVE_INFINITY;
            for (int token = 0; token < count; token++) {
                max = Math.max(max, logits[offset + token]);
            }
            double[] weights = new double[count];
            double total = 0;
            for (int token = 0; token < count; token++) {
                double logit = logits[offset + token];
                if (logit > minimum || (logit == minimum && ties-- > 0)) {
                    // Logits equal to the maximum have weight 1, even if they are infinite.
                    weights[token] = logit == max ? 1 : Math.exp((logit - max) / temperature);
                    total += weights[token];
                }
            }
            double left = random.nextDouble() * total;
            int last = 0;
            for (int token = 0; token < count; token++) {
                if (weights[token] > 0) {
                    last = token;
                    left -= weights[token];
                    if (left < 0) {
                        return token;
                    }
                }
            }
            // Rounding may leave a remainder that is not negative; then the last token with a positive weight is
            // chosen.
            return last;
        }

        /** The logit of rank {@code place}; the maximum has rank 1. */
        private static double atPlace(int place, double[] logits, int offset, int count) {
            var largest = new DoubleHeapPriorityQueue(place);
            for (int token = 0; token < count; token++) {
                if (largest.size() < place) {
                    largest.enqueue(logits[offset + token]);
                } else if (logits[offset + token] > largest.firstDouble()) {
                    largest.dequeueDouble();
                    largest.enqueue(logits[offset + token]);
                }
            }
            return largest.firstDouble();
        }

        private static int above(double[] logits, int offset, int count, double limit) {
            int above = 0;
            for (int token = 0; token < count; token++) {
                above += logits[offset + token] > limit ? 1 : 0;
            }
            return above;
        }
    }
}
