package org.lemmata.model.parity;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** An oracle for gradients, which may be inexact. Source: Kim and Suzuki (2024), sections 2.1 and 3.1. */
@FunctionalInterface
public interface GradientOracle {

    /** The oracle's answer to an exact gradient. The array {@code gradient} is not changed. */
    double[] answer(double[] gradient);

    static GradientOracle exact() {
        return double[]::clone;
    }

    /** Adds an error of 2-norm {@code epsilon} in a uniformly drawn direction. */
    static GradientOracle noisy(double epsilon, RandomGenerator random) {
        return gradient -> {
            double[] noise = new double[gradient.length];
            Arrays.setAll(noise, i -> random.nextGaussian());
            double factor = epsilon / distance(noise, new double[noise.length]);
            Arrays.setAll(noise, i -> gradient[i] + factor * noise[i]);
            return noise;
        };
    }

    /** Rounds each component to the nearest multiple of {@code step}. */
    static GradientOracle rounding(double step) {
        return gradient ->
                Arrays.stream(gradient).map(g -> step * Math.rint(g / step)).toArray();
    }

    /**
     * The oracle of the proof of theorem 2. If the gradient is within {@code epsilon} of the mean over all targets, the
     * answer is the mean, otherwise the gradient.
     *
     * @param mean the mean gradient at the same parameters
     */
    static GradientOracle adversarial(double epsilon, double[] mean) {
        return gradient -> (distance(gradient, mean) <= epsilon ? mean : gradient).clone();
    }

    static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(sum);
    }
}
