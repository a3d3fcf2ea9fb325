package org.lemmata.claim.length.figure;

import java.util.Arrays;
import java.util.Locale;
import org.lemmata.claim.Judgement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * N = a x^c.
 *
 * @param factor a
 * @param exponent c
 */
record PowerLaw(double factor, double exponent) {

    /** "linearly" has no range in the paper; from half way to a square root to half way to a square is ours. */
    static final double MIN_LINEAR = Math.sqrt(0.5);

    static final double MOST_LINEAR = Math.sqrt(2);

    /** The least squares of log y over log x. */
    static PowerLaw of(double[] x, double[] y) {
        double[] logX = Arrays.stream(x).map(Math::log).toArray();
        double[] logY = Arrays.stream(y).map(Math::log).toArray();
        double meanX = Arrays.stream(logX).average().orElseThrow();
        double meanY = Arrays.stream(logY).average().orElseThrow();
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < logX.length; i++) {
            covariance += (logX[i] - meanX) * (logY[i] - meanY);
            variance += (logX[i] - meanX) * (logX[i] - meanX);
        }
        double slope = covariance / variance;
        return new PowerLaw(Math.exp(meanY - slope * meanX), slope);
    }

    double at(double x) {
        return factor * Math.pow(x, exponent);
    }

    /** N = a x^c, with figures. */
    String text(String x) {
        return String.format(Locale.ROOT, "N = %.3g %s^%.2f", factor, x, exponent);
    }

    /** Whether an exponent is 1, nearer than to 1/2 or 2, wherever in its interval it is. */
    static boolean isLinear(Jackknife exponent) {
        return exponent.interval().low() >= MIN_LINEAR && exponent.interval().high() <= MOST_LINEAR;
    }

    /** Adds that an exponent is 1, nearer than to 1/2 or 2, and the figure where there is one. */
    static void isLinear(String name, Jackknife exponent, Judgement judgement) {
        if (exponent.isKnown()) {
            judgement.measure(exponent.measured(name, "", new Reference(Relation.ABOUT, 1)));
        }
        judgement.within(
                exponent.text(name) + String.format(Locale.ROOT, " within %.3f to %.3f", MIN_LINEAR, MOST_LINEAR),
                exponent.interval(),
                MIN_LINEAR,
                MOST_LINEAR);
    }
}
