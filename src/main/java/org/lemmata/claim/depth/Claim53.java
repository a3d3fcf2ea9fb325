package org.lemmata.claim.depth;

import java.util.List;
import java.util.function.IntFunction;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.DyckCompleterWithoutPositions;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.DyckWords;

/** Richard (2024), claim 5.3: three weights without positions complete every prefix of every word of D_2N. */
final class Claim53 {

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "depth.claim-5.3", DyckCompleterWithoutPositions.SOURCE, """
                    A head with uniform attention, embeddings 1 - 1/(2N + 1) for '(' and -1 for ')', a value weight v <
                    -2N² (2N + 1) and no positions completes any prefix of a word of D_2N to a word of D_2N with
                    probability at least 1 - 2N exp(-N).
                    """)
            .byBudget(
                    "N | 1..128 | | half the length of a word; by default each up to that of the budget",
                    "1..16",
                    "1..32",
                    "1..128")
            .settings("""
                v | (-inf, 0) | | value weight, stated for v < -2N² (2N + 1); by default the first integer beyond
                """)
            .range(scope -> """
                every stack size after every length for N in %s, by the exact probability under sampling, at v = %s;
                greedily every prefix for N <= %s
                """.formatted(
                            scope.integers("N"),
                            scope.settings().text("v").orElse("-(2N² (2N + 1) + 1)"),
                            DyckSizes.of(scope.budget()).exhaustive()))
            .beyond(scope -> scope.settings().hasAny("v")
                            && scope.integers("N").stream()
                                    .anyMatch(n -> scope.number("v") >= -2.0 * n * n * (2 * n + 1))
                    ? "v = " + scope.number("v") + ", stated for v < -2N² (2N + 1)"
                    : "")
            .test((scope, computation) -> check(
                    scope.integers("N"),
                    DyckSizes.of(scope.budget()).exhaustive(),
                    pairs -> computation.model(
                            scope.settings().hasAny("v")
                                    ? new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs, scope.number("v"))
                                    : new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs))));

    static Finding check(List<Integer> sizes, int exhaustive, IntFunction<LanguageModel> models) {
        var tally = new Tally();
        for (int pairs : sizes) {
            String place = "N = " + pairs + ": ";
            LanguageModel model = models.apply(pairs);
            List<int[]> probes = pairs <= exhaustive ? DyckSizes.all(pairs) : CompletionLaw.covering(pairs);
            double failure = CompletionLaw.of(model, pairs, probes).maxFailure();
            double bound = Theorem41.failureBound(pairs);
            Tally.Extreme failures =
                    tally.atMost("maximum probability of an invalid completion, N = " + pairs, "probability", bound);
            failures.add(failure, () -> place + "fails with probability " + failure + " against " + bound);
            failures.count((pairs + 1L) * (pairs + 2) / 2 - 2);
            List<int[]> prefixes = pairs <= exhaustive ? DyckSizes.prefixes(pairs) : List.of();
            Theorem41.greedy(model, prefixes, 2 * pairs, DyckWords::isBalanced)
                    .failures()
                    .forEach(invalid -> tally.refute(place + "completed to " + DyckWords.text(invalid.tokens())));
        }
        return tally.finding(
                "every prefix is completed to a balanced word greedily, and within the bound under sampling");
    }
}
