package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.kernel.Kernels;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;

/** Richard (2024), theorem 4.1, converse: with gamma &gt; 0 a prefix of another stack size is not completed validly. */
public final class Theorem41Converse implements Claim {

    @Override
    public String id() {
        return "depth.theorem-4.1.converse";
    }

    @Override
    public Source source() {
        return new Source(DyckCompleterByPositionSums.SOURCE.paper(), "theorem 4.1, converse");
    }

    @Override
    public Form form() {
        return Form.AS_STATED;
    }

    @Override
    public String statement() {
        return "If gamma > 0 and v gamma > N², a prefix whose stack size differs from that of the training word's"
            + " prefix of the same length is completed to an invalid word with high probability, read here as at least"
            + " 1 - 2N exp(-N).";
    }

    @Override
    public String range(Budget budget) {
        return DyckSizes.of(budget).describe()
                + "; gamma = +1/2; every prefix (drawn prefixes where the word is drawn) whose" + " stack differs";
    }

    @Override
    public Finding check(Budget budget, Kernels kernels) {
        DyckSizes sizes = DyckSizes.of(budget);
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (int pairs : sizes.pairs()) {
            boolean exhaustive = sizes.isExhaustive(pairs);
            RandomGenerator random = DyckSizes.random(pairs);
            List<int[]> prefixes = exhaustive ? Prefixes.all(pairs) : List.of();
            List<int[]> probes = exhaustive ? sizes.trainingWords(pairs) : CompletionLaw.covering(pairs);
            double bound = 1 - Theorem41.failureBound(pairs);
            double least = 1;
            long cases = 0;
            for (int[] word : sizes.trainingWords(pairs)) {
                List<int[]> differing = (exhaustive ? prefixes : Prefixes.draw(pairs, sizes.words(), random))
                        .stream()
                                .filter(prefix -> Prefixes.stack(prefix) != Prefixes.stack(word, prefix.length))
                                .toList();
                LanguageModel model = Theorem41.model(word, Theorem41.REPULSIVE, kernels);
                CompletionLaw law = CompletionLaw.of(model, pairs, probes);
                for (int[] prefix : differing) {
                    double failure = law.leastFailure(prefix.length, Prefixes.stack(prefix));
                    least = Math.min(least, failure);
                    if (failure < bound) {
                        counterexamples.add(CaseText.of(word, Theorem41.REPULSIVE, prefix) + ": fails with probability "
                                + failure + " only");
                    }
                }
                Completions greedy = Completions.of(
                        model,
                        differing,
                        2 * pairs,
                        new Decoding.Greedy(),
                        generation -> !DyckWords.isBalanced(generation.tokens()));
                cases += greedy.count();
                greedy.failures().forEach(valid -> counterexamples.add(CaseText.of(word, Theorem41.REPULSIVE, valid)));
            }
            // Words of D_2 and D_4's shortest prefixes leave no room for another stack.
            if (cases > 0) {
                measured.add(Measurement.exactAtLeast(
                        "least probability of an invalid completion, N = " + pairs,
                        least,
                        "probability",
                        cases,
                        bound));
            }
        }
        Verdict verdict = CaseText.verdict(
                counterexamples,
                "no prefix with another stack size is completed validly by greedy decoding, and under sampling"
                        + " each fails with at least the probability named");
        return new Finding(verdict, measured, sizes.seeds());
    }
}
