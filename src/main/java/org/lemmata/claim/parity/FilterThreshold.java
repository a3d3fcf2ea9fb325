package org.lemmata.claim.parity;

import java.util.Arrays;
import java.util.List;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.index.ParityTree;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainLoss;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * Kim and Suzuki (2024), the filter in the proof of theorem 7: a level that was set to 0 is 1 away from -1, so that a
 * threshold of at most 1 does not set the next one to 0, and the gradient there is not 0.
 */
final class FilterThreshold {

    private static final ParityLink LINK = new ParityLink.Polynomial();

    static final ComputedClaim PRINTED = ComputedClaim.printed(
                    "parity.theorem-7.printed", new Source(Paper.PARITY, "appendix C, proof of theorem 7"), """
                    "If O(d^(-1/2)) < epsilon_0, the filter zeroes out the output of each node on level t + 2", the next
                    level "again activates the filter", and so on "for the remaining levels": at W = 0, every level from
                    2 on is set to 0, and its gradient is 0. The theorem names no epsilon_0: with one above 1 it is
                    parity.theorem-7.
                    """)
            .settings("""
                d | 256..4096 | 256,1024 | bits
                k | 4, 8, 16, 32, 64 | 4,8,64 | bits of the parity
                threshold | (0, 2] | 1/2 | epsilon_0
                """)
            .range("(d, k) of d = {d} and k = {k}, epsilon_0 = {threshold}, one draw each; gradients, d = 16 and all"
                    + " inputs")
            .test((scope, computation) -> check(
                    scope.integers("d"),
                    scope.integers("k"),
                    scope.number("threshold"),
                    computation.kernels().workers()));

    private FilterThreshold() {}

    static Finding check(List<Integer> bits, List<Integer> sizes, double threshold, Workers workers) {
        var tally = new Tally();
        for (int k : sizes) {
            boolean[] filtered = {};
            for (int d : bits) {
                ParityDraw draw = ParityDraw.of(d, k, 1, 1, Learning.FRESH);
                filtered =
                        new ParityTransformer(start(draw.tree()), LINK, workers).filtered(draw.augmented(), threshold);
                for (int level = 2; level < filtered.length; level++) {
                    tally.require(filtered[level], "d = %d, k = %d: level %d is not set to 0", d, k, level);
                }
            }
            if (k <= 16) {
                tally.measure(
                        "maximum gradient of levels from 2 on over 2c / d², k = " + k,
                        gradient(k, filtered, workers),
                        "",
                        1L << 16);
            }
        }
        return tally.finding("every level from 2 on is set to 0", Learning.FRESH);
    }

    private static ChainWeights start(ParityTree tree) {
        return new ChainWeights(tree, ChainMask.LEVEL_BY_LEVEL);
    }

    /** Of the population at W = 0, where these levels are set to 0. */
    private static double gradient(int k, boolean[] filtered, Workers workers) {
        ParityDraw draw = ParityDraw.of(16, k, ParitySize.ALL, 1, Learning.FRESH);
        ChainWeights start = start(draw.tree());
        double[] gradient = new double[start.size()];
        new ParityTransformer(start, LINK, workers).gradient(draw.signs(), ChainLoss.generated(filtered), gradient);
        return Arrays.stream(gradient, start.offset(draw.tree().end(1) + 1), gradient.length)
                        .map(Math::abs)
                        .max()
                        .orElseThrow()
                * 256
                / (2 * LINK.curvature());
    }
}
