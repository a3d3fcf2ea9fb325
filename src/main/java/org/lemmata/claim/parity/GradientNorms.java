package org.lemmata.claim.parity;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.claim.parity.ParitySize.ParityDraw;
import org.lemmata.index.ParityTree;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.InitialGradient;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * Kim and Suzuki (2024), lemmas 4 and 6: bounds of the norm of the gradient of the chain with respect to the weights,
 * for one sample. With s_m² = phi'(z_m)² sum_j sigma_j² (x_j - z_m)² and A_am = dx̂_a / dx̂_m, the norm is sqrt(sum_m
 * s_m² sum_a A_am²).
 *
 * @param chain whether nodes are computed from the generated chain, level by level (lemma 6); otherwise from the true
 *     values of earlier nodes (lemma 4)
 */
record GradientNorms(boolean chain) {

    private static final long SEED = 4_000;

    private static final List<ParityLink> LINKS =
            List.of(new ParityLink.Polynomial(), new ParityLink.Cosine(), new ParityLink.PiecewiseQuadratic(0.5));

    /**
     * The standard deviations of the Gaussian scores. Scores of children are higher by up to the last of these values.
     */
    private static final double[] SCALES = {0, 0.5, 2, 8};

    static final ComputedClaim FORCED =
            claim("parity.lemma-4", "lemma 4 and appendix B", """
                For all inputs x and weights W, the gradient of all k - 1 outputs f of the chain with teacher forcing
                has a norm ||grad f|| of O(sqrt d). Read with the constant of the proof: the norm is at most 2 s sqrt(k
                - 1), where s is the maximum of |phi'|.
                """, new GradientNorms(false));

    static final ComputedClaim CHAIN = claim("parity.lemma-6", "lemma 6 and appendix C", """
        Let s be the maximum of |phi'|. For all inputs x and weights W, the gradient of all k - 1 outputs f of the
        generated chain has a norm ||grad f|| of O(d^(log2 s + 1/2)). The last line of the proof has s² in place of s⁴.
        Read with s⁴: the norm is at most the square root of 4 s⁴ (2 s²)^v / ((s² - 2) (2 s² - 1)), with v = log2 k.
        """, new GradientNorms(true));

    private static ComputedClaim claim(String id, String result, String text, GradientNorms norms) {
        return ComputedClaim.asStated(id, new Source(Paper.PARITY, result), text)
                .byBudget("d | " + ParitySize.POWERS + " | bits", "4,8,16,32")
                .byBudget("seeds | 1..100000 | draws of each d", "400", "4000")
                .range(scope -> """
                    d = %s, %s seeds each, d = k, of each of three links: random W and x, Gaussian scores of size 0
                    to 8 and children up to 8 above them; the maximum norm of each
                    """.formatted(scope.integers("d"), scope.integer("seeds")))
                .test((scope, computation) -> norms.check(scope.integers("d"), scope.integer("seeds"), 1));
    }

    Finding check(List<Integer> sizes, int draws, double factor) {
        var tally = new Tally();
        for (int size : sizes) {
            Tally.Extreme norms = tally.atMost("maximum norm over its bound, k = " + size, "", 1);
            for (ParityLink link : LINKS) {
                RandomGenerator random = Tally.random(SEED + size);
                double bound = factor * bound(size, link.maxSlope());
                for (int draw = 0; draw < draws; draw++) {
                    ParityTree tree = ParityTree.random(size, size, random);
                    double norm = norm(weights(tree, SCALES[draw % SCALES.length], random), link, random);
                    tally.require(norm <= bound, "k = %d, %s: %s, bound %s", size, link, norm, bound);
                    norms.add(norm / bound);
                }
            }
        }
        return tally.finding(
                "every norm is within its bound",
                sizes.stream().mapToLong(size -> SEED + size).toArray());
    }

    private double bound(int size, double slope) {
        double square = slope * slope;
        return chain
                ? Math.sqrt(4
                        * square
                        * square
                        / ((square - 2) * (2 * square - 1))
                        * Math.pow(2 * square, Integer.numberOfTrailingZeros(size)))
                : 2 * slope * Math.sqrt(size - 1.0);
    }

