package org.lemmata.claim.depth;

import java.util.List;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.model.LanguageModel;

/** Richard (2024), theorem 4.1: 2N + 3 weights reach a cross-entropy loss below 8 N^2 exp(-N) on the training word. */
final class Theorem41Loss {

    static final ComputedClaim CLAIM = Theorem41.claim(
            ComputedClaim.asStated("depth.theorem-4.1.loss", DyckCompleterByPositionSums.SOURCE, """
                A head with exactly 2N + 3 weights has a cross-entropy loss below 8N² exp(-N) on its training word, for
                any word of D_2N.
                """),
            Theorem41.PULL,
            "",
            Theorem41Loss::check);

    private Theorem41Loss() {}

    static Finding check(DyckSizes sizes, List<Double> gammas, Theorem41.Models models) {
        var tally = new Tally();
        for (int pairs : sizes.pairs()) {
            List<int[]> words = sizes.trainingWords(pairs);
            double bound = Theorem41.lossBound(pairs);
            double maximum = 0;
            for (int[] word : words) {
                for (double gamma : gammas) {
                    LanguageModel model = models.of(word, gamma);
                    int weights = model.architecture().parameterCount();
                    double loss = Theorem41.loss(model, word);
                    maximum = Math.max(maximum, loss);
                    tally.require(
                            loss < bound && weights == 2 * pairs + 3,
                            () -> CaseText.of(word, gamma) + ": loss " + loss + " against " + bound + " with " + weights
                                    + " weights");
                }
            }
            tally.atMost("maximum loss, N = " + pairs, maximum, "nats", (long) gammas.size() * words.size(), bound);
        }
        return tally.finding("every loss is below its bound, with 2N + 3 weights", sizes.seeds());
    }
}
