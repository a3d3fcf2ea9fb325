package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.claim.symbol.DrawnClaim.Amount;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.construct.symbol.IdealizedEstimator;
import org.lemmata.construct.symbol.KernelRidgeRegression;
import org.lemmata.construct.symbol.LinkedKernel;
import org.lemmata.construct.symbol.TemplateMatrix;
import org.lemmata.construct.symbol.TokenSymmetricKernel;
import org.lemmata.kernel.Kernels;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.task.symbol.Template;

/**
 * Boix-Adsera et al. (2024), theorem 4.4: kernel ridge regression with K_trans generalizes on unseen symbols. Its rate
 * in n is that of the idealized estimator, in closed form; what common tokens add is measured on drawn data sets,
 * beside the idealized estimator of the same samples.
 *
 * <p>That estimator is linear in normal noise of the labels, so that its error exceeds |bias| + s sqrt(2 ln(2 /
 * delta)), s the deviation, with probability at most delta: the bound sqrt(log(1 / delta) / n) holds for all delta if
 * and only if the root mean square is of order sqrt(1 / n).
 */
final class UnseenSymbols {

    private static final long SEED = 44_000;
    private static final int FIRST_ALPHABET = 256;
    private static final int ALPHABETS = 4;

    /** Data sets of each size; their mean square has an error of about a quarter. */
    private static final int DATA_SETS = 24;

    /** Of the figure. */
    private static final int FEW_SETS = 4;

    private static final int MANY_TOKENS = 1 << 20;

    /** How many times fewer samples the exponent over n begins with. */
    private static final int SHRINK = 4;

    /** Of the exponents of what common tokens add. */
    private static final double MARGIN = 0.1;

    private static final String KERNELS = KernelDraw.OF_ATTENTION + KernelDraw.OF_LINK;

    static final DrawnClaim CLAIM = new DrawnClaim(
            new Statement(
                    "symbol.theorem-4.4",
                    new Source(Paper.SYMBOL, "theorem 4.4"),
                    Form.CORRECTED,
                    "For disjoint templates that end with [CLS] and almost any beta, gamma, b1 and b2, kernel ridge"
                        + " regression with K_trans has an error on unseen symbols of order lambda / n + sqrt(1 / n) +"
                        + " (n / lambda) sqrt(1 / rho); read, the root mean square over label noise, as an exponent"
                        + " over n of at most -1/2 without common tokens, lambda of order n^s with"
                        + " s up to 1/2, within " + SampleRate.MARGIN
                            + "; and of the mean square that common tokens add as exponents of at most -1 over rho and,"
                            + " with lambda of order sqrt(n), of at most 1 over n, within " + MARGIN + "."),
            new Amount(8, 96),
            new Amount(24, 384),
            "n | 16..1000 | | samples; by default as the budget has it\n"
                    + "s | [0, 2]; stated [0, 1/2] | 1/2 | lambda is of order n^s at most\n" + KERNELS,
            "over n, five times %d draws of templates, beta, gamma, b1, b2 and s; over rho, a fifth of them, %d"
                    + " samples over "
                    + FIRST_ALPHABET + " to " + (FIRST_ALPHABET << (2 * (ALPHABETS - 1))) + " tokens, " + DATA_SETS
                    + " data sets each, lambda from 0.01 to 0.1 sqrt(n); aa and ab at up to four times as many samples"
                    + " beside",
            settings -> (draws, size, kernels) ->
                    check(draws, size, settings.number("s"), new KernelDraw(settings), kernels));

    static final DrawnClaim PRINTED = new DrawnClaim(
            new Statement(
                    "symbol.theorem-4.4.printed",
                    new Source(Paper.SYMBOL, "theorem 4.4 and appendix D"),
                    Form.PRINTED,
                    "With constants that depend on neither n nor rho and, as the proof has it, lambda = Theta(n): the"
                        + " error on unseen symbols is of order sqrt(1 / n) + sqrt(1 / rho); read, at infinite rho, as"
                        + " an exponent over n of at most -1/2, within "
                            + SampleRate.MARGIN + "."),
            new Amount(30, 0),
            new Amount(30, 0),
            "s | [0, 2]; stated 1 | 1 | lambda is of order n^s\n" + KERNELS,
            "%d draws of templates, beta, gamma, b1 and b2, lambda = c n^s, c from 1e-6 to 0.1, no common tokens; from"
                    + " n of (100 N's condition / c)² on",
            settings -> (draws, size, kernels) -> checkPrinted(draws, settings.number("s"), new KernelDraw(settings)));

