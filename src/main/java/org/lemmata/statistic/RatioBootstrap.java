package org.lemmata.statistic;

import java.util.List;
import java.util.SplittableRandom;
import org.lemmata.argument.Refuse;

/**
 * Estimates the ratio of the current score to the baseline's, from samples [fork][iteration].
 *
 * <p>Forks are the sampling units. The iterations of one fork share compiled code and memory layout, so they vary less
 * than forks do (Kalibera and Jones 2013, "Rigorous Benchmarking in Reasonable Time"). A fork's score is the center of
 * the logs of its iterations, and the estimate is the center of the forks' scores.
 *
 * <p>The standard error of the estimate comes from a hierarchical bootstrap: forks are drawn with replacement, each
 * with all of its iterations (Davison and Hinkley 1997, section 3.8; Field and Welsh 2007). Also drawing iterations
 * with replacement would count their noise twice, because it is already part of the forks' scores. The standard error
 * is multiplied by sqrt(n / (n - 1)) for n forks, because the bootstrap gives the variance of n draws about their own
 * center (Hesterberg 2015, "What Teachers Should Know About the Bootstrap").
 *
 * <p>The draws have a fixed seed, so the same samples give the same bits.
 */
public final class RatioBootstrap {

    private static final int RESAMPLES = 2000;
    private static final long SEED = 20_130_620;

    private RatioBootstrap() {}

    /**
     * The ratio of two versions that ran one after the other, or alternating without pairs. Their numbers of forks and
     * iterations may differ.
     *
     * @param current scores of the current version, [fork][iteration], positive and finite
     * @param baseline scores of the baseline
     * @return the estimate, with an infinite standard error if a version has one fork
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
     * The ratio of two versions whose forks ran in pairs, one immediately after the other. The estimate is the center
     * of the pairs' ratios, which slow drift does not affect.
     *
     * @param current scores [fork][iteration], positive and finite
     * @param baseline scores of as many forks; fork i is paired with fork i of {@code current}
     * @return the estimate, with an infinite standard error if there is one pair
     */
    public static RatioEstimate paired(List<List<Double>> current, List<List<Double>> baseline, Center center) {
        double[] ratios = forkScores("current", current, center);
        double[] baselineForks = forkScores("baseline", baseline, center);
        String expected = ratios.length + " forks, one for each of current";
        Refuse.when(baselineForks.length != ratios.length, "baseline", expected, baselineForks.length);
        for (int pair = 0; pair < ratios.length; pair++) {
            ratios[pair] -= baselineForks[pair];
        }
        return ofLogRatios(ratios, center);
    }

    /**
     * The ratio of two versions whose forks ran simultaneously. The estimate is the center of the pairs' ratios, and a
     * pair's ratio is the center of the ratios of its iterations. A disturbance that affects both forks at the same
     * moment does not affect the ratio.
     *
     * @param pairs ratios [pair][iteration], positive and finite
     * @return the estimate, with an infinite standard error if there is one pair
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

    /**
     * The degrees of freedom, at least 1. For a single fork the value has no effect, because the variance is infinite.
     */
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
        // Differences from the first value make the mean of equal values exact. Their spread is then 0.
        double sum = 0;
        for (double value : values) {
            sum += value - values[0];
        }
        return values[0] + sum / values.length;
    }

    /** The score of each fork, as a logarithm. */
    private static double[] forkScores(String side, List<List<Double>> samples, Center center) {
        Refuse.when(samples.isEmpty(), side, "at least one fork", "none");
        double[] scores = new double[samples.size()];
        for (int fork = 0; fork < scores.length; fork++) {
            List<Double> iterations = samples.get(fork);
            Refuse.when(iterations.isEmpty(), side, "at least one iteration in fork " + (fork + 1), "none");
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
