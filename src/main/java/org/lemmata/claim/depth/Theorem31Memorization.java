package org.lemmata.claim.depth;

import java.util.List;
import java.util.function.Function;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;

/**
 * Richard (2024), theorem 3.1, with epsilon multiplied by v gamma / n: randomly projected tokens memorize a sequence.
 */
final class Theorem31Memorization {

    static final ComputedClaim CLAIM = Theorem31.claim(
            ComputedClaim.corrected("depth.theorem-3.1", SequenceMemorizerByProjection.SOURCE, """
                With d >= 4 ln(t + 1) / (epsilon²/2 - epsilon³/3) columns an embedding E that keeps the distances of all
                tokens and the origin is drawn in polynomial time; the head then completes any prefix of its training
                sequence to the sequence with probability at least 1 - nt exp(-(v gamma / n) gap), gap = min_i (|E_i|² -
                max_j E_i·E_j) >= 1 - 2 epsilon.
                """),
            "; every prefix, greedily and by the exact probability under sampling",
            Theorem31Memorization::check);

    private Theorem31Memorization() {}

    static Finding check(List<Theorem31.Case> cases, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        var tally = new Tally();
        int draws = 0;
        int maxTokens = 0;
        for (Theorem31.Case one : cases) {
            SequenceMemorizerByProjection construction = one.construction();
            double bound = construction.failureBound();
            Memorization memorization = Memorization.of(models.apply(construction), construction.word());
            double failure = memorization.failure();
            tally.require(
                    failure <= bound, () -> one.text() + ": fails with probability " + failure + " against " + bound);
            tally.require(
                    memorization.departures().isEmpty(),
                    () -> one.text() + ": fails greedily after " + memorization.departures() + " tokens");
            tally.require(
                    construction.gap() >= 1 - 2 * one.size().epsilon(),
                    () -> one.text() + ": has a gap of " + construction.gap());
            if (one.size().epsilon() < 0.5) {
                tally.atLeast(
                        "gap, " + one.text(),
                        construction.gap(),
                        "",
                        1,
                        1 - 2 * one.size().epsilon());
            }
            draws = Math.max(draws, one.draws());
            maxTokens = Math.max(maxTokens, one.size().tokens());
            tally.atMost(
                    "probability of another sequence, " + one.text(),
                    failure,
                    "probability",
                    one.size().length() - 1L,
                    bound);
        }
        // t + 1 points need t + 1 draws on the average, at the smallest d.
        tally.atMost("largest number of draws of a projection", draws, "draws", cases.size(), maxTokens + 1.0);
        return tally.finding(
                "every prefix is completed to its sequence greedily, and within the bound under sampling",
                Theorem31.SEED);
    }
}
