package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.construct.symbol.KernelRidgeRegression;
import org.lemmata.construct.symbol.TemplateMatrix;
import org.lemmata.construct.symbol.TokenSymmetricKernel;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.task.symbol.Template;

/**
 * Boix-Adsera et al. (2024), theorem 4.4: kernel ridge regression with K_trans generalizes on unseen symbols. lambda is
 * constant. Two rates are computed exactly: the rate in n without common tokens (idealized estimator), and the rate in
 * rho with all strings as samples ({@link Task#errorOfAll}). For finite n and rho, errors are measured on random data
 * sets.
 *
 * <p>The idealized estimator is linear in the normal noise of the labels. With probability at most delta, its error
 * therefore exceeds |bias| + s sqrt(2 ln(2 / delta)), where s is the standard deviation. Hence the bound sqrt(log(1 /
 * delta) / n) holds for all delta if and only if the root mean square error is of order sqrt(1 / n).
 */
final class UnseenSymbols {

    private static final long SEED = 44_000;

    /** Sizes of alphabets. With the last size, strings have hardly any common tokens. */
    private static final double[] ALPHABETS = {16, 64, 256, 1024, 8192, 1 << 20};

    /** The number of data sets per size. Their mean squared error then has a relative error of about a quarter. */
    private static final int DATA_SETS = 24;

    private static final int FEW_SETS = 4;

    private static final int MANY_TOKENS = 1 << 20;

    /** The exponent over n is computed from n samples and from n / SHRINK samples. */
    private static final int SHRINK = 4;

