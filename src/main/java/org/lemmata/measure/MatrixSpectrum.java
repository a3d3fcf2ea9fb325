package org.lemmata.measure;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;
import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

/**
 * Eigenvalues and singular values of a square matrix, in binary64.
 *
 * @param eigenvalues the eigenvalues by descending modulus; in a conjugate pair, the positive imaginary part comes
 *     first
 * @param singularValues the singular values, in descending order
 */
public record MatrixSpectrum(List<Eigenvalue> eigenvalues, List<SingularValue> singularValues) {

    /** real + i imaginary. */
    public record Eigenvalue(double real, double imaginary) {
        double modulus() {
            return Math.hypot(real, imaginary);
        }
    }

    /**
     * A singular value s of a matrix A, with A v = s u for unit vectors u and v.
     *
     * @param value s
     * @param cosine u . v, for example -1 if the matrix reverses the direction
     */
    public record SingularValue(double value, double cosine) {}

    public MatrixSpectrum {
        eigenvalues = List.copyOf(eigenvalues);
        singularValues = List.copyOf(singularValues);
    }

    /**
     * The spectrum of W_V W_O of a layer, all heads together, or of W_V if there is no W_O. For a model that computes x
     * Wᵀ, the transposed product has the same eigenvalues.
     *
     * @throws IllegalArgumentException if there is no such layer
     */
    public static MatrixSpectrum ofValueAndOutput(Parameters parameters, int layer) {
        Architecture architecture = parameters.architecture();
        DMatrixRMaj value = matrix(parameters, architecture.view(ParameterRole.VALUE, layer));
        return of(architecture
                .find(ParameterRole.OUTPUT, layer)
                .map(output -> product(value, matrix(parameters, output)))
                .orElse(value));
    }

    private static DMatrixRMaj matrix(Parameters parameters, ParameterView view) {
        var matrix = new DMatrixRMaj(view.rows(), view.columns());
        for (int i = 0; i < view.size(); i++) {
            matrix.data[i] = parameters.values()[view.offset() + i];
        }
        return matrix;
    }

    /** A product whose sums run in the order of indices, so that its bits do not depend on the library's blocking. */
    private static DMatrixRMaj product(DMatrixRMaj a, DMatrixRMaj b) {
        var c = new DMatrixRMaj(a.numRows, b.numCols);
        for (int i = 0; i < a.numRows; i++) {
            for (int k = 0; k < a.numCols; k++) {
                double factor = a.data[i * a.numCols + k];
                for (int j = 0; j < b.numCols; j++) {
                    c.data[i * b.numCols + j] += factor * b.data[k * b.numCols + j];
                }
            }
        }
        return c;
    }

    static MatrixSpectrum of(DMatrixRMaj matrix) {
        return new MatrixSpectrum(eigenvalues(matrix), singularValues(matrix));
    }

    private static List<Eigenvalue> eigenvalues(DMatrixRMaj matrix) {
        EigenDecomposition_F64<DMatrixRMaj> decomposition = DecompositionFactory_DDRM.eig(matrix.numRows, false, false);
        if (!decomposition.decompose(matrix.copy())) {
            throw new ArithmeticException("eigenvalues: no convergence");
        }
        return IntStream.range(0, decomposition.getNumberOfEigenvalues())
                .mapToObj(decomposition::getEigenvalue)
                .map(value -> new Eigenvalue(value.real, value.imaginary))
                .sorted(Comparator.comparingDouble(Eigenvalue::modulus)
                        .thenComparingDouble(Eigenvalue::real)
                        .thenComparingDouble(Eigenvalue::imaginary)
                        .reversed())
                .toList();
    }

    private static List<SingularValue> singularValues(DMatrixRMaj matrix) {
        int n = matrix.numRows;
        SingularValueDecomposition_F64<DMatrixRMaj> decomposition =
                DecompositionFactory_DDRM.svd(n, n, true, true, true);
        if (!decomposition.decompose(matrix.copy())) {
            throw new ArithmeticException("singular values: no convergence");
        }
        double[] values = decomposition.getSingularValues();
        DMatrixRMaj u = decomposition.getU(null, false);
        DMatrixRMaj v = decomposition.getV(null, false);
        return IntStream.range(0, n)
                .mapToObj(i -> new SingularValue(values[i], columnProduct(u, v, i)))
                .sorted(Comparator.comparingDouble(SingularValue::value).reversed())
                .toList();
    }

    private static double columnProduct(DMatrixRMaj u, DMatrixRMaj v, int column) {
        double sum = 0;
        for (int row = 0; row < u.numRows; row++) {
            sum += u.get(row, column) * v.get(row, column);
        }
        return sum;
    }

    /** sum s² / max s²: approximately the number of dominant directions of the matrix; 0 for the zero matrix. */
    public double stableRank() {
        double maximum = singularValues.getFirst().value();
        return maximum == 0
                ? 0
                : singularValues.stream()
                        .mapToDouble(singular -> singular.value() / maximum)
                        .map(ratio -> ratio * ratio)
                        .sum();
    }
}
