package org.lemmata.claim.parity;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.claim.parity.ParitySize.ParityDraw;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * Kim and Suzuki (2024), lemma 9: the sample means of all nontrivial products of up to four nodes are nearly 0. Equal
 * factors cancel, so only sets of one to four nodes are tested. Lemma 10: in the augmented samples, no node is always
 * -1, and the means over the nodes up to each level are small.
 */
final class Concentration {

    private static final long SEED = 9_000;
    private static final List<Double> PROBABILITIES = List.of(0.01, 0.1, 0.5);

    static final ComputedClaim PRODUCTS = ComputedClaim.asStated("parity.lemma-9", "lemma 9", """
        For any p in (0, 1), with probability at least 1 - p over n samples, every product of r <= 4 nodes that is not
        constant has an absolute mean over the samples, |<x_j1, ..., x_jr>| / n, of at most sqrt((2 / n) log(32 d⁴ /
        p)).
        """)
            .byBudget("d | 4, 8, 16, 32, 64, 128 | bits", "8,16")
            .byBudget("seeds | 1..100000 | draws of each d", "100", "1000")
            .range(scope -> "d = " + scope.integers("d") + ", " + scope.integer("seeds")
                    + " seeds each, k = min(8, d), n = 500: all products; p = " + PROBABILITIES)
            .test((scope, computation) -> check(scope.integers("d"), scope.integer("seeds"), 1));

    static Finding check(List<Integer> sizes, int draws, double factor) {
        var tally = new Tally();
        int n = 500;
        for (int d : sizes) {
            double[] maxima = IntStream.range(0, draws)
                    .mapToDouble(draw -> maximum(ParityDraw.of(d, Math.min(8, d), n, 1, SEED + draw)))
                    .toArray();
            for (double p : PROBABILITIES) {
                double bound = factor * Math.sqrt(2.0 / n * Math.log(32 * Math.pow(d, 4) / p));
                int beyond = (int)
                        Arrays.stream(maxima).filter(maximum -> maximum > bound).count();
                require(tally, draws, beyond, p, "a product beyond the bound, d = " + d + ", p = " + p);
            }
            double largest = Arrays.stream(maxima).max().orElseThrow();
            tally.measure("maximum of |<...>| / n, d = " + d, largest, "", draws);
        }
        return tally.finding(
                "the share of draws beyond the bound is not significantly above p", SEED, SEED + draws - 1);
    }

    /** The maximum of |&lt;x_j1, ..., x_jr&gt;| / n over sets of one to four nodes whose product is not always 1. */
    static double maximum(ParityDraw draw) {
        int nodes = draw.tree().nodes();
        int maximum = 0;
        for (int a = 0; a < nodes; a++) {
            maximum = Math.max(maximum, Math.abs(draw.signs().sumOfProducts(a)));
            for (int b = 0; b < a; b++) {
                maximum = product(draw.signs(), maximum, a, b);
                for (int c = 0; c < b; c++) {
                    maximum = product(draw.signs(), maximum, a, b, c);
                    for (int e = 0; e < c; e++) {
                        maximum = product(draw.signs(), maximum, a, b, c, e);
                    }
                }
            }
        }
        return (double) maximum / draw.signs().samples();
    }

    /**
     * The maximum of {@code maximum} and the absolute sum of one product. A product whose sum is n is assumed to be
     * always 1 and skipped; other products have this sum with probability 2^-n.
     */
    private static int product(SignColumns signs, int maximum, int... set) {
        int sum = signs.sumOfProducts(set);
        return sum == signs.samples() ? maximum : Math.max(maximum, Math.abs(sum));
    }

    private static final long SEED_OF_MEANS = 10_000;
    private static final int SAMPLES = 100;
    private static final double PROBABILITY = 0.01;

    static final ComputedClaim MEANS = ComputedClaim.corrected("parity.lemma-10", "lemma 10", """
        Every node is 1 in at least one of the n' augmented samples, except with probability (d + k - 1) 2^-n'. For any
        p in (0, 1), except with probability (v + 1) p: in each of the n + n' samples and for each of the v + 1 levels,
        the absolute mean of the nodes up to this level is at most 2 (sqrt2 + 1) sqrt(log(2 (n + n') / p) / d). (At
        the tested d, these constants are so large that the second part tests little.)
        """)
            .paper("states a mean of O(d^(-1/4)) with high probability; the proof's constants count n' samples and v"
                    + " levels")
            .byBudget("d | " + ParitySize.POWERS + ", 1024; stated 256, 512, 1024 | bits", "256,512", "256,512,1024")
            .byBudget("seeds | 1..100000 | draws of each d", "50", "500")
            .range(scope -> """
                d = %s, %s seeds each, k = d and d / 2, n = %s, n' = 4 log2 d, p = %s; the bound is below 1, the
                largest mean, from d = 256 on
                """.formatted(scope.integers("d"), scope.integer("seeds"), SAMPLES, PROBABILITY))
            .test((scope, computation) -> checkMeans(scope.integers("d"), scope.integer("seeds"), 1));

    static Finding checkMeans(List<Integer> sizes, int draws, double factor) {
        var tally = new Tally();
        for (int d : sizes) {
            double most = 0;
            double bound = 0;
            for (int k = d / 2; k <= d; k *= 2) {
                int uninformative = 0;
                int beyond = 0;
                int augmented = 0;
                for (int draw = 0; draw < draws; draw++) {
                    ParityDraw all = ParityDraw.of(d, k, SAMPLES, 1, SEED_OF_MEANS + draw);
                    SignColumns augmentedSigns = all.tree().complete(all.augmented());
                    augmented = augmentedSigns.samples();
                    double log = Math.log(2.0 * (SAMPLES + augmented) / PROBABILITY);
                    bound = factor * 2 * (Math.sqrt(2) + 1) * Math.sqrt(log / d);
                    double mean =
                            Math.max(greatestMean(all.tree(), all.signs()), greatestMean(all.tree(), augmentedSigns));
                    uninformative += isEveryNodeOnceUp(augmentedSigns) ? 0 : 1;
                    beyond += mean > bound ? 1 : 0;
                    most = Math.max(most, mean);
                }
                String size = ", d = " + d + ", k = " + k;
                double allowed = (d + k - 1) * Math.scalb(1.0, -augmented);
                require(tally, draws, uninformative, allowed, "nodes of -1" + size);
                int levels = Integer.numberOfTrailingZeros(k) + 1;
                require(tally, draws, beyond, levels * PROBABILITY, "means beyond the bound" + size);
            }
            tally.measure(
                    String.format(Locale.ROOT, "maximum of |mean|, bound %.3f, d = %d", bound, d),
                    most,
                    "",
                    2L * draws);
        }
        return tally.finding(
                "the shares of draws beyond the bounds are not significantly above those allowed",
                SEED_OF_MEANS,
                SEED_OF_MEANS + draws - 1);
    }

    private static void require(Tally tally, int draws, int found, double allowed, String name) {
        double least = Interval.proportion(draws, found).low();
        tally.require(least <= allowed, "%s: %d of %d draws, allowed a share of %s", name, found, draws, allowed);
        tally.measure(Measurement.share("draws with " + name, draws, found));
    }

    private static boolean isEveryNodeOnceUp(SignColumns signs) {
        return IntStream.range(0, signs.columns()).allMatch(node -> signs.sumOfProducts(node) > -signs.samples());
    }

    /** The maximum, over levels and samples, of the absolute mean of the nodes up to the level. */
    private static double greatestMean(ParityTree tree, SignColumns signs) {
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
