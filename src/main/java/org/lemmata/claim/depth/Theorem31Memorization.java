package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
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
import org.lemmata.statistic.Measurement;

/**
 * Richard (2024), theorem 3.1, with epsilon multiplied by v gamma / n: randomly projected tokens memorize a sequence.
 */
public final class Theorem31Memorization implements AdjustableClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.theorem-3.1",
                SequenceMemorizerByProjection.SOURCE,
                Form.CORRECTED,
                "With d >= 4 ln(t + 1) / (epsilon²/2 - epsilon³/3) columns an embedding E that keeps the distances of"
                    + " all tokens and the origin is drawn in polynomial time; the head then completes any prefix of"
                    + " its training sequence to the sequence with probability at least 1 - nt exp(-(v gamma / n)"
                    + " gap), gap = min_i (|E_i|² - max_j E_i·E_j) >= 1 - 2 epsilon.");
    }

    @Override
    public List<Setting> settings() {
        return Theorem31.settings();
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return Theorem31.range(Theorem31.sizes(budget, settings))
                + "; every prefix, greedily and by the exact probability under" + " sampling";
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(Theorem31.cases(Theorem31.sizes(budget, settings)), computation::model);
    }

    static Finding check(List<Theorem31.Case> cases, Theorem31.Models models) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        int draws = 0;
        int maxTokens = 0;
        for (Theorem31.Case one : cases) {
            SequenceMemorizerByProjection construction = one.construction();
            double bound = construction.failureBound();
            Memorization memorization = Memorization.of(models.of(construction), construction.word());
            if (!(memorization.failure() <= bound)) {
                counterexamples.add(
                        one.text() + ": fails with probability " + memorization.failure() + " against " + bound);
            }
            if (!memorization.departures().isEmpty()) {
                counterexamples.add(one.text() + ": fails greedily after " + memorization.departures() + " tokens");
            }
            if (!(construction.gap() >= 1 - 2 * one.size().epsilon())) {
                counterexamples.add(one.text() + ": has a gap of " + construction.gap());
            }
            draws = Math.max(draws, one.draws());
            maxTokens = Math.max(maxTokens, one.size().tokens());
            measured.add(Measurement.exactAtMost(
                    "probability of another sequence, " + one.text(),
                    memorization.failure(),
                    "probability",
                    one.size().length() - 1L,
                    bound));
        }
        // t + 1 points need t + 1 draws on the average, at the smallest d.
        measured.add(Measurement.exactAtMost(
                "largest number of draws of a projection", draws, "draws", cases.size(), maxTokens + 1.0));
        Verdict verdict = Verdict.of(
                counterexamples,
                "every prefix is completed to its sequence greedily, and within the bound under sampling");
        return new Finding(verdict, measured, List.of(Theorem31.SEED));
    }
}
