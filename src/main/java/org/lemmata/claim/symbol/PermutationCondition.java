package org.lemmata.claim.symbol;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.AttentionKernelDraws;
import org.lemmata.construct.symbol.TemplateMatrix;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.symbol.Template;

/**
 * Boix-Adsera et al. (2024), lemma 4.7: for almost any beta and gamma, no permutation tau of disjoint templates except
 * the identity has sum_i N_attn(z_i, z_tau(i)) equal to the trace. The gap is half a sum of squared distances of mean
 * features, so the least distance between templates is the least gap, and its computation does not cancel digits.
 */
final class PermutationCondition {

    private static final long SEED = 47_000;

    /** The error of kernel values. Gaps are squares of differences with about this error. */
    private static final double TOLERANCE = 1e-4;

    /** The square of the tolerance. */
    private static final double NOTHING = 1e-8;

    /** Enough draws for intervals of about a hundredth of a gap. */
    private static final int NORMAL_DRAWS = 1 << 14;

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "symbol.lemma-4.7",
                    "lemma 4.7 and condition 8",
                    "For almost any beta and gamma, and disjoint templates that end with [CLS], every permutation but"
                            + " the identity has another sum of K_attn(sub(z_i, s), sub(z_tau(i), s')); read as a"
                            + " difference above " + NOTHING + ".")
            .byBudget("seeds | 1..100000 | draws", "30", "400")
            .byBudget("longer | 1..100 | tasks of 4 symbols", "2", "8")
            .settings(KernelDraw.OF_ATTENTION)
            .range("""
                {seeds} draws of 2 to 4 templates of 2 to 3 symbols with up to one regular token, beta 0.25 to 1 and
                gamma 0.25 to 1.5; {longer} tasks of 4 symbols by %s normal draws each; gamma = 0 beside
                """.formatted(NORMAL_DRAWS))
            .test((scope, computation) -> check(
                    scope.integer("seeds"),
                    scope.integer("longer"),
                    new KernelDraw(scope.settings()),
                    computation.kernels()));

    static Finding check(int draws, int longer, KernelDraw drawn, Kernels kernels) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        Tally.Extreme gaps = tally.atLeast("least gap of a permutation", "", NOTHING);
        double worst = 0;
        for (int draw = 0; draw < draws; draw++) {
            TemplateDraw task = TemplateDraw.any(random);
            AttentionKernel kernel = drawn.kernel(TOLERANCE, random);
            TemplateMatrix matrix = TemplateMatrix.of(kernel, task.templates());
            double gap = matrix.leastGap();
            requireAbove(tally, task + ", " + kernel, gap);
            gaps.add(gap);
            worst = Math.max(worst, matrix.condition());
        }

        tally.measure("maximum condition of N_attn", worst, "", draws);
        for (int draw = 0; draw < longer; draw++) {
            checkByDraws(tally, TemplateDraw.of(2, 4, 1, random), random, kernels);
        }
        var withoutPositions = new AttentionKernel(1, 0, TOLERANCE);
        List<Template> swapped = List.of(new Template(-1, -2, -1, 0), new Template(-1, -2, -2, 0));
        double none = TemplateMatrix.of(withoutPositions, swapped).leastGap();
        tally.measure("gap of aba and abb at gamma = 0, an exception", none, "", 1);
        return tally.finding("no permutation keeps the sum", SEED);
    }

    static void requireAbove(Tally tally, String drawn, double gap) {
        tally.require(gap > NOTHING, () -> drawn + ": a permutation has a gap of " + gap);
    }

    /**
     * Requires a positive gap of two templates by Monte Carlo integration. The gap of one draw is I(x_1, y_1) + I(x_2,
     * y_2) - I(x_1, y_2) - I(x_2, y_1).
     */
    private static void checkByDraws(Tally tally, TemplateDraw task, RandomGenerator random, Kernels kernels) {
        var draws = new AttentionKernelDraws(random.nextDouble(1, 2), random.nextDouble(1, 2), kernels);
        int length = task.templates().getFirst().length();
        List<int[]> x = List.of(task.unseen(0, 0), task.unseen(1, 0));
        List<int[]> y = List.of(task.unseen(0, length), task.unseen(1, length));
        IntList tokens = AttentionKernelDraws.tokens(List.of(x.get(0), x.get(1), y.get(0), y.get(1)));
        Matrix normals = AttentionKernelDraws.normals(NORMAL_DRAWS, tokens.size() + length, random);
        double[] gaps = new double[NORMAL_DRAWS];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                double[] integrands = draws.integrands(x.get(i), y.get(j), tokens, normals);
                double sign = i == j ? 1 : -1;
                Arrays.setAll(gaps, draw -> gaps[draw] + sign * integrands[draw]);
            }
        }
        Interval interval = Interval.mean(gaps);
        tally.require(interval.low() > 0, () -> task + ", " + draws + ": a gap within " + interval + " by draws");
        tally.measure(Measurement.mean("gap of " + task + " by draws", null, gaps));
    }
}
