package org.lemmata.kernel.softmax;

/**
 * y_j = exp(x_j - max_l x_l) / sum_l exp(x_l - max_l x_l), for each row of a matrix.
 *
 * <p>Rows lie at {@code offset + i * stride}. A row of no columns is left alone. -infinity has weight 0; a row of
 * -infinity alone, a row with +infinity and a row with NaN give NaN.
 */
public sealed interface Softmax permits ScalarSoftmax, VectorSoftmax {

    /**
     * Replaces each row of {@code values} by its softmax.
     *
     * @throws IllegalArgumentException if the rows do not lie within the array
     */
    void forwardInto(float[] values, int offset, int stride, int rows, int columns);

    /** The argument check that every implementation makes first. */
    static void check(float[] values, int offset, int stride, int rows, int columns) {
        boolean within = rows == 0
                || columns == 0
                || (offset >= 0 && stride >= columns && offset + (rows - 1L) * stride + columns <= values.length);
        if (rows < 0 || columns < 0 || !within) {
            throw new IllegalArgumentException("values: expected " + rows + " x " + columns + " within " + values.length
                    + " elements, got offset " + offset + " and stride " + stride);
        }
    }
}
