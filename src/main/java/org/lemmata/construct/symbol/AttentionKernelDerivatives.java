package org.lemmata.construct.symbol;

import java.util.Arrays;
import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * The derivatives of the attention kernel with respect to beta and gamma at beta = gamma = 0, exact up to rounding. The
 * coefficient of beta^i is the mean of a polynomial of degree i in normal variables, for which a quadrature rule with
 * few nodes is exact. The coefficient is also a polynomial in gamma² of degree i / 2 + 1, so i / 2 + 2 values determine
 * it.
 *
 * <p>Source: Boix-Adsera et al. (2024), appendix F.1.
 */
public final class AttentionKernelDerivatives {

    private static final int MAX_ORDER = 12;

    private AttentionKernelDerivatives() {}

    /**
     * Element j: the derivative of order {@code order} in beta and 2 j in gamma, for j up to order / 2 + 1. Derivatives
     * of odd orders are 0.
     *
     * @param order even, at most {@value #MAX_ORDER}
     */
    public static double[] of(int[] x, int[] y, int order) {
        Refuse.when(order % 2 != 0 || order < 0 || order > MAX_ORDER, "order", "even, 0 to " + MAX_ORDER, order);
        double[] values = new double[order / 2 + 2];
        Arrays.setAll(values, square -> coefficient(x, y, order, Math.sqrt(square)));
        double[] derivatives = interpolate(values);
        Arrays.setAll(derivatives, j -> factorial(order) * factorial(2 * j) * derivatives[j]);
        return derivatives;
    }

    private static double factorial(int n) {
        return n == 0 ? 1 : n * factorial(n - 1);
    }

    /** The coefficients of the polynomial with these values at 0, 1, 2, ..., by Newton's differences. */
    private static double[] interpolate(double[] values) {
        double[] differences = values.clone();
        for (int order = 1; order < values.length; order++) {
            for (int i = values.length - 1; i >= order; i--) {
                differences[i] = (differences[i] - differences[i - 1]) / order;
            }
        }
        double[] coefficients = new double[values.length];
        for (int i = values.length - 1; i >= 0; i--) {
            // Multiplies by (t - i) and adds the next difference.
            for (int power = values.length - 1; power > 0; power--) {
                coefficients[power] = coefficients[power - 1] - i * coefficients[power];
            }
            coefficients[0] = differences[i] - i * coefficients[0];
        }
        return coefficients;
    }

    /** The coefficient of beta^order for one gamma. */
    private static double coefficient(int[] x, int[] y, int order, double gamma) {
        ScoreNodes nodes = ScoreNodes.of(
                List.of(x, y), ScoreNodes.inBoth(x, y), 1, gamma, range -> GaussianRule.hermite(order / 2 + 1));
        double mean = 0;
        for (int node = 0; node < nodes.common().count(); node++) {
            double[][] readX = meanSeries(nodes, node, 0, order);
            double[][] readY = meanSeries(nodes, node, 1, order);
            double sum = 0;
            for (int p = 0; p <= order; p++) {
                for (int a = 0; a < x.length; a++) {
                    sum += gamma * gamma * readX[p][a] * readY[order - p][a];
                    for (int b = 0; b < y.length; b++) {
                        sum += x[a] == y[b] ? readX[p][a] * readY[order - p][b] : 0;
                    }
                }
            }
            mean += nodes.common().weights()[node] * sum;
        }
        return mean;
    }

    /**
     * The softmax of beta times the scores of a string as a power series in beta, averaged over the string's own nodes.
     */
    private static double[][] meanSeries(ScoreNodes nodes, int node, int string, int order) {
        int k = nodes.length();
        GaussianNodes own = nodes.own().get(string);
        double[][] mean = new double[order + 1][k];
        double[][] series = new double[order + 1][k];
        double[] scores = new double[k];
        for (int ownNode = 0; ownNode < own.count(); ownNode++) {
            for (int a = 0; a < k; a++) {
                scores[a] = nodes.common().value(node, string * k + a) + own.value(ownNode, a);
            }
            softmaxSeries(series, scores);
            for (int power = 0; power <= order; power++) {
                for (int a = 0; a < k; a++) {
                    mean[power][a] += own.weights()[ownNode] * series[power][a];
                }
            }
        }
        return mean;
    }

    /**
     * The coefficients s_n of the quotient of e_a = sum_n (u_a beta)^n / n! and its sum over a, by comparing powers.
     */
    private static void softmaxSeries(double[][] series, double[] scores) {
        int k = scores.length;
        double[] powers = new double[k];
        Arrays.fill(powers, 1);
        double[] sums = new double[series.length];
        for (int n = 0; n < series.length; n++) {
            for (int a = 0; a < k; a++) {
                powers[a] *= n == 0 ? 1 : scores[a] / n;
                sums[n] += powers[a];
                series[n][a] = powers[a];
            }
            for (int m = 1; m <= n; m++) {
                for (int a = 0; a < k; a++) {
                    series[n][a] -= sums[m] * series[n - m][a];
                }
            }
            for (int a = 0; a < k; a++) {
                series[n][a] /= k;
            }
        }
    }
}