    private UnseenSymbols() {}

    private static SampleRate rate(KernelDraw drawn, RandomGenerator random) {
        TemplateDraw task = TemplateDraw.any(random);
        TemplateMatrix matrix =
                TemplateMatrix.of(drawn.kernel(1e-4, random), task.templates()).linked(drawn.link(random));
        return new SampleRate(task.toString(), matrix, task.labels());
    }

    /** @param power of n that lambda is proportional to */
    static Finding checkPrinted(int draws, double power, KernelDraw drawn) {
        return SampleRate.printed(draws, SEED, power, random -> rate(drawn, random));
    }

    /** @param maxPower the largest s of lambda = n^s */
    static Finding check(int draws, int n, double maxPower, KernelDraw drawn, Kernels kernels) {
        var tally = new Tally();
        SampleRate.require(tally, 5 * draws, SEED, 0, maxPower, random -> rate(drawn, random));
        double[] alphabets = IntStream.range(0, ALPHABETS)
                .mapToDouble(i -> FIRST_ALPHABET << (2 * i))
                .toArray();
        double[][] added = new double[draws][];
        kernels.workers()
                .run(draws, draw -> added[draw] = added(alphabets, n, drawn, Tally.random(SEED + 2_000 + draw)));
        requireAtMost(
                tally,
                "exponent over rho of the mean square that common tokens add, n = " + n,
                Arrays.stream(added).mapToDouble(ofDraw -> Exponent.of(alphabets, Arrays.copyOf(ofDraw, ALPHABETS))),
                -1);
        requireAtMost(
                tally,
                "exponent over n of the same, rho of " + (int) alphabets[1] + " tokens",
                Arrays.stream(added)
                        .mapToDouble(ofDraw ->
                                Exponent.of(new double[] {1, SHRINK}, new double[] {ofDraw[ALPHABETS], ofDraw[1]})),
                1);
        Figure bySamples = bySamples(tally, 4 * n, kernels);
        Finding finding = tally.finding(
                "errors fall with n, and what common tokens add with rho", SEED, SEED + 2_000 + draws - 1);
        var byAlphabet = new Figure(
                "What common tokens add to the error on unseen symbols",
                "Mean square difference of the regression from the idealized estimator, " + n
                        + " samples, a line a draw of" + " the task and the kernel. A slope of -1 is 1 / rho.",
                "log2 of the alphabet",
                "log2 of the mean square",
                IntStream.range(0, draws)
                        .mapToObj(draw -> line("draw " + (draw + 1), alphabets, Arrays.copyOf(added[draw], ALPHABETS)))
                        .toList());
        return finding.showing(bySamples, byAlphabet);
    }

    /** The exponent of each draw: not significantly above what the error's order allows. */
    private static void requireAtMost(Tally tally, String name, DoubleStream ofDraws, double most) {
        double[] exponents = ofDraws.toArray();
        Interval interval = Interval.mean(exponents);
        tally.require(interval.low() <= most + MARGIN, () -> name + " is within " + interval);
        tally.measure(new Measurement(
                name, mean(exponents), "", interval, exponents.length, new Reference(Relation.AT_MOST, most + MARGIN)));
    }

