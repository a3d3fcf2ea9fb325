package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Richard (2024), theorem 3.1, the loss bound; corrected as the probability is, and without its factor 2n.
 *
 * <p>-log p(s_{r+1}) = log(1 + sum_j exp(logit_j - logit_{s_{r+1}})) &lt;= t exp(-(v gamma / n) gap), and there are n -
 * 1 of them: the bound of the probability of failure holds for the loss, too.
 */
public final class Theorem31Loss implements AdjustableClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.theorem-3.1.loss",
                new Source(SequenceMemorizerByProjection.SOURCE.paper(), "theorem 3.1, loss"),
                Form.CORRECTED,
                "The cross-entropy loss of the head on its training sequence is at most nt exp(-(v gamma / n) gap),"
                        + " with E as in depth.theorem-3.1, so below 2n²t exp(-(v gamma / n) (1 - 2 epsilon)).");
    }

    @Override
    public List<Setting> settings() {
        return Theorem31.settings();
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return Theorem31.range(Theorem31.sizes(budget, settings));
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(
                Theorem31.cases(Theorem31.sizes(budget, settings)),
                computation::model,
                one -> one.construction().failureBound());
    }

    static Finding check(List<Theorem31.Case> cases, Theorem31.Models models, ToDoubleFunction<Theorem31.Case> bounds) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (Theorem31.Case one : cases) {
            int[] word = one.construction().word();
            double loss = Memorization.of(models.of(one.construction()), word).loss();
            double bound = bounds.applyAsDouble(one);
            if (!(loss <= bound)) {
                counterexamples.add(one.text() + ": loss " + loss + " against " + bound);
            }
            measured.add(Measurement.exactAtMost("loss, " + one.text(), loss, "nats", word.length - 1L, bound));
        }
        return new Finding(
                Verdict.of(counterexamples, "every loss is within its bound"), measured, List.of(Theorem31.SEED));
    }
}
