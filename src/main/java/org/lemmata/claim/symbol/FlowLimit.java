package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.KernelGradientFlow;
import org.lemmata.construct.symbol.KernelRidgeRegression;
import org.lemmata.construct.symbol.TokenSymmetricKernel;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * Boix-Adsera et al. (2024), proposition 4.3: kernel gradient flow converges to kernel ridge regression. The flow is
 * computed both exactly and by gradient descent.
 */
final class FlowLimit {

    private static final long SEED = 43_000;
    private static final int ALPHABET = 6;

    /**
     * The tolerance for answers, which are of order 1. Flow and gradient descent run long enough that their distance
     * from the limit should be smaller.
     */
    private static final double ROUNDING = 1e-8;

    /**
     * The tolerance for the exponent with which gradient descent approaches the flow; in the limit, this exponent is 1.
     */
    private static final double MARGIN = 0.1;

    static final ComputedClaim CLAIM = ComputedClaim.asStated("symbol.proposition-4.3", "proposition 4.3", """
        With the square loss and ridge regularization of magnitude lambda, kernel gradient flow on samples (X_i, y_i)
        converges to f(X) = yᵀ (K + lambda I)^-1 k(X), where K_ij = K(X_i, X_j) and k(X)_i = K(X_i, X). Read with the
        loss 1/2 sum_i (f(X_i) - y_i)² + lambda/2 |f|², with the norm of the kernel's Hilbert space, and the start f =
        0.
        """)
            .byBudget("seeds | 1..100000 | draws", "5", "40")
            .byBudget("n | 4..500 | samples", "20", "60")
            .settings(KernelDraw.OF_ATTENTION + KernelDraw.OF_LINK)
            .range("""
                {seeds} draws of templates, K_trans, {n} samples over %s tokens and lambda from 0.05 to 1; answers
                to strings with unseen symbols and to seen ones
                """.formatted(ALPHABET))
            .test((scope, computation) ->
                    check(scope.integer("seeds"), scope.integer("n"), 1, new KernelDraw(scope.settings())));

    /** @param factor scales the lambda of the regression with which the flow is compared */
    static Finding check(int draws, int n, double factor, KernelDraw drawn) {
        var tally = new Tally();
        double ofFlow = 0;
        double ofSteps = 0;
        double ofBound = 0;
        double[] exponents = new double[draws];
        for (int draw = 0; draw < draws; draw++) {
            RandomGenerator random = Tally.random(SEED + draw);
            TemplateDraw task = TemplateDraw.of(2, 2, random.nextInt(2), random);
            var samples = task.samples(n, ALPHABET, 0.1, random);
            double lambda = 0.05 * Math.pow(20, random.nextDouble());
            List<int[]> asked = Stream.concat(
                            IntStream.range(0, 2).mapToObj(t -> task.unseen(t, ALPHABET)),
                            samples.strings().stream().limit(2))
                    .toList();
            TokenSymmetricKernel kernel =
                    TokenSymmetricKernel.transformer(drawn.kernel(1e-4, random), drawn.link(random));
            double[] matrix = KernelRidgeRegression.matrix(kernel, samples.strings());
            double[][] rows = asked.stream()
                    .map(x -> samples.strings().stream()
                            .mapToDouble(sample -> kernel.of(sample, x))
                            .toArray())
                    .toArray(double[][]::new);
            var flow = new KernelGradientFlow(matrix, samples.labels(), lambda);
            double[] limit = KernelRidgeRegression.coefficients(matrix, samples.labels(), factor * lambda);
            double end = Math.log(1e12) / flow.slowest();
            for (double time = end; time > end / 100; time /= 2) {
                double left = difference(rows, flow.at(time), limit);
                double bound = Math.exp(-flow.slowest() * time)
                        / flow.slowest()
                        * norm(samples.labels())
                        * Arrays.stream(rows).mapToDouble(FlowLimit::norm).max().orElseThrow();
                ofBound = Math.max(ofBound, left / (bound + ROUNDING));
                ofFlow = time == end ? Math.max(ofFlow, left) : ofFlow;
            }
            double rate = 1 / flow.fastest();
            int steps = (int) Math.ceil(end / rate);
            ofSteps = Math.max(ofSteps, difference(rows, flow.bySteps(rate, steps), limit));
            exponents[draw] = stepExponent(flow, rows);
        }
        tally.requireAtMost(
                "maximum what is left of the flow, over its bound exp(-rate t) |y| |k| / rate", ofBound, "", draws, 1);
        tally.requireAtMost("maximum difference of the flow's end from the regression", ofFlow, "", draws, ROUNDING);
        tally.requireAtMost("maximum difference of the steps' end from the regression", ofSteps, "", draws, ROUNDING);
        Interval interval = Interval.mean(exponents);
        tally.require(
                interval.low() <= 1 + MARGIN && interval.high() >= 1 - MARGIN,
                () -> "steps approach the flow with an exponent within " + interval);
        tally.measure(Measurement.mean(
                "exponent by which steps approach the flow, over their length",
                new Reference(Relation.ABOUT, 1),
                exponents));
        return tally.finding("flow and steps end at the regression", SEED, SEED + draws - 1);
    }

    private static double norm(double... vector) {
        return Math.sqrt(Arrays.stream(vector).map(x -> x * x).sum());
    }

    private static double dot(double[] a, double[] b) {
        return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
    }

    private static double difference(double[][] rows, double[] alpha, double[] other) {
        return Arrays.stream(rows)
                .mapToDouble(row -> Math.abs(dot(row, alpha) - dot(row, other)))
                .max()
                .orElseThrow();
    }

    /** The exponent, over the step size, of the distance between gradient descent and the flow at a fixed time. */
    private static double stepExponent(KernelGradientFlow flow, double[][] rows) {
        double time = 2 / flow.fastest();
        double[] exact = flow.at(time);
        int[] steps = {16, 32, 64, 128, 256};
        return -SampleRate.exponent(
                Arrays.stream(steps).asDoubleStream().toArray(),
                Arrays.stream(steps)
                        .mapToDouble(count -> difference(rows, flow.bySteps(time / count, count), exact))
                        .toArray());
    }
}
