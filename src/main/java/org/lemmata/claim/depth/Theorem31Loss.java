package org.lemmata.claim.depth;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;
import org.lemmata.source.Source;

/**
 * Richard (2024), theorem 3.1, the loss bound; corrected as the probability is, and without its factor 2n.
 *
 * <p>-log p(s_{r+1}) = log(1 + sum_j exp(logit_j - logit_{s_{r+1}})) &lt;= t exp(-(v gamma / n) gap), and there are n -
 * 1 of them: the bound of the probability of failure holds for the loss, too.
 */
final class Theorem31Loss {

    static final ComputedClaim CLAIM = Theorem31.claim(
            ComputedClaim.corrected(
                    "depth.theorem-3.1.loss",
                    new Source(SequenceMemorizerByProjection.SOURCE.paper(), "theorem 3.1, loss"),
                    """
                    The cross-entropy loss of the head on its training sequence is at most nt exp(-(v gamma / n) gap),
                    with E as in depth.theorem-3.1, so below 2n²t exp(-(v gamma / n) (1 - 2 epsilon)).
                    """),
            "",
            (cases, models) -> check(cases, models, one -> one.construction().failureBound()));

    private Theorem31Loss() {}

    static Finding check(
            List<Theorem31.Case> cases,
            Function<SequenceMemorizerByProjection, LanguageModel> models,
            ToDoubleFunction<Theorem31.Case> bounds) {
        var tally = new Tally();
        for (Theorem31.Case one : cases) {
            int[] word = one.construction().word();
            double loss =
                    Memorization.of(models.apply(one.construction()), word).loss();
            double bound = bounds.applyAsDouble(one);
            tally.require(loss <= bound, () -> one.text() + ": loss " + loss + " against " + bound);
            tally.atMost("loss, " + one.text(), loss, "nats", word.length - 1L, bound);
        }
        return tally.finding("every loss is within its bound", Theorem31.SEED);
    }
}
