package org.lemmata.construct.symbol;

import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.lemmata.argument.Refuse;

/**
 * Kernel ridge regression, the limit of kernel gradient flow with ridge regularization: f(x) = sum_i alpha_i K(x_i, x)
 * with (K + lambda I) alpha = y.
 *
 * <p>Source: Boix-Adsera et al. (2024), proposition 4.3.
 *
 * @param samples x_i
 * @param coefficients alpha_i
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
public record KernelRidgeRegression(TokenSymmetricKernel kernel, List<int[]> samples, double[] coefficients) {

    /**
     * Fits labels to samples.
     *
     * @param lambda above 0, or 0 if K is positive definite
     * @throws IllegalArgumentException if K + lambda I is not positive definite in binary64, or the numbers of samples
     *     and labels differ
     */
    public static KernelRidgeRegression fit(
            TokenSymmetricKernel kernel, List<int[]> samples, double[] labels, double lambda) {
        return new KernelRidgeRegression(kernel, samples, coefficients(matrix(kernel, samples), labels, lambda));
    }

    public static double[] matrix(TokenSymmetricKernel kernel, List<int[]> samples) {
        int n = samples.size();
        double[] matrix = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                matrix[i * n + j] = kernel.of(samples.get(i), samples.get(j));
                matrix[j * n + i] = matrix[i * n + j];
            }
        }
        return matrix;
    }

    /**
     * (K + lambda I)^-1 y, by Cholesky decomposition.
     *
     * @param matrix K: n x n numbers row by row
     * @throws IllegalArgumentException as {@link #fit}
     */
    public static double[] coefficients(double[] matrix, double[] labels, double lambda) {
        int n = labels.length;
        Refuse.when(n == 0 || matrix.length != n * n, "labels", "one per sample", n);
        Refuse.when(!(lambda >= 0 && lambda < Double.POSITIVE_INFINITY), "lambda", "a finite number from 0", lambda);
        var regularized = new DMatrixRMaj(n, n, true, matrix.clone());
        for (int i = 0; i < n; i++) {
            regularized.add(i, i, lambda);
        }
        LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.chol(n);
        Refuse.when(!solver.setA(regularized), "lambda", "one with a positive definite K + lambda I", lambda);
        var coefficients = new DMatrixRMaj(n, 1);
        solver.solve(new DMatrixRMaj(n, 1, true, labels), coefficients);
        return coefficients.data;
    }

    /** f(x). */
    public double predict(int[] x) {
        double sum = 0;
        for (int i = 0; i < coefficients.length; i++) {
            sum += coefficients[i] * kernel.of(samples.get(i), x);
        }
        return sum;
    }
}
