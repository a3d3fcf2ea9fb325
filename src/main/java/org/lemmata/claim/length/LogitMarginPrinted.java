package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.kernel.Kernels;

/**
 * Izzo, Nichani and Lee (2025), section 3.2: the logit margin as printed, over the distances 0 to tau alone.
 *
 * <p>What is farther away has phi = 0, and may be nearer to the maximum logit; where each query has one logit within
 * tau, the margin is infinite and every sequence should be hardmax.
 */
final class LogitMarginPrinted {

    private static final int SEQUENCES = 4;

    static final ComputedClaim CLAIM = ComputedClaim.printed("length.logit-margin.printed", MarginCases.SOURCE, """
        With gamma(f) the smallest positive difference of two logits A[(y, i), (z, i - k)] + phi(k), k = 0 to tau,
        a head of p bits is hardmax on every sequence of at least 2^(p / gamma) tokens.
        """)
            .settings(MarginCases.SETTINGS)
            .range(scope -> MarginCases.range(scope) + "; " + SEQUENCES
                    + " of each head, as short as the margin allows above tau")
            .test((scope, computation) -> check(MarginCases.heads(scope)));

    private LogitMarginPrinted() {}

    static Finding check(List<LimitAttention> heads) {
        RandomGenerator random = Tally.random(MarginCases.SEED + 2);
        // Of an infinite margin, and of a finite one.
        var infinite = new ArrayList<String>();
        var finite = new ArrayList<String>();
        double maxOfInfinite = 0;
        double maxOfFinite = 0;
        for (LimitAttention head : heads) {
            double gamma = LogitMargin.printed(head);
            int minimum = Math.toIntExact(LogitMargin.hardmaxLength(head.bits(), gamma));
            for (int i = 0; i < SEQUENCES; i++) {
                int[] x = MarginCases.sequence(head, Math.max(minimum, head.period() + head.locality()) + i, random);
                double difference =
                        MarginCases.difference(head, x, Kernels.scalar().attention());
                if (difference > 0) {
                    String text = MarginCases.text(head, x) + ": gamma = " + gamma + " as printed, "
                            + LogitMargin.corrected(head) + " over all distances, " + difference + " away from hardmax";
                    (Double.isInfinite(gamma) ? infinite : finite).add(text);
                }
                if (Double.isInfinite(gamma)) {
                    maxOfInfinite = Math.max(maxOfInfinite, difference);
                } else {
                    maxOfFinite = Math.max(maxOfFinite, difference);
                }
            }
        }
        long n = (long) SEQUENCES * heads.size();
        var tally = new Tally();
        infinite.forEach(tally::refute);
        finite.forEach(tally::refute);
        tally.atMost(
                "largest total variation from hardmax at 2^(p / gamma), gamma infinite",
                maxOfInfinite,
                "probability",
                n,
                0);
        tally.atMost("the same, gamma finite", maxOfFinite, "probability", n, 0);
        tally.count("sequences that refute an infinite margin", infinite.size(), n);
        tally.count("sequences that refute a finite one", finite.size(), n);
        return tally.finding(
                "every sequence of at least 2^(p / gamma) tokens is hardmax", MarginCases.SEED, MarginCases.SEED + 2);
    }
}
