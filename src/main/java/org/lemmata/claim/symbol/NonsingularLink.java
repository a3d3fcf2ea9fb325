package org.lemmata.claim.symbol;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.construct.symbol.TemplateMatrix;

/**
 * Boix-Adsera et al. (2024), lemma 4.6: if condition 8 holds, the cosine makes N nonsingular for almost any b1 and b2.
 * Tested for the attention kernel, and for kernels whose own N is singular.
 */
final class NonsingularLink {

    private static final long SEED = 46_000;

    /** Eigenvalues below this part of the largest one may be rounding errors. */
    private static final double NOTHING = 1e-12;

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "symbol.lemma-4.6",
                    "lemma 4.6 and lemma E.1",
                    "Where condition 8 holds, N_trans with the activation cos(b1 t + b2) is nonsingular for almost any"
                            + " b1 and b2; read as a least eigenvalue above " + NOTHING + " of the largest.")
            .byBudget("seeds | 1..100000 | draws", "30", "300")
            .byBudget("templates | 2..8 | of kernels of features on a line, at most", "4", "5")
            .settings(KernelDraw.OF_ATTENTION + KernelDraw.OF_LINK)
            .range("""
                {seeds} draws of 2 to 4 templates with beta 0.25 to 1, gamma 0.25 to 1.5, b1 0.5 to 2 and any b2; as
                many kernels of features on a line, of 2 to {templates} templates, whose N has rank 1; two templates
                with the same features beside
                """)
            .test((scope, computation) ->
                    check(scope.integer("seeds"), scope.integer("templates"), 1, new KernelDraw(scope.settings())));

    /** @param apart scales the distances of features on a line; 0 violates condition 8 */
    static Finding check(int draws, int maxTemplates, double apart, KernelDraw drawn) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        Tally.Extreme ofTemplates = tally.atLeast("least eigenvalue over the largest, of templates", "", NOTHING);
        Tally.Extreme onLine = tally.atLeast("least eigenvalue over the largest, of features on a line", "", NOTHING);
        double worst = 0;
        for (int draw = 0; draw < draws; draw++) {
            TemplateDraw task = TemplateDraw.any(random);
            AttentionKernel kernel = drawn.kernel(1e-4, random);
            CosineLink link = drawn.link(random);
            TemplateMatrix matrix = TemplateMatrix.of(kernel, task.templates()).linked(link);
            ofTemplates.add(require(tally, task + ", " + kernel + ", " + link, matrix));
            worst = Math.max(worst, matrix.condition());
            CosineLink another = drawn.link(random);
            TemplateMatrix line = onLine(2 + draw % (maxTemplates - 1), apart, random);
            onLine.add(require(tally, "features on a line, " + another, line.linked(another)));
        }

        tally.measure("maximum condition of N_trans", worst, "", draws);
        double without = least(onLine(2, 0, random).linked(drawn.link(random)));
        tally.measure("the same of two templates with the same features", without, "", 1);
        return tally.finding("N_trans is nonsingular", SEED);
    }

    private static double require(Tally tally, String drawn, TemplateMatrix matrix) {
        double least = least(matrix);
        tally.require(least > NOTHING, () -> drawn + ": an eigenvalue of " + least + " of the largest");
        return least;
    }

    private static double least(TemplateMatrix matrix) {
        return 1 / matrix.condition();
    }

    /**
     * The N of K(sub(z_i, s), sub(z_j, s')) = c_i c_j, where c_i grows by about {@code apart} / 2 per template. K of a
     * string with itself is larger by 1.
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
