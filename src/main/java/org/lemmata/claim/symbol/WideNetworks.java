package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.construct.symbol.RandomFeatures;
import org.lemmata.construct.symbol.TokenSymmetricKernel;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/** Boix-Adsera et al. (2024), appendix H: the kernels of random networks approach K_trans as all widths grow. */
final class WideNetworks {

    private static final long SEED = 80_000;
    private static final int FIRST_WIDTH = 8;

    /** The tolerance for the exponent, which is -1/2 by the central limit theorem. */
    private static final double MARGIN = 0.1;

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "symbol.kernel-limit",
                    "appendix H, equation 22",
                    "As the number of heads and all widths of a randomly drawn transformer grow, the product z_2(X)ᵀ"
                            + " z_2(Y) / d of its outputs of width d for strings X and Y tends to the kernel K_trans(X,"
                            + " Y), with beta sqrt(1 + gamma²) in place of equation 3's beta. Read as: the exponent"
                            + " with which the error falls with the widths does not differ significantly from -1/2 by"
                            + " more than " + MARGIN + ".")
            .byBudget("seeds | 1..100000 | draws", "80", "96")
            .byBudget("width | 16..1024 | and heads of the largest network", "32", "192")
            .range("""
                {seeds} draws of strings, beta 0.25 to 0.75, gamma 0.25 to 1, b1, b2 and weights, all widths and
                heads alike, %s to {width}; the root mean square over all pairs of 4 strings
                """.formatted(FIRST_WIDTH))
            .test((scope, computation) ->
                    check(scope.integer("seeds"), scope.integer("width"), 1, computation.kernels()));

    static Finding check(int draws, int maxWidth, double factor, Kernels kernels) {
        var tally = new Tally();
        double[] widths = IntStream.iterate(maxWidth, width -> width >= FIRST_WIDTH, width -> width / 2)
                .asDoubleStream()
                .sorted()
                .toArray();
        double[][] errors = new double[draws][];
        kernels.workers().run(draws, draw -> errors[draw] = errors(widths, factor, Tally.random(SEED + draw), kernels));
        double[] exponents = Arrays.stream(errors)
                .mapToDouble(ofDraw -> SampleRate.exponent(widths, ofDraw))
                .toArray();
        Interval interval = Interval.mean(exponents);
        tally.require(
                interval.low() <= -0.5 + MARGIN && interval.high() >= -0.5 - MARGIN,
                () -> "the exponent is within " + interval);
        tally.measure(Measurement.mean(
                "exponent of the error over the widths", new Reference(Relation.ABOUT, -0.5), exponents));
        for (int i = 0; i < widths.length; i++) {
            int at = i;
            double[] squares = Arrays.stream(errors)
                    .mapToDouble(ofDraw -> ofDraw[at] * ofDraw[at])
                    .toArray();
            tally.measure(Measurement.mean("mean square error, width " + (int) widths[i], null, squares));
        }
        return tally.finding("the error falls with an exponent of about -1/2", SEED, SEED + draws - 1);
    }

    private static double[] errors(double[] widths, double factor, RandomGenerator random, Kernels kernels) {
        TemplateDraw task = TemplateDraw.of(2, 2, 1, random);
        int alphabet = 4;
        List<int[]> strings = IntStream.range(0, 4)
                .mapToObj(i -> task.string(i % 2, task.regular(), alphabet, random))
                .toList();
        var attention = new AttentionKernel(random.nextDouble(0.25, 0.75), random.nextDouble(0.25, 1), 1e-4);
        CosineLink link = KernelDraw.ANY.link(random);
        TokenSymmetricKernel limit =
                TokenSymmetricKernel.transformer(attention.hotter(Math.hypot(1, attention.gamma())), link);
        return Arrays.stream(widths)
                .map(width -> {
                    int tokens = task.regular() + alphabet;
                    Matrix read =
                            new RandomFeatures((int) width, tokens, 3, attention, link, random, kernels).of(strings);
                    double sum = 0;
                    for (int i = 0; i < strings.size(); i++) {
                        for (int j = 0; j <= i; j++) {
                            sum += Math.pow(product(read, i, j) - factor * limit.of(strings.get(i), strings.get(j)), 2);
                        }
                    }
                    return Math.sqrt(sum / (strings.size() * (strings.size() + 1) / 2.0));
                })
                .toArray();
    }

    private static double product(Matrix read, int i, int j) {
        double sum = 0;
        for (int c = 0; c < read.columns(); c++) {
            sum += (double) read.get(i, c) * read.get(j, c);
        }
        return sum;
    }
}
