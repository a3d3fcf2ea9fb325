package org.lemmata.benchmark;

/** The normal distribution in binary64. */
public final class Gaussian {

    private Gaussian() {}

    /**
     * erf x = 2 x / sqrt(pi) e^(-x^2) (1 + 2 x^2 / 3 + (2 x^2)^2 / (3 * 5) + ...), where all terms have the same sign.
     */
    public static double erf(double x) {
        double term = 2 * x / Math.sqrt(Math.PI) * Math.exp(-x * x);
        double sum = 0;
        for (int n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) {
            sum += term;
            term *= 2 * x * x / (2 * n + 1);
        }
        return sum;
    }

    /** Phi(x), the factor of x in GELU. */
    public static double distribution(double x) {
        return (1 + erf(x / Math.sqrt(2))) / 2;
    }

    public static double density(double x) {
        return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }
}
