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
import org.lemmata.construct.parity.SelfConsistency;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/** Kim and Suzuki (2024), theorem 7: what of rounding, rates and the filter is a matter of samples. */
final class SampleEffects {

    private static final int BITS = 16;
    private static final int TESTS = 2_000;
    private static final double WITHIN = 0.5;
    private static final List<Double> LAMBDAS = List.of(4.0, 10.0, 16.0, 26.0, 40.0);

    /** Draws that lambda is chosen on; others are tested. */
    private static final int TUNING = 2;

    /**
     * A way to train.
     *
     * @param threshold of the filter
     * @param isSaid whether it is said to learn with all inputs
     */
    private record Way(
            String name, double threshold, DoubleUnaryOperator rounding, boolean rateByLevel, boolean isSaid) {

        private Learning.Variant at(double lambda) {
            return Learning.Variant.of(
                    name + ", lambda = " + lambda,
                    Learning.Expected.OPEN,
                    WITHIN,
                    tree -> new SelfConsistency(lambda, threshold, rounding, rateByLevel, new ParityLink.Polynomial()));
        }
    }

    private static final DoubleUnaryOperator INTEGERS = ChainWeights.toMultiples(1);

    private static final List<Way> WAYS = List.of(
            new Way("multiples of 12, rates by level", 1.8, SelfConsistency.GRID, true, true),
            new Way("multiples of 12, one rate", 1.8, SelfConsistency.GRID, false, true),
            new Way("integers, rates by level", 1.8, INTEGERS, true, true),
            new Way("not rounded, rates by level", 1.8, DoubleUnaryOperator.identity(), true, true),
            new Way("integers, one rate", 1.8, INTEGERS, false, true),
            new Way("integers, one rate, threshold 1/2", 0.5, INTEGERS, false, false),
            new Way("integers, one rate, no filter", 0, INTEGERS, false, false));

    static final ComputedClaim CLAIM = ComputedClaim.corrected(
                    "parity.theorem-7.controls", new Source(Paper.PARITY, "theorem 7"), """
                    With a threshold of 1.8, rounding to multiples of 12, to integers or not at all, and one rate or one
                    for each level, are a matter of samples: each of these ways, with its own best lambda, learns for
                    every draw with all 2^16 inputs as samples; read as every sign right and |y^ - y| below 1/2 on fresh
                    inputs. With fewer samples the share of draws that learn is measured, as it is for a threshold of
                    1/2 and without a filter.
                    """)
            .settings("""
                n | 1000..1000000 | 20000 | samples, besides all inputs
                seeds | 2..1000 | 10 | draws that are tested
                """)
            .range("d = 16, k = 8 and 16; n = {n} and all inputs; {seeds} draws each; lambda, of " + LAMBDAS
                    + ", chosen for each way, k and n on " + TUNING + " other draws; " + TESTS + " fresh inputs")
            .test((scope, computation) -> check(
                    scope.integers("n"),
                    scope.integer("seeds"),
                    LAMBDAS,
                    computation.kernels().workers()));

    private SampleEffects() {}

    static Finding check(List<Integer> samples, int seeds, List<Double> lambdas, Workers workers) {
        var tally = new Tally();
        long first = Learning.FRESH + TUNING;
        for (int k = BITS / 2; k <= BITS; k *= 2) {
            for (int n :
                    Stream.concat(samples.stream(), Stream.of(ParitySize.ALL)).toList()) {
                var size = new ParitySize(BITS, k, n);
                List<Learning.Variant> all = WAYS.stream()
                        .flatMap(way -> lambdas.stream().map(way::at))
                        .toList();
                int[] tuned = learned(all, size, Learning.FRESH, TUNING, workers);
                int[] best = IntStream.range(0, WAYS.size())
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
                                    || !WAYS.get(way).isSaid(),
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

    /** How many draws each way learns for. */
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
}
