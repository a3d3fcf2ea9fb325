package org.lemmata.claim.symbol;

import java.util.Arrays;

/** How a quantity changes with a size: the slope of its logarithm over that of the size. */
final class Exponent {

    private Exponent() {}

    /** By least squares; at least two sizes, values above 0. */
    static double of(double[] sizes, double[] values) {
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
