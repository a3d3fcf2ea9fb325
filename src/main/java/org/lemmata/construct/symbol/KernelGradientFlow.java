package org.lemmata.construct.symbol;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lemmata.argument.Refuse;

/**
 * Gradient flow of 1/2 sum_i (f(x_i) - y_i)² + lambda/2 |f|² for f = sum_i alpha_i K(x_i, .): d alpha / dt = y - (K +
 * lambda I) alpha from alpha = 0. It is computed in the basis of K's eigenvectors, where the coefficients are
 * independent.
 *
 * <p>Source: Boix-Adsera et al. (2024), proposition 4.3.
 */
public final class KernelGradientFlow {

    private final double[] matrix;
    private final double[] labels;
    private final double lambda;
    private final double[][] axes;
    private final double[] rates;

    /** @param matrix K: n x n numbers row by row, positive semidefinite */
    public KernelGradientFlow(double[] matrix, double[] labels, double lambda) {
        int n = labels.length;
        Refuse.when(n == 0 || matrix.length != n * n, "labels", "one per sample", n);
        this.matrix = matrix.clone();
        this.labels = labels.clone();
        this.lambda = lambda;
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(n, true, true);
        eigen.decompose(new DMatrixRMaj(n, n, true, matrix.clone()));
        axes = IntStream.range(0, n).mapToObj(i -> eigen.getEigenVector(i).data).toArray(double[][]::new);
        rates = IntStream.range(0, n)
                .mapToDouble(i -> eigen.getEigenvalue(i).real + lambda)
                .toArray();
    }

    /**
     * The smallest eigenvalue of K + lambda I: the remaining error decreases at least as fast as exp(-t times this
     * number).
     */
    public double slowest() {
        return Arrays.stream(rates).min().orElseThrow();
    }

    /** The largest eigenvalue of K + lambda I: steps above 2 divided by this number diverge. */
    public double fastest() {
        return Arrays.stream(rates).max().orElseThrow();
    }

    /** alpha at time t. */
    public double[] at(double time) {
        double[] alpha = new double[labels.length];
        for (int i = 0; i < rates.length; i++) {
            double along = 0;
            for (int j = 0; j < labels.length; j++) {
                along += axes[i][j] * labels[j];
            }
            double reached = along * -Math.expm1(-rates[i] * time) / rates[i];
            for (int j = 0; j < labels.length; j++) {
                alpha[j] += reached * axes[i][j];
            }
        }
        return alpha;
    }

    /** alpha after {@code steps} steps of gradient descent. */
    public double[] bySteps(double rate, int steps) {
        int n = labels.length;
        double[] alpha = new double[n];
        double[] gradient = new double[n];
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < n; i++) {
                gradient[i] = lambda * alpha[i] - labels[i];
                for (int j = 0; j < n; j++) {
                    gradient[i] += matrix[i * n + j] * alpha[j];
                }
            }
            for (int i = 0; i < n; i++) {
                alpha[i] -= rate * gradient[i];
            }
        }
        return alpha;
    }
}
