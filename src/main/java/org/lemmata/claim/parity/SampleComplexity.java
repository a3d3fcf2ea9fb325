package org.lemmata.claim.parity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.Tally;
import org.lemmata.claim.Verdict;
import org.lemmata.claim.parity.ParitySize.ParityDraw;
import org.lemmata.construct.parity.TeacherForcing;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * Kim and Suzuki (2024), theorem 5: the number of samples that one step requires, by d, k and lambda, and the errors by
 * level.
 */
final class SampleComplexity {

    private static final long SEED = 57_000;
    private static final int TESTS = 2_000;

    /** The tested n are 2^(i/2) for i from FIRST to LAST. */
    private static final int FIRST = 12;

    private static final int LAST = 34;
    private static final ParityLink LINK = new ParityLink.Polynomial();

    static final ComputedClaim CLAIM = ComputedClaim.asStated("parity.sample-complexity", "theorem 5", """
        With n of order d^(2 + epsilon) samples, one gradient step with teacher forcing (parity.theorem-5) learns a
        parity of k bits. Read as: for each seed, take the smallest n at which the model gets every sign right on fresh
        inputs (k = d / 2). From the smallest to the largest d, this n grows as a power of d. The mean of its exponent
        over seeds is significantly at most 2.
        """)
            .byBudget("d | 16, 32, 64, 128, 256 | bits, ascending", "16,32,64", "16,32,64,128,256")
            .byBudget("seeds | 1..100000 | draws of each d", "5")
            .range(scope -> """
                d = %s, {seeds} seeds each, k = d / 2, lambda = 20, and beyond d = 64 at d = 64 other k and lambda;
                n = 2^(i/2) from 64 to 2^17, %s fresh inputs
                """.formatted(scope.integers("d"), TESTS))
            .test((scope, computation) -> check(
                    scope.integers("d"),
                    scope.integer("seeds"),
                    2,
                    computation.kernels().workers()));

    static Finding check(List<Integer> sizes, int seeds, double most, Workers workers) {
        Refuse.when(sizes.getFirst() >= sizes.getLast(), "d", "at least two, the last the largest", sizes);
        Refuse.when(seeds < 2, "seeds", "at least two, to compute an interval", seeds);
        var tally = new Tally();
        List<double[]> roots = sizes.stream()
                .map(d -> roots(tally, d, d / 2, 20, seeds, workers))
                .toList();
        var all = new ArrayList<double[]>(roots);
        if (sizes.getLast() > 64) {
            IntStream.of(4, 16, 64).forEach(k -> all.add(roots(tally, 64, k, 32, seeds, workers)));
            DoubleStream.of(15, 30, 40).forEach(lambda -> all.add(roots(tally, 64, 32, lambda, seeds, workers)));
        }
        if (all.stream().flatMapToDouble(Arrays::stream).anyMatch(root -> root > LAST)) {
            return tally.finding(new Verdict(Outcome.INCONCLUSIVE, "no n to 2^17 learns for some size"));
        }
        double[] exponents = new double[seeds];
        double doublings = Figure.log2(sizes.getLast()) - Figure.log2(sizes.getFirst());
        Arrays.setAll(exponents, s -> (roots.getLast()[s] - roots.getFirst()[s]) / 2 / doublings);
        Interval interval = Interval.mean(exponents);
        tally.require(interval.low() <= most, () -> "the exponent is at least " + interval.low());
        tally.measure(Measurement.mean("exponent of n over d", new Reference(Relation.AT_MOST, most), exponents));
        long[] drawn = LongStream.range(SEED, SEED + seeds).toArray();
        Finding finding = interval.low() <= most && interval.high() > most
                ? tally.finding(new Verdict(Outcome.INCONCLUSIVE, "the exponent is within " + interval), drawn)
                : tally.finding("the smallest n grows no faster", drawn);
        double start = mean(roots.getFirst()) / 2;
        var samples = new Figure(
                "Samples that one step takes",
                "The least n with which a method makes every sign right: geometric means over seeds, k = d / 2,"
                        + " lambda = 20. For comparison, d²"
                        + " through the first point, the bound of theorem 5 except for epsilon.",
                "log2 of d",
                "log2 of n",
                List.of(
                        line("one step", sizes, i -> mean(roots.get(i)) / 2),
                        line(
                                "d²",
                                sizes,
                                i -> start + 2 * (Figure.log2(sizes.get(i)) - Figure.log2(sizes.getFirst())))));
        return finding.showing(samples, levels(sizes.getLast(), mean(roots.getLast()), workers));
    }

    /** A series of points: x is log2 of a size, and y a function of the size's index. */
    static Figure.Series line(String name, List<Integer> sizes, IntToDoubleFunction y) {
        return Figure.Series.of(
                name,
                IntStream.range(0, sizes.size()).boxed().toList(),
                i -> Figure.log2(sizes.get(i)),
                y::applyAsDouble);
    }

    private static double[] roots(Tally tally, int d, int k, double lambda, int seeds, Workers workers) {
        double[] roots = LongStream.range(SEED, SEED + seeds)
                .mapToDouble(seed -> IntStream.rangeClosed(FIRST, LAST)
                        .filter(root ->
                                errors(d, k, lambda, root, seed, workers).wrong() == 0)
                        .findFirst()
                        .orElse(LAST + 1))
                .toArray();
        String name = "(d, k, lambda) = (" + d + ", " + k + ", " + lambda + ")";
        tally.measure(
                SeedMean.of(Arrays.stream(roots).map(SampleComplexity::samples).toArray())
                        .measured("geometric mean over seeds of each one's least n, " + name, ""));
        return roots;
    }

    private static double mean(double... values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static int samples(double root) {
        return (int) Math.rint(Math.pow(2, root / 2));
    }

    private static ParityTransformer.Errors errors(
            int d, int k, double lambda, double root, long seed, Workers workers) {
        ParityDraw draw = ParityDraw.of(d, k, samples(root), TESTS, seed);
        return new ParityTransformer(
                        new TeacherForcing(lambda, LINK)
                                .learn(draw.tree(), draw.signs(), GradientOracle.exact(), workers),
                        LINK,
                        workers)
                .errors(draw.fresh());
    }

    /** A plot of the errors by level for one seed, at 1/8, 1/2, 2 and 8 times n = 2^({@code root} / 2). */
    private static Figure levels(int d, double root, Workers workers) {
        return new Figure(
                "Errors by level",
                "The maximum of |x^ - x| over the nodes of a level and fresh inputs after one step, d = " + d + ".",
                "level",
                "maximum error",
                IntStream.of(-6, -2, 2, 6)
                        .mapToObj(more -> {
                            double[] byLevel = errors(d, d / 2, 20, root + more, SEED, workers)
                                    .errorByLevel();
                            return Figure.Series.of(
                                    "n = " + samples(root + more),
                                    IntStream.rangeClosed(1, Integer.numberOfTrailingZeros(d / 2))
                                            .boxed()
                                            .toList(),
                                    level -> level,
                                    level -> byLevel[level]);
                        })
                        .toList());
    }
}
