package org.lemmata.statistic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Laws of how forks differ: mean 0; standard deviation 1, of the bimodal one 1.4. */
enum ForkNoise {
    NORMAL {
        @Override
        double next(SplittableRandom random) {
            return random.nextGaussian();
        }
    },
    /** Skewed, with a heavy tail to the slow side. */
    LOGNORMAL {
        @Override
        double next(SplittableRandom random) {
            return (Math.exp(random.nextGaussian()) - Math.exp(0.5)) / Math.sqrt((Math.E - 1) * Math.E);
        }
    },
    /** Three forks of ten are far slower: an alignment, or another decision of the compiler. */
    BIMODAL {
        @Override
        double next(SplittableRandom random) {
            return (random.nextDouble() < 0.3 ? 2.1 : -0.9) + 0.3 * random.nextGaussian();
        }
    },
    /** One fork of ten has a neighbour on the machine for all of its time. */
    DISTURBED {
        @Override
        double next(SplittableRandom random) {
            return random.nextGaussian() / Math.sqrt(2) + (random.nextDouble() < 0.1 ? 2.25 : 0) - 0.225;
        }
    };

    private static final int ITERATIONS = 5;

    abstract double next(SplittableRandom random);

    /**
     * Scores [fork][iteration] of about 100, whose iterations within a fork differ half as much as the forks do.
     *
     * @param deviation of the forks' logs
     * @param drift added to each fork's log
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
