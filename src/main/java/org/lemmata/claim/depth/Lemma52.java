package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

/**
 * Richard (2024), lemma 5.2: with E = [1, -1] the logits are [X, -X], and |X| bounds the probability of the other
 * token.
 */
public final class Lemma52 implements ComputedClaim {

    private static final long SEED = 5_201;

    private static final double[][] EMBEDDING = {{1}, {-1}};

    private static final double GAMMA = -0.5;

    /** The weaker v are what tells the bound from the law: for great |X| both are exp(-2 |X|). */
    private static final List<Double> VALUE_WEIGHTS = List.of(-0x1p-6, -0.25, -1.0, -4.0, -64.0);

    /** What the claim is tested on: the model of a word. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(SequenceMemorizerByProjection construction);
    }

    @Override
    public Statement statement() {
        return new Statement(
                "depth.lemma-5.2",
                new Source(Paper.DEPTH, "lemma 5.2"),
                Form.AS_STATED,
                "With E = [1, -1] the logits are [X, -X]; if X > 0 the next token is '(' with probability at least"
                        + " 1 - exp(-2X), if X < 0 it is ')' with probability at least 1 - exp(2X).");
    }

    @Override
    public String range(Budget budget) {
        return "the head of every training word of D_" + 2 * pairs(budget)
                + " with gamma = -1/2, after every prefix of every word of D_" + 2 * pairs(budget) + ", for v in "
                + VALUE_WEIGHTS + "; " + draws(budget) + " sampled tokens for each v";
    }

    private static int pairs(Budget budget) {
        return switch (budget) {
            case QUICK -> 4;
            case STANDARD -> 6;
            case FULL -> 7;
        };
    }

    private static int draws(Budget budget) {
        return budget == Budget.QUICK ? 4_000 : 100_000;
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(pairs(budget), draws(budget), computation::model);
    }

    static Finding check(int pairs, int draws, Models models) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        List<int[]> words = DyckSizes.all(pairs);
        for (double v : VALUE_WEIGHTS) {
            double maximum = 0;
            for (int[] word : words) {
                LanguageModel model = models.of(construction(word, v));
                double[] logits = model.logits(Batch.of(words));
                for (int row = 0; row < logits.length / 2; row++) {
                    double x = logits[2 * row];
                    double other = otherToken(x, logits[2 * row + 1]);
                    double bound = Math.exp(-2 * Math.abs(x));
                    maximum = Math.max(maximum, other / bound);
                    if (logits[2 * row + 1] != -x || !(other <= bound)) {
                        counterexamples.add(CaseText.of(word, GAMMA) + ", v = " + v + ": logits " + x + " and "
                                + logits[2 * row + 1] + ", the other token with probability " + other + " against "
                                + bound);
                    }
                }
            }
            measured.add(Measurement.exactAtMost(
                    "maximum probability of the other token, over exp(-2 |X|), v = " + v,
                    maximum,
                    "ratio",
                    (long) words.size() * words.size() * 2 * pairs,
                    1));
            measured.add(sampled(pairs, v, draws, models, counterexamples));
        }
        Verdict verdict = Verdict.of(
                counterexamples, "logits are [X, -X], and the other token's probability is within exp(-2 |X|)");
        return new Finding(verdict, measured, List.of(SEED));
    }

    private static SequenceMemorizerByProjection construction(int[] word, double v) {
        return new SequenceMemorizerByProjection(DyckWords.BRACKETS, EMBEDDING, word, GAMMA, v);
    }

    /** The softmax of the token that X speaks against. */
    private static double otherToken(double open, double close) {
        double margin = Math.signum(open) * (open - close);
        return Math.exp(-margin) / (1 + Math.exp(-margin));
    }

    /** How often the other token really comes, after the one token "(" of a word that goes on with "(". */
    private static Measurement sampled(int pairs, double v, int draws, Models models, List<String> counterexamples) {
        int[] word = DyckWords.ids("(".repeat(pairs) + ")".repeat(pairs));
        LanguageModel model = models.of(construction(word, v));
        int[] prefix = {DyckWords.OPEN};
        var decoding = new Decoding.Sampling(
                RandomGeneratorFactory.of("L64X128MixRandom").create(SEED));
        int others = 0;
        for (Generation generation : Generation.complete(model, Collections.nCopies(draws, prefix), 2, decoding)) {
            others += generation.tokens()[1] == DyckWords.OPEN ? 0 : 1;
        }
        double bound = Math.exp(-2 * v * GAMMA);
        Interval interval = Interval.proportion(draws, others);
        if (!(interval.low() <= bound)) {
            counterexamples.add("v = " + v + ": the other token comes " + others + " times of " + draws
                    + ", against a probability of at most " + bound);
        }
        return new Measurement(
                "how often the other token is sampled, X = " + v * GAMMA,
                (double) others / draws,
                "rate",
                interval,
                draws,
                new Measurement.Reference(Measurement.Relation.AT_MOST, bound));
    }
}
