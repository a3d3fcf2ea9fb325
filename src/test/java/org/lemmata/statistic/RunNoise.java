package org.lemmata.statistic;

import java.util.SplittableRandom;

/** Laws of stationary series: mean 0, standard deviation 1 but for the outliers. */
enum RunNoise {
    NORMAL {
        @Override
        double next(SplittableRandom random) {
            return random.nextGaussian();
        }
    },
    /** Skewness 1.75. */
    LOGNORMAL {
        @Override
        double next(SplittableRandom random) {
            double variance = (Math.exp(0.25) - 1) * Math.exp(0.25);
            return (Math.exp(0.5 * random.nextGaussian()) - Math.exp(0.125)) / Math.sqrt(variance);
        }
    },
    /** One run of fifty lies ten standard deviations off. */
    OUTLIERS {
        @Override
        double next(SplittableRandom random) {
            double outlier = random.nextDouble() < 0.02 ? 10 : 0;
            return random.nextGaussian() + (random.nextBoolean() ? outlier : -outlier);
        }
    };

    abstract double next(SplittableRandom random);

    double[] series(SplittableRandom random, int runs) {
        double[] series = new double[runs];
        for (int run = 0; run < runs; run++) {
            series[run] = next(random);
        }
        return series;
    }
}
