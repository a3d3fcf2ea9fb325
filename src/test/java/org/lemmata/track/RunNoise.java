package org.lemmata.track;

import java.util.SplittableRandom;

/** Distributions of log speeds of unchanged code: mean 0, standard deviation 1 except for the outliers. */
enum RunNoise {
    NORMAL {
        @Override
        double next(SplittableRandom random) {
            return random.nextGaussian();
        }
    },
    /** Minus a lognormal value: skewness -1.75. */
    SLOW_TAIL {
        @Override
        double next(SplittableRandom random) {
            double variance = (Math.exp(0.25) - 1) * Math.exp(0.25);
            return (Math.exp(0.125) - Math.exp(0.5 * random.nextGaussian())) / Math.sqrt(variance);
        }
    },
    /** Skewness -2: the distribution from which the limits of a history are derived. */
    EXPONENTIAL {
        @Override
        double next(SplittableRandom random) {
            return 1 - random.nextExponential();
        }
    },
    /** One of fifty runs deviates by ten standard deviations. */
    OUTLIERS {
        @Override
        double next(SplittableRandom random) {
            double outlier = random.nextDouble() < 0.02 ? 10 : 0;
            return random.nextGaussian() + (random.nextBoolean() ? outlier : -outlier);
        }
    };

    abstract double next(SplittableRandom random);
}
