package org.lemmata.kernel.quantization;

import org.lemmata.kernel.elementary.Extents;
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
     * Overwrites {@code rows} x {@code columns} outputs, which are the inputs themselves or do not overlap them.
     *
     * @param yStride elements from a row to the next, at least {@code columns}
     * @param stream the random words of a stochastic rounding; others do not look at it
     * @throws IllegalArgumentException if a matrix does not lie within its array
     */
    void round(
            float[] y,
            int yOffset,
            int yStride,
            float[] x,
            int xOffset,
            int xStride,
            int rows,
            int columns,
            TensorRounding rounding,
            RandomStream stream);

    /**
     * y_i = round(a_i + b_i), each sum rounded once as if it were exact; {@code y} may be {@code a} or {@code b} at the
     * same place. Element i takes the word {@code stream.word(i)}.
     *
     * @throws IllegalArgumentException if a vector does not lie within its array
     */
    void add(
            float[] y,
            int yOffset,
            float[] a,
            int aOffset,
            float[] b,
            int bOffset,
            int length,
            Rounding rounding,
            RandomStream stream);

    /** The argument check of {@link #round} that every implementation makes first. */
    static void check(float[] y, int yOffset, int yStride, float[] x, int xOffset, int xStride, int rows, int columns) {
        Extents.checkMatrix("y", y, yOffset, yStride, rows, columns);
        Extents.checkMatrix("x", x, xOffset, xStride, rows, columns);
    }

    /** The argument check of {@link #add} that every implementation makes first. */
    static void check(float[] y, int yOffset, float[] a, int aOffset, float[] b, int bOffset, int length) {
        Extents.checkVector("y", y, yOffset, length);
        Extents.checkVector("a", a, aOffset, length);
        Extents.checkVector("b", b, bOffset, length);
    }
}
