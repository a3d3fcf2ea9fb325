package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Richard (2024), section 3.2, stability, with mu_r as it follows from its assumption, and what greedy decoding makes
 * of it.
 *
 * <p>mu_r is 1 - 3/r at gamma = -1/2 and 1 + 1/r at +1/2. With the outputs that the construction has on s, r times as
 * small, it is 1 + 1/gamma = -1 and 3 from r = 2 on: at -1/2 the head itself keeps distances. What draws tokens near is
 * that one of them is taken: with one-hot tokens and gamma in (-1, 0) it is one that z has had too few of, which never
 * takes the counts of z away from those of s; with gamma in (0, 1) it is one that z has had too many of.
 */
public final class Stability implements ComputedClaim {

    private static final long SEED = 3_201;

    private static final int STEPS = 12;

    /** Relative to the maximum difference: some 12 steps of a few roundings each, in binary64. */
    private static final double TOLERANCE = 1e-12;

    /** What greedy completions are tested on: the model of a sequence. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(SequenceMemorizerByOneHotEmbedding construction);
    }

    @Override
    public Statement statement() {
        return new Statement(
                "depth.stability",
                new Source(Paper.DEPTH, "section 3.2, stability"),
                Form.CORRECTED,
                "Sequences continued by the head's output differ by c_{r+1} = mu_r c_r with mu_r = (1 + (r - 1) gamma)"
                    + " / (r gamma): |mu_r| < 1 from r = 2 on at gamma = -1/2, and > 1 at +1/2; with outputs counted r"
                    + " times, as lemma 5.1 has them, the factor is 1 + 1/gamma from r = 2 on. Greedily the token"
                    + " counts of a completion never move away from those of the training sequence at gamma = -1/2,"
                    + " and never come nearer at +1/2.");
    }

    @Override
    public String range(Budget budget) {
        return STEPS + " steps of two real-valued sequences, gamma = -3/4, -1/2, 1/2 and 1; completions of every"
                + " prefix for every training sequence with t = 2, n = " + (budget == Budget.QUICK ? 6 : 8)
                + " and t = 3, n = " + (budget == Budget.QUICK ? 4 : 5) + ", and of 16 drawn prefixes for "
                + drawn(budget) + " drawn training sequences with t = 5, n = 24; gamma = -1/2 and +1/2";
    }

    private static int drawn(Budget budget) {
        return budget == Budget.QUICK ? 8 : 200;
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        checkFactors(computation::model, measured, counterexamples);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        Models models = computation::model;
        checkCompletions(2, budget == Budget.QUICK ? 6 : 8, 0, random, models, measured, counterexamples);
        checkCompletions(3, budget == Budget.QUICK ? 4 : 5, 0, random, models, measured, counterexamples);
        checkCompletions(5, 24, drawn(budget), random, models, measured, counterexamples);
        Verdict verdict = Verdict.of(
                counterexamples,
                "differences follow mu_r; counts come no nearer at gamma = +1/2, and go no further away at -1/2");
        return new Finding(verdict, measured, List.of(SEED));
    }

    static void checkFactors(FreeRun.Models models, List<Measurement> measured, List<String> counterexamples) {
        for (double gamma : List.of(-0.75, -0.5, 0.5, 1.0)) {
            for (boolean scaled : List.of(false, true)) {
                double[] differences = FreeRun.differences(STEPS, gamma, scaled, models);
                double scale = Arrays.stream(differences).map(Math::abs).max().orElse(0);
                double maximum = 0;
                for (int r = 1; r < STEPS; r++) {
                    double factor = scaled ? FreeRun.scaledFactor(r, gamma) : FreeRun.factor(r, gamma);
                    double error = Math.abs(differences[r] - factor * differences[r - 1]) / scale;
                    maximum = Math.max(maximum, error);
                    if (!(error <= TOLERANCE)) {
                        counterexamples.add("gamma = " + gamma + ", r = " + r + ": from " + differences[r - 1] + " to "
                                + differences[r] + " against a factor of " + factor);
                    }
                }
                measured.add(Measurement.exactAtMost(
                        "maximum distance of c_{r+1} from mu_r c_r, over the maximum |c_r|, gamma = " + gamma
                                + (scaled ? ", mu_r = 1 + 1/gamma" : ""),
                        maximum,
                        "",
                        STEPS - 1,
                        TOLERANCE));
            }
        }
    }

    /** Every sequence and prefix, or so many drawn ones. */
    static void checkCompletions(
            int tokens,
            int length,
            int drawn,
            RandomGenerator random,
            Models models,
            List<Measurement> measured,
            List<String> counterexamples) {
        var vocabulary = Memorization.vocabulary(tokens);
        List<int[]> words = drawn == 0 ? Lemma51.every(tokens, length) : draw(drawn, tokens, length, random);
        for (double gamma : List.of(-0.5, 0.5)) {
            int completions = 0;
            int maximum = Integer.MIN_VALUE;
            for (int[] word : words) {
                List<int[]> prefixes = drawn == 0 ? prefixes(tokens, length) : drawPrefixes(16, tokens, length, random);
                LanguageModel model = models.of(new SequenceMemorizerByOneHotEmbedding(vocabulary, word, gamma));
                for (Generation generation : Generation.complete(model, prefixes, length, new Decoding.Greedy())) {
                    completions++;
                    for (int r = generation.prefixLength(); r < length; r++) {
                        int growth = distance(generation.tokens(), word, r + 1, tokens)
                                - distance(generation.tokens(), word, r, tokens);
                        maximum = Math.max(maximum, gamma < 0 ? growth : -growth);
                        if (gamma < 0 ? growth > 0 : growth < 0) {
                            counterexamples.add("training " + Memorization.text(word) + ", gamma = " + gamma
                                    + ", completed " + Memorization.text(generation.tokens()) + " from "
                                    + generation.prefixLength() + " tokens: the distance of counts changes by " + growth
                                    + " after " + r);
                        }
                    }
                }
            }
            measured.add(Measurement.exactAtMost(
                    "largest step " + (gamma < 0 ? "away from" : "towards") + " the training sequence's counts, t = "
                            + tokens + ", n = " + length + ", gamma = " + gamma,
                    maximum,
                    "tokens",
                    completions,
                    0));
        }
    }

    /** sum over tokens of |count in z - count in s| among the first r. */
    private static int distance(int[] z, int[] s, int r, int tokens) {
        int[] counts = new int[tokens];
        for (int i = 0; i < r; i++) {
            counts[z[i]]++;
            counts[s[i]]--;
        }
        return Arrays.stream(counts).map(Math::abs).sum();
    }

    private static List<int[]> prefixes(int tokens, int length) {
        return Stream.iterate(1, r -> r < length, r -> r + 1)
                .flatMap(r -> Lemma51.every(tokens, r).stream())
                .toList();
    }

    private static List<int[]> draw(int count, int tokens, int length, RandomGenerator random) {
        return Stream.generate(() -> random.ints(length, 0, tokens).toArray())
                .limit(count)
                .toList();
    }

    private static List<int[]> drawPrefixes(int count, int tokens, int length, RandomGenerator random) {
        return Stream.generate(
                        () -> random.ints(random.nextInt(1, length), 0, tokens).toArray())
                .limit(count)
                .toList();
    }
}
