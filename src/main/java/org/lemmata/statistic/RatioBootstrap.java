package org.lemmata.statistic;

import java.util.List;
import java.util.SplittableRandom;
import org.lemmata.argument.Refuse;

/**
 * Estimates how many times as great the current score is as the baseline's, from samples [fork][iteration].
 *
 * <p>Forks are the units: the iterations of one fork share what the compiler made of the code and where the data came
 * to lie, so that they vary less than forks do (Kalibera and Jones 2013, "Rigorous Benchmarking in Reasonable Time"). A
 * fork's score is the center of the logs of its iterations, the estimate the center of its forks'.
 *
 * <p>Its standard error comes from a bootstrap of that hierarchy: forks are drawn with replacement, each with all of
 * its iterations (Davison and Hinkley 1997, section 3.8; Field and Welsh 2007). To draw iterations with replacement,
 * too, counts their noise twice, since the forks' scores already differ by it. The standard error is enlarged by sqrt(n
 * / (n - 1)) for n forks, because the bootstrap's variance is that of n draws about their own center (Hesterberg 2015,
 * "What Teachers Should Know About the Bootstrap").
 *
 * <p>The draws are those of a fixed seed: same samples, same bits.
 */
public final class RatioBootstrap {

    private static final int RESAMPLES = 2000;
    private static final long SEED = 20_130_620;

    private RatioBootstrap() {}

    /**
     * For sides that were run one after the other, or interleaved without a partner. The sides may differ in forks and
     * iterations.
     *
     * @param current scores of the side in question, [fork][iteration], positive and finite
     * @param baseline scores of the side it is held against
     * @return a standard error of infinity if a side has one fork
     */
    public static RatioEstimate unpaired(List<List<Double>> current, List<List<Double>> baseline, Center center) {
        double[] currentForks = forkScores("current", current, center);
        double[] baselineForks = forkScores("baseline", baseline, center);
        var random = new SplittableRandom(SEED);
        double currentVariance = variance(currentForks, center, random);
        double baselineVariance = variance(baselineForks, center, random);
        return new RatioEstimate(
                Math.exp(overForks(currentForks, center) - overForks(baselineForks, center)),
                Math.sqrt(currentVariance + baselineVariance),
                RatioEstimate.degreesOfFreedom(
                        currentVariance,
                        degreesOfFreedom(currentForks),
                        baselineVariance,
                        degreesOfFreedom(baselineForks)));
    }

    /**
     * For sides whose forks ran in pairs, beside each other: the estimate is the center of the pairs' ratios, which
     * what drifts slowly does not touch.
     *
     * @param current scores [fork][iteration], positive and finite
     * @param baseline scores of as many forks; fork i ran beside fork i of {@code current}
     * @return a standard error of infinity if there is one pair
     */
    public static RatioEstimate paired(List<List<Double>> current, List<List<Double>> baseline, Center center) {
        double[] ratios = forkScores("current", current, center);
        double[] baselineForks = forkScores("baseline", baseline, center);
        if (baselineForks.length != ratios.length) {
            throw new IllegalArgumentException("baseline: expected " + ratios.length
                    + " forks, one beside each of current, got " + baselineForks.length);
        }
        for (int pair = 0; pair < ratios.length; pair++) {
            ratios[pair] -= baselineForks[pair];
        }
        return ofLogRatios(ratios, center);
    }

    /**
     * For forks that ran at the same time: the estimate is the center of the pairs' ratios, and a pair's that of its
     * iterations' ratios, which what slows both at one moment does not touch.
     *
     * @param pairs ratios [pair][iteration], positive and finite
     * @return a standard error of infinity if there is one pair
     */
    public static RatioEstimate together(List<List<Double>> pairs, Center center) {
        return ofLogRatios(forkScores("pairs", pairs, center), center);
    }

    private static RatioEstimate ofLogRatios(double[] ratios, Center center) {
        return new RatioEstimate(
                Math.exp(overForks(ratios, center)),
                Math.sqrt(variance(ratios, center, new SplittableRandom(SEED))),
                degreesOfFreedom(ratios));
    }

    /** Of the center of {@code forks}. */
    private static double variance(double[] forks, Center center, SplittableRandom random) {
        if (forks.length == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double[] estimates = new double[RESAMPLES];
        double[] drawn = new double[forks.length];
        for (int resample = 0; resample < RESAMPLES; resample++) {
            for (int i = 0; i < drawn.length; i++) {
                drawn[i] = forks[random.nextInt(forks.length)];
            }
            estimates[resample] = overForks(drawn, center);
        }
        double mean = mean(estimates);
        double sum = 0;
        for (double estimate : estimates) {
            sum += (estimate - mean) * (estimate - mean);
        }
        return sum / RESAMPLES * forks.length / (forks.length - 1);
    }

    /** At least 1, which a single fork's infinite variance leaves without effect. */
    private static int degreesOfFreedom(double[] forks) {
        return Math.max(1, forks.length - 1);
    }

    private static double overForks(double[] forks, Center center) {
        return switch (center) {
            case MEDIAN -> Median.of(forks);
            case MEAN, MEAN_OF_MEDIANS -> mean(forks);
        };
    }

    private static double overIterations(double[] iterations, Center center) {
        return switch (center) {
            case MEDIAN, MEAN_OF_MEDIANS -> Median.of(iterations);
            case MEAN -> mean(iterations);
        };
    }

    private static double mean(double[] values) {
        // About the first one: the mean of equal values is that value, to the bit, so that they have no spread.
        double sum = 0;
        for (double value : values) {
            sum += value - values[0];
        }
        return values[0] + sum / values.length;
    }

    /** A log for each fork. */
    private static double[] forkScores(String side, List<List<Double>> samples, Center center) {
        Refuse.when(samples.isEmpty(), side, "at least one fork", "none");
        double[] scores = new double[samples.size()];
        for (int fork = 0; fork < scores.length; fork++) {
            List<Double> iterations = samples.get(fork);
            if (iterations.isEmpty()) {
                throw new IllegalArgumentException(
                        side + ": expected at least one iteration in fork " + (fork + 1) + ", got none");
            }
            double[] logs = new double[iterations.size()];
            for (int iteration = 0; iteration < logs.length; iteration++) {
                double score = iterations.get(iteration);
                if (!(score > 0 && score < Double.POSITIVE_INFINITY)) {
                    throw new IllegalArgumentException(
                            side + ": expected positive finite scores, got " + score + " in fork " + (fork + 1));
                }
                logs[iteration] = Math.log(score);
            }
            scores[fork] = overIterations(logs, center);
        }
        return scores;
    }
}
