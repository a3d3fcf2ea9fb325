package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/** Richard (2024), theorem 4.1, memorization: every prefix of the training word is completed to the training word. */
public final class Theorem41Memorization implements AdjustableClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.theorem-4.1.memorization",
                new Source(DyckCompleterByPositionSums.SOURCE.paper(), "theorem 4.1, memorization"),
                Form.AS_STATED,
                "If v gamma > N², any prefix of the training word is completed to the training word with probability at"
                        + " least 1 - 2N exp(-N).");
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
        return Theorem41.range(budget, settings)
                + "; every prefix of them, greedily and by the exact probability under sampling";
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(Theorem41.sizes(budget, settings), settings.reals("gamma"), Theorem41.on(computation, settings));
    }

    static Finding check(DyckSizes sizes, List<Double> gammas, Theorem41.Models models) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (int pairs : sizes.pairs()) {
            double bound = Theorem41.failureBound(pairs);
            double maximum = 0;
            long prefixes = 0;
            for (int[] word : sizes.trainingWords(pairs)) {
                for (double gamma : gammas) {
                    LanguageModel model = models.of(word, gamma);
                    // Failing from the first token on contains failing from any later prefix on.
                    double otherWord = -Math.expm1(-Theorem41.loss(model, word));
                    maximum = Math.max(maximum, otherWord);
                    if (!(otherWord <= bound)) {
                        counterexamples.add(CaseText.of(word, gamma) + ": fails with probability " + otherWord);
                    }
                    Completions completions = Completions.of(
                            model,
                            prefixes(word),
                            word.length,
                            new Decoding.Greedy(),
                            generation -> Arrays.equals(generation.tokens(), word));
                    prefixes += completions.count();
                    completions.failures().forEach(failure -> counterexamples.add(CaseText.of(word, gamma, failure)));
                }
            }
            measured.add(Measurement.exactAtMost(
                    "maximum probability of another word, N = " + pairs, maximum, "probability", prefixes, bound));
        }
        Verdict verdict = Verdict.of(
                counterexamples, "every prefix is completed to its word greedily, and within the bound under sampling");
        return new Finding(verdict, measured, sizes.seeds());
    }

    private static List<int[]> prefixes(int[] word) {
        return IntStream.range(1, word.length)
                .mapToObj(r -> Arrays.copyOf(word, r))
                .toList();
    }
}
