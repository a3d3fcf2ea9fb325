package org.lemmata.claim.parity;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;

/** Kim and Suzuki (2024), lemma 8, tested exactly for every number m of -1 among d bits that a statement covers. */
final class MeanParity {

    private static final String PLACE = "lemma 8";
    private static final List<Double> SHARES = List.of(0.125, 0.25, 0.5, 0.75, 0.875);

    static final ComputedClaim PRINTED = ComputedClaim.printed("parity.lemma-8.printed", PLACE, """
        As printed, with only k = Theta(d): the mean over all parities p of k of d bits, |E_p p(x)|, is exponentially
        small, except for an exponentially small share of all x. Read as: for k = d and from d = 16 on, it is below 1/2
        for more than half of all x.
        """)
            .settings("""
                d | 4..1024; stated 16..1024 | 16,64,256 | bits
                share | (0, 1] | 1 | k / d
                """)
            .range("k / d = {share}, d = {d}, every m")
            .test((scope, computation) ->
                    checkPrinted(scope.integers("d"), d -> (int) (scope.number("share") * d + 1e-9)))
            .outside("appendix A concludes |P| = e^Theta(d), which requires that d - k is also of order d; with this"
                    + " condition, the lemma holds (parity.lemma-8)");

    static final ComputedClaim CLAIM = ComputedClaim.corrected("parity.lemma-8", PLACE, """
        Let r = min(k, d - k), delta = min(1/4, r / (2d)), and m the number of entries -1 of x. If |m - d/2| <= delta d
        / 2, the mean of all parities in P at x, |E_{p in P} p(x)|, is at most (floor(r/2) + 1) / C(floor(d/4),
        floor(r/4)). For uniform x, the condition holds with a probability of at least 1 - 2 exp(-delta² d / 6), which is
        positive only for large d.
        """)
            .paper("states it for k = Theta(d); d - k = Theta(d) is also needed, and so is one more term of a sum")
            .byBudget("d | 4..1024 | bits", "16,32,64,128,256", "16,32,64,128,256,512,1024")
            .range(scope -> "d = " + scope.integers("d") + ", k / d = " + SHARES + ", every m, exactly")
            .test((scope, computation) -> check(scope.integers("d"), 1));

    static Finding check(List<Integer> sizes, double factor) {
        var tally = new Tally();
        for (int d : sizes) {
            Tally.Extreme means = tally.atMost("maximum of |E p(x)| over its bound, d = " + d, "", 1);
            for (double share : SHARES) {
                int k = (int) (share * d);
                int r = Math.min(k, d - k);
                double delta = Math.min(0.25, r / (2.0 * d));
                double bound = factor
                        * (r / 2 + 1)
                        / ParityClass.binomial(d / 4, r / 4).doubleValue();
                double inside = 0;
                for (int m = 0; m <= d; m++) {
                    if (Math.abs(m - d / 2.0) > delta * d / 2) {
                        continue;
                    }
                    double mean = Math.abs(ParityClass.mean(d, k, m));
                    tally.require(mean <= bound, "d = %d, k = %d, m = %d: %s, bound %s", d, k, m, mean, bound);
                    means.add(mean / bound);
                    inside += ParityClass.probability(d, m);
                }
                double least = 1 - 2 * Math.exp(-delta * delta * d / 6);
                tally.require(inside >= least, "d = %d, k = %d: probability %s, bound %s", d, k, inside, least);
            }
        }
        return tally.finding("every mean and every probability is within its bound");
    }

    static Finding checkPrinted(List<Integer> sizes, IntUnaryOperator size) {
        var tally = new Tally();
        for (int d : sizes) {
            int k = size.applyAsInt(d);
            Refuse.when(k < 1, "share", "at least 1 / d", k + " of " + d + " bits");
            double small = 0;
            for (int m = 0; m <= d; m++) {
                small += Math.abs(ParityClass.mean(d, k, m)) < 0.5 ? ParityClass.probability(d, m) : 0;
            }
            tally.require(
                    small > 0.5, "d = %d, k = %d: |E p(x)| is below 1/2 for a share of %.3f of all x", d, k, small);
            tally.atLeast("share of x with |E p(x)| < 1/2, d = " + d + ", k = " + k, small, "", d + 1L, 0.5);
        }
        return tally.finding("the mean is small for more than half of all x");
    }
}
