package org.lemmata.task.hierarchy;

import java.math.BigInteger;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.task.depth.DyckWords;

/** Draws words of one length exactly uniformly: every word has probability 1 / {@link #count()}. */
public sealed interface UniformWords {

    BigInteger count();

    int[] sample(RandomGenerator random);

    /**
     * The words of Dyck_k with {@code pairs} pairs and a depth in a range.
     *
     * @param minDepth from 1 to {@code maxDepth}
     * @param maxDepth at most {@code pairs}
     */
    static UniformWords dyck(BracketTokens tokens, int pairs, int minDepth, int maxDepth) {
        return new Dyck(tokens, new DyckWords(pairs, minDepth, maxDepth));
    }

    /** The words of Shuffle-Dyck_k with {@code pairs} pairs, from 1 to {@value Shuffle#MAX_PAIRS}. */
    static UniformWords shuffleDyck(BracketTokens tokens, int pairs) {
        Refuse.outside("pairs", pairs, 1, Shuffle.MAX_PAIRS);
        return new Shuffle(tokens, pairs);
    }

    /**
     * Each word of one bracket type is the shape of k^N words, so a uniform shape with uniform types gives a uniform
     * word.
     *
     * @param tokens the brackets
     * @param shapes the words of one type
     */
    record Dyck(BracketTokens tokens, DyckWords shapes) implements UniformWords {

        @Override
        public BigInteger count() {
            return shapes.count().multiply(BigInteger.valueOf(tokens.types()).pow(shapes.defaultLength() / 2));
        }

        @Override
        public int[] sample(RandomGenerator random) {
            int[] word = shapes.sampleIds(random);
            int[] open = new int[word.length / 2];
            int height = 0;
            for (int i = 0; i < word.length; i++) {
                if (word[i] == DyckWords.OPEN) {
                    open[height] = random.nextInt(tokens.types());
                    word[i] = tokens.open(open[height++]);
                } else {
                    word[i] = tokens.close(open[--height]);
                }
            }
            return word;
        }
    }

    /**
     * Words of Shuffle-Dyck_k, counted by W_k(N) = sum over j of binomial(2N, 2j) Cat(j) W_(k-1)(N - j): the last type
     * has j pairs at any 2j of the 2N places, and its brackets form a word.
     *
     * <p>First, j is drawn with probability proportional to its term. Then the 2j places and the word at these places
     * are drawn. The other types get the remaining places.
     */
    final class Shuffle implements UniformWords {

        /** The maximum N; the counts for k types are sums of about k N^2 / 2 terms. */
        static final int MAX_PAIRS = 1 << 10;

        private final BracketTokens tokens;
        private final int pairs;
        private final BigInteger[] catalan;
        /** Row t has W_(t+1)(N) for N = 0, 1, ... */
        private final BigInteger[][] words;

        private Shuffle(BracketTokens tokens, int pairs) {
            this.tokens = tokens;
            this.pairs = pairs;
            this.catalan = new BigInteger[pairs + 1];
            catalan[0] = BigInteger.ONE;
            for (int n = 1; n <= pairs; n++) {
                catalan[n] =
                        catalan[n - 1].multiply(BigInteger.valueOf(4L * n - 2)).divide(BigInteger.valueOf(n + 1L));
            }
            this.words = new BigInteger[tokens.types()][pairs + 1];
            words[0] = catalan;
            for (int type = 1; type < tokens.types(); type++) {
                for (int n = 0; n <= pairs; n++) {
                    words[type][n] = BigInteger.ZERO;
                    BigInteger places = BigInteger.ONE;
                    for (int j = 0; j <= n; j++) {
                        words[type][n] = words[type][n].add(ways(type, n, j, places));
                        places = nextPlaces(places, n, j);
                    }
                }
            }
        }

        private BigInteger ways(int type, int n, int j, BigInteger places) {
            return places.multiply(catalan[j]).multiply(words[type - 1][n - j]);
        }

        private static BigInteger nextPlaces(BigInteger places, int n, int j) {
            return places.multiply(BigInteger.valueOf((2L * n - 2L * j) * (2L * n - 2L * j - 1)))
                    .divide(BigInteger.valueOf((2L * j + 1) * (2L * j + 2)));
        }

        @Override
        public BigInteger count() {
            return words[tokens.types() - 1][pairs];
        }

        @Override
        public int[] sample(RandomGenerator random) {
            int[] free = IntStream.range(0, 2 * pairs).toArray();
            int[] word = new int[2 * pairs];
            int left = pairs;
            for (int type = tokens.types() - 1; type >= 0; type--) {
                int own = type == 0 ? left : drawPairs(type, left, random);
                int[] places = take(free, 2 * left, 2 * own, random);
                int[] shape = own == 0 ? new int[0] : new DyckWords(own).sampleIds(random);
                for (int i = 0; i < shape.length; i++) {
                    word[places[i]] = shape[i] == DyckWords.OPEN ? tokens.open(type) : tokens.close(type);
                }
                left -= own;
            }
            return word;
        }

        private int drawPairs(int type, int n, RandomGenerator random) {
            Random bits = Random.from(random);
            BigInteger rank;
            do {
                rank = new BigInteger(words[type][n].bitLength(), bits);
            } while (rank.compareTo(words[type][n]) >= 0);
            BigInteger places = BigInteger.ONE;
            int j = 0;
            for (BigInteger ways = ways(type, n, 0, places);
                    rank.compareTo(ways) >= 0;
                    ways = ways(type, n, j, places)) {
                rank = rank.subtract(ways);
                places = nextPlaces(places, n, j);
                j++;
            }
            return j;
        }

        /**
         * Removes a uniform subset from the first {@code places} elements of {@code free}; both the subset and the rest
         * remain in ascending order.
         */
        private static int[] take(int[] free, int places, int wanted, RandomGenerator random) {
            int[] taken = new int[wanted];
            int count = 0;
            int kept = 0;
            for (int i = 0; i < places; i++) {
                if (random.nextInt(places - i) < wanted - count) {
                    taken[count++] = free[i];
                } else {
                    free[kept++] = free[i];
                }
            }
            return taken;
        }
    }
}