    private ChainWeights weights(ParityTree tree, double scale, RandomGenerator random) {
        var weights = new ChainWeights(tree, chain ? ChainMask.LEVEL_BY_LEVEL : ChainMask.TOKEN_BY_TOKEN)
                .rounded(zero -> scale * random.nextGaussian());
        double above = random.nextDouble(0, SCALES[SCALES.length - 1]);
        for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
            for (int child : new int[] {tree.first(node), tree.second(node)}) {
                weights.set(child, node, weights.get(child, node) + above);
            }
        }
        return weights;
    }

    private double norm(ChainWeights weights, ParityLink link, RandomGenerator random) {
        ParityTree tree = weights.tree();
        double[] sigma = weights.softmax();
        int d = tree.bits();
        int nodes = tree.nodes();
        double[] read = new double[nodes];
        double[] own = new double[nodes];
        double[][] jacobian = new double[nodes][];
        for (int j = 0; j < d; j++) {
            read[j] = random.nextBoolean() ? 1 : -1;
            jacobian[j] = new double[nodes];
        }
        for (int m = d; m < nodes; m++) {
            int scores = weights.offset(m + 1);
            int visible = weights.visible(m + 1);
            double z = 0;
            for (int j = 0; j < visible; j++) {
                z += sigma[scores + j] * read[j];
            }
            double slope = link.slope(z);
            double[] row = new double[nodes];
            for (int j = 0; j < visible; j++) {
                own[m] += Math.pow(slope * sigma[scores + j] * (read[j] - z), 2);
                for (int node = d; chain && node <= j; node++) {
                    row[node] += slope * sigma[scores + j] * jacobian[j][node];
                }
            }
            row[m] = 1;
            jacobian[m] = row;
            read[m] = chain ? link.value(z) : read[tree.first(m + 1) - 1] * read[tree.second(m + 1) - 1];
        }
        double sum = 0;
        for (int a = d; a < nodes; a++) {
            for (int m = d; m <= a; m++) {
                sum += own[m] * jacobian[a][m] * jacobian[a][m];
            }
        }
        return Math.sqrt(sum);
    }

    static final long SEED_OF_LEADING = 5_000;

    private static final ParityLink LINK = new ParityLink.Polynomial();

    /**
     * Kim and Suzuki (2024), appendix B: the gradient at W = 0 is about -2c / (m - 1)² at the children of m, and about
     * 0 elsewhere.
     */
    static final ComputedClaim LEADING = ComputedClaim.asStated("parity.gradient", "appendix B", """
        Let L be half the mean squared error, summed over all k - 1 partial parities, with teacher forcing and n =
        Omega(d^(2 + epsilon)) samples. With high probability, the gradient dL / dw_{j,m} at W = 0 is -2c / (m - 1)² if
        node j is a child of node m, and 0 otherwise, up to O(d^(-2 - epsilon / 8)). Read as: the error, divided by 2c /
        (m - 1)², falls from each d to the next and is below 1/2. The gradient of every child is then below the gradient
        of every other node.
        """)
            .byBudget("d | 8, 16, 32, 64, 128, 256, 512 | bits, ascending", "16,32,64", "16,32,64,128")
            .range(scope ->
                    "d = " + scope.integers("d") + ", k = d / 2, n = 8 d^2.5, phi = -1 + 4t² - 2t⁴; one draw each")
            .test((scope, computation) ->
                    checkLeading(scope.integers("d"), 1, computation.kernels().workers()));

    /** @param factor scales the gradient of first children */
    static Finding checkLeading(List<Integer> sizes, double factor, Workers workers) {
        Refuse.when(
                !sizes.equals(sizes.stream().sorted().distinct().toList()), "d", "numbers in ascending order", sizes);
        var tally = new Tally();
        double before = 0.5;
        for (int d : sizes) {
            int n = (int) (8 * Math.pow(d, 2.5));
            ParityDraw draw = ParityDraw.of(d, d / 2, n, 1, SEED_OF_LEADING + d);
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
                "the leading term dominates, and the error relative to it falls",
                sizes.stream().mapToLong(d -> SEED_OF_LEADING + d).toArray());
    }
}
