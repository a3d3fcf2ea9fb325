package org.lemmata.claim.depth;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Cases;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NearestModels;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.model.LanguageModel;

/** Richard (2024), lemma 5.1: a head with one-hot tokens completes every prefix of its training sequence to it. */
final class Lemma51 {

    private static final long SEED = 5_101;

    /** If a user's size has at most this many sequences, all are tested; otherwise a sample. */
    private static final int EVERY = 1024;

    /**
     * Sequences of {@code length} tokens from a vocabulary of {@code tokens}: {@code drawn} sequences, or all if
     * {@code drawn} is 0.
     */
    record Size(int tokens, int length, int drawn) {

        static Size of(int tokens, int length, int drawn) {
            return new Size(tokens, length, Math.pow(tokens, length) <= EVERY ? 0 : drawn);
        }

        /** A budget's size; or a user's size with all sequences, or with 8 sampled ones if there are too many. */
        private static Size of(Cases.Row row) {
            return row.values().size() < 3
                    ? of(row.integer(0), row.integer(1), 8)
                    : new Size(row.integer(0), row.integer(1), row.integer(2));
        }

        @Override
        public String toString() {
            return (drawn == 0 ? "every sequence" : drawn + " drawn sequences") + " with t = " + tokens + ", n = "
                    + length;
        }

        List<int[]> words(RandomGenerator random) {
            return drawn == 0 ? Sequences.every(tokens, length) : Sequences.draw(drawn, tokens, length, random);
        }
    }

    private static final Cases<Size> SIZES = Cases.of(
            "t, n",
            Size::of,
            "2,2,0; 2,5,0; 3,4,0; 5,12,8; 9,20,8; 27,64,4",
            "2,8,0; 4,5,0; 100,300,8",
            "3,7,0; 1000,1000,4");

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "depth.lemma-5.1", SequenceMemorizerByOneHotEmbedding.SOURCE, """
                    Let a head have uniform attention, one-hot embeddings of t tokens, value matrix v I, and the
                    positions of Eq. 4 for a training sequence of n tokens, with parameter gamma. If v gamma > n
                    ln(nt), it completes any prefix of the sequence to the sequence with probability at least 1 - nt
                    exp(-v gamma / n).
                    """)
            .settings("""
                t | 2..1000 | 2 | tokens; without t and n the sizes of the budget are tested
                n | 2..1000 | 5 | length of the sequence
                gamma | (-inf, inf) but 0 | -0.5,0.5 | pull
                failure | (0, 1] | 1,1e-2,1e-9 | the bounds of failure that v is chosen for, as the smallest integer;
                  1 is where the lemma begins
                """)
            .range(scope -> SIZES.text(scope) + """
                ; gamma = {gamma}; v the smallest integer for which nt exp(-v gamma / n) is at most {failure}; every
                prefix, greedily and by the exact probability under sampling
                """)
            .test((scope, computation) -> {
                var nearest = new NearestModels(computation, "v");
                return nearest.withVariations(check(
                        SIZES.in(scope),
                        scope.numbers("gamma"),
                        scope.numbers("failure"),
                        head -> nearest.of(head, "v = " + (long) head.v())));
            });

    static Finding check(
            List<Size> sizes,
            List<Double> gammas,
            List<Double> failures,
            Function<SequenceMemorizerByOneHotEmbedding, LanguageModel> models) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        for (Size size : sizes) {
            List<int[]> words = size.words(random);
            var vocabulary = Memorization.vocabulary(size.tokens());
            for (double failure : failures) {
                double maximum = 0;
                double loosest = 0;
                for (int[] word : words) {
                    for (double gamma : gammas) {
                        double v = SequenceMemorizerByOneHotEmbedding.valueWeight(vocabulary, word, gamma, failure);
                        var construction = new SequenceMemorizerByOneHotEmbedding(vocabulary, word, gamma, v);
                        double bound = construction.failureBound();
                        Memorization memorization = Memorization.of(models.apply(construction), word);
                        maximum = Math.max(maximum, memorization.failure());
                        loosest = Math.max(loosest, bound);
                        tally.require(
                                memorization.failure() <= bound
                                        && memorization.departures().isEmpty(),
                                () -> Memorization.text(word) + ", gamma = " + gamma + ", v = " + v
                                        + ": fails with probability " + memorization.failure() + " against " + bound
                                        + ", and greedily after " + memorization.departures() + " tokens");
                    }
                }
                tally.atMost(
                        "maximum probability of another sequence, t = " + size.tokens() + ", n = " + size.length()
                                + ", v for a bound of " + failure,
                        maximum,
                        "probability",
                        (long) gammas.size() * words.size() * (size.length() - 1),
                        loosest);
            }
        }
        return tally.finding(
                "every prefix is completed to its sequence greedily, and within the bound under sampling", SEED);
    }
}
