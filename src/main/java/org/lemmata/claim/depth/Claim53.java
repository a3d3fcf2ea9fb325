package org.lemmata.claim.depth;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.DyckCompleterWithoutPositions;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.depth.DyckWords;

/** Richard (2024), claim 5.3: three weights without positions complete every prefix of every word of D_2N. */
public final class Claim53 implements AdjustableClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.claim-5.3",
                DyckCompleterWithoutPositions.SOURCE,
                Form.AS_STATED,
                "A head with embedding [1 - 1/(2N + 1), -1] and no positions completes any prefix to a word of D_2N"
                        + " with probability at least 1 - 2N exp(-N).");
    }

    @Override
    public List<Setting> settings() {
        return Setting.table("""
            N | | half the length of a word, 1 to 128; by default each up to that of the budget
            v | | value weight, below 0; by default -(2N² (2N + 1) + 1)
            """);
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return "every stack size after every length for "
                + settings.text("N").map(n -> "N = " + n).orElse("each N from 1 to " + maxPairs(budget))
                + ", by the exact probability under sampling, at v = "
                + settings.text("v").orElse("-(2N² (2N + 1) + 1)") + "; greedily every prefix for N <= "
                + DyckSizes.of(budget).exhaustive();
    }

    private static int maxPairs(Budget budget) {
        return budget.of(16, 32, 128);
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        Optional<Integer> chosen = settings.integer("N", 1, 128);
        Optional<Double> v = settings.real("v");
        return check(
                chosen.orElse(1),
                chosen.orElse(maxPairs(budget)),
                DyckSizes.of(budget).exhaustive(),
                pairs -> computation.model(
                        v.map(weight -> new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs, weight))
                                .orElseGet(() -> new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs))));
    }

    static Finding check(int minPairs, int maxPairs, int exhaustive, IntFunction<LanguageModel> models) {
        var tally = new Tally();
        for (int pairs = minPairs; pairs <= maxPairs; pairs++) {
            String place = "N = " + pairs + ": ";
            LanguageModel model = models.apply(pairs);
            List<int[]> probes = pairs <= exhaustive ? DyckSizes.all(pairs) : CompletionLaw.covering(pairs);
            double failure = CompletionLaw.of(model, pairs, probes).maxFailure();
            double bound = Theorem41.failureBound(pairs);
            tally.require(failure <= bound, () -> place + "fails with probability " + failure + " against " + bound);
            List<int[]> prefixes = pairs <= exhaustive ? Prefixes.all(pairs) : List.of();
            Completions greedy = Completions.of(
                    model,
                    prefixes,
                    2 * pairs,
                    new Decoding.Greedy(),
                    generation -> DyckWords.isBalanced(generation.tokens()));
            greedy.failures()
                    .forEach(invalid -> tally.refute(place + "completed to " + DyckWords.text(invalid.tokens())));
            tally.atMost(
                    "maximum probability of an invalid completion, N = " + pairs,
                    failure,
                    "probability",
                    (pairs + 1L) * (pairs + 2) / 2 - 2,
                    bound);
        }
        return tally.finding(
                "every prefix is completed to a balanced word greedily, and within the bound under sampling");
    }
}
