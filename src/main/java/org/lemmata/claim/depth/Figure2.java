package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.task.depth.DyckWords;

/** Richard (2024), figure 2 and section 4.1: a completion approaches the training word's path and then stays on it. */
final class Figure2 {

    private static final String WORD = "(()((())()))()()";
    private static final String PREFIX = "((((((";

    static final ComputedClaim CLAIM = ComputedClaim.asStated("depth.figure-2", "figure 2", """
        Let the head of theorem 4.1, with gamma = -1/2 and v < 0, complete a prefix of a word of D_2N greedily. At each
        position, it closes a bracket if more brackets are open than in the training word, and opens one if fewer are
        open. If equally many are open, it continues as the training word does.
        """)
            .byBudget(
                    "N | 1..8 | | half the length of the words; by default each up to that of the budget",
                    "1..6",
                    "1..7",
                    "1..8")
            .settings("""
                gamma | (-inf, inf) but 0; stated -1/2 | -1/2 | weight of the next training token in the positions
                """)
            .range(scope -> "greedy completions of every prefix by the model of every training word, N in "
                    + scope.integers("N") + ", gamma = {gamma}")
            .test((scope, computation) -> {
                double gamma = scope.number("gamma");
                return check(scope.integers("N"), gamma, Theorem41.on(computation))
                        .showing(figure(gamma, computation));
            });

    static Finding check(List<Integer> sizes, double gamma, Theorem41.Models models) {
        var tally = new Tally();
        for (int pairs : sizes) {
            List<int[]> prefixes = DyckSizes.prefixes(pairs);
            long completions = 0;
            int astray = 0;
            for (int[] word : DyckSizes.all(pairs)) {
                LanguageModel model = models.of(word, gamma);
                Completions greedy = Completions.of(
                        model,
                        prefixes,
                        word.length,
                        new Decoding.Greedy(),
                        generation -> takesTheShortestPath(generation, word));
                completions += greedy.count();
                astray += greedy.failures().size();
                greedy.failures().forEach(failure -> tally.refute(Theorem41.text(word, gamma, failure)));
            }
            tally.atMost(
                    "completions that leave the training word's path, N = " + pairs,
                    astray,
                    "completions",
                    completions,
                    0);
        }
        return tally.finding("every completion closes the distance at once, then follows the word");
    }

    /**
     * Whether a completion closes brackets while its stack is larger than the word's, opens brackets while it is
     * smaller, and repeats the word while both are equal.
     */
    private static boolean takesTheShortestPath(Generation generation, int[] word) {
        int[] tokens = generation.tokens();
        for (int r = generation.prefixLength(); r < word.length; r++) {
            int above = DyckSizes.stack(tokens, r) - DyckSizes.stack(word, r);
            int expected = above > 0 ? DyckWords.CLOSE : above < 0 ? DyckWords.OPEN : word[r];
            if (tokens[r] != expected) {
                return false;
            }
        }
        return true;
    }

    private static Figure figure(double gamma, Computation computation) {
        int[] word = DyckWords.ids(WORD);
        int[] prefix = DyckWords.ids(PREFIX);
        var construction = Theorem41.construction(word, gamma);
        Generation generation = Generation.complete(
                        computation.model(construction), List.of(prefix), word.length, new Decoding.Greedy())
                .getFirst();
        return new Figure(
                "The stack of a completion joins the training word's",
                "One head of width 1 with the position embedding of theorem 4.1 (gamma = " + gamma
                        + ") made from the training"
                        + " word "
                        + WORD + " completes the deeper prefix " + PREFIX + " to "
                        + DyckWords.text(generation.tokens())
                        + ". The position sums are the model's weights, added up. Compare"
                        + " Richard (2024), figure 2.",
                "position r",
                "stack size, sum of embeddings",
                List.of(
                        path("training word", word, 0, word.length),
                        path("prefix", prefix, 0, prefix.length),
                        path("completion", generation.tokens(), prefix.length, word.length),
                        positionSums(construction.build())));
    }

    private static Series path(String name, int[] tokens, int from, int to) {
        return Series.of(
                name, IntStream.rangeClosed(from, to).boxed().toList(), r -> r, r -> DyckSizes.stack(tokens, r));
    }

    private static Series positionSums(ExactParameters parameters) {
        ParameterView positions =
                parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
        double[] sums =
                Arrays.copyOfRange(parameters.values(), positions.offset(), positions.offset() + positions.rows());
        Arrays.parallelPrefix(sums, Double::sum);
        return Series.of(
                "sum of position embeddings",
                IntStream.range(0, sums.length).boxed().toList(),
                i -> i + 1,
                i -> sums[i]);
    }
}