    private static double mean(double... values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static Figure.Series line(String name, double[] sizes, double[] values) {
        return new Figure.Series(name, log2(sizes), log2(values));
    }

    private static List<Double> log2(double[] values) {
        return Arrays.stream(values)
                .map(value -> Math.log(value) / Math.log(2))
                .boxed()
                .toList();
    }

    /** Mean square errors of the task of section 4.3, with hardly any common tokens: 0 has an error of 1 there. */
    private static Figure bySamples(Tally tally, int maxSamples, Kernels kernels) {
        var task = new TemplateDraw(List.of(new Template(-1, -1, 0), new Template(-1, -2, 0)), new double[] {1, -1}, 1);
        double[] sizes = IntStream.iterate(maxSamples / 16, n -> n <= maxSamples, n -> 4 * n)
                .asDoubleStream()
                .toArray();
        List<String> names = List.of("lambda = 0.01", "lambda = 0.01 sqrt(n)", "lambda = 0.01 n");
        double[][][] errors = new double[names.size()][sizes.length][FEW_SETS];
        kernels.workers().run(sizes.length, at -> {
            int n = (int) sizes[at];
            TokenSymmetricKernel kernel =
                    LinkedKernel.transformer(new AttentionKernel(4, 1, 1e-4), new CosineLink(1, 1.2));
            RandomGenerator random = Tally.random(SEED + 3_000 + at);
            for (int set = 0; set < FEW_SETS; set++) {
                TemplateDraw.Samples samples = task.samples(n, MANY_TOKENS, SampleRate.NOISE, random);
                for (int i = 0; i < names.size(); i++) {
                    var regression = KernelRidgeRegression.fit(
                            kernel, samples.strings(), samples.labels(), 0.01 * Math.pow(n, i / 2.0));
                    for (int t = 0; t < 2; t++) {
                        double error = regression.predict(task.unseen(t, MANY_TOKENS)) - task.labels()[t];
                        errors[i][at][set] += error * error / 2;
                    }
                }
            }
        });
        for (int i = 0; i < names.size(); i++) {
            for (int at = 0; at < sizes.length; at++) {
                tally.measure(new Measurement(
                        "mean square error of aa and ab, " + names.get(i) + ", n = " + (int) sizes[at],
                        mean(errors[i][at]),
                        "",
                        Interval.mean(errors[i][at]),
                        FEW_SETS,
                        null));
            }
        }
        return new Figure(
                "Errors on unseen symbols",
                "Kernel ridge regression with K_trans, aa with label 1 and ab with -1, beta 4, gamma 1, b1 1, b2 1.2,"
                        + " over "
                        + MANY_TOKENS + " tokens. With lambda of order n the error does not go to 0.",
                "log2 of n",
                "log2 of the mean square error",
                IntStream.range(0, names.size())
                        .mapToObj(i -> line(
                                names.get(i),
                                sizes,
                                Arrays.stream(errors[i])
                                        .mapToDouble(UnseenSymbols::mean)
                                        .toArray()))
                        .toList());
    }

    /**
     * The mean square of the difference from the idealized estimator by size of the alphabet, and for fewer samples
     * over the second one.
     */
    private static double[] added(double[] alphabets, int n, KernelDraw parameters, RandomGenerator random) {
        TemplateDraw task = TemplateDraw.of(2, 2, random.nextInt(2), random);
        TokenSymmetricKernel kernel =
                LinkedKernel.transformer(parameters.kernel(1e-7, random), parameters.link(random));
        TemplateMatrix matrix = TemplateMatrix.of(kernel, task.templates());
        double share = 0.01 * Math.pow(10, random.nextDouble());
        var added = new double[ALPHABETS + 1];
        for (int at = 0; at < added.length; at++) {
            int alphabet = (int) alphabets[at < ALPHABETS ? at : 1];
            int samples = at < ALPHABETS ? n : n / SHRINK;
            double lambda = share * Math.sqrt(samples);
            for (int set = 0; set < DATA_SETS; set++) {
                TemplateDraw.Samples drawn = task.samples(samples, alphabet, SampleRate.NOISE, random);
                var regression = KernelRidgeRegression.fit(kernel, drawn.strings(), drawn.labels(), lambda);
                double[] ideal = new IdealizedEstimator(matrix, drawn.counts(2), lambda, true).answers(drawn.means(2));
                for (int t = 0; t < 2; t++) {
                    added[at] += Math.pow(regression.predict(task.unseen(t, alphabet)) - ideal[t], 2) / (2 * DATA_SETS);
                }
            }
        }
        return added;
    }
}
