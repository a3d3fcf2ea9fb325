package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.IdealizedEstimator;
import org.lemmata.construct.symbol.TemplateMatrix;

/**
 * The rate at which the idealized estimator's error on unseen strings decreases with the number n of samples. The
 * estimator corresponds to samples without common tokens.
 *
 * @param matrix N
 */
// Labels are arrays everywhere in this package.
@SuppressWarnings("ArrayRecordComponent")
record SampleRate(String name, TemplateMatrix matrix, double[] labels) {

    static final double NOISE = 0.2;

    static final double MARGIN = 0.05;

    /** A random factor c for lambda = c n^power, log-uniform from 1e-6 to 0.1. */
    static double lambda(RandomGenerator random) {
        return Math.pow(10, random.nextDouble(-6, -1));
    }

    /** Requires an exponent of at most -1/2 + {@link #MARGIN} for each draw, with lambda = c n^power. */
    static void require(
            Tally tally,
            int draws,
            long seed,
            double power,
            ToDoubleFunction<RandomGenerator> c,
            Function<RandomGenerator, SampleRate> draw) {
        Tally.Extreme exponents = tally.atMost("maximum exponent of the error over n", "", -0.5 + MARGIN);
        for (int i = 0; i < draws; i++) {
            RandomGenerator random = Tally.random(seed + i);
            SampleRate drawn = draw.apply(random);
            double share = c.applyAsDouble(random);
            double exponent = drawn.exponent(share, power);
            exponents.add(
                    exponent,
                    () -> drawn.name + ", lambda = " + share + (power == 0 ? "" : " n^" + power)
                            + ": the error has an exponent of " + exponent + " over n");
        }
    }

    /**
     * The exponent of the error over n, fitted at n >= (100 condition / share)². At smaller n, noise of order n^(-1/2)
     * may hide the bias.
     */
    private double exponent(double share, double power) {
        double first = Math.pow(100 * matrix.condition() / share, 2);
        double[] sizes = {first, 10 * first, 100 * first};
        return exponent(
                sizes,
                Arrays.stream(sizes)
                        .map(n -> Math.sqrt(meanSquare(n / matrix.size(), share * Math.pow(n, power))))
                        .toArray());
    }

    /** The maximum, over templates, of the squared error on an unseen string, averaged over the noise of labels. */
    private double meanSquare(double each, double lambda) {
        int r = matrix.size();
        double[] counts = new double[r];
        Arrays.fill(counts, each);
        var estimator = new IdealizedEstimator(matrix, counts, lambda, true);
        double[] squares =
                Arrays.stream(estimator.bias(labels)).map(bias -> bias * bias).toArray();
        for (int noisy = 0; noisy < r; noisy++) {
            double[] unit = new double[r];
            unit[noisy] = NOISE / Math.sqrt(each);
            double[] answers = estimator.answers(unit);
            Arrays.setAll(squares, j -> squares[j] + answers[j] * answers[j]);
        }
        return Arrays.stream(squares).max().orElseThrow();
    }

    /** The least-squares slope of log(value) over log(size), for at least two sizes and positive values. */
    static double exponent(double[] sizes, double[] values) {
        double[] x = Arrays.stream(sizes).map(Math::log).toArray();
        double[] y = Arrays.stream(values).map(Math::log).toArray();
        double meanX = Arrays.stream(x).average().orElseThrow();
        double meanY = Arrays.stream(y).average().orElseThrow();
        double product = 0;
        double square = 0;
        for (int i = 0; i < x.length; i++) {
            product += (x[i] - meanX) * (y[i] - meanY);
            square += (x[i] - meanX) * (x[i] - meanX);
        }
        return product / square;
    }
}
