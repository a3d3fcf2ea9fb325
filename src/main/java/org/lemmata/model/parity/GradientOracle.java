package org.lemmata.model.parity;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** What an algorithm is told where it asks for a gradient. Source: Kim and Suzuki (2024), sections 2.1 and 3.1. */
@FunctionalInterface
public interface GradientOracle {

    /** An answer to a question whose exact answer is {@code gradient}, which stays as it is. */
    double[] answer(double[] gradient);

    /** The gradient. */
    static GradientOracle exact() {
        return double[]::clone;
    }

    /** At a distance of {@code epsilon} in the 2-norm, into a direction drawn uniformly. */
    static GradientOracle noisy(double epsilon, RandomGenerator random) {
        return gradient -> {
            double[] noise = new double[gradient.length];
            Arrays.setAll(noise, i -> random.nextGaussian());
            double factor = epsilon / distance(noise, new double[noise.length]);
            Arrays.setAll(noise, i -> gradient[i] + factor * noise[i]);
            return noise;
        };
    }

    /** Each component to the nearest multiple of {@code step}. */
    static GradientOracle rounding(double step) {
        return gradient ->
                Arrays.stream(gradient).map(g -> step * Math.rint(g / step)).toArray();
    }

    /**
     * The oracle of the proof of theorem 2: the mean over all targets where the gradient is within {@code epsilon} of
     * it, else the gradient.
     *
     * @param mean at the same parameters
     */
    static GradientOracle adversarial(double epsilon, double[] mean) {
        return gradient -> (distance(gradient, mean) <= epsilon ? mean : gradient).clone();
    }

    /** ||a - b||. */
    static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(sum);
    }
}
