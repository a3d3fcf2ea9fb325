package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.IdealizedEstimator;
import org.lemmata.construct.symbol.KernelRidgeRegression;
import org.lemmata.construct.symbol.TemplateMatrix;
import org.lemmata.construct.symbol.TokenSymmetricKernel;

/**
 * Boix-Adsera et al. (2024), lemma 4.5 (C.2) and appendix D: kernel ridge regression with a token-symmetric kernel
 * whose N is nonsingular generalizes on unseen symbols at fixed lambda. The test uses kernels that depend on the tokens
 * and on X Xᵀ ({@link TokenSymmetricKernel#incidence}). Lemma D.1 restates the lemma with lambda of order n.
 */
final class RidgeBound {

    private static final long SEED = 45_000;

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "symbol.lemma-4.5", "lemma 4.5, lemma C.2, claims D.3 and D.5", """
                        Let a kernel be token-symmetric (unchanged if tokens are renamed), with a nonsingular template
                        matrix N of disjoint templates. There is a fixed ridge lambda with which the error of kernel
                        ridge regression on unseen symbols, with n samples of diversity rho, falls as sqrt(1 / n) +
                        sqrt(1 / rho). Read as two tests; the second part at fixed lambda and finite rho is tested for
                        K_trans only (symbol.theorem-4.4). First, at fixed lambda, for samples without common tokens,
                        the error falls as n^c with c at most -1/2, within
                        """ + SampleRate.MARGIN + """
                        . Second, the bound of claims D.3 and D.5 holds, with lambda in proportion to n. Let y be the labels, K the kernel matrix of the
                        samples, and v the kernel of each sample with an unseen string of template a. K' and v' are the
                        values that K and v would have if no two strings had common tokens. |K - K'| is the largest
                        absolute entry of the diagonal plus the Frobenius norm of the other entries. Template j has n_j
                        samples; let tau = (min_j n_j) / |N^-1| with the spectral norm, and 0 < lambda < tau. The answer
                        for the unseen string then differs from the mean label of the samples of template a by at most
                        |y| lambda / (sqrt(n_a) (tau - lambda)) + |y| (|v - v'| + |K - K'| tau / (sqrt(n_a) (tau -
                        lambda))) / lambda.
                        """)
            .byBudget("seeds | 1..100000 | draws", "30", "300")
            .byBudget("n | 16..1000 | samples", "100", "300")
            .range("""
                {seeds} draws of templates and kernels; bounds with {n} samples over 8 to 512 tokens, lambda from 0.1
                tau to 0.9 tau; exponents with lambda fixed, from 1e-6 to 0.1, from n of (100 N's condition / lambda)²
                on
                """)
            .test((scope, computation) -> check(scope.integer("seeds"), scope.integer("n"), 1));

    static final ComputedClaim ORDER_N = ComputedClaim.printed(
                    "symbol.lemma-d.1", "lemma D.1", """
                        Let a kernel be token-symmetric (unchanged if tokens are renamed), with a nonsingular template
                        matrix N of disjoint templates. There are constants 0 < c < C and 0 < c' < C' such that for any
                        ridge lambda in [c' n, C' n), kernel ridge regression on n samples of diversity rho has an
                        error on unseen symbols of at most C sqrt(log(1 / delta) / n) + C sqrt(1 / rho), with
                        probability at least 1 - delta - exp(-c n). Read as: at infinite rho (no two samples share a
                        substituted token) and lambda = b n, the error falls as n^a with a at most -1/2, within
                        """ + SampleRate.MARGIN + """
                        . In fact, for every b > 0 the answers tend to N (N + b P^-1)^-1 f*, where the diagonal matrix P
                        has the shares of the templates, and not to the labels f*. Lemma D.1 restates lemma C.2, in
                        which lambda is fixed.
                        """)
            .byBudget("seeds | 1..100000 | draws", "30")
            .settings("s | [0, 2]; stated 1 | 1 | lambda is of order n^s")
            .range("""
                {seeds} draws of templates and kernels, lambda = c n^s, c from 1e-6 to 0.1, no common tokens; exponents
                from n of (100 N's condition / c)² on
                """)
            .test((scope, computation) -> checkOrder(scope.integer("seeds"), scope.number("s")));

    private record Drawn(TemplateDraw task, TokenSymmetricKernel kernel, TemplateMatrix matrix) {

        private static Drawn of(RandomGenerator random) {
            TemplateDraw task = TemplateDraw.any(random);
            var incidence = TokenSymmetricKernel.incidence(random.nextDouble(0.2, 1));
            TokenSymmetricKernel kernel =
                    incidence.linked(KernelDraw.ANY.link(random)).remembered();
            return new Drawn(task, kernel, TemplateMatrix.of(kernel, task.templates()));
        }

        private SampleRate rate() {
            return new SampleRate(task.toString(), matrix, task.labels());
        }
    }

    /** @param power lambda is proportional to n^power */
    static Finding checkOrder(int draws, double power) {
        var tally = new Tally();
        requireRate(tally, draws, power);
        return tally.finding("errors fall as 1 / sqrt(n)", SEED, SEED + draws - 1);
    }

    private static void requireRate(Tally tally, int draws, double power) {
        SampleRate.require(
                tally,
                draws,
                SEED,
                power,
                SampleRate::lambda,
                random -> Drawn.of(random).rate());
    }

    static Finding check(int draws, int n, double factor) {
        var tally = new Tally();
        Tally.Extreme ratios = tally.atMost("maximum difference from the mean label over its bound", "", 1);
        for (int draw = 0; draw < draws; draw++) {
            RandomGenerator random = Tally.random(SEED + draw);
            Drawn drawn = Drawn.of(random);
            int alphabet = 1 << random.nextInt(3, 10);
            TemplateDraw.Samples samples = drawn.task.samples(n, alphabet, SampleRate.NOISE, random);
            var counted = new IdealizedEstimator(drawn.matrix, samples.counts(drawn.matrix.size()), 1);
            double lambda = random.nextDouble(0.1, 0.9) * counted.tau();
            for (int template = 0; template < drawn.matrix.size() && counted.tau() > 1e-9; template++) {
                double over = overBound(drawn, samples, alphabet, template, lambda) / factor;
                ratios.add(
                        over,
                        () -> drawn.task + ", n = " + n + ", lambda = " + lambda + ": " + over + " times the bound");
            }
        }

        requireRate(tally, draws, 0);
        return tally.finding("answers are within their bounds, and errors fall", SEED, SEED + draws - 1);
    }

    /**
     * The absolute difference between the predicted label of an unseen string of a template and the mean label of the
     * template's samples, divided by the bound of claims D.3 and D.5.
     */
    private static double overBound(
            Drawn drawn, TemplateDraw.Samples samples, int alphabet, int template, double lambda) {
        int n = samples.strings().size();
        int r = drawn.matrix.size();
        double[] counts = samples.counts(r);
        double tau = new IdealizedEstimator(drawn.matrix, counts, lambda).tau();
        int[] x = drawn.task.unseen(template, alphabet);
        double answer = KernelRidgeRegression.fit(drawn.kernel, samples.strings(), samples.labels(), lambda)
                .predict(x);
        double[] matrix = KernelRidgeRegression.matrix(drawn.kernel, samples.strings());
        double ofRow = 0;
        double ofPairs = 0;
        double ofSelf = 0;
        for (int i = 0; i < n; i++) {
            int t = samples.template()[i];
            ofRow += Math.pow(drawn.kernel.of(samples.strings().get(i), x) - drawn.matrix.get(t, template), 2);
            for (int j = 0; j < n; j++) {
                double difference = matrix[i * n + j] - drawn.matrix.get(t, samples.template()[j]);
                if (i == j) {
                    ofSelf = Math.max(ofSelf, Math.abs(difference));
                } else {
                    ofPairs += difference * difference;
                }
            }
        }
        double norm = Math.sqrt(Arrays.stream(samples.labels()).map(y -> y * y).sum());
        double root = Math.sqrt(counts[template]);
        double bound = norm * lambda / (root * (tau - lambda))
                + norm * (Math.sqrt(ofRow) + (ofSelf + Math.sqrt(ofPairs)) * tau / (root * (tau - lambda))) / lambda;
        return Math.abs(answer - samples.means(r)[template]) / bound;
    }
}
