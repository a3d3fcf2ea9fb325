package org.lemmata.construct.symbol;

import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** A quadrature rule: sum_i w_i f(z_i) approximates E f(Z) for a standard normal Z; the weights sum to 1. */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
record GaussianRule(double[] nodes, double[] weights) {

    /** The usable fraction of the distance to a pole; near the pole, the integrand is unbounded. */
    private static final double NEAR_POLE = 0.8;

    /**
     * The Gauss-Hermite rule, exact for polynomials of a degree below 2 {@code count}.
     *
     * <p>Source: Golub and Welsch (1969), Calculation of Gauss quadrature rules: nodes are the eigenvalues of the
     * matrix of the recurrence, and weights are the squares of the first components of its eigenvectors.
     */
    static GaussianRule hermite(int count) {
        var recurrence = new DMatrixRMaj(count, count);
        for (int i = 1; i < count; i++) {
            recurrence.set(i, i - 1, Math.sqrt(i));
            recurrence.set(i - 1, i, Math.sqrt(i));
        }
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(count, true, true);
        eigen.decompose(recurrence);
        double[] nodes = new double[count];
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            nodes[i] = eigen.getEigenvalue(i).real;
            weights[i] = Math.pow(eigen.getEigenVector(i).get(0), 2);
        }
        return new GaussianRule(nodes, weights);
    }

    static GaussianRule trapezoidal(double step, int side) {
        double[] nodes = new double[2 * side + 1];
        Arrays.setAll(nodes, i -> step * (i - side));
        double[] weights = Arrays.stream(nodes).map(z -> Math.exp(-z * z / 2)).toArray();
        double sum = Arrays.stream(weights).sum();
        Arrays.setAll(weights, i -> weights[i] / sum);
        return new GaussianRule(nodes, weights);
    }

    /**
     * The Gauss-Hermite or trapezoidal rule for a softmax, whichever has fewer nodes. Per step of 1 in z, the scores of
     * the softmax change by at most {@code range} relative to each other. The poles of the softmax therefore have at
     * least the distance pi / {@code range} from the real line.
     *
     * <p>For poles at distance d, the Gauss-Hermite rule with n nodes has an error of about exp(-2 d sqrt(n)), and the
     * trapezoidal rule with step h has an error of exp(d² / 2 - 2 pi d / h), by shifting the line of integration. The
     * first rule is better for small ranges. The second is better for large ranges, because its number of nodes grows
     * linearly with the range, not quadratically.
     *
     * @param tolerance the approximate error, in (0, 1)
     */
    static GaussianRule ofSoftmax(double tolerance, double range) {
        double digits = Math.log(1 / tolerance);
        double pole = NEAR_POLE * Math.PI / range;
        double hermite = Math.ceil(4 + Math.pow(digits / (2 * pole), 2));
        double reach = Math.sqrt(2 * digits);
        double moved = Math.min(pole, reach);
        double step = 2 * Math.PI * moved / (digits + moved * moved / 2);
        int side = (int) Math.ceil(reach / step);
        return hermite <= 2.0 * side + 1 ? hermite((int) hermite) : trapezoidal(step, side);
    }
}
