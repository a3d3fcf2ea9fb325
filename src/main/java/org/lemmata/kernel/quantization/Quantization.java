package org.lemmata.kernel.quantization;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Y = round(X) for a matrix, element by element or in blocks of its rows, and Y = round(A + B).
 *
 * <p>Element j of row i takes the word {@code stream.word(i * roundUp(columns, 32) + j)} where the rounding is
 * stochastic, so that a result depends neither on the order of the work nor on threads, lanes and strides. What comes
 * out is stored in binary32: exactly for formats that binary32 contains, else rounded once more.
 */
public sealed interface Quantization permits ScalarQuantization, VectorQuantization {

    /**
     * Overwrites Y, which is X itself or does not overlap it.
     *
     * @param stream the random words of a stochastic rounding; others do not look at it
     * @throws IllegalArgumentException if the sizes differ
     */
    void round(Matrix y, Matrix x, TensorRounding rounding, RandomStream stream);

    /**
     * Overwrites Y with sums, each rounded once as if it were exact; Y may be A or B. They are taken as one run of
     * elements, of which element i takes the word {@code stream.word(i)}.
     *
     * @throws IllegalArgumentException if the sizes differ, or a matrix has gaps between its rows
     */
    void add(Matrix y, Matrix a, Matrix b, Rounding rounding, RandomStream stream);

    /** The argument check of {@link #add} that every implementation makes first. */
    static void check(Matrix y, Matrix a, Matrix b) {
        y.requireDense("y", y.rows(), y.columns());
        a.requireDense("a", y.rows(), y.columns());
        b.requireDense("b", y.rows(), y.columns());
    }
}
