package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;

/** Richard (2024), theorem 4.1, memorization: every prefix of the training word is completed to the training word. */
final class Theorem41Memorization {

    static final ComputedClaim CLAIM = Theorem41.claim(
            "memorization",
            """
            If v gamma > N², any prefix of the training word is completed to the training word with probability at
            least 1 - 2N exp(-N).
            """,
            Theorem41.PULL,
            "; every prefix of them, greedily and by the exact probability under sampling",
            Theorem41Memorization::check);

    private Theorem41Memorization() {}

    static Finding check(DyckSizes sizes, List<Double> gammas, Theorem41.Models models) {
        var tally = new Tally();
        for (int pairs : sizes.pairs()) {
            double bound = Theorem41.failureBound(pairs);
            Tally.Extreme failures =
                    tally.atMost("maximum probability of another word, N = " + pairs, "probability", bound);
            for (int[] word : sizes.trainingWords(pairs)) {
                for (double gamma : gammas) {
                    LanguageModel model = models.of(word, gamma);
                    // Failing from the first token on contains failing from any later prefix on.
                    double otherWord = -Math.expm1(-Theorem41.loss(model, word));
                    failures.add(otherWord, () -> CaseText.of(word, gamma) + ": fails with probability " + otherWord);
                    Completions completions = Completions.of(
                            model,
                            prefixes(word),
                            word.length,
                            new Decoding.Greedy(),
                            generation -> Arrays.equals(generation.tokens(), word));
                    failures.count(completions.count());
                    completions.failures().forEach(failure -> tally.refute(CaseText.of(word, gamma, failure)));
                }
            }
        }
        return tally.finding(
                "every prefix is completed to its word greedily, and within the bound under sampling", sizes.seeds());
    }

    private static List<int[]> prefixes(int[] word) {
        return IntStream.range(1, word.length)
                .mapToObj(r -> Arrays.copyOf(word, r))
                .toList();
    }
}
