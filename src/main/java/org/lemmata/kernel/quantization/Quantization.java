package org.lemmata.kernel.quantization;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Rounding of matrices: Y = round(X), element by element or in blocks of the rows of X, and Y = round(A + B).
 *
 * <p>In stochastic rounding, element j of row i uses the random word {@code stream.word(i * roundUp(columns, 32) + j)},
 * so that results do not depend on the order of the work, threads, lanes or strides. Results are stored in binary32:
 * exactly if binary32 contains the format, otherwise rounded once more.
 */
public sealed interface Quantization permits ScalarQuantization, VectorQuantization {

    /**
     * Overwrites Y, which must be X itself or not overlap it.
     *
     * @param stream the random words of stochastic rounding; ignored by other modes
     * @throws IllegalArgumentException if the sizes differ
     */
    void round(Matrix y, Matrix x, TensorRounding rounding, RandomStream stream);

    /**
     * Overwrites Y with the exact sums, each rounded once; Y may be A or B. The elements are numbered row by row, and
     * element i uses the random word {@code stream.word(i)}.
     *
     * @throws IllegalArgumentException if the sizes differ, or a matrix has gaps between its rows
     */
    void add(Matrix y, Matrix a, Matrix b, Rounding rounding, RandomStream stream);

    static void check(Matrix y, Matrix a, Matrix b) {
        y.requireDense("y", y.rows(), y.columns());
        a.requireDense("a", y.rows(), y.columns());
        b.requireDense("b", y.rows(), y.columns());
    }
}
