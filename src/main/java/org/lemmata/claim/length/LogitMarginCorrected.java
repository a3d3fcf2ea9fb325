package org.lemmata.claim.length;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.kernel.Kernels;

/** Izzo, Nichani and Lee (2025), section 3.2: the logit margin over all distances. */
final class LogitMarginCorrected {

    private static final int SEQUENCES = 4;

    static final ComputedClaim CLAIM = ComputedClaim.corrected("length.logit-margin", MarginCases.SOURCE, """
        With gamma(f) the smallest positive difference of two logits of a query, those of distances above tau,
        where phi = 0, among them, a head of p bits is hardmax on every sequence of at least 2^(p / gamma) tokens.
        """)
            .settings(MarginCases.SETTINGS)
            .range(scope ->
                    MarginCases.range(scope) + "; " + SEQUENCES + " of each head, as short as the margin allows")
            .test((scope, computation) -> check(MarginCases.heads(scope), LogitMargin::corrected));

    private LogitMarginCorrected() {}

    static Finding check(List<LimitAttention> heads, ToDoubleFunction<LimitAttention> margin) {
        RandomGenerator random = Tally.random(MarginCases.SEED + 1);
        var tally = new Tally();
        Tally.Extreme differences =
                tally.atMost("largest total variation from hardmax at 2^(p / gamma)", "probability", 0);
        int sharp = 0;
        for (LimitAttention head : heads) {
            double gamma = margin.applyAsDouble(head);
            int minimum = Math.toIntExact(LogitMargin.hardmaxLength(head.bits(), gamma));
            boolean differsBelow = false;
            for (int i = 0; i < SEQUENCES; i++) {
                int[] x = MarginCases.sequence(head, Math.max(minimum, head.period() + head.locality()) + i, random);
                for (var kernel : LastRow.KERNELS.entrySet()) {
                    double difference = MarginCases.difference(head, x, kernel.getValue());
                    differences.add(
                            difference,
                            () -> MarginCases.text(head, x) + ", gamma = " + gamma + ": " + kernel.getKey()
                                    + " kernel attends " + difference + " away from hardmax");
                }
                if (minimum > 2) {
                    int[] shorter = MarginCases.sequence(head, minimum - 1, random);
                    differsBelow |= MarginCases.difference(
                                    head, shorter, Kernels.scalar().attention())
                            > 0;
                }
            }
            sharp += differsBelow ? 1 : 0;
        }
        tally.count("heads that are not hardmax one token below", sharp, heads.size());
        return tally.finding(
                "every sequence of at least 2^(p / gamma) tokens is hardmax", MarginCases.SEED, MarginCases.SEED + 1);
    }
}
