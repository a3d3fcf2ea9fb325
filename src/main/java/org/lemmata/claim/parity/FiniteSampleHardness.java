package org.lemmata.claim.parity;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Tally;

/**
 * Kim and Suzuki (2024), theorem 2 and the steps of its proof, with the oracle's two cases corrected: it answers the
 * mean if the gradient is within epsilon of it. The printed oracle answers the mean if the gradient is farther away, so
 * it is not epsilon-approximate.
 */
final class FiniteSampleHardness {

    private static final String PLACE = "theorem 2 and appendix A";
    static final long SEED = 2_000;
    private static final int UNITS = 6;
    private static final int STEPS = 8;

    /** Steps of the power iteration for the largest eigenvalue, whose estimates are never above it. */
    private static final int PRODUCTS = 30;

    static final ComputedClaim ORACLE_PRINTED = ComputedClaim.printed(
                    "parity.theorem-2.oracle.printed", "appendix A, constructing the oracle", """
                    The epsilon-approximate oracle answers the mean over all targets where the gradient is farther from
                    it than epsilon, and the gradient otherwise.
                    """)
            .untested(NotTested.PROOF.because(
                    "the two cases are swapped, since this oracle is not within epsilon of the gradient;"
                            + " parity.theorem-2 tests the theorem with the oracle the other way round"));

    static final ComputedClaim CLAIM = ComputedClaim.corrected("parity.theorem-2", PLACE, """
        Over n samples, with probability 1 - (2/e)^(2d): correlations of two parities of P are below delta =
        sqrt(4d / n), the largest eigenvalue of their Gram matrix is at most 2 max(1, |P| delta), and the variance
        of the gradient at most 2 max(1 / |P|, delta) E ||grad f||². The oracle that answers the mean within
        epsilon is within epsilon of the gradient, and tells of a share 1 - q of the targets of at most T Var /
        epsilon²; the mean squared loss is at least 2 - 1/q - 2 E|mean over P of p(x)|.
        """)
            .paper("states it with k = Theta(d), which needs d - k = Theta(d), too, and with the oracle the other way"
                    + " round")
            .byBudget("d | 4..16 | bits", "6,8,10", "6,8,10,12,14")
            .range(scope -> """
                d = %s, k = d / 2, n = 100, 1,000 and 10,000, 3 samples each: all targets; %s tanh units, %s steps,
                epsilon = 2 Var^(1/4) at the start
                """.formatted(scope.integers("d"), UNITS, STEPS))
            .test((scope, computation) -> check(scope.integers("d"), 1));

    /** @param factor scales delta */
    static Finding check(List<Integer> sizes, double factor) {
        var tally = new Tally();
        for (int d : sizes) {
            var targets = new ParityClass(d, d / 2);
            double mean = ParityClass.meanAbsolute(d, d / 2);
            for (int n : new int[] {100, 1_000, 10_000}) {
                Tally.Extreme correlations =
                        tally.atMost("maximum correlation over delta, d = " + d + ", n = " + n, "", 1);
                double loss = Double.POSITIVE_INFINITY;
                double delta = factor * Math.sqrt(4.0 * d / n);
                for (long seed = SEED; seed < SEED + 3; seed++) {
                    RandomGenerator random = Tally.random(seed);
                    double[] weights = OracleTraining.samples(d, n, random);
                    Gram gram = Gram.of(targets, weights);
                    String place = "d = " + d + ", n = " + n + ", seed " + seed + ": ";
                    correlations.add(gram.correlation() / delta);
                    double largest = 2 * Math.max(1, targets.count() * delta);
                    boolean holds = gram.correlation() <= delta && gram.eigenvalue() <= largest;
                    tally.require(holds, "%s%s, delta = %s", place, gram, delta);
                    var model = new OracleTraining.HiddenUnits(d, UNITS);
                    var training = new OracleTraining(targets, model, weights);
                    double[] start = model.random(random);
                    double epsilon = 2 * Math.sqrt(Math.sqrt(training.at(start).variance()));
                    OracleTraining.Result result = training.train(start, STEPS, epsilon);
                    double maximum = 2 * Math.max(1.0 / targets.count(), delta);
                    for (int step = 0; step < STEPS; step++) {
                        double ratio = result.variances()[step] / result.squares()[step];
                        tally.require(ratio <= maximum, "%sVar / E ||grad f||² = %s, bound %s", place, ratio, maximum);
                    }
                    double told = (double) result.told() / targets.count();
                    double bound = Arrays.stream(result.variances()).sum() / (epsilon * epsilon);
                    double least = 2 - 1 / (1 - told) - 2 * mean;
                    tally.require(
                            told <= bound && result.loss() >= least,
                            "%stold of %.4f of the targets, bound %.4f; loss %.4f, bound %.4f",
                            place,
                            told,
                            bound,
                            result.loss(),
                            least);
                    loss = Math.min(loss, result.loss());
                }

                tally.measure("least mean squared loss, d = " + d + ", n = " + n, loss, "", 3);
            }
        }
        return tally.finding(
                "correlations, eigenvalues, variances, shares and losses are within their bounds",
                SEED,
                SEED + 1,
                SEED + 2);
    }

    /**
     * The Gram matrix of P over weighted x.
     *
     * @param correlation the maximum of |&lt;p, p'&gt;| over distinct p and p'
     * @param eigenvalue a lower bound of the largest eigenvalue
     */
    record Gram(double correlation, double eigenvalue) {

        static Gram of(ParityClass targets, double[] weights) {
            double[] means = weights.clone();
            // <p, p'> is the mean of the parity of their symmetric difference, which has an even number of bits.
            ParityClass.transform(means);
            int half = Integer.bitCount(targets.mask(0));
            int most = 2 * Math.min(half, targets.bits() - half);
            double correlation = IntStream.range(1, means.length)
                    .filter(mask -> Integer.bitCount(mask) % 2 == 0 && Integer.bitCount(mask) <= most)
                    .mapToDouble(mask -> Math.abs(means[mask]))
                    .max()
                    .orElseThrow();
            double[] vector = new double[targets.count()];
            Arrays.fill(vector, 1 / Math.sqrt(vector.length));
            double eigenvalue = 0;
            for (int product = 0; product < PRODUCTS; product++) {
                // G v = E p(x) sum_q v_q q(x), for all p.
                double[] sums = new double[means.length];
                for (int q = 0; q < vector.length; q++) {
                    sums[targets.mask(q)] = vector[q];
                }
                ParityClass.transform(sums);
                Arrays.setAll(sums, x -> weights[x] * sums[x]);
                ParityClass.transform(sums);
                Arrays.setAll(vector, p -> sums[targets.mask(p)]);
                double length =
                        Math.sqrt(Arrays.stream(vector).map(each -> each * each).sum());
                eigenvalue = length;
                Arrays.setAll(vector, p -> vector[p] / length);
            }
            return new Gram(correlation, eigenvalue);
        }
    }
}
