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
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.statistic.Measurement;

/** Richard (2024), theorem 4.1: 2N + 3 weights reach a cross-entropy loss below 8 N^2 exp(-N) on the training word. */
public final class Theorem41Loss implements AdjustableClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.theorem-4.1.loss",
                DyckCompleterByPositionSums.SOURCE,
                Form.AS_STATED,
                "A head with exactly 2N + 3 weights has a cross-entropy loss below 8N² exp(-N) on its training word,"
                        + " for any word of D_2N.");
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                Theorem41.PAIRS,
                Theorem41.gamma("-0.5,0.5", "pull to the training word, numbers other than 0 between commas"),
                Theorem41.VALUE_WEIGHT);
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return Theorem41.range(budget, settings);
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(Theorem41.sizes(budget, settings), settings.reals("gamma"), Theorem41.on(computation, settings));
    }

    static Finding check(DyckSizes sizes, List<Double> gammas, Theorem41.Models models) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
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
                    if (!(loss < bound) || weights != 2 * pairs + 3) {
                        counterexamples.add(CaseText.of(word, gamma) + ": loss " + loss + " against " + bound + " with "
                                + weights + " weights");
                    }
                }
            }
            measured.add(Measurement.exactAtMost(
                    "maximum loss, N = " + pairs, maximum, "nats", (long) gammas.size() * words.size(), bound));
        }
        Verdict verdict = Verdict.of(counterexamples, "every loss is below its bound, with 2N + 3 weights");
        return new Finding(verdict, measured, sizes.seeds());
    }
}
