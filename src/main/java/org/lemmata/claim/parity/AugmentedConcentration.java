package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * Kim and Suzuki (2024), lemma 10: the augmented samples tell every node from -1, and the means over the nodes up to
 * each level are small.
 */
final class AugmentedConcentration implements ComputedClaim {

    private static final long SEED = 10_000;

    private static final int SAMPLES = 1_000;

    private static final double PROBABILITY = 0.01;

    @Override
    public Statement statement() {
        return new Statement(
                "parity.lemma-10",
                new Source(Paper.PARITY, "lemma 10"),
                Form.AS_STATED,
                "With high probability every node is +1 in one of the n' augmented samples, and the mean of the nodes"
                    + " up to each level is O(d^(-1/4)) in all n + n'; read with the proof's constants: but for (d + k"
                    + " - 1) 2^-n' and (v + 1) p, the latter for a bound of 2 (sqrt2 + 1) sqrt(log(2 (n + n') / p) /"
                    + " d).");
    }

    @Override
    public String range(Budget budget) {
        return "d = " + sizes(budget) + ", k = d and d / 2, n = " + SAMPLES + ", n' = 4 log2 d, p = " + PROBABILITY
                + "; " + draws(budget) + " draws each";
    }

    private static List<Integer> sizes(Budget budget) {
        return budget.growing(List.of(32, 64, 128, 256), List.of(512), List.of());
    }

    private static int draws(Budget budget) {
        return budget.of(50, 500, 5_000);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(sizes(budget), draws(budget), 1);
    }

    /** @param factor of the bound */
    static Finding check(List<Integer> sizes, int draws, double factor) {
        var tally = new Tally();
        for (int d : sizes) {
            double most = 0;
            for (int k = d / 2; k <= d; k *= 2) {
                int uninformative = 0;
                int beyond = 0;
                int augmented = 0;
                double bound = 0;
                for (int draw = 0; draw < draws; draw++) {
                    ParityDraw all = ParityDraw.of(d, k, SAMPLES, 1, SEED + draw);
                    SignColumns augmentedSigns = all.tree().complete(all.augmented());
                    augmented = augmentedSigns.samples();
                    bound = factor
                            * 2
                            * (Math.sqrt(2) + 1)
                            * Math.sqrt(Math.log(2.0 * (SAMPLES + augmented) / PROBABILITY) / d);
                    double mean = Math.max(mean(all.tree(), all.signs()), mean(all.tree(), augmentedSigns));
                    uninformative += isEveryNodeOnceUp(augmentedSigns) ? 0 : 1;
                    beyond += mean > bound ? 1 : 0;
                    most = Math.max(most, mean);
                }
                require(
                        tally,
                        draws,
                        uninformative,
                        (d + k - 1) * Math.scalb(1.0, -augmented),
                        "nodes of -1, d = " + d + ", k = " + k);
                int levels = Integer.numberOfTrailingZeros(k) + 1;
                require(tally, draws, beyond, levels * PROBABILITY, "means beyond the bound, d = " + d + ", k = " + k);
            }
            tally.measure(
                    Measurement.exact("maximum of |mean| d^(1/4), d = " + d, most * Math.pow(d, 0.25), "", 2L * draws));
        }
        return tally.finding("no more draws than allowed are beyond the bounds", SEED, SEED + draws - 1);
    }

    private static void require(Tally tally, int draws, int found, double allowed, String name) {
        tally.require(
                Interval.proportion(draws, found).low() <= allowed,
                () -> name + ": " + found + " of " + draws + " draws, allowed a share of " + allowed);
        tally.measure(Measurement.share("draws with " + name, draws, found));
    }

    private static boolean isEveryNodeOnceUp(SignColumns signs) {
        for (int node = 0; node < signs.columns(); node++) {
            if (signs.sumOfProducts(node) == -signs.samples()) {
                return false;
            }
        }
        return true;
    }

    /** The maximum over levels and samples of |sum of the nodes up to the level| / d_l. */
    private static double mean(ParityTree tree, SignColumns signs) {
        double maximum = 0;
        for (int i = 0; i < signs.samples(); i++) {
            int sum = 0;
            int node = 0;
            for (int level = 0; level <= tree.height(); level++) {
                for (; node < tree.end(level); node++) {
                    sum += signs.sign(node, i);
                }
                maximum = Math.max(maximum, (double) Math.abs(sum) / tree.end(level));
            }
        }
        return maximum;
    }
}
