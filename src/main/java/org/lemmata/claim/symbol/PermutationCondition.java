package org.lemmata.claim.symbol;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.AttentionKernelDraws;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.construct.symbol.TemplateMatrix;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.symbol.Template;

/** Boix-Adsera et al. (2024), lemma 4.7 (K_attn satisfies condition 8) and lemma 4.6, which requires condition 8. */
final class PermutationCondition {

    private static final long SEED = 47_000;

    /** The approximate error of kernel features. A gap is a squared difference, so its error is about 1e-8. */
    private static final double TOLERANCE = 1e-4;

    private static final double NOTHING = 1e-8;

    /** The number of draws, for intervals of about a hundredth of a gap. */
    private static final int NORMAL_DRAWS = 1 << 14;

    /**
     * Lemma 4.7. The gap of a permutation is half a sum of squared distances of mean features, so the minimum gap is
     * computed from the minimum distance between templates, without cancellation.
     */
    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "symbol.lemma-4.7",
                    "lemma 4.7 and condition 8",
                    """
                        Let z_i be disjoint templates that end with [CLS]. Let s and s' be substitutions of their
                        wildcards by distinct tokens that are not regular tokens; s and s' share no token. Let sub(z,
                        s) be the string that s makes of template z. For a permutation tau of the templates, let S(tau)
                        be the sum over i of K_attn(sub(z_i, s), sub(z_tau(i), s')), with the attention kernel K_attn
                        of Eq. 3. For almost all beta and gamma, S(tau) differs from S(identity) for every other tau.
                        Read as: S(identity) - S(tau) is above
                        """ + NOTHING + ", or significantly above 0 if it is estimated by draws.")
            .byBudget("seeds | 1..100000 | draws", "30", "400")
            .byBudget("longer | 1..100 | tasks of 4 symbols", "2", "8")
            .settings(KernelDraw.OF_ATTENTION)
            .range(scope -> """
                {seeds} draws of 2 to 4 templates of 2 to 3 symbols with up to one regular token, %s and %s;
                {longer} tasks of 4 symbols by %s normal draws each%s; for comparison, gamma = 0
                """.formatted(
                            KernelDraw.text(scope, "beta", "0.25 to 1"),
                            KernelDraw.text(scope, "gamma", "0.25 to 1.5"),
                            NORMAL_DRAWS,
                            scope.settings().hasAny("beta", "gamma") ? ", beta and gamma from 1 to 2" : ""))
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
        return tally.finding("no permutation except the identity has the same sum", SEED);
    }

    static void requireAbove(Tally tally, String drawn, double gap) {
        tally.require(gap > NOTHING, () -> drawn + ": a permutation has a gap of " + gap);
    }

    /**
     * Requires a positive gap of two templates by Monte Carlo integration. With I the integrand of the kernel, the gap
     * of one draw is I(x_1, y_1) + I(x_2, y_2) - I(x_1, y_2) - I(x_2, y_1).
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

    private static final long SEED_OF_EIGENVALUES = 46_000;

    /** Eigenvalues below this fraction of the largest eigenvalue may be errors of the kernel's features. */
    private static final double LEAST_EIGENVALUE = 1e-8;

    /** Lemma 4.6, tested for the attention kernel, and for kernels whose own N is singular. */
    static final ComputedClaim NONSINGULAR = ComputedClaim.asStated(
                    "symbol.lemma-4.6",
                    "lemma 4.6 and lemma E.1",
                    "Let S(tau) be as in symbol.lemma-4.7. If S(tau) differs from S(identity) for every other"
                        + " permutation tau (Eq. 8), then for almost all b1 and b2 the template matrix N_trans of the"
                        + " transformer's kernel with activation cos(b1 t + b2) is nonsingular. Read as: its smallest"
                        + " eigenvalue is above " + LEAST_EIGENVALUE + " times its largest.")
            .byBudget("seeds | 1..100000 | draws", "30", "300")
            .byBudget("templates | 2..8 | of kernels of features on a line, at most", "4", "5")
            .settings(KernelDraw.OF_ATTENTION + KernelDraw.OF_LINK)
            .range(scope -> """
                {seeds} draws of 2 to 4 templates with %s, %s, %s and %s; as many kernels of features on a line, of 2
                to {templates} templates, whose N has rank 1; for comparison, two templates with the same features
                """.formatted(
                            KernelDraw.text(scope, "beta", "0.25 to 1"),
                            KernelDraw.text(scope, "gamma", "0.25 to 1.5"),
                            KernelDraw.text(scope, "b1", "0.5 to 2"),
                            scope.settings().hasAny("b2") ? "b2 {b2}" : "any b2"))
            .test((scope, computation) -> checkEigenvalues(
                    scope.integer("seeds"), scope.integer("templates"), 1, new KernelDraw(scope.settings())));

    /** @param apart scales the distances of features on a line; 0 violates condition 8 */
    static Finding checkEigenvalues(int draws, int maxTemplates, double apart, KernelDraw drawn) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED_OF_EIGENVALUES);
        Tally.Extreme ofTemplates =
                tally.atLeast("least eigenvalue over the largest, of templates", "", LEAST_EIGENVALUE);
        Tally.Extreme onLine =
                tally.atLeast("least eigenvalue over the largest, of features on a line", "", LEAST_EIGENVALUE);
        double worst = 0;
        for (int draw = 0; draw < draws; draw++) {
            TemplateDraw task = TemplateDraw.any(random);
            AttentionKernel kernel = drawn.kernel(1e-4, random);
            CosineLink link = drawn.link(random);
            TemplateMatrix matrix = TemplateMatrix.of(kernel, task.templates()).linked(link);
            ofTemplates.add(requireNonsingular(tally, task + ", " + kernel + ", " + link, matrix));
            worst = Math.max(worst, matrix.condition());
            CosineLink another = drawn.link(random);
            TemplateMatrix line = onLine(2 + draw % (maxTemplates - 1), apart, random);
            onLine.add(requireNonsingular(tally, "features on a line, " + another, line.linked(another)));
        }

        tally.measure("maximum condition of N_trans", worst, "", draws);
        double without = least(onLine(2, 0, random).linked(drawn.link(random)));
        tally.measure("the same of two templates with the same features", without, "", 1);
        return tally.finding("N_trans is nonsingular", SEED_OF_EIGENVALUES);
    }

    private static double requireNonsingular(Tally tally, String drawn, TemplateMatrix matrix) {
        double least = least(matrix);
        tally.require(least > LEAST_EIGENVALUE, () -> drawn + ": an eigenvalue of " + least + " of the largest");
        return least;
    }

    private static double least(TemplateMatrix matrix) {
        return 1 / matrix.condition();
    }

    /**
     * The N of K(sub(z_i, s), sub(z_j, s')) = c_i c_j, where c_i grows by about {@code apart} / 2 per template. K of a
     * string and itself is larger by 1.
     */
    private static TemplateMatrix onLine(int templates, double apart, RandomGenerator random) {
        double[] features = IntStream.range(0, templates)
                .mapToDouble(i -> 0.5 + apart * (0.5 * i + random.nextDouble(0, 0.25)))
                .toArray();
        double[][] entries = new double[templates][templates];
        double[] self = new double[templates];
        for (int i = 0; i < templates; i++) {
            for (int j = 0; j < templates; j++) {
                entries[i][j] = features[i] * features[j];
            }
            self[i] = entries[i][i] + 1;
        }
        return TemplateMatrix.of(entries, self);
    }
}
