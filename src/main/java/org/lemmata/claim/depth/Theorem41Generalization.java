package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
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
import org.lemmata.task.depth.DyckWords;

/** Richard (2024), theorem 4.1, generalization: every prefix of every word of D_2N is completed to a word of D_2N. */
public final class Theorem41Generalization implements AdjustableClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.theorem-4.1.generalization",
                new Source(DyckCompleterByPositionSums.SOURCE.paper(), "theorem 4.1, generalization"),
                Form.AS_STATED,
                "With gamma = -1/2 and -v > 2N², any prefix of any word of D_2N, of any depth, is completed to a"
                        + " balanced word of D_2N with probability at least 1 - 2N exp(-N).");
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                Theorem41.PAIRS,
                Theorem41.gamma("-0.5", "pull to the training word, not 0; within (-2, 0) the theorem speaks of it"),
                Theorem41.VALUE_WEIGHT);
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return Theorem41.range(budget, settings)
                + "; for each, the exact probability of failure under sampling for every stack size after every"
                + " length, and greedy completions of every prefix (of drawn prefixes where the word is drawn)";
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(
                Theorem41.sizes(budget, settings), settings.requiredReal("gamma"), Theorem41.on(computation, settings));
    }

    static Finding check(DyckSizes sizes, double gamma, Theorem41.Models models) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (int pairs : sizes.pairs()) {
            boolean exhaustive = sizes.isExhaustive(pairs);
            RandomGenerator random = DyckSizes.prefixRandom(pairs);
            List<int[]> prefixes = exhaustive ? Prefixes.all(pairs) : List.of();
            List<int[]> probes = sizes.probes(pairs);
            double bound = Theorem41.failureBound(pairs);
            double maximum = 0;
            int completions = 0;
            int invalid = 0;
            List<int[]> words = sizes.trainingWords(pairs);
            for (int[] word : words) {
                LanguageModel model = models.of(word, gamma);
                double failure = CompletionLaw.of(model, pairs, probes).maxFailure();
                maximum = Math.max(maximum, failure);
                if (!(failure <= bound)) {
                    counterexamples.add(CaseText.of(word, gamma) + ": fails with probability " + failure);
                }
                List<int[]> given = exhaustive ? prefixes : Prefixes.draw(pairs, sizes.words(), random);
                Completions greedy = Completions.of(
                        model,
                        given,
                        2 * pairs,
                        new Decoding.Greedy(),
                        generation -> DyckWords.isBalanced(generation.tokens()));
                completions += greedy.count();
                invalid += greedy.failures().size();
                greedy.failures().forEach(invalidOne -> counterexamples.add(CaseText.of(word, gamma, invalidOne)));
            }
            measured.add(Measurement.exactAtMost(
                    "maximum probability of an invalid completion, N = " + pairs,
                    maximum,
                    "probability",
                    words.size(),
                    bound));
            measured.add(Completions.failureRate(
                    "invalid greedy completions" + (exhaustive ? "" : " given the training words drawn") + ", N = "
                            + pairs,
                    completions,
                    invalid,
                    exhaustive));
        }
        Verdict verdict = Verdict.of(
                counterexamples,
                "every prefix is completed to a balanced word greedily, and within the bound under sampling");
        return new Finding(verdict, measured, sizes.seeds());
    }
}
