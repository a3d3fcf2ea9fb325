package org.lemmata.kernel.elementary;

/** Argument checks of operations on parts of arrays. */
public final class Extents {

    private Extents() {}

    /**
     * Checks a row-major matrix with element (i, j) at {@code offset + i * stride + j}.
     *
     * @throws IllegalArgumentException if a size is negative or, for a matrix with elements, the stride is below the
     *     number of columns or the matrix does not lie within its array
     */
    public static void checkMatrix(String name, float[] data, int offset, int stride, int rows, int columns) {
        boolean within = rows == 0
                || columns == 0
                || (offset >= 0 && stride >= columns && offset + (rows - 1L) * stride + columns <= data.length);
        if (rows < 0 || columns < 0 || !within) {
            throw new IllegalArgumentException(name + ": expected " + rows + " x " + columns + " within " + data.length
                    + " elements, got offset " + offset + " and stride " + stride);
        }
    }

    /**
     * Checks {@code length} elements from {@code offset} on.
     *
     * @throws IllegalArgumentException if the length is negative, or the elements do not lie within the array
     */
    public static void checkVector(String name, float[] data, int offset, int length) {
        if (length < 0 || offset < 0 || (long) offset + length > data.length) {
            throw new IllegalArgumentException(
                    name + ": expected " + length + " elements within " + data.length + ", got offset " + offset);
        }
    }
}