    private static final double MARGIN = 0.1;

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "symbol.theorem-4.4",
                    "theorem 4.4",
                    """
                            For disjoint templates that end with [CLS] and almost any beta, gamma, b1 and b2 there are
                            a ridge lambda and constants c and C, independent of n, rho and delta, with this property.
                            On n samples of diversity rho, ridge regression with the transformer's kernel K_trans has
                            an error on unseen symbols of at most C sqrt(log(1 / delta) / n) + C sqrt(1 / rho) with
                            probability at least 1 - delta - exp(-c n). Read as three tests at fixed lambda. First, if
                            samples have no common tokens, the root mean square error over label noise falls as n^a
                            with a at most -1/2, within
                            """ + SampleRate.MARGIN
                            + ". Second, if all strings are samples without noise, in the limit of large n, the"
                            + " maximum error falls as rho^a with a at most -1/2. Third, for finite n and rho, divide"
                            + " the root mean square error by sqrt(1 / n) + sqrt(1 / rho): the maximum over rho grows"
                            + " as n^a with a at most 0. The last two exponents are means over draws; they"
                            + " must not be significantly above these values by more than " + MARGIN + ".")
            .byBudget("seeds | 1..100000 | draws", "8", "24")
            .byBudget("n | 64..1024 | samples", "128", "512")
            .settings("lambda | (0, 10] | | fixed for all n and rho; drawn by default\n" + KernelDraw.OF_ATTENTION
                    + KernelDraw.OF_LINK)
            .range(scope -> """
                lambda fixed, from 1e-6 to 0.1; over n, five times {seeds} draws of templates, beta, gamma, b1 and
                b2; over rho and over both, so many draws with %s whose N makes the rate begin by n /
                4, {n} samples and a quarter of them over 16 to 2^20 tokens, %s data sets each, lambda from 0.001 to
                0.1; also aa and ab at up to four times as many samples
                """.formatted(KernelDraw.text(scope, "beta", "from 2 to 4"), DATA_SETS))
            .test((scope, computation) -> check(
                    scope.integer("seeds"),
                    scope.integer("n"),
                    0,
                    new KernelDraw(scope.settings()),
                    computation.kernels()));

    private static SampleRate rate(KernelDraw drawn, RandomGenerator random) {
        TemplateDraw task = TemplateDraw.any(random);
        TemplateMatrix matrix =
                TemplateMatrix.of(drawn.kernel(1e-4, random), task.templates()).linked(drawn.link(random));
        return new SampleRate(task.toString(), matrix, task.labels());
    }

    /** @param power lambda is proportional to n^power if there are no common tokens; 0 in the theorem */
    static Finding check(int draws, int n, double power, KernelDraw drawn, Kernels kernels) {
        var tally = new Tally();
        SampleRate.require(
                tally,
                5 * draws,
                SEED,
                power,
                random -> drawn.value("lambda", SampleRate.lambda(random)),
                random -> rate(drawn, random));
        Task[] tasks = new Task[draws];
        double[][][] errors = new double[draws][][];
        kernels.workers().run(draws, draw -> {
            RandomGenerator random = Tally.random(SEED + 2_000 + draw);
            tasks[draw] = Task.draw(drawn, n / SHRINK, random);
            errors[draw] = new double[][] {tasks[draw].errors(n / SHRINK, random), tasks[draw].errors(n, random)};
        });
        requireAtMost(
                tally,
                "exponent over rho of the error with all strings as samples",
                Arrays.stream(tasks).mapToDouble(Task::exponentOverRho),
                -0.5);
        requireAtMost(
                tally,
                "exponent over n of the greatest error over sqrt(1 / n) + sqrt(1 / rho), to n = " + n,
                Arrays.stream(errors)
                        .mapToDouble(of -> SampleRate.exponent(
                                new double[] {1, SHRINK},
                                new double[] {greatest(n / SHRINK, of[0]), greatest(n, of[1])})),
                0);
        Figure bySamples = bySamples(tally, 4 * n, kernels);
        Finding finding =
                tally.finding("errors fall with n and with rho at fixed lambda", SEED, SEED + 2_000 + draws - 1);
        var byAlphabet = new Figure(
                "Errors on unseen symbols by alphabet",
                "Root mean square error of the regression with " + n + " samples at fixed lambda, a line a draw of the"
                        + " task and the kernel.",
                "log2 of the alphabet",
                "log2 of the root mean square error",
                IntStream.range(0, draws)
                        .mapToObj(draw -> line("draw " + (draw + 1), ALPHABETS, errors[draw][1]))
                        .toList());
        return finding.showing(bySamples, byAlphabet);
    }

    /** The maximum over alphabets of the error divided by sqrt(1 / n) + sqrt(1 / rho). */
    private static double greatest(int n, double... errors) {
        return IntStream.range(0, errors.length)
                .mapToDouble(i -> errors[i] / (1 / Math.sqrt(n) + 1 / Math.sqrt(ALPHABETS[i])))
                .max()
                .orElseThrow();
    }

    private static void requireAtMost(Tally tally, String name, DoubleStream ofDraws, double most) {
        double[] exponents = ofDraws.toArray();
        Interval interval = Interval.mean(exponents);
        tally.require(interval.low() <= most + MARGIN, () -> name + " is within " + interval);
        tally.measure(Measurement.mean(name, new Reference(Relation.AT_MOST, most + MARGIN), exponents));
    }

    private static Figure.Series line(String name, double[] sizes, double[] values) {
        return Figure.Series.of(
                name,
                IntStream.range(0, sizes.length).boxed().toList(),
                i -> Figure.log2(sizes[i]),
                i -> Figure.log2(values[i]));
    }

    /**
     * A plot of mean squared errors on the task of section 4.3, with hardly any common tokens. The constant answer 0
     * has an error of 1.
     */
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
                    TokenSymmetricKernel.transformer(new AttentionKernel(4, 1, 1e-4), new CosineLink(1, 1.2));
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
                String name = "mean square error of aa and ab, " + names.get(i) + ", n = " + (int) sizes[at];
                tally.measure(Measurement.mean(name, null, errors[i][at]));
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
                                        .mapToDouble(sets ->
                                                Arrays.stream(sets).average().orElseThrow())
                                        .toArray()))
                        .toList());
    }

    /** Two templates of two symbols, a kernel, the template matrix N, and a lambda. */
    record Task(TemplateDraw task, TokenSymmetricKernel kernel, TemplateMatrix matrix, double lambda) {

        /**
         * A random task whose bias, of order |N^-1| (lambda + K(x, x) - N_ii) r / n, is below 1 from n = {@code from}
         * on. If a user gives beta, gamma, b1, b2 or lambda, the bias may be larger.
         */
        private static Task draw(KernelDraw drawn, int from, RandomGenerator random) {
            while (true) {
                TemplateDraw task = TemplateDraw.of(2, 2, random.nextInt(2), random);
                TokenSymmetricKernel kernel = TokenSymmetricKernel.transformer(
                        drawn.kernel(random.nextDouble(2, 4), 1e-5, random), drawn.link(random));
                var made = new Task(
                        task,
                        kernel,
                        TemplateMatrix.of(kernel, task.templates()),
                        drawn.value("lambda", Math.pow(10, random.nextDouble(-3, -1))));
                if (made.first() <= from || drawn.given().hasAny("beta", "gamma", "b1", "b2", "lambda")) {
                    return made;
                }
            }
        }

        private double first() {
            double own = Math.max(matrix.self(0) - matrix.get(0, 0), matrix.self(1) - matrix.get(1, 1));
            return matrix.inverseNorm() * (lambda + own) * 2;
        }

        /** The root mean square error over unseen strings and data sets, for each alphabet. */
        private double[] errors(int n, RandomGenerator random) {
            return Arrays.stream(ALPHABETS)
                    .map(alphabet -> {
                        double squares = 0;
                        for (int set = 0; set < DATA_SETS; set++) {
                            squares += square((int) alphabet, n, random) / DATA_SETS;
                        }
                        return Math.sqrt(squares);
                    })
                    .toArray();
        }

        private double square(int alphabet, int n, RandomGenerator random) {
            TemplateDraw.Samples samples = task.samples(n, alphabet, SampleRate.NOISE, random);
            var regression = KernelRidgeRegression.fit(kernel, samples.strings(), samples.labels(), lambda);
            return IntStream.range(0, 2)
                    .mapToDouble(t -> regression.predict(task.unseen(t, alphabet)) - task.labels()[t])
                    .map(error -> error * error / 2)
                    .sum();
        }

        /** The exponent over rho, for alphabets large enough that N determines the error. */
        private double exponentOverRho() {
            double first = 100 * matrix.inverseNorm();
            double[] alphabets = {first, 10 * first, 100 * first};
            return SampleRate.exponent(
                    alphabets, Arrays.stream(alphabets).map(this::errorOfAll).toArray());
        }

        /**
         * The maximum error on unseen symbols in the limit of large n, if all strings over an alphabet are samples
         * without noise. With M_ij the mean of K over one string of template i and all strings of template j, the
         * errors are N M^-1 f* - f* = (N - M) M^-1 f*.
         */
        double errorOfAll(double alphabet) {
            int r = matrix.size();
            double[] common = new double[r * r];
            double[] means = new double[r * r];
            Arrays.setAll(common, at -> {
                int[] x = task.unseen(at / r, 0);
                double apart = kernel.of(x, task.unseen(at % r, x.length));
                return task.mean(at % r, x.length, alphabet, y -> kernel.of(x, y) - apart);
            });
            Arrays.setAll(means, at -> matrix.get(at / r, at % r) + common[at]);
            double[] coefficients = KernelRidgeRegression.coefficients(means, task.labels(), 0);
            return IntStream.range(0, r)
                    .mapToDouble(i -> IntStream.range(0, r)
                            .mapToDouble(j -> common[i * r + j] * coefficients[j])
                            .sum())
                    .map(Math::abs)
                    .max()
                    .orElseThrow();
        }
    }
}
