package org.lemmata.statistic;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Estimates how many times as great the current score is as the baseline's, from samples [fork][iteration].
 *
 * <p>Forks are the units: the iterations of one fork share a heap layout and what the compiler made of it, so that they vary less
 * than forks do (Kalibera and Jones 2013, "Rigorous Benchmarking in Reasonable Time"). A fork's score is the center of the logs of
 * its iterations, the estimate the center of its forks'. Its standard error comes from a hierarchical bootstrap: forks drawn with
 * replacement, then iterations within each; times sqrt(n / (n - 1)) for n forks, since the bootstrap's variance is that of n draws
 * about their own center (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", section 3.2).
 *
 * <p>The draws are those of a fixed seed: same samples, same bits.
 */
public final class RatioBootstrap {

    private static final int RESAMPLES = 2000;
    private static final long SEED = 20_130_620;

    private RatioBootstrap() {}

    /**
     * For sides that were run one after the other, or interleaved without a partner. The sides may differ in forks and iterations.
     *
     * @param current scores of the side in question, [fork][iteration], positive and finite
     * @param baseline scores of the side it is held against
     * @return a standard error of infinity if a side has one fork
     */
    public static RatioEstimate unpaired(
            List<List<Double>> current, List<List<Double>> baseline, Center center) {
        double[][] currentLogs = logs("current", current);
        double[][] baselineLogs = logs("baseline", baseline);
        var random = new SplittableRandom(SEED);
        double currentVariance = variance(resample(currentLogs, center, random), currentLogs.length);
        double baselineVariance = variance(resample(baselineLogs, center, random), baselineLogs.length);
        return new RatioEstimate(
                Math.exp(center(forkCenters(currentLogs, center), center)
                        - center(forkCenters(baselineLogs, center), center)),
                Math.sqrt(currentVariance + baselineVariance),
                RatioEstimate.degreesOfFreedom(
                        currentVariance,
                        Math.max(1, currentLogs.length - 1),
                        baselineVariance,
                        Math.max(1, baselineLogs.length - 1)));
    }

    /**
     * For sides whose forks ran in pairs, beside each other: the estimate is the center of the pairs' ratios, which what drifts
     * slowly does not touch.
     *
     * @param current scores [fork][iteration], positive and finite
     * @param baseline scores of as many forks; fork i ran beside fork i of {@code current}
     * @return a standard error of infinity if there is one pair
     */
    public static RatioEstimate paired(List<List<Double>> current, List<List<Double>> baseline, Center center) {
        double[][] currentLogs = logs("current", current);
        double[][] baselineLogs = logs("baseline", baseline);
        int pairs = currentLogs.length;
        if (baselineLogs.length != pairs) {
            throw new IllegalArgumentException(
                    "baseline: expected " + pairs + " forks, one beside each of current, got " + baselineLogs.length);
        }
        double[] ratios = forkCenters(currentLogs, center);
        double[] baselineCenters = forkCenters(baselineLogs, center);
        for (int pair = 0; pair < pairs; pair++) {
            ratios[pair] -= baselineCenters[pair];
        }
        var random = new SplittableRandom(SEED);
        double[] estimates = new double[RESAMPLES];
        double[] drawn = new double[pairs];
        for (int resample = 0; resample < RESAMPLES; resample++) {
            for (int i = 0; i < pairs; i++) {
                int pair = random.nextInt(pairs);
                drawn[i] = drawCenter(currentLogs[pair], center, random)
                        - drawCenter(baselineLogs[pair], center, random);
            }
            estimates[resample] = center(drawn, center);
        }
        return new RatioEstimate(
                Math.exp(center(ratios, center)), Math.sqrt(variance(estimates, pairs)), Math.max(1, pairs - 1));
    }

    private static double[] resample(double[][] forks, Center center, SplittableRandom random) {
        double[] estimates = new double[RESAMPLES];
        double[] drawn = new double[forks.length];
        for (int resample = 0; resample < RESAMPLES; resample++) {
            for (int i = 0; i < drawn.length; i++) {
                drawn[i] = drawCenter(forks[random.nextInt(forks.length)], center, random);
            }
            estimates[resample] = center(drawn, center);
        }
        return estimates;
    }

    private static double drawCenter(double[] iterations, Center center, SplittableRandom random) {
        double[] drawn = new double[iterations.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = iterations[random.nextInt(iterations.length)];
        }
        return center(drawn, center);
    }

    /** Of the estimate, corrected for the number of forks. */
    private static double variance(double[] estimates, int forks) {
        if (forks == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double mean = mean(estimates);
        double sum = 0;
        for (double estimate : estimates) {
            sum += (estimate - mean) * (estimate - mean);
        }
        return sum / estimates.length * forks / (forks - 1);
    }

    private static double[] forkCenters(double[][] forks, Center center) {
        double[] centers = new double[forks.length];
        for (int fork = 0; fork < forks.length; fork++) {
            centers[fork] = center(forks[fork].clone(), center);
        }
        return centers;
    }

    /** Sorts {@code values} for a median. */
    private static double center(double[] values, Center center) {
        return switch (center) {
            case MEAN -> mean(values);
            case MEDIAN -> {
                Arrays.sort(values);
                int half = values.length / 2;
                yield values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
            }
        };
    }

    private static double mean(double[] values) {
        // About the first one: equal values have exactly their own value as mean, and no spread.
        double sum = 0;
        for (double value : values) {
            sum += value - values[0];
        }
        return values[0] + sum / values.length;
    }

    private static double[][] logs(String side, List<List<Double>> samples) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException(side + ": expected at least one fork, got none");
        }
        double[][] logs = new double[samples.size()][];
        for (int fork = 0; fork < logs.length; fork++) {
            List<Double> iterations = samples.get(fork);
            if (iterations.isEmpty()) {
                throw new IllegalArgumentException(
                        side + ": expected at least one iteration in fork " + (fork + 1) + ", got none");
            }
            logs[fork] = new double[iterations.size()];
            for (int iteration = 0; iteration < logs[fork].length; iteration++) {
                double score = iterations.get(iteration);
                if (!(score > 0 && score < Double.POSITIVE_INFINITY)) {
                    throw new IllegalArgumentException(
                            side + ": expected positive finite scores, got " + score + " in fork " + (fork + 1));
                }
                logs[fork][iteration] = Math.log(score);
            }
        }
        return logs;
    }
}
