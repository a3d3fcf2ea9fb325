package org.lemmata.construct.length;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * g(z) = sum_k c_k relu(a_k z + b_k), the piecewise linear interpolation of sin(omega z) at the n knots z_k = (2k - (n
 * - 1)) / (n - 1), k = 0 ... n - 1, of [-1, 1]: |g(z) - sin(omega z)| &lt;= (omega h)² / 8 there, h = 2 / (n - 1).
 *
 * <p>Unit 0 is the constant sin(-omega): a = 0, b = 1. Unit k + 1 changes the slope at knot k = 0 ... n - 2 by d_k,
 * with a_{k + 1} = sqrt(|d_k|) = |c_{k + 1}|. d_0 is the first slope, and d_k = -(4 / h) sin²(omega h / 2) sin(omega
 * z_k) for k &gt; 0; if d_k = 0, the unit is 0.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), appendix A.2, which does not specify the network.
 */
public final class PiecewiseLinearSine {

    private final double omega;
    private final int bits;
    private final double[] first;
    private final double[] biases;
    private final double[] second;

    /**
     * @param omega a finite number
     * @param knots n, at least 2, which is also the number of units
     * @param bits significand bits to which weights are rounded, 2 to 53
     */
    public PiecewiseLinearSine(double omega, int knots, int bits) {
        Refuse.when(!Double.isFinite(omega), "omega", "a finite number", omega);
        Refuse.below("knots", knots, 2);
        this.omega = omega;
        this.bits = LimitTransformer.checkedBits(bits);
        first = new double[knots];
        biases = new double[knots];
        second = new double[knots];
        biases[0] = 1;
        second[0] = Math.sin(-omega);
        double h = 2.0 / (knots - 1);
        for (int k = 0; k < knots - 1; k++) {
            double knot = (2.0 * k - (knots - 1)) / (knots - 1);
            double bend = k == 0
                    ? 2 / h * Math.sin(omega * h / 2) * Math.cos(omega * (h / 2 - 1))
                    : -4 / h * Math.pow(Math.sin(omega * h / 2), 2) * Math.sin(omega * knot);
            first[k + 1] = Math.sqrt(Math.abs(bend));
            biases[k + 1] = -first[k + 1] * knot;
            second[k + 1] = Math.copySign(first[k + 1], bend);
        }
        var format = new FloatFormat("binary with " + bits + " bits", bits, -1022, 1023);
        for (double[] weights : new double[][] {first, biases, second}) {
            Arrays.setAll(weights, k -> Rounding.toNearestEven(format).round(weights[k], 0));
        }
    }

    /** n, the number of units and of knots. */
    public int units() {
        return first.length;
    }

    /** a, the row of A that is multiplied by z. */
    public double[] first() {
        return first.clone();
    }

    /** b. */
    public double[] biases() {
        return biases.clone();
    }

    /** c, the column of B for the output. */
    public double[] second() {
        return second.clone();
    }

    /**
     * (omega h)² / 8, a bound of the error of the real-valued network on [-1, 1], because |(sin(omega z))''| is at most
     * omega².
     */
    public double interpolationBound() {
        double half = omega / (first.length - 1);
        return half * half / 2;
    }

    /**
     * A bound of the rounding error of a value if weights, z and every operation have {@code bits} bits: ((1 + u)^(n +
     * 9) - 1) sum_k |c_k| (|a_k| + |b_k|) with u = 2^-bits. Each term is rounded at most 9 times, and as part of sums
     * at most n times.
     */
    public double roundingBound() {
        double sum = IntStream.range(0, first.length)
                .mapToDouble(k -> Math.abs(second[k]) * (Math.abs(first[k]) + Math.abs(biases[k])))
                .sum();
        return Math.expm1((first.length + 9) * Math.log1p(Math.scalb(1.0, -bits))) * sum;
    }

    /** max |g'|, the Lipschitz constant, which is at most |omega| up to rounding. */
    public double lipschitzConstant() {
        double slope = 0;
        double maximum = 0;
        for (int k = 0; k < first.length; k++) {
            slope += second[k] * first[k];
            maximum = Math.max(maximum, Math.abs(slope));
        }
        return maximum;
    }

    /** ||A||_F ||B||_F, at least the path norm; theorem 4.1 uses it instead of the Lipschitz constant. */
    public double frobeniusProduct() {
        return Math.sqrt(Arrays.stream(first).map(a -> a * a).sum()
                * Arrays.stream(second).map(c -> c * c).sum());
    }

    /**
     * A lower bound for ||A||_F ||B||_F of every network with one relu layer that approximates sin(omega z) on [-1, 1]
     * up to {@code error}: 4 (1 - error) (|omega| / pi) (e - 2), or 0, where e = floor(2 |omega| / pi) is the smallest
     * possible number of extrema there.
     *
     * <p>Between neighbouring extrema, at distance pi / |omega|, the network changes by at least 2 - 2 error, so its
     * slope somewhere has a magnitude of at least (2 - 2 error) |omega| / pi, with alternating signs. There are e - 1
     * such slopes, and e - 2 slope changes of twice that magnitude. The sum of all slope changes is at most the path
     * norm, which is at most the product of norms.
     *
     * @param error from 0 to 1
     */
    public static double minFrobeniusProduct(double omega, double error) {
        Refuse.when(!(error >= 0 && error <= 1), "error", "0 to 1", error);
        double extremes = Math.floor(2 * Math.abs(omega) / Math.PI);
        return Math.max(0, 4 * (1 - error) * Math.abs(omega) / Math.PI * (extremes - 2));
    }
}
