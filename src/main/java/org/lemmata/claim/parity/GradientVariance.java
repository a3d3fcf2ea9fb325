package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;

/**
 * Kim and Suzuki (2024), proposition 3. The gradient of E (h - f)² has a factor 2, which the printed bound lacks, and
 * |h| must be at most 1. For example, f = sum_h theta_h h has the gradient -2 h at theta = 0, so Var = 4 (1 - 1 / |H|),
 * but F² / |H| = 1.
 */
final class GradientVariance {

    private static final String PLACE = "proposition 3";
    private static final long SEED = 3_000;
    private static final double ROUNDING = 1e-12;

    static final ComputedClaim PRINTED = ComputedClaim.printed("parity.proposition-3.printed", PLACE, """
        As printed: of F_h = E (h - f)², h uniform among orthogonal functions H, the variance of the gradient is at
        most F² / |H|, F² = E ||grad f||².
        """)
            .settings("d | 2..18 | 4,8 | bits")
            .range("f = sum of theta_h h over all parities of d / 2 of d bits at theta = 0: d = {d}")
            .test((scope, computation) -> checkPrinted(scope.integers("d")));

    static final ComputedClaim CLAIM = ComputedClaim.corrected("parity.proposition-3", PLACE, """
        Of F_h = E (h - f)², h uniform among orthogonal functions H of |h| at most 1, the variance of the gradient
        is at most 4 F² / |H|, F² = E ||grad f||².
        """)
            .paper("has not the 4")
            .byBudget("d | 2..16 | bits", "4,6,8,10", "4,6,8,10,12,14")
            .range(scope -> """
                d = %s, parities of half of the bits, all x; 8 tanh units at 20 random theta each, and f = sum of
                theta_h h at theta = 0, of which the bound is attained but for a share of 1 / |H|
                """.formatted(scope.integers("d")))
            .test((scope, computation) -> check(scope.integers("d"), 4));

    /** @param factor the constant of the bound */
    static Finding check(List<Integer> sizes, double factor) {
        var tally = new Tally();
        for (int d : sizes) {
            var targets = new ParityClass(d, d / 2);
            var model = new OracleTraining.HiddenUnits(d, 8);
            var training = new OracleTraining(targets, model, OracleTraining.population(d));
            double most = linear(targets);
            for (int draw = 0; draw < 20; draw++) {
                OracleTraining.Place place = training.at(model.random(Tally.random(SEED + draw)));
                // The training loss is F_h / 2, so its variance is a quarter.
                most = Math.max(most, 4 * place.variance() * targets.count() / place.square());
            }
            require(tally, d, most, factor, 21);
        }
        return tally.finding("every variance is within the bound", SEED, SEED + 19);
    }

    static Finding checkPrinted(List<Integer> sizes) {
        var tally = new Tally();
        for (int d : sizes) {
            require(tally, d, linear(new ParityClass(d, d / 2)), 1, 1);
        }
        return tally.finding("every variance is within the bound");
    }

    private static void require(Tally tally, int d, double ratio, double bound, long n) {
        boolean holds = ratio <= bound + ROUNDING;
        tally.require(holds, "d = %d: Var = %s F² / |H|, expected at most %s", d, ratio, bound);
        tally.atMost("maximum of Var |H| / F², d = " + d, ratio, "", n, bound);
    }

    /**
     * Var |H| / F² of f = sum of theta_h h at theta = 0, where component p of the gradient of F_h is -2 E h p. For each
     * h, one component is -2 and the others are 0, and F² = E sum of p(x)² = |H|.
     */
    private static double linear(ParityClass targets) {
        double mean = 2.0 / targets.count();
        return (2 - mean) * (2 - mean) + (targets.count() - 1) * mean * mean;
    }
}
