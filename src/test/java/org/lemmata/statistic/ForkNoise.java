package org.lemmata.statistic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/** Distributions of forks: mean 0; standard deviation 1, except 1.4 for the bimodal one. */
enum ForkNoise {
    NORMAL,

    /** Skewed, with a heavy tail to the slow side. */
    LOGNORMAL,

    /** Three of ten forks are far slower, as from alignment or another decision of the compiler. */
    BIMODAL,

    /** Another program disturbs one of ten forks during its whole time. */
    DISTURBED;

    private static final int ITERATIONS = 5;

    double next(SplittableRandom random) {
        return switch (this) {
            case NORMAL -> random.nextGaussian();
            case LOGNORMAL -> (Math.exp(random.nextGaussian()) - Math.exp(0.5)) / Math.sqrt((Math.E - 1) * Math.E);
            case BIMODAL -> (random.nextDouble() < 0.3 ? 2.1 : -0.9) + 0.3 * random.nextGaussian();
            case DISTURBED -> random.nextGaussian() / Math.sqrt(2) + (random.nextDouble() < 0.1 ? 2.25 : 0) - 0.225;
        };
    }

    /** The 99.9% quantile of a binomial count. */
    static int atMost(int trials, double rate) {
        return BinomialDistribution.of(trials, rate).inverseSurvivalProbability(0.001);
    }

    /**
     * Scores [fork][iteration] of about 100. Iterations within a fork differ half as much as forks.
     *
     * @param deviation the standard deviation of the forks' logs, in units of {@link #next}
     * @param drift the number added to each fork's log
     */
    List<List<Double>> samples(SplittableRandom random, double deviation, double... drift) {
        List<List<Double>> samples = new ArrayList<>();
        for (double shift : drift) {
            double fork = Math.log(100) + shift + deviation * next(random);
            List<Double> iterations = new ArrayList<>();
            for (int i = 0; i < ITERATIONS; i++) {
                iterations.add(Math.exp(fork + deviation / 2 * random.nextGaussian()));
            }
            samples.add(iterations);
        }
        return samples;
    }
}
