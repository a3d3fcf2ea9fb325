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

/** Richard (2024), theorem 4.1, converse: with gamma &gt; 0 a prefix of another stack size is not completed validly. */
public final class Theorem41Converse implements AdjustableClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.theorem-4.1.converse",
                new Source(DyckCompleterByPositionSums.SOURCE.paper(), "theorem 4.1, converse"),
                Form.AS_STATED,
                "If gamma > 0 and v gamma > N², a prefix whose stack size differs from that of the training word's"
                    + " prefix of the same length is completed to an invalid word with high probability, read here as"
                    + " at least 1 - 2N exp(-N).");
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                Theorem41.PAIRS,
                Theorem41.gamma("0.5", "push away from the training word, not 0; above 0 the converse speaks of it"),
                Theorem41.VALUE_WEIGHT);
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return Theorem41.range(budget, settings)
                + "; for each, the exact probability of a valid completion under sampling for every other stack size"
                + " after every length, and greedy completions of every such prefix (of drawn prefixes where the word"
                + " is drawn)";
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
            List<int[]> words = sizes.trainingWords(pairs);
            for (int[] word : words) {
                LanguageModel model = models.of(word, gamma);
                double success = CompletionLaw.of(model, pairs, probes).maxSuccessOffThePathOf(word);
                maximum = Math.max(maximum, success);
                if (!(success <= bound)) {
                    counterexamples.add(CaseText.of(word, gamma) + ": succeeds with probability " + success);
                }
                List<int[]> differing = (exhaustive ? prefixes : Prefixes.draw(pairs, sizes.words(), random))
                        .stream()
                                .filter(prefix -> Prefixes.stack(prefix) != Prefixes.stack(word, prefix.length))
                                .toList();
                Completions greedy = Completions.of(
                        model,
                        differing,
                        2 * pairs,
                        new Decoding.Greedy(),
                        generation -> !DyckWords.isBalanced(generation.tokens()));
                greedy.failures().forEach(valid -> counterexamples.add(CaseText.of(word, gamma, valid)));
            }
            // In D_2 no prefix has another stack.
            if (pairs > 1) {
                measured.add(Measurement.exactAtMost(
                        "maximum probability of a valid completion, N = " + pairs,
                        maximum,
                        "probability",
                        words.size(),
                        bound));
            }
        }
        Verdict verdict = Verdict.of(
                counterexamples,
                "no prefix with another stack size is completed validly by greedy decoding, and under sampling each is"
                        + " with at most the probability named");
        return new Finding(verdict, measured, sizes.seeds());
    }
}
