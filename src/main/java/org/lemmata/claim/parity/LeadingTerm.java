package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.index.ParityTree;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.InitialGradient;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/** Kim and Suzuki (2024), appendix B: the gradient at W = 0 is -2c / (m - 1)² at the children of m, and little else. */
final class LeadingTerm {

    static final long SEED = 5_000;
    private static final ParityLink LINK = new ParityLink.Polynomial();

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "parity.gradient", new Source(Paper.PARITY, "appendix B"), """
                    With n of order d^(2 + epsilon), dL / dw_{j,m} at W = 0 is -2c / (m - 1)² for the children j of m
                    and 0 otherwise, up to O(d^(-2 - epsilon / 8)); read as an error over 2c / (m - 1)² that falls from
                    each d to the next and is below 1/2, so that every child's gradient is below every other's.
                    """)
            .byBudget("d | " + ParitySize.POWERS + " | bits", "16,32,64", "16,32,64,128")
            .range(scope ->
                    "d = " + scope.integers("d") + ", k = d / 2, n = 8 d^2.5, phi = -1 + 4t² - 2t⁴; one draw each")
            .test((scope, computation) ->
                    check(scope.integers("d"), 1, computation.kernels().workers()));

    private LeadingTerm() {}

    /** @param factor of the gradient of first children */
    static Finding check(List<Integer> sizes, double factor, Workers workers) {
        var tally = new Tally();
        double before = 0.5;
        for (int d : sizes) {
            int n = (int) (8 * Math.pow(d, 2.5));
            ParityDraw draw = ParityDraw.of(d, d / 2, n, 1, SEED + d);
            ParityTree tree = draw.tree();
            var zero = new ChainWeights(tree, ChainMask.TOKEN_BY_TOKEN);
            double[] gradient = new double[zero.size()];
            InitialGradient.of(zero, LINK, draw.signs(), workers, gradient);
            double error = 0;
            double children = 0;
            for (int m = d + 1; m <= tree.nodes(); m++) {
                double unit = 2 * LINK.curvature() / ((m - 1.0) * (m - 1));
                for (int j = 1; j < m; j++) {
                    double over = gradient[zero.offset(m) + j - 1] / unit;
                    if (tree.parent(j) == m) {
                        over *= j == tree.first(m) ? factor : 1;
                        children -= over / (2 * (tree.size() - 1));
                        over += 1;
                    }
                    error = Math.max(error, Math.abs(over));
                }
            }
            tally.require(
                    error < before, "d = %d: an error of %s of the leading term, expected below %s", d, error, before);
            tally.measure(
                    "mean gradient of a child over -2c / (m - 1)², d = " + d, children, "", 2L * (tree.size() - 1));
            tally.atMost("maximum error over 2c / (m - 1)², d = " + d, error, "", zero.size(), before);
            before = error;
        }
        return tally.finding(
                "the leading term shows, and what is beside it falls",
                sizes.stream().mapToLong(d -> SEED + d).toArray());
    }
}
