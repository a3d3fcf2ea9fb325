package org.lemmata.claim.depth;

import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

/** Richard (2024), lemma 5.2: with E = [1, -1], logits are [X, -X]; the other token has at most exp(-2 |X|). */
final class Lemma52 {

    private static final long SEED = 5_201;

    private static final double[][] EMBEDDING = {{1}, {-1}};

    static final ComputedClaim CLAIM = ComputedClaim.asStated("depth.lemma-5.2", "lemma 5.2", """
        Let '(' have the embedding 1 and ')' the embedding -1. If a head of width 1 outputs X, the two logits are X and
        -X. If X > 0, the next token is '(' with probability at least 1 - exp(-2X). If X < 0, it is ')' with probability
        at least 1 - exp(2X).
        """)
            .byBudget("N | 2..8 | | half the length of the words; by default that of the budget", "4", "6", "7")
            .settings("""
                gamma | (-inf, inf) but 0 | -1/2 | weight of the next training token in the positions
                v | (-inf, inf) but 0 | -1/64,-1/4,-1,-4,-64 | value weights, v gamma > 0; weak ones tell the bound
                  from the law
                """)
            .range(scope -> """
                the head of every training word of D_2N with gamma = {gamma}, after every prefix of every word of
                D_2N, for N = %s, v in {v}; %s sampled tokens for each v
                """.formatted(scope.integer("N"), draws(scope.budget())))
            .test((scope, computation) -> check(
                    scope.integer("N"),
                    scope.number("gamma"),
                    scope.numbers("v"),
                    draws(scope.budget()),
                    computation::model));

    private static int draws(Budget budget) {
        return budget == Budget.QUICK ? 4_000 : 100_000;
    }

    static Finding check(
            int pairs,
            double gamma,
            List<Double> valueWeights,
            int draws,
            Function<SequenceMemorizerByProjection, LanguageModel> models) {
        var tally = new Tally();
        List<int[]> words = DyckSizes.all(pairs);
        for (double v : valueWeights) {
            Function<int[], LanguageModel> heads = word ->
                    models.apply(new SequenceMemorizerByProjection(DyckWords.BRACKETS, EMBEDDING, word, gamma, v));
            Tally.Extreme others =
                    tally.atMost("maximum probability of the other token, over exp(-2 |X|), v = " + v, "ratio", 1);
            for (int[] word : words) {
                double[] logits = heads.apply(word).logits(Batch.of(words));
                for (int row = 0; row < logits.length / 2; row++) {
                    double x = logits[2 * row];
                    double opposite = logits[2 * row + 1];
                    double other = otherToken(x, opposite);
                    double bound = Math.exp(-2 * Math.abs(x));
                    // If both are too small for binary64, their quotient is almost 1.
                    others.add(other == 0 && bound == 0 ? 1 : other / bound);
                    tally.require(
                            opposite == -x && other <= bound,
                            () -> Theorem41.text(word, gamma) + ", v = " + v + ": logits " + x + " and " + opposite
                                    + ", the other token with probability " + other + " against " + bound);
                }
            }

            addSampled(v * gamma, heads.apply(DyckWords.ids("(".repeat(pairs) + ")".repeat(pairs))), draws, tally);
        }
        return tally.finding("logits are [X, -X], and the other token's probability is within exp(-2 |X|)", SEED);
    }

    /** The softmax probability of the token that the sign of X does not favor. */
    private static double otherToken(double open, double close) {
        double margin = Math.signum(open) * (open - close);
        return Math.exp(-margin) / (1 + Math.exp(-margin));
    }

    /** Samples the token after "(", for the training word "((...))", and measures how often ")" is chosen. */
    private static void addSampled(double x, LanguageModel model, int draws, Tally tally) {
        List<int[]> prefixes = Collections.nCopies(draws, new int[] {DyckWords.OPEN});
        var decoding = new Decoding.Sampling(Tally.random(SEED));
        int others = (int) Generation.complete(model, prefixes, 2, decoding).stream()
                .filter(generation -> generation.tokens()[1] != DyckWords.OPEN)
                .count();
        double bound = Math.exp(-2 * x);
        Interval interval = Interval.proportion(draws, others);
        tally.require(
                interval.low() <= bound,
                () -> "X = " + x + ": the other token comes " + others + " times of " + draws
                        + ", against a probability of at most " + bound);
        tally.measure(new Measurement(
                "how often the other token is sampled, X = " + x,
                (double) others / draws,
                "rate",
                interval,
                draws,
                new Measurement.Reference(Measurement.Relation.AT_MOST, bound)));
    }
}
