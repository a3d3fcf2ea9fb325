package org.lemmata.claim.symbol;

import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.CosineLink;

/** Boix-Adsera et al. (2024), claim E.2: E cos(kU + c) cos(kV + c), compared with numerical quadrature. */
final class GaussianIntegral {

    private static final long SEED = 52_000;
    private static final double ROUNDING = 1e-12;

    /**
     * The step of the quadrature from -9.2 to 9.2. For cos(w z), its error is about exp(-(5 pi - w)² / 2): below 1e-21
     * for all w of the integrand, which are at most k (sqrt a + sqrt b) = 5.7.
     */
    private static final double STEP = 0.4;

    private static final int SIDE = 23;
    private static final double MAX_FREQUENCY = 2;

    static final ComputedClaim CLAIM = ComputedClaim.asStated("symbol.claim-e2", "claim E.2", """
        Let U and V be jointly normal with mean 0, variances a and b, and covariance rho. For any k and c, E cos(kU + c)
        cos(kV + c) = 1/2 exp(-k² (a + b) / 2) (exp(-k² rho) cos 2c + exp(k² rho)).
        """)
            .byBudget("seeds | 1..100000 | draws", "200", "2000")
            .range("{seeds} draws of k to 2, c, a and b to 2, and rho of both signs, against a quadrature")
            .test((scope, computation) -> check(scope.integer("seeds"), CosineLink::expectation));

    static final ComputedClaim LEMMA_E1_PRINTED = ComputedClaim.printed(
                    "symbol.claim-e2.lemma-e1.printed",
                    "lemma E.1, proof",
                    "The proof of lemma E.1 applies claim E.2 to the kernel K at c = pi/4, with the exponent -(K(x, x)"
                            + " + K(y, y) - 2 K(x, y)), without the claim's factor k² / 2.")
            .untested(NotTested.TEXT.because(
                    "a scan, in which the line reads \"expl- (K (@) + K (y,y) - 26 (@.9))\"; the factor"
                            + " k² / 2 of claim E.2 may stand in the printed paper, as the next line has k²"));

    interface Formula {
        double of(CosineLink link, double a, double b, double rho);
    }

    static Finding check(int draws, Formula formula) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        Tally.Extreme errors = tally.atMost("maximum difference from the quadrature", "", ROUNDING);
        for (int draw = 0; draw < draws; draw++) {
            var link = new CosineLink(random.nextDouble(0, MAX_FREQUENCY), Math.PI * (2 * random.nextDouble() - 1));
            double a = random.nextDouble(0.01, 2);
            double b = random.nextDouble(0.01, 2);
            double rho = random.nextDouble(-1, 1) * Math.sqrt(a * b);
            double error = Math.abs(formula.of(link, a, b, rho) - quadrature(link, a, b, rho));
            errors.add(error, () -> link + ", a = " + a + ", b = " + b + ", rho = " + rho + ": off by " + error);
        }
        return tally.finding("the formula is the integral", SEED);
    }

    private static double quadrature(CosineLink link, double a, double b, double rho) {
        double sum = 0;
        double weights = 0;
        for (int i = -SIDE; i <= SIDE; i++) {
            for (int j = -SIDE; j <= SIDE; j++) {
                double z = STEP * i;
                double w = STEP * j;
                double u = Math.sqrt(a) * z;
                double v = rho / Math.sqrt(a) * z + Math.sqrt(b - rho * rho / a) * w;
                double weight = Math.exp(-(z * z + w * w) / 2);
                weights += weight;
                sum += weight
                        * Math.cos(link.frequency() * u + link.phase())
                        * Math.cos(link.frequency() * v + link.phase());
            }
        }
        return sum / weights;
    }
}
