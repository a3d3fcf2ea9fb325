package org.lemmata.claim.parity;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.claim.parity.ParitySize.ParityDraw;
import org.lemmata.construct.parity.SelfConsistency;
import org.lemmata.index.ParityTree;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainLoss;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.statistic.Measurement;

/** Kim and Suzuki (2024), theorem 7: effects of rounding, rates and the filter on the share of draws that learn. */
final class SampleEffects {

    private static final int BITS = 16;
    private static final int TESTS = 2_000;
    private static final double WITHIN = 0.5;
    private static final List<Double> LAMBDAS = List.of(4.0, 10.0, 16.0, 26.0, 40.0);

    /** The number of draws for choosing lambda; the test uses other draws. */
    private static final int TUNING = 2;

    /**
     * A training method.
     *
     * @param threshold the filter's threshold
     * @param mustLearn whether the claim states that it learns with all inputs as samples
     */
    private record Method(
            String name, double threshold, DoubleUnaryOperator rounding, boolean rateByLevel, boolean mustLearn) {

        private Learning.Variant at(double lambda) {
            return new Learning.Variant(
                    name + ", lambda = " + lambda,
                    Learning.Expected.OPEN,
                    WITHIN,
                    Learning.steps(tree -> new SelfConsistency(
                            lambda, threshold, rounding, rateByLevel, new ParityLink.Polynomial())));
        }
    }

    private static final DoubleUnaryOperator INTEGERS = ChainWeights.toMultiples(1);

    private static final List<Method> METHODS = List.of(
            new Method("multiples of 12, rates by level", 1.8, SelfConsistency.GRID, true, true),
            new Method("multiples of 12, one rate", 1.8, SelfConsistency.GRID, false, true),
            new Method("integers, rates by level", 1.8, INTEGERS, true, true),
            new Method("not rounded, rates by level", 1.8, DoubleUnaryOperator.identity(), true, true),
            new Method("integers, one rate", 1.8, INTEGERS, false, true),
            new Method("integers, one rate, threshold 1/2", 0.5, INTEGERS, false, false),
            new Method("integers, one rate, no filter", 0, INTEGERS, false, false));

    static final ComputedClaim CLAIM = ComputedClaim.corrected("parity.theorem-7.controls", "theorem 7", """
        Training as in parity.theorem-7, for d = 16, learns for every seed if the filter's epsilon_0 is 1.8 and all 2^16
        inputs are samples. Read as: on fresh inputs every sign is right and |y^ - y| is below 1/2. Five combinations
        are tested: weights rounded to multiples of 12 or to integers, each with one learning rate for all levels or one
        per level, and weights that are not rounded, with one rate per level. The factor lambda of the learning rate is
        chosen for each combination on other seeds. Three changes are only measured: fewer samples, an epsilon_0 of 1/2,
        and no filter.
        """)
            .settings("""
                n | 1000..1000000 | 20000 | samples, besides all inputs
                seeds | 2..1000 | 10 | draws that are tested
                """)
            .range("""
                d = 16, k = 8 and 16; n = {n} and all inputs; {seeds} draws each; lambda, of %s, chosen for each
                way, k and n on %s other draws; %s fresh inputs
                """.formatted(LAMBDAS, TUNING, TESTS))
            .test((scope, computation) -> check(
                    scope.integers("n"),
                    scope.integer("seeds"),
                    LAMBDAS,
                    computation.kernels().workers()));

    static Finding check(List<Integer> samples, int seeds, List<Double> lambdas, Workers workers) {
        var tally = new Tally();
        long first = Learning.FRESH + TUNING;
        for (int k = BITS / 2; k <= BITS; k *= 2) {
            for (int n :
                    Stream.concat(samples.stream(), Stream.of(ParitySize.ALL)).toList()) {
                var size = new ParitySize(BITS, k, n);
                List<Learning.Variant> all = METHODS.stream()
                        .flatMap(way -> lambdas.stream().map(way::at))
                        .toList();
                int[] tuned = learned(all, size, Learning.FRESH, TUNING, workers);
                int[] best = IntStream.range(0, METHODS.size())
                        .map(way -> IntStream.range(way * lambdas.size(), (way + 1) * lambdas.size())
                                .reduce((a, b) -> tuned[b] > tuned[a] ? b : a)
                                .orElseThrow())
                        .toArray();
                int[] learned = learned(Arrays.stream(best).mapToObj(all::get).toList(), size, first, seeds, workers);
                for (int way = 0; way < best.length; way++) {
                    String name = all.get(best[way]).name() + ", " + size;
                    tally.require(
                            learned[way] == seeds
                                    || n != ParitySize.ALL
                                    || !METHODS.get(way).mustLearn(),
                            "%s: %d of %d draws learn",
                            name,
                            learned[way],
                            seeds);
                    tally.measure(Measurement.share("draws that learn, " + name, seeds, learned[way]));
                }
            }
        }
        return tally.finding(
                "each way with a threshold above 1 learns for every draw with all inputs",
                LongStream.range(Learning.FRESH, first + seeds).toArray());
    }

    private static int[] learned(List<Learning.Variant> ways, ParitySize size, long first, int draws, Workers workers) {
        ParityTransformer.Errors[][] errors = Learning.errors(
                ways,
                List.of(size),
                TESTS,
                workers,
                at -> LongStream.range(first, first + draws).toArray())[0];
        return IntStream.range(0, ways.size())
                .map(way -> (int) Arrays.stream(errors[way])
                        .filter(ways.get(way)::learned)
                        .count())
                .toArray();
    }

    private static final ParityLink LINK = new ParityLink.Polynomial();

    /**
     * Kim and Suzuki (2024), the filter in the proof of theorem 7: a level that was set to 0 has distance 1 from -1. A
     * threshold of at most 1 therefore does not set the next level to 0, so the gradient at that level is not 0.
     */
    static final ComputedClaim PRINTED = ComputedClaim.printed(
                    "parity.theorem-7.printed", "appendix C, proof of theorem 7", """
                    A step of the proof of theorem 7: after t steps, the filter sets every level from t + 2 on to 0 if
                    epsilon_0 is above O(d^(-1/2)). Read as: at W = 0, where t = 0, the filter with epsilon_0 = 1/2 (our
                    choice; the theorem gives none) sets every level from 2 on to 0. The gradients of these levels are
                    only measured.
                    """)
            .settings("""
                d | 256..4096 | 256,1024 | bits
                k | 4, 8, 16, 32, 64 | 4,8,64 | bits of the parity
                threshold | (0, 2] | 1/2 | epsilon_0
                """)
            .range("(d, k) of d = {d} and k = {k}, epsilon_0 = {threshold}, one draw each; gradients, d = 16 and"
                    + " all inputs")
            .test((scope, computation) -> checkFilter(
                    scope.integers("d"),
                    scope.integers("k"),
                    scope.number("threshold"),
                    computation.kernels().workers()))
            .ofProof("theorem 7 names no epsilon_0, and our tests with values above 1 support it (parity.theorem-7)");

    static Finding checkFilter(List<Integer> bits, List<Integer> sizes, double threshold, Workers workers) {
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

    /** The maximum population gradient of levels from 2 on at W = 0, with the filter, divided by 2c / d². */
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
