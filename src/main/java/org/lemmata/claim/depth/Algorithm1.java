package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.PearsonChiSquare;
import org.lemmata.task.depth.logic.AnswerForm;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.task.depth.logic.BooleanLanguage;
import org.lemmata.task.depth.logic.ClauseLaw;
import org.lemmata.task.depth.logic.ExpressionLaw;
import org.lemmata.task.depth.logic.HeldOutFunctions;

/**
 * Richard (2024), section 5.1.2: algorithm 1's clauses have a depth of at most q. Beyond the paper: the exact
 * distribution of their depths, and their mean number of leaves.
 */
final class Algorithm1 {

    private static final int VARIABLES = 4;

    private static final long FIRST_SEED = 6100;

    /**
     * The significance level of all chi-square tests together: they refute a correct sampler at most once in 10^6 runs.
     */
    private static final double LEVEL = 1e-6;

    static final ComputedClaim CLAIM = ComputedClaim.asStated("depth.algorithm-1", "section 5.1.2, algorithm 1", """
        Algorithm 1 draws a Boolean clause of nesting q. If q <= 0, it draws a constant, a variable or a negated
        variable (depth 0). Otherwise, it joins two clauses by & or |, each drawn with nesting q - 1 or q - 2. All
        choices are equally likely. The clause has a depth of at most q. Beyond the paper: its depth is at least ceil(q
        / 2), and it is at most x with probability P_q(x) = ((P_(q-1)(x - 1) + P_(q-2)(x - 1)) / 2)². Here P_q(x) is 0
        if x < 0, and otherwise 1 if q <= 0. The clause's mean number of leaves is the Fibonacci number F_(q+2).
        """)
            .settings("""
                q | 1..12 | 1..6 | nesting of the clauses
                """)
            .byBudget("draws | 1000..10000000 | clauses of each q", "100000", "1000000", "10000000")
            .range(scope -> scope.integer("draws")
                    + " clauses of four variables and constants for each q of {q}, choices drawn lazily;"
                    + " depths against the exact law by Pearson's chi-square at the level 1e-6 in all")
            .test((scope, computation) -> check(scope.integers("q"), scope.integer("draws"), q -> {
                var law = new ExpressionLaw(VARIABLES, true, 1, q);
                return new BooleanExpressions(law, AnswerForm.SHORTEST, 0, HeldOutFunctions.none(VARIABLES))
                        ::sampleExpression;
            }));

    static Finding check(List<Integer> sizes, int draws, IntFunction<Function<RandomGenerator, int[]>> samplers) {
        var language = new BooleanLanguage(VARIABLES);
        var tally = new Tally();
        for (int q : sizes) {
            var law = new ClauseLaw(1, q);
            String place = "q = " + q + ": ";
            RandomGenerator random = Tally.random(FIRST_SEED + q);
            Function<RandomGenerator, int[]> sampler = samplers.apply(q);
            long[] depths = new long[q + 1];
            double leaves = 0;
            double squares = 0;
            for (int draw = 0; draw < draws; draw++) {
                int[] clause = sampler.apply(random);
                int depth = language.nesting(clause);
                tally.require(
                        depth >= law.minDepth() && depth <= law.maxDepth(),
                        () -> place + "depth " + depth + " of " + language.text(clause));
                depths = Arrays.copyOf(depths, Math.max(depths.length, depth + 1));
                depths[depth]++;
                double count = language.leaves(clause);
                leaves += count;
                squares += count * count;
            }
            addLaw(q, law, depths, LEVEL / sizes.size(), tally);
            double mean = leaves / draws;
            double error = Math.sqrt((squares / draws - mean * mean) / draws);
            // For a correct sampler, the mean is more than six standard errors off about twice in 10^9 runs.
            tally.require(
                    Math.abs(mean - law.meanLeaves()) <= 6 * error,
                    () -> place + mean + " leaves on average, by the law " + law.meanLeaves());
            tally.measure(new Measurement(
                    "mean leaves of a clause, q = " + q + " (by the law " + law.meanLeaves() + ")",
                    mean,
                    "",
                    new Interval(mean - 1.96 * error, mean + 1.96 * error),
                    draws,
                    null));
        }
        return tally.finding(
                "every depth lies between ceil(q / 2) and q, and depths and leaves follow the law",
                sizes.stream().mapToLong(q -> FIRST_SEED + q).toArray());
    }

    private static void addLaw(int q, ClauseLaw law, long[] depths, double level, Tally tally) {
        double[] probabilities =
                IntStream.range(0, depths.length).mapToDouble(law::probability).toArray();
        double pValue = PearsonChiSquare.of(depths, probabilities).pValue();
        tally.require(pValue >= level, () -> "q = " + q + ": depths have a p-value of " + pValue + " under the law");
        int draws = (int) LongStream.of(depths).sum();
        tally.measure(Measurement.share(
                String.format(Locale.ROOT, "clauses as deep as q, q = %d (by the law %.4f)", q, law.probability(q)),
                draws,
                (int) depths[q]));
        int maximum = IntStream.range(0, depths.length)
                .filter(depth -> depths[depth] > 0)
                .max()
                .orElse(0);
        tally.atMost("maximum depth, q = " + q, maximum, "", draws, q);
    }
}
