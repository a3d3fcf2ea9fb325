package org.lemmata.construct.symbol;

/**
 * The activation phi(t) = cos(b1 t + b2), and its kernel E phi(U) phi(V) for normal U and V with mean 0.
 *
 * <p>Source: Boix-Adsera et al. (2024), theorem 4.4 and claim E.2.
 *
 * @param frequency b1
 * @param phase b2
 */
public record CosineLink(double frequency, double phase) {

    /**
     * E phi(U) phi(V) = 1/2 exp(-b1² (a + b) / 2) (exp(-b1² rho) cos(2 b2) + exp(b1² rho)).
     *
     * @param varianceOfU a
     * @param varianceOfV b
     * @param covariance rho
     */
    public double expectation(double varianceOfU, double varianceOfV, double covariance) {
        double square = frequency * frequency;
        // The exponents are added first, because each factor alone may overflow.
        double mean = -square * (varianceOfU + varianceOfV) / 2;
        return 0.5
                * (Math.exp(mean - square * covariance) * Math.cos(2 * phase) + Math.exp(mean + square * covariance));
    }
}
