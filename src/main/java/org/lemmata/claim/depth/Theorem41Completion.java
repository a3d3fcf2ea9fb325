package org.lemmata.claim.depth;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.DyckWords;

/**
 * Richard (2024), theorem 4.1, generalization: every prefix of every word of D_2N is completed to a word of D_2N. And
 * its converse: with gamma &gt; 0 a prefix of another stack size than the training word's is completed to none.
 */
final class Theorem41Completion {

    static final ComputedClaim GENERALIZATION = Theorem41.claim(
            "generalization",
            """
            With gamma = -1/2 and -v > 2N², any prefix of any word of D_2N, of any depth, is completed to a balanced
            word of D_2N with probability at least 1 - 2N exp(-N).
            """,
            "gamma | (-inf, inf) but 0; stated -1/2 | -1/2 | pull to the training word; greedily every one within (-2,"
                    + " 0) does",
            """
            ; for each, the exact probability of failure under sampling for every stack size after every length, and
            greedy completions of every prefix (of drawn prefixes where the word is drawn)
            """,
            (sizes, gammas, models) -> check(sizes, gammas, models, false));

    static final ComputedClaim CONVERSE = Theorem41.claim(
            "converse", """
            If gamma > 0 and v gamma > N², a prefix whose stack size differs from that of the training word's prefix of
            the same length is completed to an invalid word with high probability, read here as at least 1 - 2N
            exp(-N).
            """, Theorem41.PUSH, """
            ; for each, the exact probability of a valid completion under sampling for every other stack size after
            every length, and greedy completions of every such prefix (of drawn prefixes where the word is drawn)
            """, (sizes, gammas, models) -> check(sizes, gammas, models, true));

    private Theorem41Completion() {}

    /** @param converse whether prefixes of another stack size are to be completed to no word */
    static Finding check(DyckSizes sizes, List<Double> gammas, Theorem41.Models models, boolean converse) {
        var tally = new Tally();
        for (int pairs : sizes.pairs()) {
            boolean exhaustive = sizes.isExhaustive(pairs);
            RandomGenerator random = DyckSizes.prefixRandom(pairs);
            List<int[]> all = exhaustive ? Prefixes.all(pairs) : List.of();
            List<int[]> probes = sizes.probes(pairs);
            double bound = Theorem41.failureBound(pairs);
            double maximum = 0;
            int completions = 0;
            int wrong = 0;
            List<int[]> words = sizes.trainingWords(pairs);
            for (int[] word : words) {
                List<int[]> given = exhaustive ? all : Prefixes.draw(pairs, sizes.words(), random);
                for (double gamma : gammas) {
                    LanguageModel model = models.of(word, gamma);
                    CompletionLaw law = CompletionLaw.of(model, pairs, probes);
                    double probability = converse ? law.maxSuccessOffThePathOf(word) : law.maxFailure();
                    maximum = Math.max(maximum, probability);
                    tally.require(
                            probability <= bound,
                            () -> CaseText.of(word, gamma) + (converse ? ": succeeds" : ": fails")
                                    + " with probability " + probability);
                    Completions greedy = Completions.of(
                            model,
                            converse ? offThePath(given, word) : given,
                            2 * pairs,
                            new Decoding.Greedy(),
                            generation -> DyckWords.isBalanced(generation.tokens()) != converse);
                    completions += greedy.count();
                    wrong += greedy.failures().size();
                    greedy.failures().forEach(failure -> tally.refute(CaseText.of(word, gamma, failure)));
                }
            }
            // In D_2 no prefix has another stack.
            if (!converse || pairs > 1) {
                tally.atMost(
                        "maximum probability of " + (converse ? "a valid" : "an invalid") + " completion, N = " + pairs,
                        maximum,
                        "probability",
                        (long) gammas.size() * words.size(),
                        bound);
            }
            if (!converse) {
                String drawn = exhaustive ? "" : " given the training words drawn";
                tally.measure(Completions.failureRate(
                        "invalid greedy completions" + drawn + ", N = " + pairs, completions, wrong, exhaustive));
            }
        }
        return tally.finding(
                converse
                        ? "no prefix with another stack size is completed validly by greedy decoding, and under"
                                + " sampling each is with at most the probability named"
                        : "every prefix is completed to a balanced word greedily, and within the bound under sampling",
                sizes.seeds());
    }

    private static List<int[]> offThePath(List<int[]> prefixes, int[] word) {
        return prefixes.stream()
                .filter(prefix -> Prefixes.stack(prefix) != Prefixes.stack(word, prefix.length))
                .toList();
    }
}
